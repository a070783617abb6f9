//! Clips activities to the range and to the active time of their device (docs/spec/time.md#pieces). The results are
//! called pieces.
//!
//! Start with [`pieces`], and with [`sweep_owned`], which resolves overlaps. The order of cuts matters. An activity is
//! cut first at the edges of active time, and then at later activities. Finally, it is cut at the range, and the
//! piece's own clock decides where. The row clock is in the module `interval`.
//!
//! Invariant: the pieces of a partition are disjoint and not empty.

use arrow::array::{ArrayRef, Int64Array, StringViewArray, TimestampSecondArray};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::WindowUDF;

use crate::columns::{integer, integer_column, text, text_column, timestamp_column};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::{self, Interval, IntervalColumns, IntervalListBuilder, RowClock, instant};
use crate::name_map::NameMap;
use crate::union::Extent;

static CLIP_TO_ACTIVE: Declaration = Declaration {
    name: "clip_to_active",
    description: "Returns the pieces of an activity: the parts within the range and within the Active intervals of its \
            device in which no later activity owns the time. The range applies to the piece's own clock, which \
            starts at the local start of the Active interval or the activity and then runs without changes. Rows \
            that aren't activities get an empty list. Rows can be in any order.",
    parameters: &[
        Parameter::text(
            "kind",
            "'activity'; 'active' for an Active interval; 'tracked' to mark that active time of the device is \
             known. Without 'active' and 'tracked' rows, activities aren't clipped to active time.",
        ),
        Parameter::text("device", "The device. Each device is clipped separately."),
        Parameter::integer(
            "activity_id",
            "The activity. If two activities start together, the greater ID owns the time.",
        ),
        Parameter::integer(
            "timeline_id",
            "The timeline. If two such activities have the same ID, the greater timeline owns the time.",
        ),
        Parameter::instant("start_local", "Local start of the row."),
        Parameter::instant("start_utc", "UTC start of the row."),
        Parameter::instant("end_local", "Local end of the row."),
        Parameter::instant("end_utc", "UTC end of the row."),
        Parameter::instant("range_start", "Local start of the range, inclusive. NULL: unlimited."),
        Parameter::instant("range_end", "Local end of the range, exclusive. NULL: unlimited."),
    ],
    call_suffix: " OVER ()",
    example: "SELECT unnest(pieces) FROM (\n  SELECT clip_to_active(kind, device, activity_id, timeline_id, start_local, \
              start_utc, end_local, end_utc,\n    \
              TIMESTAMP '2025-01-15T00:00:00', TIMESTAMP '2025-01-16T00:00:00') OVER () AS pieces\n  FROM rows\n)",
};

/// An activity and the requested local range. A bound of `None` is unlimited.
#[derive(Clone, Copy, Debug)]
pub struct Activity {
    /// The whole row.
    pub row: Interval,
    /// The local start of the range.
    pub range_start: Option<i64>,
    /// The local end of the range.
    pub range_end: Option<i64>,
}

impl Activity {
    /// Returns the activity of a row with an unlimited range.
    pub fn from_row(row: Interval) -> Self {
        Self { row, range_start: None, range_end: None }
    }
}

/// Calls `owned` with each interval that an activity owns, in time order. The arguments are the activity's index, the
/// activity and the interval.
///
/// Activities must be in order of start. If two activities overlap, the activity that starts later owns the time. If
/// both activities start at the same time, the activity that comes later in `activities` owns the time. An earlier
/// activity resumes when the later activity ends. At a cut, the interval gets the local time of the row that causes the
/// cut.
pub fn sweep_owned(activities: impl IntoIterator<Item = Activity>, mut owned: impl FnMut(usize, Activity, Interval)) {
    // A stack of running activities. The activity on top started last and owns the time. When it ends, the activity
    // below it resumes (docs/spec/time.md#overlapping-rows).
    let mut waiting: Vec<(usize, Activity)> = Vec::new();
    // All time before `now` is assigned. `now_local` is the local time of the row that starts or ends at `now`.
    let (mut now, mut now_local) = (i64::MIN, 0);
    for (index, activity) in activities.into_iter().enumerate() {
        let next = activity.row;
        while let Some(&(top, waits)) = waiting.last() {
            let row = waits.row;
            let ends = row.end_utc <= next.start_utc;
            let (until, until_local) =
                if ends { (row.end_utc, row.end_local) } else { (next.start_utc, next.start_local) };
            // If an activity ended while later activities owned the time, it owns no more time.
            if now < until {
                owned(top, waits, interval_between(row, (now, now_local), (until, until_local)));
                (now, now_local) = (until, until_local);
            }
            if !ends {
                break;
            }
            waiting.pop();
        }
        (now, now_local) = (next.start_utc, next.start_local);
        waiting.push((index, activity));
    }
    while let Some((top, waits)) = waiting.pop() {
        let row = waits.row;
        if now < row.end_utc {
            owned(top, waits, interval_between(row, (now, now_local), (row.end_utc, row.end_local)));
            (now, now_local) = (row.end_utc, row.end_local);
        }
    }
}

