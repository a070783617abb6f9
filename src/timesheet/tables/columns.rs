//! Columns of the timesheet's tables.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, NaiveDateTime};
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Int64Array, ListBuilder, RecordBatch, StringViewArray,
    StringViewBuilder, TimestampSecondArray,
};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use dayledger_timesheet::{Day, Hours};

/// How many digits hours have, and how many of them stand behind the point.
const HOURS: (u8, i8) = (12, 2);

/// A column: its name, its values, and whether there may be none.
pub(super) type Column = (&'static str, ArrayRef, bool);

/// The rows that columns make.
///
/// # Errors
/// Columns of which one is longer than another.
pub(super) fn rows(columns: impl IntoIterator<Item = Column>) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_from_iter_with_nullable(columns)
}

/// The columns of a table, from those of no rows.
pub(super) fn schema(columns: impl IntoIterator<Item = Column>) -> SchemaRef {
    // None is longer than another.
    rows(columns).map_or_else(|_| Arc::new(Schema::empty()), |rows| rows.schema())
}

/// Text that is always there.
pub(super) fn text<'t>(name: &'static str, values: impl Iterator<Item = &'t str>) -> Column {
    (name, Arc::new(StringViewArray::from_iter_values(values)), false)
}

/// Text that may be missing.
pub(super) fn text_if_any<'t>(name: &'static str, values: impl Iterator<Item = Option<&'t String>>) -> Column {
    (name, Arc::new(values.collect::<StringViewArray>()), true)
}

/// Lists of texts.
pub(super) fn texts(name: &'static str, values: impl Iterator<Item = Vec<String>>) -> Column {
    let mut lists = ListBuilder::new(StringViewBuilder::new());
    for value in values {
        lists.append_value(value.into_iter().map(Some));
    }
    (name, Arc::new(lists.finish()), false)
}

/// Whole numbers.
pub(super) fn numbers(name: &'static str, values: impl Iterator<Item = i64>) -> Column {
    (name, Arc::new(Int64Array::from_iter_values(values)), false)
}

/// What holds or does not, or cannot be said.
pub(super) fn flags(name: &'static str, values: impl Iterator<Item = Option<bool>>, may_be_empty: bool) -> Column {
    (name, Arc::new(values.collect::<BooleanArray>()), may_be_empty)
}

/// Hours, exact.
pub(super) fn hours(name: &'static str, values: impl Iterator<Item = Hours>) -> Column {
    let hundredths = Decimal128Array::from_iter_values(values.map(|hours| i128::from(hours.hundredths())));
    // An entry has fewer digits.
    let hours =
        hundredths.with_precision_and_scale(HOURS.0, HOURS.1).unwrap_or_else(|_| Decimal128Array::from(vec![0]));
    (name, Arc::new(hours), false)
}

/// Dates.
pub(super) fn dates(name: &'static str, values: impl Iterator<Item = Day>) -> Column {
    let since_1970 = |day: Day| day.date().signed_duration_since(NaiveDate::default()).num_days();
    let days = values.map(|day| i32::try_from(since_1970(day)).unwrap_or_default());
    (name, Arc::new(Date32Array::from_iter_values(days)), false)
}

/// Instants, local or in UTC by the name of their column.
pub(super) fn instants(name: &'static str, values: impl Iterator<Item = NaiveDateTime>) -> Column {
    let seconds = values.map(|instant| instant.and_utc().timestamp());
    (name, Arc::new(TimestampSecondArray::from_iter_values(seconds)), false)
}

/// An instant in seconds since 1970, UTC.
pub(super) fn utc(seconds: i64) -> NaiveDateTime {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default().naive_utc()
}
