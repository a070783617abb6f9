//! Clips computer usage to a local range. Computer usage consists of the states of a device
//! (docs/spec/time.md#order-of-cuts).
//!
//! Start with [`DeviceClock`], which decides the local time outside of pieces. [`clip_usage`] is the SQL function.
//! Pieces come from `clip`, and the module `interval` contains the row clock.
//!
//! Invariants: a state is cut on the clocks of the pieces within it. So in any range, active time is at most as long as
//! active computer usage. If ranges divide local time, the parts of a row in these ranges add up to the row's exact UTC
//! duration.

use arrow::array::ArrayRef;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::WindowUDF;

use crate::clip::{Activity, Columns, pieces};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::{self, Interval, IntervalListBuilder, RowClock};
use crate::name_map::NameMap;
use crate::union::Extent;

static CLIP_USAGE: Declaration = Declaration {
    name: "clip_usage",
    description: "Returns the parts of a device's state within a local range. During a piece of an application, the \
            range applies to the clock of the piece. Otherwise, it applies to the clock of the last row or piece \
            before. Rows that aren't states get an empty list. Rows can be in any order.",
    parameters: &[
        Parameter::text(
            "kind",
            "'active', 'away', 'locked', 'off' or 'unknown' for a state; 'application' for an application row; \
             'call' for an interval in which applications count although the device isn't active.",
        ),
        Parameter::text("device", "The device; each has its own clock."),
        Parameter::integer("activity_id", "The activity. It decides which application row owns the time."),
        Parameter::integer("timeline_id", "The timeline of the activity."),
        Parameter::instant("start_local", "Local start of the row."),
        Parameter::instant("start_utc", "UTC start of the row."),
        Parameter::instant("end_local", "Local end of the row."),
        Parameter::instant("end_utc", "UTC end of the row."),
        Parameter::instant("range_start", "Local start of the range, inclusive. NULL: unlimited."),
        Parameter::instant("range_end", "Local end of the range, exclusive. NULL: unlimited."),
    ],
    call_suffix: " OVER ()",
    example: "SELECT unnest(parts) FROM (\n  SELECT clip_usage(kind, device, activity_id, timeline_id, start_local, \
              start_utc, end_local, end_utc,\n    \
              TIMESTAMP '2025-01-15T00:00:00', TIMESTAMP '2025-01-16T00:00:00') OVER () AS parts\n  FROM rows\n)",
};

/// The order of rows that start or end at the same UTC time. The first of these rows provides the local time for the
/// span before. The last of these rows provides the local time for the span after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ClockPriority {
    StateEnd,
    Piece,
    StateStart,
}

/// The clock of a device, from the first of its states to the last.
///
/// During a piece, the piece's own clock is used. At any other time, the clock comes from the last start or end of a
/// piece or state.
#[derive(Debug, Default)]
pub struct DeviceClock {
    /// The spans with their local times, in time order and disjoint.
    spans: Vec<Interval>,
}

impl DeviceClock {
    /// Returns the clock of a device with these states in any order, and these pieces in time order.
    pub fn new(states: impl IntoIterator<Item = Interval>, pieces: &[Interval]) -> Self {
        let ends =
            |row: Interval, start, end| [(row.start_utc, start, row.start_local), (row.end_utc, end, row.end_local)];
        let states = states.into_iter().flat_map(|row| ends(row, ClockPriority::StateStart, ClockPriority::StateEnd));
        let of_pieces = pieces.iter().flat_map(|piece| ends(*piece, ClockPriority::Piece, ClockPriority::Piece));
        let mut edges: Vec<_> = states.chain(of_pieces).collect();
        edges.sort_unstable();
        let mut spans: Vec<Interval> = Vec::new();
        let mut next = 0;
        for pair in edges.windows(2) {
            // Several edges can be at the same time. The first of these edges ends the previous span, and the last of
            // them starts the next span.
            let [(start_utc, _, start_local), (end_utc, _, end_local)] = [pair[0], pair[1]];
            if start_utc == end_utc {
                continue;
            }
            while pieces.get(next).is_some_and(|piece| piece.end_utc <= start_utc) {
                next += 1;
            }
            match pieces.get(next).filter(|piece| piece.start_utc <= start_utc) {
                // A state can start or end within a piece. The clock of the piece doesn't change there, so the piece
                // has only one span.
                Some(piece) if spans.last() == Some(piece) => {}
                Some(piece) => spans.push(*piece),
                None => spans.push(Interval { start_utc, start_local, end_utc, end_local }),
            }
        }
        Self { spans }
    }

