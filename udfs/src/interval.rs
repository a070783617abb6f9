//! Intervals, and the row clock that places a row's instants in local time.
//!
//! Owns: the interval value and its Arrow form, the row clock (docs/spec/time.md#order-of-cuts). Does not own: which
//! cuts are made.
//!
//! Invariant: however local time is divided into ranges, the parts of a row add up to its exact UTC duration.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StructArray, TimestampSecondArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::{Result, internal_datafusion_err};

use crate::columns::{INSTANT, list_array, list_type, timestamp_column};

/// The fields of an interval struct, in order.
pub const FIELDS: [&str; 4] = ["start_local", "start_utc", "end_local", "end_utc"];

/// Seconds of an hour.
pub const HOUR: i64 = 3600;

/// Seconds of a day.
pub const DAY: i64 = 24 * HOUR;

/// Instants beyond some 31 million years are taken for nonsense, so that no sum of a few of them can overflow.
const MAX_SECONDS: i64 = 1_000_000_000_000_000;

/// An interval of time with its local places; all four in seconds since 1970-01-01T00:00:00, local or UTC by name.
///
/// The order is by UTC start first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// UTC instant at which it begins.
    pub start_utc: i64,
    /// Local time at which it begins.
    pub start_local: i64,
    /// UTC instant at which it ends.
    pub end_utc: i64,
    /// Local time at which it ends; can lie before `start_local` where clocks were set back.
    pub end_local: i64,
}

impl Interval {
    /// Returns the interval of these instants, or nothing when it has no extent (docs/spec/time.md#whole-seconds).
    pub fn new(start_local: i64, start_utc: i64, end_local: i64, end_utc: i64) -> Option<Self> {
        let sane =
            [start_local, start_utc, end_local, end_utc].iter().all(|at| (-MAX_SECONDS..=MAX_SECONDS).contains(at));
        (sane && start_utc < end_utc).then_some(Self { start_utc, start_local, end_utc, end_local })
    }

    /// Returns the duration in seconds of UTC.
    pub fn seconds(&self) -> i64 {
        self.end_utc - self.start_utc
    }
}

/// The clock of a row: it runs with the row's start offset, from the row's start to its end.
///
/// Where clocks were set back inside the row by up to an hour, local times repeat. No boundary later than the whole
/// hour of the row's own local end is then reached: what would lie behind it counts in that hour. A clock that goes
/// back further has travelled, and nothing repeats.
#[derive(Clone, Copy, Debug)]
pub struct RowClock {
    row: Interval,
    offset: i64,
    /// The first local boundary that is not reached any more, where clocks were set back.
    next_boundary: Option<i64>,
}

impl RowClock {
    /// Returns the clock of a row.
    pub fn new(row: Interval) -> Self {
        let offset = row.start_local - row.start_utc;
        let set_back = row.end_utc + offset - row.end_local;
        // An end on the hour belongs to the hour before it.
        let next_boundary = (1..=HOUR).contains(&set_back).then(|| floor(row.end_local - 1, HOUR) + HOUR);
        Self { row, offset, next_boundary }
    }

    /// Returns the UTC instant, within the row, at which the row reaches a local time.
    pub fn utc_at(&self, local: i64) -> i64 {
        if local <= self.row.start_local {
            self.row.start_utc
        } else if self.next_boundary.is_some_and(|beyond| local >= beyond) {
            self.row.end_utc
        } else {
            local.saturating_sub(self.offset).clamp(self.row.start_utc, self.row.end_utc)
        }
    }

    /// Returns the local time of a cut at a UTC instant of the row: its own at its start and end, else by the clock.
    pub fn local_at(&self, utc: i64) -> i64 {
        if utc == self.row.start_utc {
            self.row.start_local
        } else if utc == self.row.end_utc {
            self.row.end_local
        } else {
            utc + self.offset
        }
    }

    /// Returns the part of the row between two local times, or nothing when none is left. `None` is without bound.
    ///
    /// Its end lies between them too. The row's own end, by another clock, may not; then it is the row clock's.
    pub fn clip(&self, range_start: Option<i64>, range_end: Option<i64>) -> Option<Interval> {
        let start = range_start.map_or(self.row.start_utc, |local| self.utc_at(local));
        let end = range_end.map_or(self.row.end_utc, |local| self.utc_at(local));
        let too_early = range_start.filter(|first| self.local_at(end) < *first);
        let too_late = range_end.filter(|last| self.local_at(end) > *last);
        let end_local = match (too_early, too_late) {
            (None, None) => self.local_at(end),
            // What repeats stays what repeats, so that its hours are counted alike.
            (Some(first), _) if self.next_boundary.is_some() => first,
            _ => range_end.map_or(end + self.offset, |last| last.min(end + self.offset)),
        };
        Interval::new(self.local_at(start), start, end_local, end)
    }

    /// Calls `part` with each part of the row, cut at local multiples of `unit` seconds, in order. What `most` units do
    /// not hold is in the last part.
    pub fn split(&self, unit: i64, most: i64, mut part: impl FnMut(Interval)) {
        let first = floor(self.row.start_local, unit);
        let last = first + (most - 1) * unit;
        let mut boundary = first;
        let mut from = self.row.start_utc;
        while from < self.row.end_utc {
            let next = (boundary < last).then_some(boundary + unit);
            if let Some(within) = self.clip(Some(boundary), next) {
                from = within.end_utc;
                part(within);
            }
            boundary += unit;
        }
    }
}

/// Returns the greatest multiple of `unit` that is not above `at`.
fn floor(at: i64, unit: i64) -> i64 {
    at - at.rem_euclid(unit)
}

