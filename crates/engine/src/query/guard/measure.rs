//! Measures the size that rows have after all their values are written out one by one.
//!
//! An array can represent many values in little memory. A dictionary or a run-length encoding stores a value once for
//! any number of rows. A list view stores an element once for any number of lists. A boolean takes one bit, and a null
//! takes no space. The reader of a result needs memory for each value, so each value counts. If counting each value
//! would be too slow, the size is estimated. The estimate can be too large, but never too small.

use arrow::array::{Array, AsArray, OffsetSizeTrait, RecordBatch, make_array};
use arrow::datatypes::{BinaryViewType, DataType, Fields, StringViewType};

/// The minimum size of a value in bytes.
const MIN_VALUE_BYTES: usize = 8;

/// Returns the size of an array's values in bytes.
fn bytes_of(array: &dyn Array) -> usize {
    let rows = array.len();
    let minimum = MIN_VALUE_BYTES.saturating_mul(rows);
    let inside = match array.data_type() {
        DataType::Utf8 => offset_span(array.as_string::<i32>().value_offsets()),
        DataType::LargeUtf8 => offset_span(array.as_string::<i64>().value_offsets()),
        DataType::Binary => offset_span(array.as_binary::<i32>().value_offsets()),
        DataType::LargeBinary => offset_span(array.as_binary::<i64>().value_offsets()),
        DataType::Utf8View => array.as_byte_view::<StringViewType>().lengths().map(|length| length as usize).sum(),
        DataType::BinaryView => array.as_byte_view::<BinaryViewType>().lengths().map(|length| length as usize).sum(),
        DataType::FixedSizeBinary(length) => usize::try_from(*length).unwrap_or(0).saturating_mul(rows),
        DataType::List(_) => elements(array.as_list::<i32>().values(), array.as_list::<i32>().value_offsets()),
        DataType::LargeList(_) => elements(array.as_list::<i64>().values(), array.as_list::<i64>().value_offsets()),
        DataType::Map(..) => elements(array.as_map().entries(), array.as_map().value_offsets()),
        DataType::FixedSizeList(..) => bytes_of(array.as_fixed_size_list().values()),
        DataType::Struct(fields) => {
            let parts = sum(array.as_struct().columns().iter().map(|column| bytes_of(column)));
            parts.saturating_add(name_bytes(fields).saturating_mul(rows))
        }
        DataType::Dictionary(..) => {
            let values = array.as_any_dictionary().values();
            let widest = (0..values.len()).map(|value| bytes_of(&values.slice(value, 1))).max();
            widest.unwrap_or(0).saturating_mul(rows)
        }
        // A row can refer to any child value. So for each row, the size of all child values is counted.
        data_type if data_type.is_nested() || matches!(data_type, DataType::RunEndEncoded(..)) => {
            let data = array.to_data();
            sum(data.child_data().iter().map(|child| bytes_of(&make_array(child.clone())))).saturating_mul(rows)
        }
        data_type => data_type.primitive_width().unwrap_or(0).saturating_sub(MIN_VALUE_BYTES).saturating_mul(rows),
    };
    inside.saturating_add(minimum)
}

/// Returns the size of all columns in bytes.
pub(crate) fn bytes_of_rows(batch: &RecordBatch) -> usize {
    sum(batch.columns().iter().map(|column| bytes_of(column)))
}

/// Returns the size of the list elements between the first and the last offset.
fn elements<O: OffsetSizeTrait>(values: &dyn Array, offsets: &[O]) -> usize {
    let first = offsets.first().map_or(0, |first| first.as_usize());
    bytes_of(&values.slice(first, offset_span(offsets)))
}

/// Returns the size of field names in bytes. The names are written with each row.
fn name_bytes(fields: &Fields) -> usize {
    sum(fields.iter().map(|field| field.name().len()))
}

fn offset_span<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    let first = offsets.first().map_or(0, |first| first.as_usize());
    offsets.last().map_or(0, |last| last.as_usize()) - first
}

fn sum(bytes: impl IntoIterator<Item = usize>) -> usize {
    bytes.into_iter().fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, BooleanArray, NullArray, StringArray};
    use arrow::compute::cast;
    use arrow::datatypes::Field;

    use super::*;

    #[test]
    fn a_shared_value_counts_once_for_each_row() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(1000); 50]));
        let runs = Field::new("run_ends", DataType::Int32, false);
        let values = Field::new("values", DataType::Utf8, true);
        for data_type in [
            DataType::Utf8,
            DataType::Utf8View,
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            DataType::RunEndEncoded(Arc::new(runs), Arc::new(values)),
        ] {
            let encoded = cast(&texts, &data_type).unwrap();
            assert!(bytes_of(&encoded) >= 50_000, "{data_type}: {}", bytes_of(&encoded));
            assert!(bytes_of(&encoded.slice(10, 2)) < 10_000, "{data_type}: {}", bytes_of(&encoded.slice(10, 2)));
        }
        for small in [&BooleanArray::from(vec![true; 1000]) as &dyn Array, &NullArray::new(1000)] {
            assert_eq!(bytes_of(small), 8000);
        }
    }

    #[test]
    fn a_list_view_counts_the_elements_of_each_row() {
        let lists = arrow::array::ListArray::from_iter_primitive::<arrow::datatypes::Int64Type, _, _>(
            (0..10).map(|_| Some((0..100).map(Some))),
        );
        let view = cast(&lists, &DataType::ListView(Arc::new(Field::new("item", DataType::Int64, true)))).unwrap();
        assert!(bytes_of(&lists) >= 8000 && bytes_of(&view) >= 8000, "{} {}", bytes_of(&lists), bytes_of(&view));
    }
}