/// Returns the interval of a row between two edges. If an edge is the row's own start or end, the row's own local time
/// is used.
fn interval_between(row: Interval, (start_utc, start_local): (i64, i64), (end_utc, end_local): (i64, i64)) -> Interval {
    Interval {
        start_utc,
        start_local: if start_utc == row.start_utc { row.start_local } else { start_local },
        end_utc,
        end_local: if end_utc == row.end_utc { row.end_local } else { end_local },
    }
}

/// Returns the overlap of two intervals, or `None` if they don't overlap. If their edges coincide, the local times of
/// the first interval are used.
fn intersection(a: Interval, b: Interval) -> Option<Interval> {
    let (start_utc, start_local) =
        if b.start_utc > a.start_utc { (b.start_utc, b.start_local) } else { (a.start_utc, a.start_local) };
    let (end_utc, end_local) = if b.end_utc < a.end_utc { (b.end_utc, b.end_local) } else { (a.end_utc, a.end_local) };
    Interval::new(start_local, start_utc, end_local, end_utc)
}

/// Sorts Active intervals. Merges intervals that touch or overlap and have the same UTC offset. If two overlapping
/// intervals have different offsets, the earlier interval is cut at the start of the later interval. As a result, the
/// clock of a piece doesn't depend on how far back a query reads.
fn unite_by_clock(active: &mut Vec<Interval>) {
    let offset = |interval: &Interval| interval.start_local - interval.start_utc;
    active.sort_unstable();
    active.dedup_by(|next, before| {
        if next.end_utc <= before.end_utc {
            return true;
        }
        let joins = next.start_utc <= before.end_utc && offset(next) == offset(before);
        if joins {
            before.take_end(next);
        } else if next.start_utc < before.end_utc {
            (before.end_utc, before.end_local) = (next.start_utc, next.start_local);
        }
        joins
    });
}

/// Calls `piece` for each piece, in time order. The arguments are the index of the activity and the piece.
///
/// Activities must be in order of start. `active` are the Active intervals in any order. If it is `None`, active time
/// is not known and doesn't clip anything.
pub fn pieces(
    activities: impl IntoIterator<Item = Activity>,
    active: Option<Vec<Interval>>,
    mut piece: impl FnMut(usize, Interval),
) {
    let active = active.map(|mut active| {
        unite_by_clock(&mut active);
        active
    });
    // The owned intervals come in time order and are disjoint. So an Active interval that ends before the current owned
    // interval isn't needed again. `done` counts such intervals.
    let mut done = 0;
    sweep_owned(activities, |index, Activity { row, range_start, range_end }, stretch| {
        let mut clipped = |whole: Interval| {
            // If edges coincide, the local time of the first cut is used.
            let of_row = intersection(whole, stretch);
            if let Some(left) = of_row.and_then(|left| RowClock::new(left).clip(range_start, range_end)) {
                piece(index, left);
            }
        };
        let Some(active) = &active else { return clipped(row) };
        while active.get(done).is_some_and(|interval| interval.end_utc <= stretch.start_utc) {
            done += 1;
        }
        // The whole row is clipped to active time first, and then to the interval that it owns. If edges coincide, the
        // first cut decides the local time (docs/spec/time.md#order-of-cuts).
        let overlapping = active[done..].iter().take_while(|interval| interval.start_utc < stretch.end_utc);
        overlapping.filter_map(|interval| intersection(row, *interval)).for_each(&mut clipped);
    });
}

