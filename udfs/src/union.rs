//! Aggregate functions for the union of intervals. They return the duration or the intervals of the union.
//!
//! Implements `union_seconds` and `interval_union` with [`unite`].
//!
//! Invariant: memory depends on the number of disjoint intervals, and not on the number of rows. The number of
//! intervals in memory is at most twice the number of disjoint intervals.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue, internal_datafusion_err};
use datafusion::logical_expr::AggregateUDF;

use crate::columns::timestamp_column;
use crate::declare::{Declaration, Parameter, aggregate};
use crate::gather::{GroupStates, Member};
use crate::interval::{self, Interval, IntervalColumns, IntervalListBuilder, instant};

/// The number of intervals to keep before the first merge.
const FIRST_MERGE: usize = 64;

static UNION_SECONDS: Declaration = Declaration {
    name: "union_seconds",
    description: "Returns the seconds that at least one of the intervals covers, or 0 without intervals.",
    parameters: &[
        Parameter::instant("start_utc", "UTC start of an interval."),
        Parameter::instant("end_utc", "UTC end of an interval."),
    ],
    call_suffix: "",
    example: "SELECT device, union_seconds(start_utc, end_utc) AS seconds FROM active_intervals GROUP BY device",
};

static INTERVAL_UNION: Declaration = Declaration {
    name: "interval_union",
    description: "Returns the intervals in order, after merging those that touch or overlap in UTC. Local times are \
            those of the rows with the edges.",
    parameters: &[
        Parameter::instant("start_local", "Local start of an interval."),
        Parameter::instant("start_utc", "UTC start of an interval."),
        Parameter::instant("end_local", "Local end of an interval."),
        Parameter::instant("end_utc", "UTC end of an interval."),
    ],
    call_suffix: "",
    example: "SELECT device, interval_union(start_local, start_utc, end_local, end_utc)\n\
              FROM computer_usage GROUP BY device",
};

/// An interval that can be extended at its end.
///
/// Values are ordered by start.
pub trait Extent: Ord + Copy {
    /// Returns the start.
    fn start(&self) -> i64;
    /// Returns the end.
    fn end(&self) -> i64;
    /// Replaces the end by the end of `other`.
    fn take_end(&mut self, other: &Self);
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

    fn take_end(&mut self, other: &Self) {
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

    fn take_end(&mut self, other: &Self) {
        self.end_utc = other.end_utc;
        self.end_local = other.end_local;
    }
}

/// Sorts intervals in place, and merges intervals that touch or overlap.
pub fn unite<E: Extent>(intervals: &mut Vec<E>) {
    intervals.sort_unstable();
    // `dedup_by` passes the later of two neighbours as the first argument.
    intervals.dedup_by(|next, united| {
        let joins = next.start() <= united.end();
        if joins && next.end() > united.end() {
            united.take_end(next);
        }
        joins
    });
}

/// A union to which intervals are added one by one.
#[derive(Debug)]
struct Union<E> {
    intervals: Vec<E>,
    merge_at: usize,
}

impl<E: Extent> Default for Union<E> {
    fn default() -> Self {
        Self { intervals: Vec::new(), merge_at: FIRST_MERGE }
    }
}

impl<E: Extent> Union<E> {
    fn add(&mut self, interval: E) {
        // Rows mostly arrive in order, so extending the last interval is usually enough.
        if let Some(last) = self.intervals.last_mut()
            && last.start() <= interval.start()
            && interval.start() <= last.end()
        {
            if interval.end() > last.end() {
                last.take_end(&interval);
            }
            return;
        }
        if self.intervals.len() >= self.merge_at {
            unite(&mut self.intervals);
            // The limit grows with the union. With a fixed limit, a union with many disjoint intervals would be sorted
            // again for nearly every added row.
            self.merge_at = (self.intervals.len() * 2).max(FIRST_MERGE);
        }
        self.intervals.push(interval);
    }

    fn merged_intervals(&mut self) -> &[E] {
        unite(&mut self.intervals);
        &self.intervals
    }
}

/// One union for each group.
#[derive(Debug)]
struct Unions<E> {
    groups: Vec<Union<E>>,
    /// The total capacity of all groups, in intervals.
    capacity: usize,
}

impl<E: Extent> Unions<E> {
    const fn new() -> Self {
        Self { groups: Vec::new(), capacity: 0 }
    }

    fn grow(&mut self, groups: usize) {
        self.groups.resize_with(groups, Union::default);
    }

    fn add(&mut self, group: usize, interval: E) {
        let union = &mut self.groups[group];
        let room = union.intervals.capacity();
        union.add(interval);
        self.capacity += union.intervals.capacity() - room;
    }

    fn forget(&mut self, groups: usize) {
        let room: usize = self.groups.drain(..groups).map(|union| union.intervals.capacity()).sum();
        self.capacity -= room;
    }

    fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<Union<E>>() + self.capacity * size_of::<E>()
    }
}

