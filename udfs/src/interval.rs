//! Intervals, and the row clock. The row clock converts between UTC and local time inside a row.
//!
//! Start with [`Interval`] and [`RowClock`] (docs/spec/time.md#order-of-cuts). The callers decide which cuts to make.
//!
//! Invariant: if ranges divide local time, the parts of a row in these ranges add up to its exact UTC duration.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StructArray, TimestampSecondArray};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::{Result, internal_datafusion_err};

use crate::columns::{INSTANT, list_array, list_type, timestamp_column};

/// The fields of an interval struct, in order.
pub const FIELDS: [&str; 4] = ["start_local", "start_utc", "end_local", "end_utc"];

/// The number of seconds in an hour.
pub const HOUR: i64 = 3600;

/// The number of seconds in a day.
pub const DAY: i64 = 24 * HOUR;

/// The maximum distance of a valid timestamp from 1970 in seconds, about 31 million years. This limit prevents an
/// overflow if a few timestamps are added.
const MAX_SECONDS: i64 = 1_000_000_000_000_000;

/// An interval of time with its local times. All four values are seconds since 1970-01-01T00:00:00. Their names show
/// whether they are local time or UTC.
///
/// Intervals are ordered by UTC start first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The UTC start.
    pub start_utc: i64,
    /// The local start.
    pub start_local: i64,
    /// The UTC end.
    pub end_utc: i64,
    /// The local end. It can be earlier than `start_local` if clocks were set back.
    pub end_local: i64,
}

impl Interval {
    /// Returns the interval. Returns `None` if it has no duration, or if a timestamp is out of range
    /// (docs/spec/time.md#whole-seconds).
    pub fn new(start_local: i64, start_utc: i64, end_local: i64, end_utc: i64) -> Option<Self> {
        let sane =
            [start_local, start_utc, end_local, end_utc].iter().all(|at| (-MAX_SECONDS..=MAX_SECONDS).contains(at));
        (sane && start_utc < end_utc).then_some(Self { start_utc, start_local, end_utc, end_local })
    }

    /// Returns the duration in seconds.
    pub fn seconds(&self) -> i64 {
        self.end_utc - self.start_utc
    }
}

/// The clock of a row. It uses the UTC offset of the row's start until the row ends.
///
/// If clocks were set back by up to an hour inside the row, local times repeat. The local time of the row then stops at
/// the end of the hour that contains the row's own local end. All later time of the row counts in this hour. If the
/// clock goes back by more than an hour, the user has travelled, and local times don't repeat.
#[derive(Clone, Copy, Debug)]
pub struct RowClock {
    row: Interval,
    offset: i64,
    /// If clocks were set back, the end of the local hour that contains the row's own local end. Otherwise, `None`.
    next_boundary: Option<i64>,
}

impl RowClock {
    /// Returns the clock of a row.
    pub fn new(row: Interval) -> Self {
        let offset = row.start_local - row.start_utc;
        let set_back = row.end_utc + offset - row.end_local;
        // If the row ends exactly on a whole hour, its end belongs to the hour before.
        let next_boundary = (1..=HOUR).contains(&set_back).then(|| hour_start(row.end_local - 1) + HOUR);
        Self { row, offset, next_boundary }
    }

    /// Returns the UTC time, within the row, at which the row reaches a local time.
    pub fn utc_at(&self, local: i64) -> i64 {
        if local <= self.row.start_local {
            self.row.start_utc
        } else if self.next_boundary.is_some_and(|beyond| local >= beyond) {
            self.row.end_utc
        } else {
            local.saturating_sub(self.offset).clamp(self.row.start_utc, self.row.end_utc)
        }
    }

    /// Returns the local time for a UTC time within the row. At the start and end of the row, this is the row's own
    /// local time. In between, the row clock decides.
    pub fn local_at(&self, utc: i64) -> i64 {
        if utc == self.row.start_utc {
            self.row.start_local
        } else if utc == self.row.end_utc {
            self.row.end_local
        } else {
            utc + self.offset
        }
    }

    /// Returns the part of the row between two local times, or `None` if nothing remains. A bound of `None` is
    /// unlimited.
    ///
    /// The local end of the part always lies between these two times. The row's own local end can lie outside, because
    /// it can come from another clock. The row clock then decides the local end of the part.
    pub fn clip(&self, range_start: Option<i64>, range_end: Option<i64>) -> Option<Interval> {
        let start = range_start.map_or(self.row.start_utc, |local| self.utc_at(local));
        let end = range_end.map_or(self.row.end_utc, |local| self.utc_at(local));
        let too_early = range_start.filter(|first| self.local_at(end) < *first);
        let too_late = range_end.filter(|last| self.local_at(end) > *last);
        let end_local = match (too_early, too_late) {
            (None, None) => self.local_at(end),
            // If an hour repeats, the local end can be before the start of the range. The part then ends at the start
            // of the range, so that its time still counts in the same hour.
            (Some(first), _) if self.next_boundary.is_some() => first,
            _ => range_end.map_or(end + self.offset, |last| last.min(end + self.offset)),
        };
        Interval::new(self.local_at(start), start, end_local, end)
    }

