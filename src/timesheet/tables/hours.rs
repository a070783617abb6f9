//! Hours as a column.

use std::sync::Arc;

use datafusion::arrow::array::Decimal128Array;
use dayledger_timesheet::Hours;

use crate::engine::columns::Column;

/// How many digits hours have, and how many of them stand behind the point.
const DIGITS: (u8, i8) = (12, 2);

/// Hours, exact.
pub(in crate::timesheet) fn hours(name: &'static str, values: impl Iterator<Item = Hours>) -> Column {
    let hundredths = Decimal128Array::from_iter_values(values.map(|hours| i128::from(hours.hundredths())));
    // An entry has fewer digits.
    let hours =
        hundredths.with_precision_and_scale(DIGITS.0, DIGITS.1).unwrap_or_else(|_| Decimal128Array::from(vec![0]));
    (name, Arc::new(hours), false)
}
