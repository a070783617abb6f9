//! Aggregates over the union of intervals: its measure, and its intervals.
//!
//! Owns: `union_seconds`, `interval_union`, and [`unite`]. Does not own: clipping.
//!
//! Invariant: memory is bounded by twice the number of disjoint intervals, not by the number of rows.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, StructArray};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, ScalarValue, internal_datafusion_err};
use datafusion::logical_expr::{Accumulator, AggregateUDF};

use crate::columns::instants;
use crate::declare::{Declaration, Kind, aggregate, parameter};
use crate::interval::{self, Interval, IntervalColumns, IntervalListBuilder, instant};

/// So many intervals are kept before the first merge.
const FIRST_MERGE: usize = 64;

static UNION_SECONDS: Declaration = Declaration {
    name: "union_seconds",
    about: "Returns the seconds that are covered by at least one of the intervals; 0 for none.",
    parameters: &[
        parameter("start_utc", Kind::Instant, "UTC start of an interval."),
        parameter("end_utc", Kind::Instant, "UTC end of an interval."),
    ],
    over: "",
    example: "SELECT device, union_seconds(start_utc, end_utc) AS seconds FROM active_intervals GROUP BY device",
    takes_interval: false,
};

static INTERVAL_UNION: Declaration = Declaration {
    name: "interval_union",
    about: "Returns the intervals, united where they touch or overlap in UTC, in order. Local times are those of the \
            rows that supply the edges.",
    parameters: &[
        parameter("start_local", Kind::Instant, "Local start of an interval."),
        parameter("start_utc", Kind::Instant, "UTC start of an interval."),
        parameter("end_local", Kind::Instant, "Local end of an interval."),
        parameter("end_utc", Kind::Instant, "UTC end of an interval."),
    ],
    over: "",
    example: "SELECT device, interval_union(start_local, start_utc, end_local, end_utc)\n\
              FROM computer_usage GROUP BY device",
    takes_interval: false,
};

/// Something between two instants that can grow at its end.
///
/// The order of values is that of their starts.
pub trait Extent: Ord + Copy {
    /// Returns the instant at which it begins.
    fn start(&self) -> i64;
    /// Returns the instant at which it ends.
    fn end(&self) -> i64;
    /// Takes over the end of another.
    fn end_with(&mut self, other: &Self);
}

/// A start and an end in seconds.
type Span = (i64, i64);

impl Extent for Span {
    fn start(&self) -> i64 {
        self.0
    }

    fn end(&self) -> i64 {
        self.1
    }

    fn end_with(&mut self, other: &Self) {
        self.1 = other.1;
    }
}

impl Extent for Interval {
    fn start(&self) -> i64 {
        self.start_utc
    }

    fn end(&self) -> i64 {
        self.end_utc
    }

    fn end_with(&mut self, other: &Self) {
        self.end_utc = other.end_utc;
        self.end_local = other.end_local;
    }
}

/// Sorts intervals and unites those that touch or overlap, in place.
pub fn unite<E: Extent>(intervals: &mut Vec<E>) {
    intervals.sort_unstable();
    intervals.dedup_by(|next, united| {
        let joins = next.start() <= united.end();
        if joins && next.end() > united.end() {
            united.end_with(next);
        }
        joins
    });
}

/// A union that grows interval by interval.
#[derive(Debug)]
struct Union<E> {
    intervals: Vec<E>,
    merge_at: usize,
}

impl<E: Extent> Union<E> {
    fn new() -> Self {
        Self { intervals: Vec::new(), merge_at: FIRST_MERGE }
    }

    fn add(&mut self, interval: E) {
        // Rows mostly arrive in order, and then the last one takes most of them in.
        if let Some(last) = self.intervals.last_mut()
            && last.start() <= interval.start()
            && interval.start() <= last.end()
        {
            if interval.end() > last.end() {
                last.end_with(&interval);
            }
            return;
        }
        if self.intervals.len() >= self.merge_at {
            unite(&mut self.intervals);
            self.merge_at = (self.intervals.len() * 2).max(FIRST_MERGE);
        }
        self.intervals.push(interval);
    }

