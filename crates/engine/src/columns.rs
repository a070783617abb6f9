//! Builds columns for tables whose rows aren't in the history's database.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, NaiveDateTime};
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Int64Array, ListBuilder, RecordBatch, StringViewArray, StringViewBuilder,
    TimestampSecondArray,
};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;

/// A column of a table: its name, its values, and whether there may be none.
pub type Column = (&'static str, ArrayRef, bool);

/// The rows that columns make.
///
/// # Errors
/// Columns of which one is longer than another.
pub fn record_batch(columns: impl IntoIterator<Item = Column>) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_from_iter_with_nullable(columns)
}

/// The columns of a table, from those of no rows.
pub fn schema(columns: impl IntoIterator<Item = Column>) -> SchemaRef {
    // None is longer than another.
    record_batch(columns).map_or_else(|_| Arc::new(Schema::empty()), |rows| rows.schema())
}

/// Text that is always there.
pub fn text(name: &'static str, values: impl Iterator<Item = impl AsRef<str>>) -> Column {
    (name, Arc::new(StringViewArray::from_iter_values(values)), false)
}

/// Text that may be missing.
pub fn optional_text(name: &'static str, values: impl Iterator<Item = Option<impl AsRef<str>>>) -> Column {
    (name, Arc::new(values.collect::<StringViewArray>()), true)
}

/// Lists of texts.
pub fn text_lists(name: &'static str, values: impl Iterator<Item = Vec<String>>) -> Column {
    let mut lists = ListBuilder::new(StringViewBuilder::new());
    for value in values {
        lists.append_value(value.into_iter().map(Some));
    }
    (name, Arc::new(lists.finish()), false)
}

/// Whole numbers.
pub fn numbers(name: &'static str, values: impl Iterator<Item = i64>) -> Column {
    (name, Arc::new(Int64Array::from_iter_values(values)), false)
}

/// Whole numbers that may be missing.
pub fn optional_numbers(name: &'static str, values: impl Iterator<Item = Option<i64>>) -> Column {
    (name, Arc::new(values.collect::<Int64Array>()), true)
}

/// What holds or does not, or cannot be said.
pub fn flags(name: &'static str, values: impl Iterator<Item = Option<bool>>, may_be_empty: bool) -> Column {
    (name, Arc::new(values.collect::<BooleanArray>()), may_be_empty)
}

/// Dates.
pub fn dates(name: &'static str, values: impl Iterator<Item = NaiveDate>) -> Column {
    (name, Arc::new(Date32Array::from_iter_values(values.map(days_since_1970))), false)
}

/// Dates, of which some may be missing.
pub fn optional_dates(name: &'static str, values: impl Iterator<Item = Option<NaiveDate>>) -> Column {
    (name, Arc::new(values.map(|date| date.map(days_since_1970)).collect::<Date32Array>()), true)
}

fn days_since_1970(date: NaiveDate) -> i32 {
    i32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).unwrap_or_default()
}

/// Instants, local or in UTC by the name of their column.
pub fn instants(name: &'static str, values: impl Iterator<Item = NaiveDateTime>) -> Column {
    let seconds = values.map(|instant| instant.and_utc().timestamp());
    (name, Arc::new(TimestampSecondArray::from_iter_values(seconds)), false)
}

/// Instants that may be missing.
pub fn optional_instants(name: &'static str, values: impl Iterator<Item = Option<NaiveDateTime>>) -> Column {
    let seconds = values.map(|instant| instant.map(|instant| instant.and_utc().timestamp()));
    (name, Arc::new(seconds.collect::<TimestampSecondArray>()), true)
}

/// An instant in seconds since 1970, UTC.
pub fn utc_time(seconds: i64) -> NaiveDateTime {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default().naive_utc()
}
