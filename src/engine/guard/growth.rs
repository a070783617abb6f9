//! How much a function makes of its arguments at most, told from the arguments alone.
//!
//! The functions are all of DataFusion's that can make more than they are given: by a number, by putting one argument in
//! many places of another, or by putting arguments together, which doubles again and again in a chain. `levenshtein`
//! makes little and compares much; what it compares counts.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type, IntervalMonthDayNanoType, IntervalUnit, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::ColumnarValue;

use super::measure;

/// What stands around the operator `||`.
pub(super) const JOINED_TEXT: &str = "||";

/// What an element of a list takes at least.
const ELEMENT_BYTES: usize = 16;

const NANOSECONDS_PER_DAY: i128 = 86_400_000_000_000;

/// How a function grows.
#[derive(Debug, Clone, Copy)]
enum Growth {
    /// Text, times.
    Repeat,
    /// Text, characters.
    Pad,
    /// Value, times.
    Elements,
    /// List, length, value.
    Resize,
    /// [Start,] end [, step].
    Series,
    /// Text, what is replaced, what stands for it.
    Replace,
    /// Text, pattern, what stands for it.
    ReplacePattern,
    /// Text, pattern.
    Match,
    /// Separator, texts.
    JoinWith,
    /// List, separator [, what stands for null].
    JoinList,
    /// Text, separator.
    Split,
    /// List, what is replaced, what stands for it.
    ReplaceElements,
    /// Text and text.
    Compare,
    /// What is given, together; for some a few times.
    Together(usize),
    /// To a type that is named.
    Cast,
}

fn growth(function: &str) -> Option<Growth> {
    Some(match function {
        "repeat" => Growth::Repeat,
        "lpad" | "rpad" => Growth::Pad,
        "array_repeat" => Growth::Elements,
        "array_resize" => Growth::Resize,
        "range" | "generate_series" => Growth::Series,
        "replace" => Growth::Replace,
        "regexp_replace" => Growth::ReplacePattern,
        "regexp_match" => Growth::Match,
        "concat_ws" => Growth::JoinWith,
        "array_to_string" => Growth::JoinList,
        "string_to_array" => Growth::Split,
        "array_replace" | "array_replace_n" | "array_replace_all" => Growth::ReplaceElements,
        "levenshtein" => Growth::Compare,
        "translate" | "overlay" | "to_char" => Growth::Together(4),
        JOINED_TEXT | "concat" | "make_array" | "array_append" | "array_prepend" | "array_concat" | "array_union"
        | "arrays_zip" | "flatten" | "struct" | "named_struct" | "map" => Growth::Together(1),
        "arrow_cast" | "arrow_try_cast" => Growth::Cast,
        _ => return None,
    })
}

/// Whether the function can make more than it is given.
pub(super) fn can_grow(function: &str) -> bool {
    growth(function).is_some()
}

/// Whether the function takes the name of a type.
pub(super) fn is_cast(function: &str) -> bool {
    matches!(growth(function), Some(Growth::Cast))
}

/// More than `function` makes of the arguments, over all rows. Arguments that are the same in all rows count for each of
/// them, as their result will.
pub(super) fn most_bytes(function: &str, arguments: &[ColumnarValue], rows: usize) -> usize {
    let Some(growth) = growth(function) else { return 0 };
    let is_constant = arguments.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
    let different = if is_constant { 1 } else { rows };
    let most = match growth {
        Growth::Series => Series::of(arguments).map_or(0, |series| each(different, |row| series.bytes(row))),
        Growth::Cast => 0,
        Growth::Together(times) => {
            let bytes = arguments.iter().map(|argument| match argument {
                ColumnarValue::Array(array) => measure::bytes_of(array),
                ColumnarValue::Scalar(value) => measure::bytes_of_value(value).saturating_mul(different),
            });
            bytes.fold(0, usize::saturating_add).saturating_mul(times)
        }
        growth => {
            let arguments: Vec<_> = arguments.iter().map(Argument::of).collect();
            each(different, |row| of_row(growth, &arguments, row))
        }
    };
    if is_constant { most.saturating_mul(rows) } else { most }
}

fn each(rows: usize, bytes: impl Fn(usize) -> usize) -> usize {
    (0..rows).map(bytes).fold(0, usize::saturating_add)
}

