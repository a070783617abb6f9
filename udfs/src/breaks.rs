//! Finds breaks: whole local hours or starts of days at which no device is in use, with a pause before and after.
//!
//! The caller passes the rows that show when a device is in use, and the length of the pause.
//!
//! Invariant: a computation can process the rows before a break and the rows after it separately, with the same result.
//! The computation must not join rows across a pause that is longer than the given pause.

use hashbrown::HashMap;

use crate::interval::{DayStart, Interval};

/// The local times at which a break is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// Whole hours.
    Hours,
    /// Starts of days.
    Days,
}

impl Boundary {
    fn seconds(self) -> i64 {
        match self {
            Self::Hours => 3_600,
            Self::Days => 86_400,
        }
    }
}

/// The rows of several devices, prepared to find breaks.
#[derive(Debug)]
pub struct Breaks {
    devices: Vec<DeviceRows>,
    at: Boundary,
    /// One of the boundaries, in seconds of local time.
    origin: i64,
    /// A length in seconds. The pause around a break has to be longer.
    pause: i64,
}

/// The rows of one device in order of local start. For each position, `ends` contains the latest end before it, and
/// `next_starts_utc` contains the earliest start after it.
#[derive(Debug)]
struct DeviceRows {
    starts_local: Vec<i64>,
    /// At `n`: the latest local end and the latest UTC end among the first `n` rows.
    ends: Vec<(i64, i64)>,
    /// At `n`: the earliest UTC start among the rows from `n` on.
    next_starts_utc: Vec<i64>,
}

impl DeviceRows {
    fn new(rows: Vec<Interval>) -> Self {
        let mut rows = widen_to_all_clocks(rows);
        rows.sort_unstable_by_key(|row| row.start_local);
        let mut ends = Vec::with_capacity(rows.len() + 1);
        let mut latest = (i64::MIN, i64::MIN);
        ends.push(latest);
        for row in &rows {
            // Rows can overlap, so an earlier row can end after the last row.
            latest = (latest.0.max(row.end_local), latest.1.max(row.end_utc));
            ends.push(latest);
        }
        let mut next_starts_utc = vec![i64::MAX; rows.len() + 1];
        for (place, row) in rows.iter().enumerate().rev() {
            next_starts_utc[place] = next_starts_utc[place + 1].min(row.start_utc);
        }
        Self { starts_local: rows.iter().map(|row| row.start_local).collect(), ends, next_starts_utc }
    }

    /// Returns `None` if a break is possible at the local time `instant`. Otherwise, returns the latest local end of
    /// the rows that start before `instant`.
    fn end_of_crossing_row(&self, instant: i64, pause: i64) -> Option<i64> {
        let before = self.starts_local.partition_point(|start| *start < instant);
        let (end_local, end_utc) = self.ends[before];
        // The boundary is a local time, but the pause is measured in UTC. Measured in local time, a clock that goes
        // forward would look like a pause, and a clock that goes back would hide a pause.
        let is_free = end_local <= instant && end_utc.saturating_add(pause) < self.next_starts_utc[before];
        (!is_free).then_some(end_local)
    }
}

impl Breaks {
    /// Prepares rows, each with its device, to find breaks with a pause of more than `pause` seconds of UTC.
    pub fn new<'d>(
        rows: impl IntoIterator<Item = (Option<&'d str>, Interval)>,
        (at, day_start): (Boundary, DayStart),
        pause: i64,
    ) -> Self {
        let origin = match at {
            Boundary::Hours => 0,
            Boundary::Days => day_start.seconds(),
        };
        let mut of_devices: HashMap<Option<&str>, Vec<Interval>> = HashMap::new();
        for (device, row) in rows {
            of_devices.entry(device).or_default().push(row);
        }
        Self { devices: of_devices.into_values().map(DeviceRows::new).collect(), at, origin, pause }
    }

    /// Returns the first break in `[from, until)`, in seconds of local time.
    pub fn first(&self, from: i64, until: i64) -> Option<i64> {
        let mut instant = self.next_boundary(from);
        while instant < until {
            match self.devices.iter().filter_map(|device| device.end_of_crossing_row(instant, self.pause)).max() {
                None => return Some(instant),
                // Rows cross this time. A break is possible only after they have ended.
                Some(end) => {
                    // If the rows have already ended and only the pause is too short, the search continues with the
                    // next boundary.
                    instant = instant.saturating_add(self.at.seconds()).max(self.next_boundary(end.min(until)));
                }
            }
        }
        None
    }

    /// Returns the last break in `[from, until]`, in seconds of local time.
    pub fn last(&self, from: i64, until: i64) -> Option<i64> {
        let mut instant = until - (until - self.origin).rem_euclid(self.at.seconds());
        while instant >= from {
            if self.devices.iter().all(|device| device.end_of_crossing_row(instant, self.pause).is_none()) {
                return Some(instant);
            }
            instant -= self.at.seconds();
        }
        None
    }

    /// Returns the first possible time of a break at or after `instant`.
    fn next_boundary(&self, instant: i64) -> i64 {
        let last = instant.saturating_add(self.at.seconds() - 1);
        last - (last - self.origin).rem_euclid(self.at.seconds())
    }
}

