//! Conditions on where rows lie, and what they leave of a range.

use std::fmt;
use std::ops::Range;

use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr;

use crate::instant::DAY;
use dayledger_source::pushdown::{comparison_of, evaluate, split_comparison};
use dayledger_source::selection::{Bounds, Comparison};

/// A column that tells where a row of a function lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TimeColumn {
    /// Local start.
    Start,
    /// Local end, exclusive.
    End,
    /// The local day that the row lies in.
    Date,
}

impl TimeColumn {
    pub(super) const ALL: [Self; 3] = [Self::Start, Self::End, Self::Date];

    pub(super) fn column(self) -> &'static str {
        match self {
            Self::Start => "start_local",
            Self::End => "end_local",
            Self::Date => "date",
        }
    }
}

/// A condition on where a row lies.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Bound {
    pub(super) place: TimeColumn,
    pub(super) comparison: Comparison,
    /// The same for every row; known when the question runs.
    pub(super) value: Expr,
}

impl Bound {
    /// What a condition says of where rows lie, if it says anything.
    pub(super) fn from_condition(condition: &Expr) -> Option<Self> {
        let (column, operator, value) = split_comparison(condition)?;
        let place = TimeColumn::ALL.into_iter().find(|place| place.column() == column)?;
        let comparison = comparison_of(operator)?;
        let is_constant = value.column_refs().is_empty() && !value.is_volatile() && !value.contains_outer();
        let is_plain = !matches!(value, Expr::ScalarSubquery(_));
        (is_constant && is_plain).then(|| Self { place, comparison, value: value.clone() })
    }

    /// Where rows that fulfil it lie, in seconds of local time: none of them starts at the end or later, none ends at the
    /// start or earlier. Nothing where the value tells nothing.
    fn range(&self) -> Option<Bounds> {
        let (from, to) = match (self.place, evaluate(&self.value)?) {
            (TimeColumn::Start, ScalarValue::TimestampSecond(Some(than), None)) => self.comparison.bounds(than),
            (TimeColumn::End, ScalarValue::TimestampSecond(Some(than), None)) => {
                let (from, to) = self.comparison.bounds(than);
                (from.map(|from| from.saturating_sub(1)), to)
            }
            (TimeColumn::Date, ScalarValue::Date32(Some(day))) => {
                let (from, to) = self.comparison.bounds(day.into());
                (from.map(|day| day.saturating_mul(DAY)), to.map(|day| day.saturating_mul(DAY)))
            }
            _ => return None,
        };
        Some(Bounds { from, to })
    }
}

/// What conditions leave of a range, which can be nothing; the range itself where they leave all.
pub(super) fn clip_range(range: &Range<i64>, bounds: &[Bound]) -> Range<i64> {
    bounds.iter().filter_map(Bound::range).fold(range.clone(), |left, bounds| {
        let start = bounds.from.map_or(left.start, |from| from.max(left.start));
        start..bounds.to.map_or(left.end, |to| to.min(left.end))
    })
}

impl fmt::Display for Bound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = match self.comparison {
            Comparison::Before => "<",
            Comparison::NotAfter => "<=",
            Comparison::Equal => "=",
            Comparison::NotBefore => ">=",
            Comparison::After => ">",
        };
        write!(out, "{} {symbol} {}", self.place.column(), self.value)
    }
}
