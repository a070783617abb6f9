//! What rows take when an operator copies them.

use datafusion::arrow::array::{Array, AsArray, OffsetSizeTrait, RecordBatch};
use datafusion::arrow::datatypes::{BinaryViewType, DataType, StringViewType};
use datafusion::common::ScalarValue;

/// The bytes of the array's values, without what its buffers hold beside them.
pub(crate) fn bytes_of(array: &dyn Array) -> usize {
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

/// The bytes of a constant.
pub(super) fn bytes_of_value(value: &ScalarValue) -> usize {
    match value {
        ScalarValue::Utf8(Some(text)) | ScalarValue::LargeUtf8(Some(text)) | ScalarValue::Utf8View(Some(text)) => {
            text.len()
        }
        value => value.size(),
    }
}

/// The bytes of all columns.
pub(crate) fn bytes_of_rows(batch: &RecordBatch) -> usize {
    batch.columns().iter().map(|column| bytes_of(column)).sum()
}

/// The bytes of the columns that are not unnested.
pub(super) fn bytes_of_rows_beside(batch: &RecordBatch, lists: &[(usize, usize)]) -> usize {
    let columns = batch.columns().iter().enumerate();
    let beside = columns.filter(|(at, _)| !lists.iter().any(|(list, _)| list == at));
    // The element itself and what tells where it was taken from.
    beside.map(|(_, column)| bytes_of_copies(column)).sum::<usize>().max(16)
}

/// As [`bytes_of`], without what copies share.
fn bytes_of_copies(array: &dyn Array) -> usize {
    match array.data_type() {
        DataType::Utf8View | DataType::BinaryView => 16 * array.len(),
        _ => bytes_of(array),
    }
}

/// More bytes than any row has when it is copied into another batch.
pub(super) fn widest_row(batch: &RecordBatch) -> usize {
    batch.columns().iter().map(|column| widest_value(column)).sum()
}

fn widest_value(array: &dyn Array) -> usize {
    match array.data_type() {
        DataType::Utf8 => longest(array.as_string::<i32>().value_offsets()),
        DataType::LargeUtf8 => longest(array.as_string::<i64>().value_offsets()),
        DataType::Binary => longest(array.as_binary::<i32>().value_offsets()),
        DataType::LargeBinary => longest(array.as_binary::<i64>().value_offsets()),
        // Copies share what is longer.
        DataType::Utf8View | DataType::BinaryView => 16,
        data_type => match data_type.primitive_width() {
            Some(width) => width,
            // An upper bound that is close where there are few rows, which is where lists are long.
            None => bytes_of(array),
        },
    }
}

/// How many rows unnesting the lists at `columns`, each with its depth, makes of the batch at most.
pub(super) fn unnested_rows(batch: &RecordBatch, columns: &[(usize, usize)]) -> usize {
    let lists = columns.iter().filter_map(|(at, depth)| Some((batch.columns().get(*at)?, *depth)));
    lists.map(|(list, depth)| elements(list, depth)).sum::<usize>().max(batch.num_rows())
}

fn elements(array: &dyn Array, depth: usize) -> usize {
    if depth == 0 {
        return array.len();
    }
    match array.data_type() {
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            elements(&list.values().slice(first(list.value_offsets()), span(list.value_offsets())), depth - 1)
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            elements(&list.values().slice(first(list.value_offsets()), span(list.value_offsets())), depth - 1)
        }
        DataType::FixedSizeList(..) => elements(array.as_fixed_size_list().values(), depth - 1),
        _ => bytes_of(array),
    }
}

fn first<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    offsets.first().map_or(0, |first| first.as_usize())
}

fn span<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    offsets.last().map_or(0, |last| last.as_usize()) - first(offsets)
}

fn longest<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    offsets.windows(2).map(|pair| pair[1].as_usize() - pair[0].as_usize()).max().unwrap_or(0)
}
