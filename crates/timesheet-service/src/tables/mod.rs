//! The SQL tables of the timesheet: entries, projects, drafted rows, and recorded time that no entry covers.
//!
//! The rows are read while a statement runs, and that statement already occupies one of the engine's permits. Reading
//! the rows runs further queries. If these queries needed permits of the same engine, statements could wait for each
//! other forever. Therefore, these queries use an engine with its own permits
//! ([`Engine::with_own_turns`](dayledger_engine::Engine::with_own_turns)).

mod day_ranges;
mod drafted_rows;
mod entry_table;
mod project_table;
mod unlogged_time;

use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array};
use dayledger_timesheet::Hours;
use dayledger_timesheet::billing::Money;

use drafted_rows::drafted_rows;
use entry_table::entry_table;
use project_table::project_table;
use unlogged_time::unlogged_time;

use super::service::TimesheetService;
use dayledger_engine::columns::Column;
use dayledger_engine::{Function, Model, Parameter};

/// The parameters of the functions. A range consists of whole days, as in drafts.
const DAYS: &[Parameter] = &[Parameter::day_start("start"), Parameter::day_start("end")];

macro_rules! function {
    ($name:literal) => {
        Function {
            name: $name,
            parameters: DAYS,
            sql: include_str!(concat!("../../../../sql/functions/", $name, ".sql")),
            parts: None,
        }
    };
}

const FUNCTIONS: [Function; 2] = [function!("draft"), function!("unlogged")];

/// Adds the tables `time_entries` and `projects` and the functions `draft` and `unlogged`, for a configured timesheet.
pub fn register(model: Model, service: &TimesheetService) -> Model {
    let service = service.with_engine(&service.engine().with_own_turns());
    let model = model
        .with_virtual_table(entry_table(service.clone()))
        .with_virtual_table(project_table(service.clone()))
        .with_unlisted_table(drafted_rows(service.clone()))
        .with_unlisted_table(unlogged_time(service));
    FUNCTIONS.into_iter().fold(model, Model::with_function)
}

/// Registers the names of these tables and functions for a history without a timesheet. A statement that uses one of
/// the names fails with an error that explains how to enable the timesheet.
pub fn register_unavailable(model: Model) -> Model {
    let functions = FUNCTIONS.map(|function| function.name);
    let names = [entry_table::NAME, project_table::NAME].into_iter().chain(functions);
    names.fold(model, |model, name| {
        let reason = format!(
            "`{name}` needs the timesheet: use `dayledger sql` on a history, or start the server with `--toolsets \
             activity,screenshots,sql,timesheet`"
        );
        model.without_relation(name, reason)
    })
}

/// The precision of hours in decimal digits. The hours of an entry have fewer digits.
const HOUR_DIGITS: u8 = 12;
/// The precision of amounts in decimal digits. A 64-bit number has at most 19 digits.
const AMOUNT_DIGITS: u8 = 20;

/// Creates a column of exact hours.
pub(super) fn hours(name: &'static str, values: impl Iterator<Item = Hours>) -> Column {
    (name, decimals(values.map(|hours| Some(hours.hundredths())), HOUR_DIGITS), false)
}

/// Creates a column of exact amounts. Missing amounts are null.
pub(super) fn amounts(name: &'static str, values: impl Iterator<Item = Option<Money>>) -> Column {
    (name, decimals(values.map(|money| money.map(Money::cents)), AMOUNT_DIGITS), true)
}

/// Converts hundredths to exact decimals with two places.
fn decimals(hundredths: impl Iterator<Item = Option<i64>>, digits: u8) -> ArrayRef {
    let hundredths: Decimal128Array = hundredths.map(|value| value.map(i128::from)).collect();
    // This can't fail, because it fails only for a precision of more than 38 digits.
    Arc::new(hundredths.with_precision_and_scale(digits, 2).unwrap_or_else(|_| Decimal128Array::from(vec![0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../docs/sql.md");

    #[test]
    fn the_page_lists_every_table_and_function() {
        let calls = FUNCTIONS.map(|function| format!("{}(start, end)", function.name));
        for name in [entry_table::NAME, project_table::NAME].into_iter().chain(calls.iter().map(String::as_str)) {
            assert!(PAGE.contains(&format!("\n| `{name}` | ")), "docs/sql.md lacks `{name}`");
        }
    }
}