/// Returns the Arrow type of an interval value.
pub fn data_type() -> DataType {
    DataType::Struct(fields())
}

/// Returns the Arrow type of a list of intervals.
pub fn list_data_type() -> DataType {
    list_type(fields())
}

fn fields() -> Fields {
    FIELDS.iter().map(|name| Field::new(*name, INSTANT, true)).collect()
}

/// Four columns that together hold an interval a row.
pub(crate) struct IntervalColumns<'a> {
    start_local: &'a TimestampSecondArray,
    start_utc: &'a TimestampSecondArray,
    end_local: &'a TimestampSecondArray,
    end_utc: &'a TimestampSecondArray,
    /// Where any of them is null.
    nulls: Option<NullBuffer>,
}

impl<'a> IntervalColumns<'a> {
    /// Reads the four columns from `first` on.
    pub(crate) fn from_columns(columns: &'a [ArrayRef], first: usize) -> Result<Self> {
        let column = |place: usize| timestamp_column(columns, first + place);
        let (start_local, start_utc, end_local, end_utc) = (column(0)?, column(1)?, column(2)?, column(3)?);
        let nulls = NullBuffer::union_many([start_local, start_utc, end_local, end_utc].map(Array::nulls));
        Ok(Self { start_local, start_utc, end_local, end_utc, nulls })
    }

    /// Reads the fields of a column of interval structs.
    pub(crate) fn from_struct(column: &'a ArrayRef) -> Result<Self> {
        let whole = column.as_struct_opt().ok_or_else(|| internal_datafusion_err!("no interval was given"))?;
        let columns = Self::from_columns(whole.columns(), 0)?;
        Ok(Self { nulls: NullBuffer::union(columns.nulls.as_ref(), whole.nulls()), ..columns })
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.start_utc.len()
    }

    /// Returns the UTC start of a row that has an interval.
    pub(crate) fn start_utc(&self, row: usize) -> i64 {
        self.start_utc.value(row)
    }

    /// Returns the interval of a row, or nothing when it has no extent.
    pub(crate) fn get(&self, row: usize) -> Option<Interval> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        Interval::new(
            self.start_local.value(row),
            self.start_utc.value(row),
            self.end_local.value(row),
            self.end_utc.value(row),
        )
    }
}

/// Returns the value of a row of a column of instants, or nothing when it is null.
pub(crate) fn instant(column: &TimestampSecondArray, row: usize) -> Option<i64> {
    column.is_valid(row).then(|| column.value(row))
}

/// Collects intervals column by column.
#[derive(Debug, Default)]
pub(crate) struct IntervalBuilder {
    columns: [Vec<i64>; 4],
}

impl IntervalBuilder {
    /// Adds an interval.
    pub(crate) fn push(&mut self, interval: Interval) {
        let values = [interval.start_local, interval.start_utc, interval.end_local, interval.end_utc];
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
    }

    /// Adds an interval, or a place that nulls must cover.
    pub(crate) fn push_option(&mut self, interval: Option<Interval>) {
        self.push(interval.unwrap_or(Interval { start_utc: 0, start_local: 0, end_utc: 0, end_local: 0 }));
    }

    /// Returns the number of intervals.
    pub(crate) fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// Returns the intervals as one array.
    pub(crate) fn finish(self, nulls: Option<NullBuffer>) -> Result<StructArray> {
        Ok(StructArray::try_new(fields(), self.into_columns(), nulls)?)
    }

    /// Returns the four columns of the intervals.
    pub(crate) fn into_columns(self) -> Vec<ArrayRef> {
        self.columns.map(|column| Arc::new(TimestampSecondArray::from(column)) as ArrayRef).into()
    }
}

/// Collects a list of intervals a row.
#[derive(Debug)]
pub(crate) struct IntervalListBuilder {
    items: IntervalBuilder,
    lengths: Vec<usize>,
    /// The number of intervals of the rows that are ended.
    ended: usize,
}

impl IntervalListBuilder {
    /// Begins with room for so many rows and intervals.
    pub(crate) fn with_capacity(rows: usize, intervals: usize) -> Self {
        let columns = std::array::from_fn(|_| Vec::with_capacity(intervals));
        Self { items: IntervalBuilder { columns }, lengths: Vec::with_capacity(rows), ended: 0 }
    }

    /// Returns the lists of so many rows that have these intervals, each with the place of its row. The intervals of
    /// one row keep their order.
    pub(crate) fn collect(rows: usize, mut intervals: Vec<(usize, Interval)>) -> Result<ArrayRef> {
        // Stable, so that the intervals of one row stay in order of time.
        intervals.sort_by_key(|(row, _)| *row);
        let mut lists = Self::with_capacity(rows, intervals.len());
        let mut intervals = intervals.into_iter().peekable();
        for row in 0..rows {
            while let Some((_, interval)) = intervals.next_if(|(of, _)| *of == row) {
                lists.push(interval);
            }
            lists.end_row();
        }
        lists.finish()
    }

    /// Adds an interval to the list of the row at hand.
    pub(crate) fn push(&mut self, interval: Interval) {
        self.items.push(interval);
    }

    /// Ends the list of the row at hand.
    pub(crate) fn end_row(&mut self) {
        self.lengths.push(self.items.len() - self.ended);
        self.ended = self.items.len();
    }

    /// Returns the lists as one array. Fails if a batch holds more intervals than a list array can.
    pub(crate) fn finish(self) -> Result<ArrayRef> {
        list_array(fields(), self.items.into_columns(), self.lengths)
    }
}

#[cfg(test)]
mod tests;