fn of_row(growth: Growth, arguments: &[Argument<'_>], row: usize) -> usize {
    let bytes = |at: usize| arguments.get(at).map_or(0, |argument| argument.bytes(row));
    let number = |at: usize| arguments.get(at).map_or(0, |argument| argument.number(row));
    let elements = |at: usize| arguments.get(at).map_or(0, |argument| argument.elements(row));
    let all = || (0..arguments.len()).map(bytes).fold(0, usize::saturating_add);
    match growth {
        Growth::Repeat => bytes(0).saturating_mul(number(1)),
        // A character has at most 4 bytes.
        Growth::Pad => bytes(0).max(number(1).saturating_mul(4)),
        Growth::Elements => bytes(0).max(ELEMENT_BYTES).saturating_mul(number(1)),
        Growth::Resize => bytes(0).saturating_add(number(1).saturating_mul(bytes(2).max(ELEMENT_BYTES))),
        // An empty text is found before every character.
        Growth::Replace => {
            bytes(0).saturating_add((bytes(0) / bytes(1).max(1)).saturating_add(1).saturating_mul(bytes(2)))
        }
        // Every match may be repeated by two letters of what stands for it.
        Growth::ReplacePattern => (bytes(0) + 1).saturating_mul(bytes(2) + 1).saturating_mul(2),
        Growth::Match => bytes(0).saturating_add(ELEMENT_BYTES).saturating_mul(1 + arguments[1].groups(row)),
        Growth::JoinWith => all().saturating_add(bytes(0).saturating_mul(arguments.len())),
        Growth::JoinList => {
            let between = bytes(1).saturating_add(bytes(2)).saturating_add(ELEMENT_BYTES);
            bytes(0).saturating_mul(2).saturating_add(elements(0).saturating_mul(between))
        }
        Growth::Split => bytes(0).saturating_mul(ELEMENT_BYTES + 1),
        Growth::ReplaceElements => all().saturating_add(elements(0).saturating_mul(bytes(2))),
        Growth::Compare => bytes(0).saturating_mul(bytes(1)),
        Growth::Series | Growth::Together(_) | Growth::Cast => 0,
    }
}

/// An argument of which single rows are read.
enum Argument<'a> {
    Same(&'a ScalarValue),
    Each(&'a ArrayRef),
    /// Numbers, widened.
    Numbers(ArrayRef),
}

impl<'a> Argument<'a> {
    fn of(value: &'a ColumnarValue) -> Self {
        match value {
            ColumnarValue::Scalar(value) => Self::Same(value),
            ColumnarValue::Array(array) if array.data_type().is_integer() => {
                cast(array, &DataType::Int64).map_or(Self::Each(array), Self::Numbers)
            }
            ColumnarValue::Array(array) => Self::Each(array),
        }
    }

    fn bytes(&self, row: usize) -> usize {
        match self {
            Self::Same(value) => measure::bytes_of_value(value),
            Self::Each(array) => measure::bytes_of(&array.slice(row, 1)),
            Self::Numbers(_) => ELEMENT_BYTES,
        }
    }

    /// The number of a row; what is negative makes nothing.
    fn number(&self, row: usize) -> usize {
        let number = match self {
            Self::Same(value) => match value.cast_to(&DataType::Int64) {
                Ok(ScalarValue::Int64(number)) => number.unwrap_or(0),
                _ => i64::MAX,
            },
            Self::Numbers(array) if array.is_valid(row) => array.as_primitive::<Int64Type>().value(row),
            Self::Numbers(_) => 0,
            Self::Each(_) => i64::MAX,
        };
        usize::try_from(number).unwrap_or(0)
    }

    /// How many elements the list of a row has, or more.
    fn elements(&self, row: usize) -> usize {
        let list = match self {
            Self::Same(ScalarValue::List(list)) => return list.values().len(),
            Self::Same(ScalarValue::LargeList(list)) => return list.values().len(),
            Self::Each(list) => list,
            Self::Same(_) | Self::Numbers(_) => return self.bytes(row),
        };
        match list.data_type() {
            DataType::List(_) => list.as_list::<i32>().value(row).len(),
            DataType::LargeList(_) => list.as_list::<i64>().value(row).len(),
            _ => self.bytes(row),
        }
    }

    /// How many groups a pattern has at most.
    fn groups(&self, row: usize) -> usize {
        match self {
            Self::Same(value) => value.try_as_str().flatten().map_or(0, |pattern| pattern.matches('(').count()),
            _ => self.bytes(row),
        }
    }
}

/// The arguments of a series in one unit: numbers, days, or nanoseconds.
struct Series {
    start: Option<Vec<i128>>,
    end: Vec<i128>,
    step: Option<Vec<i128>>,
}

impl Series {
    fn of(arguments: &[ColumnarValue]) -> Option<Self> {
        let read = |at: usize, unit: &DataType| numbers(arguments.get(at)?, unit);
        let first = arguments.first()?.data_type();
        let unit = match first {
            DataType::Date32 | DataType::Date64 => DataType::Date32,
            DataType::Timestamp(..) => DataType::Timestamp(TimeUnit::Nanosecond, None),
            _ => DataType::Int64,
        };
        if arguments.len() == 1 {
            return Some(Self { start: None, end: read(0, &unit)?, step: None });
        }
        Some(Self { start: Some(read(0, &unit)?), end: read(1, &unit)?, step: read(2, &unit) })
    }

    fn bytes(&self, row: usize) -> usize {
        let at = |values: &[i128]| values.get(row).or(values.first()).copied().unwrap_or(0);
        let start = self.start.as_deref().map_or(0, at);
        let step = self.step.as_deref().map_or(1, at).abs().max(1);
        let count = (at(&self.end) - start).abs() / step + 1;
        usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(8)
    }
}

/// The values of an argument as numbers of `unit`; nulls make nothing and are 0.
fn numbers(value: &ColumnarValue, unit: &DataType) -> Option<Vec<i128>> {
    let array = match value {
        ColumnarValue::Array(array) => ArrayRef::clone(array),
        ColumnarValue::Scalar(value) => value.to_array().ok()?,
    };
    if let DataType::Interval(_) = array.data_type() {
        let intervals = cast(&array, &DataType::Interval(IntervalUnit::MonthDayNano)).ok()?;
        let intervals = intervals.as_primitive::<IntervalMonthDayNanoType>();
        let in_days = *unit == DataType::Date32;
        return Some(
            intervals
                .iter()
                .map(|interval| {
                    let interval = interval.unwrap_or_default();
                    let days = i128::from(interval.months) * 28 + i128::from(interval.days);
                    if in_days { days } else { days * NANOSECONDS_PER_DAY + i128::from(interval.nanoseconds) }
                })
                .collect(),
        );
    }
    let values = cast(&cast(&array, unit).ok()?, &DataType::Int64).or_else(|_| {
        // Days reach a 64-bit number by way of a 32-bit one.
        cast(&cast(&cast(&array, unit)?, &DataType::Int32)?, &DataType::Int64)
    });
    let values = values.ok()?;
    Some(values.as_primitive::<Int64Type>().iter().map(|value| i128::from(value.unwrap_or(0))).collect())
}
