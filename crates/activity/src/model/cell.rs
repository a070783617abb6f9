//! Converts values of a query result to JSON.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use arrow::{compute::cast, error::ArrowError};
use serde::{Serialize, Serializer};

/// Whole numbers up to this limit are exact in double precision, which many clients use for numbers.
const EXACT: u64 = 1 << 53;

/// A value of a query result. Values that JSON can't represent exactly are text: decimals, large whole numbers, and
/// timestamps (ISO 8601, without an offset if the column has no time zone).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Null.
    Null,
    /// A boolean.
    Truth(bool),
    /// A whole number of at most 53 bits.
    Whole(i64),
    /// A finite number.
    Number(f64),
    /// Text, or a value that is written as text.
    Text(String),
    /// A list.
    List(Vec<Cell>),
    /// A struct.
    Fields(#[serde(serialize_with = "serialize_fields")] Vec<(String, Cell)>),
}

fn serialize_fields<S: Serializer>(fields: &[(String, Cell)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(fields.iter().map(|(name, cell)| (name, cell)))
}

/// Converts a column to cells.
pub(super) fn cells(column: &dyn Array) -> Result<Vec<Cell>, ArrowError> {
    let data_type = column.data_type();
    let each = |cell: &dyn Fn(usize) -> Result<Cell, ArrowError>| {
        let rows = 0..column.len();
        rows.map(|row| if column.is_null(row) { Ok(Cell::Null) } else { cell(row) }).collect()
    };
    match data_type {
        DataType::Null => Ok(vec![Cell::Null; column.len()]),
        DataType::Boolean => each(&|row| Ok(Cell::Truth(column.as_boolean().value(row)))),
        DataType::UInt64 => {
            each(&|row| format_value(column, row).map(|text| text.parse().map_or(Cell::Text(text), whole_number)))
        }
        data_type if data_type.is_integer() => {
            let numbers = cast(column, &DataType::Int64)?;
            each(&|row| Ok(whole_number(numbers.as_primitive::<Int64Type>().value(row))))
        }
        data_type if data_type.is_floating() => {
            let numbers = cast(column, &DataType::Float64)?;
            each(&|row| {
                let number = numbers.as_primitive::<Float64Type>().value(row);
                Ok(if number.is_finite() { Cell::Number(number) } else { Cell::Text(number.to_string()) })
            })
        }
        DataType::List(_) => each(&|row| Ok(Cell::List(cells(&column.as_list::<i32>().value(row))?))),
        DataType::LargeList(_) => each(&|row| Ok(Cell::List(cells(&column.as_list::<i64>().value(row))?))),
        DataType::Struct(fields) => {
            let columns = column.as_struct().columns();
            let parts = columns.iter().map(|part| cells(part)).collect::<Result<Vec<_>, _>>()?;
            each(&|row| {
                let named = fields.iter().zip(&parts);
                Ok(Cell::Fields(named.map(|(field, part)| (field.name().clone(), part[row].clone())).collect()))
            })
        }
        DataType::Dictionary(_, values) => cells(&cast(column, values)?),
        // Arrow writes dates and timestamps in ISO 8601.
        _ => each(&|row| format_value(column, row).map(Cell::Text)),
    }
}

fn whole_number(number: i64) -> Cell {
    if number.unsigned_abs() <= EXACT { Cell::Whole(number) } else { Cell::Text(number.to_string()) }
}

fn format_value(column: &dyn Array, row: usize) -> Result<String, ArrowError> {
    Ok(ArrayFormatter::try_new(column, &FormatOptions::default())?.value(row).to_string())
}

#[cfg(test)]
mod tests {
    use arrow::array::{
        Decimal128Array, Float64Array, Int64Array, ListArray, StringArray, TimestampSecondArray, UInt64Array,
    };
    use serde_json::{Value, json};

    use super::*;

    fn to_json(column: impl Array) -> Value {
        serde_json::to_value(cells(&column).unwrap()).unwrap()
    }

    #[test]
    fn values_convert_to_json_without_loss() {
        let seconds = vec![Some(1_736_933_400), None];
        assert_eq!(to_json(TimestampSecondArray::from(seconds)), json!(["2025-01-15T09:30:00", null]));
        let far = vec![Some(253_402_300_799), Some(-62_135_596_800)];
        assert_eq!(to_json(TimestampSecondArray::from(far)), json!(["9999-12-31T23:59:59", "0001-01-01T00:00:00"]));
        let large = vec![Some(1), Some(-9_007_199_254_740_993)];
        assert_eq!(to_json(Int64Array::from(large)), json!([1, "-9007199254740993"]));
        assert_eq!(to_json(UInt64Array::from(vec![7, u64::MAX])), json!([7, "18446744073709551615"]));
        let decimals = Decimal128Array::from(vec![1_234_567_890_123_456_789_012]).with_precision_and_scale(30, 2);
        assert_eq!(to_json(decimals.unwrap()), json!(["12345678901234567890.12"]));
        assert_eq!(to_json(Float64Array::from(vec![0.5, f64::NAN])), json!([0.5, "NaN"]));
        assert_eq!(to_json(StringArray::from(vec![Some("a \"b\""), None])), json!(["a \"b\"", null]));
        let lists = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1), None]), None]);
        assert_eq!(to_json(lists), json!([[1, null], null]));
    }
}
