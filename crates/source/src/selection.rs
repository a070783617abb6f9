//! The part of a table that a scan reads: columns, pushed-down predicates and a limit.

use datafusion::arrow::datatypes::SchemaRef;

/// Which rows and columns of a table are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Selection {
    /// Columns of the table's schema, by position, in the order of the output.
    pub projection: Vec<usize>,
    /// All must hold.
    pub predicates: Vec<Predicate>,
    /// Rows that suffice.
    pub limit: Option<usize>,
}

/// A condition that a scan fulfils exactly.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate {
    /// Name of the column in the table's schema.
    pub column: String,
    /// What the column is compared with.
    pub test: Test,
}

/// What a pushed-down condition compares with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Test {
    /// The instant compares so with this one, in seconds on the column's clock.
    Instant(Comparison, i64),
    /// The number is one of these.
    Numbers(Vec<i64>),
    /// The text is one of these.
    Texts(Vec<String>),
}

/// How two instants compare.
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
    /// Whole seconds `[from, to)` that fulfil the comparison with `than`; `None` is unbounded.
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

/// Whole seconds `[from, to)` of one column, both ends optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Inclusive start.
    pub from: Option<i64>,
    /// Exclusive end.
    pub to: Option<i64>,
}

impl Bounds {
    /// Whether `instant` lies inside; an instant that could not be parsed lies in no bounds but the open ones.
    pub fn contain(self, instant: Option<i64>) -> bool {
        match instant {
            Some(instant) => self.from.is_none_or(|from| from <= instant) && self.to.is_none_or(|to| instant < to),
            None => self == Self::default(),
        }
    }
}

impl Selection {
    /// The schema of what is asked of a table with that one.
    pub fn schema(&self, table: &SchemaRef) -> SchemaRef {
        SchemaRef::new(table.project(&self.projection).unwrap_or_else(|_| table.as_ref().clone()))
    }

    /// The bounds that the predicates put on the instants of `column`.
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

    /// Whether the predicates on the text `column` let `value` through; null passes only where there are none.
    pub fn accepts_text(&self, column: &str, value: Option<&str>) -> bool {
        self.predicates.iter().filter(|predicate| predicate.column == column).all(|predicate| match &predicate.test {
            Test::Texts(allowed) => value.is_some_and(|value| allowed.iter().any(|text| text == value)),
            Test::Instant(..) | Test::Numbers(_) => true,
        })
    }

    /// Whether the predicates on the number `column` let `value` through.
    pub fn accepts_number(&self, column: &str, value: i64) -> bool {
        self.predicates.iter().filter(|predicate| predicate.column == column).all(|predicate| match &predicate.test {
            Test::Numbers(allowed) => allowed.contains(&value),
            Test::Instant(..) | Test::Texts(_) => true,
        })
    }
}
