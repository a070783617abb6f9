//! The part of a table that a scan reads. It is defined by columns, predicates and a limit.

use arrow::array::{ArrayRef, AsArray, BooleanArray, RecordBatch};
use arrow::buffer::BooleanBuffer;
use arrow::compute::filter_record_batch;
use arrow::datatypes::{Int64Type, SchemaRef, TimestampSecondType};
use arrow::error::ArrowError;

/// The rows and columns that are read from a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Selection {
    /// The indexes of columns in the table's schema, in the order of the output.
    pub projection: Vec<usize>,
    /// The predicates, which must all be true.
    pub predicates: Vec<Predicate>,
    /// The maximum number of rows.
    pub limit: Option<usize>,
}

/// A condition that a scan must apply exactly.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate {
    /// The name of the column in the table's schema.
    pub column: String,
    /// The test of the column's value.
    pub test: Test,
}

/// A test of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Test {
    /// Compares the time with this number of seconds. Both are in the time zone of the column.
    Instant(Comparison, i64),
    /// The number is one of these numbers.
    Numbers(Vec<i64>),
    /// The text is one of these texts.
    Texts(Vec<String>),
}

impl Test {
    /// Returns whether each value of a column passes the test. Null never passes. Returns `None` if the column has
    /// another type.
    fn results(&self, column: &ArrayRef) -> Option<BooleanBuffer> {
        Some(match self {
            Self::Instant(comparison, than) => {
                let (from, to) = comparison.bounds(*than);
                let bounds = Bounds { from, to };
                column.as_primitive_opt::<TimestampSecondType>()?.iter().map(|time| bounds.contain(time)).collect()
            }
            Self::Numbers(allowed) => {
                let numbers = column.as_primitive_opt::<Int64Type>()?.iter();
                numbers.map(|number| number.is_some_and(|number| allowed.contains(&number))).collect()
            }
            Self::Texts(allowed) => {
                let texts = column.as_string_view_opt()?.iter();
                texts.map(|text| text.is_some_and(|text| allowed.iter().any(|allowed| allowed == text))).collect()
            }
        })
    }
}

/// A comparison of two times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `<`
    Before,
    /// `<=`
    NotAfter,
    /// `=`
    Equal,
    /// `>=`
    NotBefore,
    /// `>`
    After,
}

impl Comparison {
    /// Returns the range of whole seconds for which a comparison with `than` is true. The end is exclusive. `None`
    /// means unlimited.
    pub fn bounds(self, than: i64) -> (Option<i64>, Option<i64>) {
        let next = than.saturating_add(1);
        match self {
            Self::Before => (None, Some(than)),
            Self::NotAfter => (None, Some(next)),
            Self::Equal => (Some(than), Some(next)),
            Self::NotBefore => (Some(than), None),
            Self::After => (Some(next), None),
        }
    }
}

/// A range of whole seconds in one column. Both ends are optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The inclusive start.
    pub from: Option<i64>,
    /// The exclusive end.
    pub to: Option<i64>,
}

impl Bounds {
    /// Whether a time is within the bounds. A time that can't be read is accepted only by unlimited bounds.
    pub fn contain(self, instant: Option<i64>) -> bool {
        match instant {
            Some(instant) => self.from.is_none_or(|from| from <= instant) && self.to.is_none_or(|to| instant < to),
            None => self == Self::default(),
        }
    }
}

impl Selection {
    /// Returns the schema of the selected columns.
    pub fn schema(&self, table: &SchemaRef) -> SchemaRef {
        SchemaRef::new(table.project(&self.projection).unwrap_or_else(|_| table.as_ref().clone()))
    }

    /// Returns the selected rows and columns of `rows`, which must have all columns of the table. The limit applies to
    /// this batch only. Sources that keep whole rows in memory use this function.
    ///
    /// # Errors
    /// Fails if `rows` lacks a selected column, or if a column's type doesn't match its predicate.
    pub fn apply(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let mut selected = BooleanBuffer::new_set(rows.num_rows());
        for Predicate { column, test } in &self.predicates {
            let results = rows.column_by_name(column).and_then(|values| test.results(values));
            let results = results.ok_or_else(|| {
                ArrowError::SchemaError(format!(
                    "the rows lack a column `{column}` of the type that its predicate needs"
                ))
            })?;
            selected = &selected & &results;
        }
        let rows = filter_record_batch(&rows.project(&self.projection)?, &BooleanArray::new(selected, None))?;
        let limit = self.limit.unwrap_or(usize::MAX).min(rows.num_rows());
        Ok(rows.slice(0, limit))
    }

    /// Returns the range of times that the predicates on `column` allow.
    pub fn bounds(&self, column: &str) -> Bounds {
        let tests = self.predicates.iter().filter(|predicate| predicate.column == column);
        tests.fold(Bounds::default(), |bounds, predicate| match &predicate.test {
            Test::Instant(comparison, than) => {
                let (from, to) = comparison.bounds(*than);
                // `None` is less than any number. So for starts, `max` prefers a number to `None`. For ends, `min`
                // would prefer `None`, so only the numbers are compared.
                Bounds { from: bounds.from.max(from), to: bounds.to.into_iter().chain(to).min() }
            }
            Test::Numbers(_) | Test::Texts(_) => bounds,
        })
    }