    fn united(&mut self) -> &[E] {
        unite(&mut self.intervals);
        &self.intervals
    }

    fn size(&self) -> usize {
        self.intervals.capacity() * size_of::<E>()
    }
}

/// Returns `union_seconds(start_utc, end_utc) -> Int64`: seconds of UTC, each counted once (semantics, section 3).
pub fn union_seconds() -> AggregateUDF {
    let edges = DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)));
    aggregate(&UNION_SECONDS, vec![("starts", edges.clone()), ("ends", edges)], ScalarValue::Int64(Some(0)), || {
        Box::new(Measure(Union::new()))
    })
}

/// Accumulates the measure of a union.
#[derive(Debug)]
struct Measure(Union<Span>);

impl Accumulator for Measure {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (starts, ends) = (instants(values, 0)?, instants(values, 1)?);
        for row in 0..starts.len() {
            if let (Some(start), Some(end)) = (instant(starts, row), instant(ends, row))
                && start < end
            {
                self.0.add((start, end));
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let seconds = self.0.united().iter().fold(0_i64, |sum, span| sum.saturating_add(span.1.saturating_sub(span.0)));
        Ok(ScalarValue::Int64(Some(seconds)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let (starts, ends): (Vec<_>, Vec<_>) = self.0.united().iter().map(|span| (Some(span.0), Some(span.1))).unzip();
        Ok([starts, ends]
            .map(|edges| ListArray::from_iter_primitive::<Int64Type, _, _>([Some(edges)]))
            .map(|list| ScalarValue::List(Arc::new(list)))
            .into())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let (starts, ends) = (list(states, 0)?, list(states, 1)?);
        for row in 0..starts.len() {
            let (starts, ends) = (starts.value(row), ends.value(row));
            for (start, end) in
                starts.as_primitive::<Int64Type>().values().iter().zip(ends.as_primitive::<Int64Type>().values())
            {
                self.0.add((*start, *end));
            }
        }
        Ok(())
    }
}

/// Returns `interval_union(start_local, start_utc, end_local, end_utc) -> List<interval>`, united by UTC (semantics,
/// section 3).
pub fn interval_union() -> AggregateUDF {
    let list = interval::list_data_type();
    let none = ScalarValue::new_list(&[], &interval::data_type(), true);
    aggregate(&INTERVAL_UNION, vec![("intervals", list)], ScalarValue::List(none), || Box::new(Intervals(Union::new())))
}

/// Accumulates the intervals of a union.
#[derive(Debug)]
struct Intervals(Union<Interval>);

impl Intervals {
    fn add(&mut self, columns: &IntervalColumns<'_>) {
        for interval in (0..columns.len()).filter_map(|row| columns.get(row)) {
            self.0.add(interval);
        }
    }
}

impl Accumulator for Intervals {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(&IntervalColumns::of_columns(values, 0)?);
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mut lists = IntervalListBuilder::with_capacity(1, self.0.intervals.len());
        for interval in self.0.united() {
            lists.push(*interval);
        }
        lists.end_row()?;
        Ok(ScalarValue::List(Arc::new(lists.finish()?)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let lists = list(states, 0)?;
        for row in 0..lists.len() {
            let items = lists.value(row);
            let items: &StructArray = items.as_struct();
            self.add(&IntervalColumns::of_columns(items.columns(), 0)?);
        }
        Ok(())
    }
}

/// Returns a column of partial states.
pub(crate) fn list(states: &[ArrayRef], index: usize) -> Result<&ListArray> {
    states
        .get(index)
        .and_then(|state| state.as_list_opt::<i32>())
        .ok_or_else(|| internal_datafusion_err!("partial state {index} is not a list"))
}

#[cfg(test)]
mod tests;
