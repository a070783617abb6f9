//! The rows of a result, as record batches and with typed access.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Date32Type, Field, Float64Type, Int64Type, SchemaRef, TimeUnit, TimestampSecondType};
use chrono::{NaiveDate, NaiveDateTime};

use crate::{CutBy, Error};

/// The rows of a statement, and their columns.
#[derive(Debug, Clone)]
pub struct Table {
    /// The columns. They are set even if there are no rows.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// The limit that cut off the rows. `None` if no rows were cut off.
    pub truncated: Option<CutBy>,
}

/// The rows of a statement. Columns are converted only when they are read.
#[derive(Debug, Clone)]
pub struct Rows {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    len: usize,
    available: usize,
    /// One array per column, converted to the type in which the column is read. The columns are converted when the
    /// first value is read. The inner `None` means that the conversion failed.
    columns: OnceLock<Option<Vec<ArrayRef>>>,
}

/// One row of [`Rows`].
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    rows: &'r Rows,
    index: usize,
}

/// A Rust type in which the values of a column can be read.
pub trait Value: Sized {
    /// Returns the value at `index`. The value must not be null. Returns `None` if the column has another type.
    fn at(column: &dyn Array, index: usize) -> Option<Self>;
}

impl Rows {
    /// Creates the rows from `batches`. These batches contain all rows, or the first rows, of a result with `available`
    /// rows.
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>, available: usize) -> Self {
        let len = batches.iter().map(RecordBatch::num_rows).sum();
        Self { schema, batches, len, available, columns: OnceLock::new() }
    }

    /// Returns the rows as record batches.
    pub(crate) fn into_table(self) -> Table {
        Table { schema: self.schema, batches: self.batches, truncated: None }
    }

    /// Returns a range of the rows, clipped to the rows that exist.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        let (mut batches, mut first) = (Vec::new(), 0);
        for batch in &self.batches {
            let end = first + batch.num_rows();
            let (from, to) = (rows.start.clamp(first, end), rows.end.clamp(first, end));
            if from < to {
                batches.push(batch.slice(from - first, to - from));
            }
            first = end;
        }
        Self::new(SchemaRef::clone(&self.schema), batches, self.available)
    }

    fn columns(&self) -> Result<&[ArrayRef], Error> {
        let columns = self.columns.get_or_init(|| {
            let batch = concat_batches(&self.schema, &self.batches).ok()?;
            let columns = batch.columns().iter().map(|column| match reading_type(column.data_type()) {
                Some(data_type) => cast(column, &data_type).ok(),
                None => Some(Arc::clone(column)),
            });
            columns.collect()
        });
        columns.as_deref().ok_or(Error::Internal)
    }

    /// Returns the number of rows of the whole result. It is larger than [`Self::len`] if only the first rows were
    /// requested.
    pub fn available(&self) -> usize {
        self.available
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.len).map(|index| Row { rows: self, index })
    }

    /// Returns the first row.
    ///
    /// # Errors
    /// [`Error::Internal`] if there are no rows, because the statement should have returned a row.
    pub fn first(&self) -> Result<Row<'_>, Error> {
        self.iter().next().ok_or(Error::Internal)
    }

    /// Reads every row with `read`.
    ///
    /// # Errors
    /// Returns the first error of `read`.
    pub fn read<T>(&self, read: impl Fn(Row<'_>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        self.iter().map(read).collect()
    }
}

impl Row<'_> {
    /// Returns the value of a column that can be null.
    ///
    /// # Errors
    /// [`Error::Internal`] if the statement lacks a column with this name and type. The statement then doesn't match
    /// this code.
    pub fn get_optional<T: Value>(&self, column: &str) -> Result<Option<T>, Error> {
        let index = self.rows.schema.index_of(column).map_err(|_| {
            tracing::error!(column, "a statement lacks a column that its reader expects");
            Error::Internal
        })?;
        let values = &self.rows.columns()?[index];
        if values.is_null(self.index) {
            return Ok(None);
        }
        T::at(values.as_ref(), self.index).map(Some).ok_or_else(|| {
            tracing::error!(column, "a statement's column is of another type than its reader expects");
            Error::Internal
        })
    }

    /// Returns the value of a column that is never null.
    ///
    /// # Errors
    /// Fails in the same cases as [`Row::get_optional`], and for null.
    pub fn get<T: Value>(&self, column: &str) -> Result<T, Error> {
        self.get_optional(column)?.ok_or(Error::Internal)
    }
}

/// Returns the type in which columns of `data_type` are read. Returns `None` if these columns aren't converted.
fn reading_type(data_type: &DataType) -> Option<DataType> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 => Some(DataType::Utf8View),
        // A list of structs contains pairs of a name and a number. Such a list isn't converted.
        DataType::List(item) if matches!(item.data_type(), DataType::Struct(_)) => None,
        DataType::List(_) => Some(DataType::List(Arc::new(Field::new_list_field(DataType::Utf8View, true)))),
        DataType::Timestamp(..) => Some(DataType::Timestamp(TimeUnit::Second, None)),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::UInt32 | DataType::UInt64 => {
            Some(DataType::Int64)
        }
        DataType::Float32 => Some(DataType::Float64),
        _ => None,
    }
}

impl Value for i64 {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        Some(column.as_primitive_opt::<Int64Type>()?.value(index))
    }
}

impl Value for f64 {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        Some(column.as_primitive_opt::<Float64Type>()?.value(index))
    }
}

impl Value for bool {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        Some(column.as_boolean_opt()?.value(index))
    }
}

impl Value for String {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        Some(column.as_string_view_opt()?.value(index).to_owned())
    }
}

impl Value for NaiveDateTime {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        column.as_primitive_opt::<TimestampSecondType>()?.value_as_datetime(index)
    }
}

impl Value for NaiveDate {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        column.as_primitive_opt::<Date32Type>()?.value_as_date(index)
    }
}

impl Value for Vec<(String, i64)> {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        let pairs = column.as_list_opt::<i32>()?.value(index);
        let [names, numbers] = pairs.as_struct_opt()?.columns() else { return None };
        let (names, numbers) = (cast(names, &DataType::Utf8View).ok()?, cast(numbers, &DataType::Int64).ok()?);
        let (names, numbers) = (names.as_string_view_opt()?, numbers.as_primitive_opt::<Int64Type>()?);
        names.iter().zip(numbers).map(|(name, number)| Some((name?.to_owned(), number?))).collect()
    }
}

impl Value for Vec<String> {
    fn at(column: &dyn Array, index: usize) -> Option<Self> {
        let texts = column.as_list_opt::<i32>()?.value(index);
        Some(texts.as_string_view_opt()?.iter().flatten().map(str::to_owned).collect())
    }
}