    /// Whether the predicates on the text column `column` accept `value`. Null is accepted only if there are no
    /// predicates on this column.
    pub fn accepts_text(&self, column: &str, value: Option<&str>) -> bool {
        self.predicates.iter().filter(|predicate| predicate.column == column).all(|predicate| match &predicate.test {
            Test::Texts(allowed) => value.is_some_and(|value| allowed.iter().any(|text| text == value)),
            Test::Instant(..) | Test::Numbers(_) => true,
        })
    }

    /// Whether the predicates on the number column `column` accept `value`.
    pub fn accepts_number(&self, column: &str, value: i64) -> bool {
        self.predicates.iter().filter(|predicate| predicate.column == column).all(|predicate| match &predicate.test {
            Test::Numbers(allowed) => allowed.contains(&value),
            Test::Instant(..) | Test::Texts(_) => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Int64Array, StringViewArray, TimestampSecondArray};
    use arrow::datatypes::DataType;

    use super::*;
    use crate::{INSTANT, schema_of};

    /// Returns five rows with the ids 1 to 5. The second row lacks a time, and the third row lacks a role.
    fn rows() -> RecordBatch {
        let columns = [("id", DataType::Int64, false), ("role", DataType::Utf8View, true), ("at", INSTANT, true)];
        let ids = Int64Array::from(vec![1, 2, 3, 4, 5]);
        let roles = StringViewArray::from(vec![Some("tags"), Some("tags"), None, Some("documents"), Some("tags")]);
        let times = TimestampSecondArray::from(vec![Some(10), None, Some(20), Some(20), Some(30)]);
        RecordBatch::try_new(schema_of(&columns), vec![Arc::new(ids), Arc::new(roles), Arc::new(times)]).unwrap()
    }

    fn selection<const N: usize>(tests: [(&str, Test); N], limit: Option<usize>) -> Selection {
        let predicates = tests.map(|(column, test)| Predicate { column: column.to_owned(), test });
        Selection { projection: vec![0], predicates: predicates.into(), limit }
    }

    fn selected_ids(selection: &Selection) -> Vec<i64> {
        selection.apply(&rows()).unwrap().column(0).as_primitive::<Int64Type>().values().to_vec()
    }

    #[test]
    fn rows_must_pass_every_predicate_and_null_passes_none() {
        let at = |comparison, than| ("at", Test::Instant(comparison, than));
        let roles = |roles: &[&str]| ("role", Test::Texts(roles.iter().map(|role| (*role).to_owned()).collect()));
        for (comparison, expected) in [
            (Comparison::Before, vec![1]),
            (Comparison::NotAfter, vec![1, 3, 4]),
            (Comparison::Equal, vec![3, 4]),
            (Comparison::NotBefore, vec![3, 4, 5]),
            (Comparison::After, vec![5]),
        ] {
            assert_eq!(selected_ids(&selection([at(comparison, 20)], None)), expected, "{comparison:?}");
        }
        assert_eq!(selected_ids(&selection([roles(&["tags"])], None)), [1, 2, 5]);
        assert_eq!(selected_ids(&selection([roles(&["tags", "documents"]), at(Comparison::After, 10)], None)), [4, 5]);
        assert_eq!(selected_ids(&selection([("id", Test::Numbers(vec![2, 4]))], None)), [2, 4]);
        assert_eq!(selected_ids(&selection([("id", Test::Numbers(Vec::new()))], None)), [0; 0]);
    }

    #[test]
    fn limit_counts_the_rows_that_pass_the_predicates() {
        let tags = || [("role", Test::Texts(vec!["tags".to_owned()]))];
        assert_eq!(selected_ids(&selection(tags(), Some(2))), [1, 2]);
        assert_eq!(selected_ids(&selection(tags(), Some(9))), [1, 2, 5]);
        assert_eq!(selected_ids(&selection([], Some(0))), [0; 0]);
    }

    #[test]
    fn columns_are_returned_in_the_order_of_the_scan() {
        let times = || ("at", Test::Instant(Comparison::NotBefore, 20));
        for projection in [vec![2, 0], Vec::new()] {
            let selection = Selection { projection, ..selection([times()], None) };
            let selected = selection.apply(&rows()).unwrap();
            assert_eq!(selected.schema(), selection.schema(&rows().schema()));
            assert_eq!(selected.num_rows(), 3, "a plan can count rows without any column");
        }
    }

    #[test]
    fn predicate_that_does_not_match_the_columns_is_an_error() {
        for (column, test) in [("at", Test::Numbers(vec![1])), ("missing", Test::Texts(Vec::new()))] {
            let error = selection([(column, test)], None).apply(&rows()).unwrap_err();
            assert!(error.to_string().contains(&format!("`{column}`")), "{error}");
        }
    }
}
