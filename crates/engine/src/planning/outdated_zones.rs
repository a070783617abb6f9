//! Rejects time zones that SQL would convert with outdated rules.
//!
//! Arrow converts named zones with the data of the crate `chrono-tz`. This data can be older than the data that
//! `calendar` uses. If the rules of a zone have changed in between, a result could be wrong by an hour without any
//! error. Zone names inside texts, as in `to_timestamp('2026-11-17 09:00 America/Vancouver')`, aren't detected.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use arrow::array::timezone::Tz;
use arrow::datatypes::DataType;
use chrono::{Offset, TimeZone};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlan};

use dayledger_core::zone_data::ZoneData;

/// The zones that were checked so far, by name. The value is true if Arrow's rules of the zone are outdated.
static KNOWN: LazyLock<Mutex<HashMap<String, bool>>> = LazyLock::new(Mutex::default);

/// Rejects a plan that converts to a zone with outdated rules.
pub(crate) fn check(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|part| match zone_of(part).filter(|zone| is_outdated(zone)) {
                Some(zone) => plan_err!(
                    "the time zone data of SQL is outdated for `{zone}`: the rules of its clocks have changed"
                ),
                None => Ok(TreeNodeRecursion::Continue),
            })
        })
    })?;
    Ok(())
}

fn is_outdated(zone: &str) -> bool {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry(zone.to_owned()).or_insert_with(|| differs(zone))
}

/// If an expression converts a value to a time zone, returns this time zone. Otherwise, returns `None`.
fn zone_of(expr: &Expr) -> Option<Arc<str>> {
    let of_type = |data_type: &DataType| match data_type {
        DataType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    };
    match expr {
        Expr::Cast(cast) => of_type(cast.field.data_type()),
        Expr::TryCast(cast) => of_type(cast.field.data_type()),
        Expr::Literal(value, _) => of_type(&value.data_type()),
        // The second argument is a zone, or the text of a type, such as `Timestamp(s, "Europe/Berlin")`.
        Expr::ScalarFunction(call) if call.name().starts_with("arrow_") || call.name() == "from_unixtime" => {
            let Expr::Literal(argument, _) = call.args.get(1)? else { return None };
            argument.try_as_str()??.split('"').find(|part| part.parse::<Tz>().is_ok()).map(Arc::from)
        }
        _ => None,
    }
}

/// Whether Arrow's rules of a zone differ from the current rules.
fn differs(zone: &str) -> bool {
    let Ok(arrow) = zone.parse::<Tz>() else { return false };
    ZoneData::current()
        .offsets(zone)
        .iter()
        .any(|(utc, offset)| arrow.offset_from_utc_datetime(utc).fix().local_minus_utc() != *offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Before this check existed, results in each of these zones were wrong by an hour.
    #[test]
    fn only_zones_with_changed_rules_are_outdated() {
        for zone in ["America/Vancouver", "Canada/Mountain", "Africa/Casablanca", "Europe/Chisinau", "America/Havana"] {
            assert!(differs(zone), "{zone}");
        }
        for zone in ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Europe/Dublin", "UTC", "+02:00", "Nowhere"] {
            assert!(!differs(zone), "{zone}");
        }
    }
}
