//! Copies rows into their own buffers.
//!
//! The rows of a result are selected from many rows, and share buffers with all of these rows. If these buffers were
//! sent unchanged, a result with a hundred names could contain every title of the history.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions, UInt64Array, make_array};
use arrow::compute::take;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

/// Copies the rows, so that they don't share buffers with other rows.
pub(super) fn compact(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let columns = batch.columns().iter().map(|column| compact_array(column)).collect::<Result<_, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(batch.schema(), columns, &options)
}

fn compact_array(array: &dyn Array) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::Utf8View => Ok(Arc::new(array.as_string_view().gc())),
        DataType::BinaryView => Ok(Arc::new(array.as_binary_view().gc())),
        // `take` copies only the elements that these rows contain.
        data_type if data_type.is_nested() => {
            let every = UInt64Array::from_iter_values(0..array.len() as u64);
            with_compact_children(&take(array, &every, None)?)
        }
        // For numbers, and for texts with offsets, Arrow's writer itself omits the values of other rows.
        _ => Ok(make_array(array.to_data())),
    }
}

fn with_compact_children(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let data = array.to_data();
    let children = data.child_data().iter().map(|child| Ok(compact_array(&make_array(child.clone()))?.to_data()));
    let children = children.collect::<Result<_, ArrowError>>()?;
    Ok(make_array(data.into_builder().child_data(children).build()?))
}

#[cfg(test)]
mod tests {
    use arrow::array::{Int64Array, ListBuilder, StringViewArray, StringViewBuilder, StructArray};
    use arrow::datatypes::Field;

    use super::*;

    /// Returns texts in one buffer. The buffer is much larger than a few of these texts.
    fn texts() -> StringViewArray {
        (0..10_000).map(|n| Some(format!("a long text that has the number {n}"))).collect()
    }

    fn bytes(array: &dyn Array) -> usize {
        array.get_array_memory_size()
    }

    #[test]
    fn a_few_rows_of_many_become_small_and_stay_equal() {
        let texts = texts();
        let mut lists = ListBuilder::new(StringViewBuilder::new());
        for text in &texts {
            lists.values().append_option(text);
            lists.append(true);
        }
        let lists = lists.finish();
        let field = Arc::new(Field::new("text", DataType::Utf8View, true));
        let records = StructArray::from(vec![(field, Arc::new(texts.clone()) as ArrayRef)]);
        for array in [&texts as &dyn Array, &lists, &records] {
            let few = array.slice(5_000, 3);
            assert!(bytes(&few) > 100_000, "the slice shares the buffers of the array");
            let made = compact_array(&few).unwrap();
            assert_eq!(made.to_data(), few.to_data());
            assert!(bytes(&made) < 4_000, "{}", bytes(&made));
        }
        let numbers = Int64Array::from_iter_values(0..10_000).slice(5_000, 3);
        assert_eq!(compact_array(&numbers).unwrap().as_ref(), &numbers as &dyn Array);
    }
}
