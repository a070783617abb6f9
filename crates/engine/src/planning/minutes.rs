//! Accepts times without seconds in SQL, such as `start_local >= '2025-01-15T09:30'`.
//!
//! Tools and table functions accept them, but Arrow needs seconds.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::{Expr, LogicalPlan, lit};

use super::analysis::rewrite_expressions;
use crate::dates::instant::parse_instant;

/// The length of `2025-01-15T09:30`.
const TO_THE_MINUTE: usize = 16;

/// Adds seconds to such times, after type coercion has added casts to timestamps.
pub(crate) fn add_seconds(plan: LogicalPlan) -> Result<LogicalPlan> {
    rewrite_expressions(plan, with_seconds)
}

fn with_seconds(mut part: Expr) -> Transformed<Expr> {
    if let Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field }) = &mut part
        && let DataType::Timestamp(..) = field.data_type()
        && let Some(text) = minute_text(expr)
    {
        **expr = lit(format!("{text}:00"));
        return Transformed::yes(part);
    }
    Transformed::no(part)
}

/// Returns the text of a time without seconds.
fn minute_text(part: &Expr) -> Option<&str> {
    let Expr::Literal(ScalarValue::Utf8(text) | ScalarValue::Utf8View(text) | ScalarValue::LargeUtf8(text), _) = part
    else {
        return None;
    };
    text.as_deref().filter(|text| text.len() == TO_THE_MINUTE && parse_instant(text).is_some())
}
