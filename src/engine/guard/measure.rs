//! What rows take by themselves, whatever their buffers hold beside them.

use datafusion::arrow::array::{Array, AsArray, OffsetSizeTrait, RecordBatch};
use datafusion::arrow::datatypes::{BinaryViewType, DataType, StringViewType};

/// The bytes of the array's values, without what its buffers hold beside them.
fn bytes_of(array: &dyn Array) -> usize {
    let rows = array.len();
    match array.data_type() {
        DataType::Utf8 => span(array.as_string::<i32>().value_offsets()) + 4 * rows,
        DataType::LargeUtf8 => span(array.as_string::<i64>().value_offsets()) + 8 * rows,
        DataType::Binary => span(array.as_binary::<i32>().value_offsets()) + 4 * rows,
        DataType::LargeBinary => span(array.as_binary::<i64>().value_offsets()) + 8 * rows,
        DataType::Utf8View => array.as_byte_view::<StringViewType>().lengths().map(|length| length as usize + 16).sum(),
        DataType::BinaryView => {
            array.as_byte_view::<BinaryViewType>().lengths().map(|length| length as usize + 16).sum()
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            bytes_of(&list.values().slice(first(list.value_offsets()), span(list.value_offsets()))) + 4 * rows
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            bytes_of(&list.values().slice(first(list.value_offsets()), span(list.value_offsets()))) + 8 * rows
        }
        DataType::Struct(_) => array.as_struct().columns().iter().map(|column| bytes_of(column)).sum(),
        _ => array.to_data().get_slice_memory_size().unwrap_or_else(|_| array.get_array_memory_size()),
    }
}

/// The bytes of all columns.
pub(crate) fn bytes_of_rows(batch: &RecordBatch) -> usize {
    batch.columns().iter().map(|column| bytes_of(column)).sum()
}

fn first<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    offsets.first().map_or(0, |first| first.as_usize())
}

fn span<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    offsets.last().map_or(0, |last| last.as_usize()) - first(offsets)
}
