//! Columns of arguments in the few types that the algorithms read.

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, StringViewArray, TimestampSecondArray,
};
use datafusion::arrow::datatypes::{DataType, Int64Type, TimeUnit, TimestampSecondType};
use datafusion::common::{Result, internal_datafusion_err};

/// The type of every instant: whole seconds, without time zone.
pub(crate) const INSTANT: DataType = DataType::Timestamp(TimeUnit::Second, None);

/// Returns a column of instants.
pub(crate) fn instants(columns: &[ArrayRef], index: usize) -> Result<&TimestampSecondArray> {
    columns.get(index).and_then(|column| column.as_primitive_opt::<TimestampSecondType>()).ok_or_else(|| odd(index))
}

/// Returns a column of whole numbers.
pub(crate) fn wholes(columns: &[ArrayRef], index: usize) -> Result<&Int64Array> {
    columns.get(index).and_then(|column| column.as_primitive_opt::<Int64Type>()).ok_or_else(|| odd(index))
}

/// Returns a column of text.
pub(crate) fn texts(columns: &[ArrayRef], index: usize) -> Result<&StringViewArray> {
    columns.get(index).and_then(|column| column.as_string_view_opt()).ok_or_else(|| odd(index))
}

/// Returns the text of a row, or nothing when it is null.
pub(crate) fn text(column: &StringViewArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}

/// Returns a column of truth values.
pub(crate) fn truths(columns: &[ArrayRef], index: usize) -> Result<&BooleanArray> {
    columns.get(index).and_then(|column| column.as_boolean_opt()).ok_or_else(|| odd(index))
}

fn odd(index: usize) -> datafusion::error::DataFusionError {
    internal_datafusion_err!("argument {} was not coerced to its declared type", index + 1)
}