    /// Calls `part` with each part of a UTC span that is in a local range, in order. A bound of `None` is unlimited.
    pub fn clip(
        &self,
        (start, end): (i64, i64),
        (range_start, range_end): (Option<i64>, Option<i64>),
        mut part: impl FnMut(Interval),
    ) {
        let first = self.spans.partition_point(|span| span.end_utc <= start);
        let mut united: Option<Interval> = None;
        for span in self.spans[first..].iter().take_while(|span| span.start_utc < end) {
            let clock = RowClock::new(*span);
            // The whole span is clipped to the range first. The result is then limited to the row, because a row can
            // start or end within the span.
            let inside = clock.clip(range_start, range_end).and_then(|inside| {
                let (start_local, start_utc) = if inside.start_utc >= start {
                    (inside.start_local, inside.start_utc)
                } else {
                    (clock.local_at(start), start)
                };
                let (end_local, end_utc) =
                    if inside.end_utc <= end { (inside.end_local, inside.end_utc) } else { (clock.local_at(end), end) };
                Interval::new(start_local, start_utc, end_local, end_utc)
            });
            let Some(inside) = inside else { continue };
            // Spans that touch differ only in their clocks. The state continues from one span to the next, so their
            // parts are merged.
            match united.as_mut().filter(|before| before.end_utc == inside.start_utc) {
                Some(before) => before.take_end(&inside),
                None => united.replace(inside).into_iter().for_each(&mut part),
            }
        }
        united.into_iter().for_each(part);
    }
}

/// Returns `clip_usage(...) OVER () -> List<interval>` (docs/spec/time.md#order-of-cuts).
///
/// The parts of a row are in time order.
pub fn clip_usage() -> WindowUDF {
    window(&CLIP_USAGE, interval::list_data_type(), evaluate)
}

/// The indexes of the rows of one device.
#[derive(Default)]
struct Device {
    applications: Vec<usize>,
    states: Vec<usize>,
    /// The intervals in which applications count.
    active: Vec<Interval>,
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let columns = Columns::new(columns)?;
    let mut devices: NameMap<'_, Device> = NameMap::new();
    for row in 0..rows {
        let Some(Activity { row: interval, .. }) = columns.activity(row) else { continue };
        let device = devices.entry(columns.device(row));
        match columns.kind(row).unwrap_or("NULL") {
            "application" => device.applications.push(row),
            "call" => device.active.push(interval),
            "active" => {
                device.states.push(row);
                device.active.push(interval);
            }
            "away" | "locked" | "off" | "unknown" => device.states.push(row),
            other => {
                return exec_err!("`kind` of `clip_usage` must be `application`, `call` or a state, not `{other}`");
            }
        }
    }
    let mut parts: Vec<(usize, Interval)> = Vec::new();
    for device in devices.into_sorted_values() {
        clip(&columns, device, |row, part| parts.push((row, part)));
    }
    IntervalListBuilder::collect(rows, parts)
}

fn clip(columns: &Columns<'_>, mut device: Device, mut part: impl FnMut(usize, Interval)) {
    device.applications.sort_by_key(|row| columns.sort_key(*row));
    // The pieces aren't clipped to the range. Their clocks are needed to decide where the range cuts the states
    // (docs/spec/time.md#order-of-cuts).
    let whole = |row: &usize| Some(Activity::from_row(columns.activity(*row)?.row));
    let mut of_applications = Vec::new();
    pieces(device.applications.iter().filter_map(whole), Some(device.active), |_, piece| of_applications.push(piece));
    let states: Vec<_> = device.states.iter().filter_map(|row| Some((*row, columns.activity(*row)?))).collect();
    let clock = DeviceClock::new(states.iter().map(|(_, state)| state.row), &of_applications);
    for (row, Activity { row: state, range_start, range_end }) in states {
        clock.clip((state.start_utc, state.end_utc), (range_start, range_end), |inside| part(row, inside));
    }
}

#[cfg(test)]
mod tests;