    /// Calls `part` with each part of the row in order. The row is cut every `unit` seconds of local time. `start_of`
    /// returns the start of the unit that contains a time. There are at most `most` parts. The last part contains all
    /// remaining time.
    pub fn split(&self, start_of: impl Fn(i64) -> i64, unit: i64, most: i64, mut part: impl FnMut(Interval)) {
        let first = start_of(self.row.start_local);
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

/// Returns the start of the local hour that contains a local time.
pub fn hour_start(local: i64) -> i64 {
    local - local.rem_euclid(HOUR)
}

/// The time at which each local day starts, in seconds since the midnight at which its date starts. The time is
/// negative if days start on the evening before. The default is midnight.
///
/// Every function that cuts at days, or returns the date of a time, uses this definition
/// (docs/spec/time.md#days-and-weeks).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayStart(i64);

impl DayStart {
    /// Creates the start from seconds since midnight. They are negative for a time before midnight, and are less than a
    /// day.
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds % DAY)
    }

    /// Returns the start of the day that contains a local time.
    pub fn before(self, local: i64) -> i64 {
        local - (local - self.0).rem_euclid(DAY)
    }

    /// Returns the date of the day that contains a local time, as days since 1970-01-01.
    pub fn date(self, local: i64) -> i64 {
        (local - self.0).div_euclid(DAY)
    }

    /// Returns the seconds from midnight to the start of a day.
    pub(crate) fn seconds(self) -> i64 {
        self.0
    }
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

/// Four columns with an interval in each row.
pub(crate) struct IntervalColumns<'a> {
    start_local: &'a TimestampSecondArray,
    start_utc: &'a TimestampSecondArray,
    end_local: &'a TimestampSecondArray,
    end_utc: &'a TimestampSecondArray,
    /// The rows in which at least one of the four values is null.
    nulls: Option<NullBuffer>,
}

impl<'a> IntervalColumns<'a> {
    /// Reads four columns, starting with the column `first`.
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

    /// Returns the UTC start of a row. The row must have an interval.
    pub(crate) fn start_utc(&self, row: usize) -> i64 {
        self.start_utc.value(row)
    }

    /// Returns the interval of a row, or `None` if the row has no interval with a duration.
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

/// Returns the timestamp of a row, or `None` if it is null.
pub(crate) fn instant(column: &TimestampSecondArray, row: usize) -> Option<i64> {
    column.is_valid(row).then(|| column.value(row))
}

/// Collects intervals as columns.
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

    /// Adds an interval. For `None`, adds a placeholder. The caller must mark this row as null.
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

/// Collects a list of intervals for each row.
#[derive(Debug)]
pub(crate) struct IntervalListBuilder {
    items: IntervalBuilder,
    lengths: Vec<usize>,
    /// The number of intervals in the finished rows.
    ended: usize,
}

impl IntervalListBuilder {
    /// Creates a builder with capacity for this many rows and intervals.
    pub(crate) fn with_capacity(rows: usize, intervals: usize) -> Self {
        let columns = std::array::from_fn(|_| Vec::with_capacity(intervals));
        Self { items: IntervalBuilder { columns }, lengths: Vec::with_capacity(rows), ended: 0 }
    }

    /// Returns one list for each of `rows` rows. Each interval comes with the index of its row. The intervals of a row
    /// keep their order.
    pub(crate) fn collect(rows: usize, mut intervals: Vec<(usize, Interval)>) -> Result<ArrayRef> {
        // This sort is stable, so the intervals of one row keep their order.
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

    /// Adds an interval to the list of the current row.
    pub(crate) fn push(&mut self, interval: Interval) {
        self.items.push(interval);
    }

    /// Finishes the list of the current row.
    pub(crate) fn end_row(&mut self) {
        self.lengths.push(self.items.len() - self.ended);
        self.ended = self.items.len();
    }

    /// Returns the lists as one array. Fails if a batch has more intervals than a list array can contain.
    pub(crate) fn finish(self) -> Result<ArrayRef> {
        list_array(fields(), self.items.into_columns(), self.lengths)
    }
}

#[cfg(test)]
mod tests;
