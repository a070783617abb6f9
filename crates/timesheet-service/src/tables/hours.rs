//! Hours as a column of a table.

use std::sync::Arc;

use datafusion::arrow::array::Decimal128Array;
use dayledger_timesheet::Hours;

use dayledger_engine::columns::Column;

/// The precision of hours, and the digits behind the decimal point.
const DIGITS: (u8, i8) = (12, 2);

/// Returns a column of exact hours.
pub(crate) fn hours(name: &'static str, values: impl Iterator<Item = Hours>) -> Column {
    let hundredths = Decimal128Array::from_iter_values(values.map(|hours| i128::from(hours.hundredths())));
    // The hours of an entry have fewer digits, so this can't fail.
    let hours =
        hundredths.with_precision_and_scale(DIGITS.0, DIGITS.1).unwrap_or_else(|_| Decimal128Array::from(vec![0]));
    (name, Arc::new(hours), false)
}