/// Returns `clip_to_active(...) OVER () -> List<interval>` (docs/spec/time.md#pieces).
///
/// The pieces of a row are in time order.
pub fn clip_to_active() -> WindowUDF {
    window(&CLIP_TO_ACTIVE, interval::list_data_type(), evaluate)
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let columns = Columns::new(columns)?;
    let mut pieces_of_rows = Vec::with_capacity(rows);
    for Device { mut rows, active } in columns.devices(rows)?.into_sorted_values() {
        // A scan returns rows that are sorted or nearly sorted, so sorting takes one pass.
        rows.sort_by_key(|row| columns.sort_key(*row));
        let activities = rows.iter().filter_map(|row| columns.activity(*row));
        pieces(activities, active, |index, piece| pieces_of_rows.push((rows[index], piece)));
    }
    IntervalListBuilder::collect(rows, pieces_of_rows)
}

/// The rows of one device.
#[derive(Default)]
struct Device {
    /// The indexes of the activities.
    rows: Vec<usize>,
    active: Option<Vec<Interval>>,
}

/// The argument columns.
pub(crate) struct Columns<'a> {
    kinds: &'a StringViewArray,
    devices: &'a StringViewArray,
    ids: &'a Int64Array,
    timelines: &'a Int64Array,
    intervals: IntervalColumns<'a>,
    range_start: &'a TimestampSecondArray,
    range_end: &'a TimestampSecondArray,
}

impl<'a> Columns<'a> {
    pub(crate) fn new(columns: &'a [ArrayRef]) -> Result<Self> {
        Ok(Self {
            kinds: text_column(columns, 0)?,
            devices: text_column(columns, 1)?,
            ids: integer_column(columns, 2)?,
            timelines: integer_column(columns, 3)?,
            intervals: IntervalColumns::from_columns(columns, 4)?,
            range_start: timestamp_column(columns, 8)?,
            range_end: timestamp_column(columns, 9)?,
        })
    }

    /// Returns the activity of a row, or `None` if the row has no duration.
    pub(crate) fn activity(&self, row: usize) -> Option<Activity> {
        let (range_start, range_end) = (instant(self.range_start, row), instant(self.range_end, row));
        Some(Activity { row: self.intervals.get(row)?, range_start, range_end })
    }

    /// Returns the key by which activities are sorted: start, id and timeline. Rows without an id come last.
    pub(crate) fn sort_key(&self, row: usize) -> (i64, bool, Option<i64>, Option<i64>) {
        let id = integer(self.ids, row);
        (self.intervals.start_utc(row), id.is_none(), id, integer(self.timelines, row))
    }

    /// Returns the kind of a row.
    pub(crate) fn kind(&self, row: usize) -> Option<&'a str> {
        text(self.kinds, row)
    }

    /// Returns the device of a row.
    pub(crate) fn device(&self, row: usize) -> Option<&'a str> {
        text(self.devices, row)
    }

    fn devices(&self, rows: usize) -> Result<NameMap<'a, Device>> {
        let mut devices: NameMap<'_, Device> = NameMap::new();
        for row in 0..rows {
            let device = devices.entry(self.device(row));
            match self.kind(row) {
                Some("activity") if self.intervals.get(row).is_some() => device.rows.push(row),
                Some("activity") => {}
                Some("active") => device.active.get_or_insert_default().extend(self.intervals.get(row)),
                // A device with a `tracked` row but without Active intervals was never active, so its activities don't
                // count. Without a `tracked` row, active time is unknown, and all activities count.
                Some("tracked") => drop(device.active.get_or_insert_default()),
                other => {
                    let given = other.unwrap_or("NULL");
                    return exec_err!(
                        "`kind` of `clip_to_active` must be `activity`, `active` or `tracked`, not `{given}`"
                    );
                }
            }
        }
        Ok(devices)
    }
}

#[cfg(test)]
mod tests;
