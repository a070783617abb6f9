//! The part of a table that a scan reads: columns, pushed-down predicates and a limit.

use datafusion::arrow::datatypes::SchemaRef;

/// The rows and columns of a table to read.
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
    /// The column's name in the table's schema.
    pub column: String,
    /// The test of the column's value.
    pub test: Test,
}

/// A test of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Test {
    /// Compares the time with this number of seconds, in the time zone of the column.
    Instant(Comparison, i64),
    /// The number is one of these.
    Numbers(Vec<i64>),
    /// The text is one of these.
    Texts(Vec<String>),
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
    /// Returns the range of whole seconds, with an exclusive end, that are in this relation to
    /// `than`. `None` means unlimited.
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
    /// Whether a time is within the bounds. A time that can't be read is only within unlimited
    /// bounds.
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

    /// Returns the range of times that the predicates on `column` allow.
    pub fn bounds(&self, column: &str) -> Bounds {
        let tests = self.predicates.iter().filter(|predicate| predicate.column == column);
        tests.fold(Bounds::default(), |bounds, predicate| match &predicate.test {
            Test::Instant(comparison, than) => {
                let (from, to) = comparison.bounds(*than);
                Bounds { from: bounds.from.max(from), to: bounds.to.into_iter().chain(to).min() }
            }
            Test::Numbers(_) | Test::Texts(_) => bounds,
        })
    }

    /// Whether the predicates on the text column `column` accept `value`. Null is accepted only
    /// without predicates.
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
