//! Builds columns for tables whose rows aren't in the history's database.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Int64Array, ListBuilder, RecordBatch, StringViewArray, StringViewBuilder,
    TimestampSecondArray,
};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use chrono::{DateTime, NaiveDate, NaiveDateTime};

/// A column of a table: its name, its values, and whether the values can be null.
pub type Column = (&'static str, ArrayRef, bool);

/// Returns a record batch with these columns.
///
/// # Errors
/// Fails if the columns differ in length.
pub fn record_batch(columns: impl IntoIterator<Item = Column>) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_from_iter_with_nullable(columns)
}

/// Returns the schema of a table. `columns` must not contain rows.
pub fn schema(columns: impl IntoIterator<Item = Column>) -> SchemaRef {
    // `record_batch` fails only if columns differ in length, and columns without rows don't.
    record_batch(columns).map_or_else(|_| Arc::new(Schema::empty()), |rows| rows.schema())
}

/// Returns a column of texts.
pub fn text(name: &'static str, values: impl Iterator<Item = impl AsRef<str>>) -> Column {
    (name, Arc::new(StringViewArray::from_iter_values(values)), false)
}

/// Returns a column of texts or nulls.
pub fn optional_text(name: &'static str, values: impl Iterator<Item = Option<impl AsRef<str>>>) -> Column {
    (name, Arc::new(values.collect::<StringViewArray>()), true)
}

/// Returns a column of lists of texts.
pub fn text_lists(name: &'static str, values: impl Iterator<Item = Vec<String>>) -> Column {
    let mut lists = ListBuilder::new(StringViewBuilder::new());
    for value in values {
        lists.append_value(value.into_iter().map(Some));
    }
    (name, Arc::new(lists.finish()), false)
}

/// Returns a column of integers.
pub fn numbers(name: &'static str, values: impl Iterator<Item = i64>) -> Column {
    (name, Arc::new(Int64Array::from_iter_values(values)), false)
}

/// Returns a column of integers or nulls.
pub fn optional_numbers(name: &'static str, values: impl Iterator<Item = Option<i64>>) -> Column {
    (name, Arc::new(values.collect::<Int64Array>()), true)
}

/// Returns a column of booleans. If `may_be_empty` is set, the values can be null.
pub fn flags(name: &'static str, values: impl Iterator<Item = Option<bool>>, may_be_empty: bool) -> Column {
    (name, Arc::new(values.collect::<BooleanArray>()), may_be_empty)
}

/// Returns a column of dates.
pub fn dates(name: &'static str, values: impl Iterator<Item = NaiveDate>) -> Column {
    (name, Arc::new(Date32Array::from_iter_values(values.map(days_since_1970))), false)
}

/// Returns a column of dates or nulls.
pub fn optional_dates(name: &'static str, values: impl Iterator<Item = Option<NaiveDate>>) -> Column {
    (name, Arc::new(values.map(|date| date.map(days_since_1970)).collect::<Date32Array>()), true)
}

fn days_since_1970(date: NaiveDate) -> i32 {
    i32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).unwrap_or_default()
}

/// Returns a column of timestamps. The name of the column shows whether they are local or UTC.
pub fn instants(name: &'static str, values: impl Iterator<Item = NaiveDateTime>) -> Column {
    let seconds = values.map(|instant| instant.and_utc().timestamp());
    (name, Arc::new(TimestampSecondArray::from_iter_values(seconds)), false)
}

/// Returns a column of timestamps or nulls.
pub fn optional_instants(name: &'static str, values: impl Iterator<Item = Option<NaiveDateTime>>) -> Column {
    let seconds = values.map(|instant| instant.map(|instant| instant.and_utc().timestamp()));
    (name, Arc::new(seconds.collect::<TimestampSecondArray>()), true)
}

/// Converts a Unix timestamp in seconds to a UTC time.
pub fn utc_time(seconds: i64) -> NaiveDateTime {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default().naive_utc()
}