/// Returns `union_seconds(start_utc, end_utc) -> Int64`: the duration of the union in UTC seconds. Each second counts
/// once (docs/spec/time.md#minutes-that-count-once).
pub fn union_seconds() -> AggregateUDF {
    let edges = DataType::List(edge());
    aggregate(&UNION_SECONDS, vec![("starts", edges.clone()), ("ends", edges)], ScalarValue::Int64(Some(0)), || {
        Box::new(Measures(Unions::new()))
    })
}

/// Returns the field of a list item: a start or an end in a partial state.
fn edge() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Int64, true))
}

/// Computes the duration of each group's union.
#[derive(Debug)]
struct Measures(Unions<Span>);

impl GroupStates for Measures {
    fn grow(&mut self, groups: usize) {
        self.0.grow(groups);
    }

    fn add(&mut self, arguments: &[ArrayRef], members: &[Member]) -> Result<()> {
        let (starts, ends) = (timestamp_column(arguments, 0)?, timestamp_column(arguments, 1)?);
        for (row, group) in members {
            if let (Some(start), Some(end)) = (instant(starts, *row), instant(ends, *row))
                && start < end
            {
                self.0.add(*group, (start, end));
            }
        }
        Ok(())
    }

    fn merge(&mut self, states: &[ArrayRef], members: &[Member]) -> Result<()> {
        let (starts, ends) = (list(states, 0)?, list(states, 1)?);
        for (row, group) in members {
            let (starts, ends) = (starts.value(*row), ends.value(*row));
            let (starts, ends) = (starts.as_primitive::<Int64Type>(), ends.as_primitive::<Int64Type>());
            for (start, end) in starts.values().iter().zip(ends.values()) {
                self.0.add(*group, (*start, *end));
            }
        }
        Ok(())
    }

    fn results(&mut self, groups: usize) -> Result<ArrayRef> {
        let measure = |spans: &[Span]| {
            spans.iter().fold(0_i64, |sum, (start, end)| sum.saturating_add(end.saturating_sub(*start)))
        };
        let measures = self.0.groups[..groups].iter_mut().map(|union| measure(union.merged_intervals()));
        Ok(Arc::new(Int64Array::from_iter_values(measures)))
    }

    fn states(&mut self, groups: usize) -> Result<Vec<ArrayRef>> {
        let unions = &mut self.0.groups[..groups];
        let lengths = unions.iter_mut().map(|union| union.merged_intervals().len());
        let offsets = OffsetBuffer::from_lengths(lengths);
        let edges = |of: fn(&Span) -> i64| -> Result<ArrayRef> {
            let edges = unions.iter().flat_map(|union| union.intervals.iter().map(of));
            let edges = Arc::new(Int64Array::from_iter_values(edges));
            Ok(Arc::new(ListArray::try_new(edge(), offsets.clone(), edges, None)?))
        };
        Ok(vec![edges(|span| span.0)?, edges(|span| span.1)?])
    }

    fn forget(&mut self, groups: usize) {
        self.0.forget(groups);
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Returns `interval_union(start_local, start_utc, end_local, end_utc) -> List<interval>`. Intervals are merged by UTC
/// (docs/spec/time.md#active-intervals).
pub fn interval_union() -> AggregateUDF {
    let list = interval::list_data_type();
    let none = ScalarValue::new_list(&[], &interval::data_type(), true);
    aggregate(&INTERVAL_UNION, vec![("intervals", list)], ScalarValue::List(none), || {
        Box::new(IntervalUnions(Unions::new()))
    })
}

/// Computes the intervals of each group's union.
#[derive(Debug)]
struct IntervalUnions(Unions<Interval>);

impl GroupStates for IntervalUnions {
    fn grow(&mut self, groups: usize) {
        self.0.grow(groups);
    }

    fn add(&mut self, arguments: &[ArrayRef], members: &[Member]) -> Result<()> {
        let columns = IntervalColumns::from_columns(arguments, 0)?;
        for (row, group) in members {
            if let Some(interval) = columns.get(*row) {
                self.0.add(*group, interval);
            }
        }
        Ok(())
    }

    fn merge(&mut self, states: &[ArrayRef], members: &[Member]) -> Result<()> {
        let lists = list(states, 0)?;
        for (row, group) in members {
            let items = lists.value(*row);
            let columns = IntervalColumns::from_struct(&items)?;
            for interval in (0..items.len()).filter_map(|item| columns.get(item)) {
                self.0.add(*group, interval);
            }
        }
        Ok(())
    }

    fn results(&mut self, groups: usize) -> Result<ArrayRef> {
        let mut lists = IntervalListBuilder::with_capacity(groups, groups);
        for union in &mut self.0.groups[..groups] {
            union.merged_intervals().iter().for_each(|interval| lists.push(*interval));
            lists.end_row();
        }
        lists.finish()
    }

    fn states(&mut self, groups: usize) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.results(groups)?])
    }

    fn forget(&mut self, groups: usize) {
        self.0.forget(groups);
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Returns the list column at `index` of partial states.
pub(crate) fn list(states: &[ArrayRef], index: usize) -> Result<&ListArray> {
    states
        .get(index)
        .and_then(|state| state.as_list_opt::<i32>())
        .ok_or_else(|| internal_datafusion_err!("partial state {index} is not a list"))
}

#[cfg(test)]
mod tests;