/// Extends each row to its local times on the clocks of all rows. For example, an extended row starts at its start on
/// the slowest clock. This is necessary because a piece of one row can use the clock of another row.
fn widen_to_all_clocks(rows: Vec<Interval>) -> Vec<Interval> {
    let clocks = rows
        .iter()
        .flat_map(|row| [row.start_local.saturating_sub(row.start_utc), row.end_local.saturating_sub(row.end_utc)]);
    let (slowest, fastest) =
        clocks.fold((i64::MAX, i64::MIN), |(slowest, fastest), clock| (slowest.min(clock), fastest.max(clock)));
    let widened = rows.into_iter().map(|row| Interval {
        start_local: row.start_utc.saturating_add(slowest),
        end_local: row.end_utc.saturating_add(fastest),
        ..row
    });
    widened.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600;

    /// Returns a row. Local time is an hour ahead of UTC before `change`, and two hours ahead from then on.
    fn row(start_utc: i64, end_utc: i64, change: i64) -> Interval {
        let local = |utc: i64| utc + if utc < change { HOUR } else { 2 * HOUR };
        Interval { start_local: local(start_utc), start_utc, end_local: local(end_utc), end_utc }
    }

    fn breaks(rows: &[(&'static str, Interval)], pause: i64) -> Breaks {
        Breaks::new(
            rows.iter().map(|(device, row)| (Some(*device), *row)),
            (Boundary::Hours, DayStart::default()),
            pause,
        )
    }

    #[test]
    fn a_break_needs_a_long_enough_pause_on_all_devices() {
        let never = i64::MAX;
        let rows = [
            ("desk", row(0, 2 * HOUR, never)),
            ("desk", row(2 * HOUR + 300, 5 * HOUR - 1, never)),
            ("laptop", row(4 * HOUR, 7 * HOUR, never)),
        ];
        // In local time, `desk` is in use from 1:00 to 3:00 and from 3:05 to 6:00, and `laptop` from 5:00 to 8:00.
        assert_eq!(breaks(&rows, 300).first(HOUR, 20 * HOUR), Some(HOUR));
        assert_eq!(breaks(&rows, 300).first(HOUR + 1, 20 * HOUR), Some(8 * HOUR));
        // The pause from 3:00 to 3:05 is 300 seconds long. It is long enough if `pause` is 299.
        assert_eq!(breaks(&rows, 299).first(HOUR + 1, 20 * HOUR), Some(3 * HOUR));
        assert_eq!(breaks(&rows, 299).last(0, 8 * HOUR - 1), Some(3 * HOUR));
        assert_eq!(breaks(&rows, 300).last(2 * HOUR, 8 * HOUR - 1), None);
        assert_eq!(breaks(&rows, 300).first(HOUR + 1, 8 * HOUR), None);
        assert_eq!(breaks(&[], 300).first(17, 2 * HOUR), Some(HOUR));
        let midnights = Breaks { at: Boundary::Days, ..breaks(&rows, 300) };
        assert_eq!(
            (midnights.first(HOUR, 80 * HOUR), midnights.last(HOUR, 80 * HOUR)),
            (Some(24 * HOUR), Some(72 * HOUR))
        );
        let fours = Breaks { at: Boundary::Days, origin: 4 * HOUR, ..breaks(&rows, 300) };
        assert_eq!(
            (fours.first(HOUR, 80 * HOUR), fours.last(HOUR, 80 * HOUR), fours.last(HOUR, 76 * HOUR - 1)),
            (Some(28 * HOUR), Some(76 * HOUR), Some(52 * HOUR))
        );
    }

    #[test]
    fn repeated_hour_does_not_create_a_break_out_of_order() {
        // At 12:00 UTC, the clock goes back by an hour. So in local time, the hour from 13:00 to 14:00 occurs twice.
        let local = |utc: i64| utc + if utc < 12 * HOUR { 2 * HOUR } else { HOUR };
        let row = |start_utc: i64, end_utc: i64| Interval {
            start_local: local(start_utc),
            start_utc,
            end_local: local(end_utc),
            end_utc,
        };
        // The first row is from 13:50 to 13:55 before the change. The second row is from 13:10 to 13:20 after the
        // change. The third row is from 15:00 to 15:10.
        let rows = [
            ("desk", row(12 * HOUR - 600, 12 * HOUR - 300)),
            ("desk", row(12 * HOUR + 600, 12 * HOUR + 1200)),
            ("desk", row(14 * HOUR, 14 * HOUR + 600)),
        ];
        // By the clock before the change, the second row ends at 14:20.
        assert_eq!(breaks(&rows, 300).first(13 * HOUR + 900, 16 * HOUR), Some(15 * HOUR));
        // The second row ends at 13:20 local time. But 13:25 isn't a break, because in UTC, the second row comes after
        // the first row, which starts at 13:50.
        let device = &breaks(&rows, 300).devices[0];
        assert!(device.end_of_crossing_row(13 * HOUR + 1500, 300).is_some());
    }
}
