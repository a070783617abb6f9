//! Access to argument columns, in the few types that the algorithms use.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListArray, StringViewArray, StructArray, TimestampSecondArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, Fields, Int64Type, TimeUnit, TimestampSecondType};
use datafusion::common::{Result, exec_datafusion_err, internal_datafusion_err};

/// The type of every timestamp: whole seconds, without time zone.
pub(crate) const INSTANT: DataType = DataType::Timestamp(TimeUnit::Second, None);

/// Returns the column at `index` as timestamps. Fails if it has another type.
pub(crate) fn timestamp_column(columns: &[ArrayRef], index: usize) -> Result<&TimestampSecondArray> {
    columns
        .get(index)
        .and_then(|column| column.as_primitive_opt::<TimestampSecondType>())
        .ok_or_else(|| type_error(index))
}

/// Returns the column at `index` as whole numbers. Fails if it has another type.
pub(crate) fn integer_column(columns: &[ArrayRef], index: usize) -> Result<&Int64Array> {
    columns.get(index).and_then(|column| column.as_primitive_opt::<Int64Type>()).ok_or_else(|| type_error(index))
}

/// Returns the column at `index` as texts. Fails if it has another type.
pub(crate) fn text_column(columns: &[ArrayRef], index: usize) -> Result<&StringViewArray> {
    columns.get(index).and_then(|column| column.as_string_view_opt()).ok_or_else(|| type_error(index))
}

/// Returns the text of a row, or `None` if it is null.
pub(crate) fn text(column: &StringViewArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}

/// Returns the column at `index` as booleans. Fails if it has another type.
pub(crate) fn boolean_column(columns: &[ArrayRef], index: usize) -> Result<&BooleanArray> {
    columns.get(index).and_then(|column| column.as_boolean_opt()).ok_or_else(|| type_error(index))
}

/// Returns the number of a row, or `None` if it is null.
pub(crate) fn integer(column: &Int64Array, row: usize) -> Option<i64> {
    column.is_valid(row).then(|| column.value(row))
}

/// Returns the type of a list of structs with these fields.
pub(crate) fn list_type(fields: Fields) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields), true)))
}

/// Returns lists of structs with these columns. `lengths` contains the number of structs in each list. Fails if a batch
/// has more structs than a list array can contain.
pub(crate) fn list_array(
    fields: Fields,
    columns: Vec<ArrayRef>,
    lengths: impl IntoIterator<Item = usize>,
) -> Result<ArrayRef> {
    let items = StructArray::try_new(fields, columns, None)?;
    // `OffsetBuffer::from_lengths` panics if the sum of the lengths overflows.
    check_list_items(items.len())?;
    let item = Arc::new(Field::new_list_field(items.data_type().clone(), true));
    Ok(Arc::new(ListArray::try_new(item, OffsetBuffer::from_lengths(lengths), Arc::new(items), None)?))
}

/// Fails if a batch has more list items than the offsets of a list array can count.
pub(crate) fn check_list_items(items: usize) -> Result<()> {
    i32::try_from(items)
        .map(|_| ())
        .map_err(|_| exec_datafusion_err!("a batch would hold {items} list items; ask for less at once"))
}

fn type_error(index: usize) -> datafusion::error::DataFusionError {
    internal_datafusion_err!("argument {} was not coerced to its declared type", index + 1)
}
