//! Conditions on the time of rows. A call uses these conditions to reduce the range that it reads. [`PushBounds`] finds
//! them in the filters above the call.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Expr, Filter, LogicalPlan};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::node::TimePartitions;
use crate::dates::instant::DAY;
use dayledger_core::local_days::LocalDays;
use dayledger_source::pushdown::{comparison_of, evaluate, split_comparison};
use dayledger_source::selection::{Bounds, Comparison};

/// A column with the time of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TimeColumn {
    /// The local start.
    Start,
    /// The local end, exclusive.
    End,
    /// The local day of the row.
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

/// A condition on the time of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Bound {
    pub(super) place: TimeColumn,
    pub(super) comparison: Comparison,
    /// The value that the time is compared with. This value is the same for every row, and it is known when the
    /// statement runs.
    pub(super) value: Expr,
}

impl Bound {
    /// Converts a filter to a condition on the time of rows. Returns `None` if the filter isn't such a condition.
    pub(super) fn from_condition(condition: &Expr) -> Option<Self> {
        let (column, operator, value) = split_comparison(condition)?;
        let place = TimeColumn::ALL.into_iter().find(|place| place.column() == column)?;
        let comparison = comparison_of(operator)?;
        let is_constant = value.column_refs().is_empty() && !value.is_volatile() && !value.contains_outer();
        // The rows to read are chosen before the statement runs, but the value of a subquery is known only while it
        // runs.
        let is_plain = !matches!(value, Expr::ScalarSubquery(_));
        (is_constant && is_plain).then(|| Self { place, comparison, value: value.clone() })
    }

    /// Returns bounds for the rows that meet the condition, in seconds of local time. Each such row ends after the
    /// lower bound and starts before the upper bound. Returns `None` if the value doesn't limit the time.
    fn range(&self) -> Option<Bounds> {
        let (from, to) = match (self.place, evaluate(&self.value)?) {
            (TimeColumn::Start, ScalarValue::TimestampSecond(Some(than), None)) => self.comparison.bounds(than),
            (TimeColumn::End, ScalarValue::TimestampSecond(Some(than), None)) => {
                let (from, to) = self.comparison.bounds(than);
                // The condition can include rows that end exactly at the value. A range contains only rows that end
                // after the start of the range. So the range starts one second earlier.
                (from.map(|from| from.saturating_sub(1)), to)
            }
            (TimeColumn::Date, ScalarValue::Date32(Some(day))) => {
                let (from, to) = self.comparison.bounds(day.into());
                let start = |day: i64| day.saturating_mul(DAY).saturating_add(LocalDays::current().day_start.seconds());
                (from.map(start), to.map(start))
            }
            _ => return None,
        };
        Some(Bounds { from, to })
    }
}

/// Reduces a range to the part in which rows can meet all conditions. This part can be empty.
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

/// Copies the time conditions of a filter to the call directly below the filter.
#[derive(Debug)]
pub(crate) struct PushBounds;

impl OptimizerRule for PushBounds {
    fn name(&self) -> &'static str {
        "tell_bounds_to_time_partitions"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Filter(filter) = &plan else { return Ok(Transformed::no(plan)) };
        let Some(node) = TimePartitions::from_plan(&filter.input) else { return Ok(Transformed::no(plan)) };
        let bounds: Vec<_> =
            split_conjunction(&filter.predicate).into_iter().filter_map(Bound::from_condition).collect();
        // The optimiser repeats its rules until the plan no longer changes. So copying the same conditions again must
        // not count as a change.
        if bounds == node.call.bounds {
            return Ok(Transformed::no(plan));
        }
        let bounded = Arc::new(node.with_bounds(bounds));
        Ok(Transformed::yes(LogicalPlan::Filter(Filter::try_new(filter.predicate.clone(), bounded)?)))
    }
}
