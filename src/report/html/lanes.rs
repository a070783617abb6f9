//! The geometry of lanes: a day's stretches as paths on an axis of local hours.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use chrono::NaiveDate;

use super::clock::{Change, DAY, spans};
use crate::activity::NamedStretch;

/// How long a unit of the drawing is, in seconds: finer than a pixel of any lane.
const UNIT: i64 = 10;
/// The height of a lane in units of the drawing: it parts into one, two or three rows.
pub(super) const HEIGHT: i64 = 12;
/// How many rows one below the other are told apart.
const MOST_ROWS: usize = 3;
/// What may overlap without a row of its own, in seconds: a sliver that nobody sees.
const OVERLAP: i64 = 30;
/// The axis is at least this long, in hours.
const SHORTEST: i64 = 6;

/// The hours that every day of a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Axis {
    /// The first hour.
    pub(super) from: i64,
    /// The hour at which it ends, up to 24.
    pub(super) to: i64,
}

impl Axis {
    /// From the first to the last hour in which anything is, on any day.
    pub(super) fn of(days: &BTreeMap<NaiveDate, Day<'_>>) -> Self {
        let spans = || days.values().flat_map(Day::all_spans);
        let from = spans().map(|(from, _)| from / 3600).min().unwrap_or(9);
        let to = spans().map(|(_, to)| (to + 3599) / 3600).max().unwrap_or(17);
        let missing = (SHORTEST - (to - from)).max(0);
        let from = (from - missing / 2).clamp(0, 24 - SHORTEST);
        Self { from, to: to.max(from + SHORTEST) }
    }

    pub(super) fn hours(self) -> i64 {
        self.to - self.from
    }

    /// The width of a lane in units of the drawing.
    pub(super) fn width(self) -> i64 {
        self.hours() * 3600 / UNIT
    }

    /// Where `seconds` since midnight stand, in units of the drawing.
    fn place(self, seconds: i64) -> i64 {
        ((seconds - self.from * 3600) / UNIT).clamp(0, self.width())
    }
}

/// What one local day holds.
#[derive(Debug, Default)]
pub(super) struct Day<'a> {
    pub(super) applications: Vec<&'a NamedStretch>,
    pub(super) websites: Vec<&'a NamedStretch>,
    pub(super) tags: Vec<&'a NamedStretch>,
}

impl<'a> Day<'a> {
    fn all(&self) -> impl Iterator<Item = &'a NamedStretch> + Clone {
        self.applications.iter().chain(&self.websites).chain(&self.tags).copied()
    }

    fn all_spans(&self) -> Vec<(i64, i64)> {
        let change = self.change();
        self.all().flat_map(|stretch| spans(stretch, change)).collect()
    }

    /// The change of the clock on that day, where there was one.
    pub(super) fn change(&self) -> Option<Change> {
        Change::of(self.all())
    }
}

/// One name's marks in a lane.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marks<'a> {
    /// Whose they are.
    pub(super) name: &'a str,
    /// How long they are together.
    pub(super) seconds: i64,
    /// Their path, in units of the drawing.
    pub(super) path: String,
}

/// What one name has in a lane.
#[derive(Debug, Default)]
struct Placed {
    seconds: i64,
    bars: Vec<Bar>,
}

/// A mark in units of the drawing.
#[derive(Debug)]
struct Bar {
    row: usize,
    from: i64,
    to: i64,
}

/// The marks of `stretches`, which are in order of time: the name with the most time first.
///
/// What runs at the same time, on two devices or in the two passes of a repeated hour, stands in rows one below the
/// other; what follows within a unit is one mark, so that a lane never holds more marks than units.
pub(super) fn marks<'a>(stretches: &[&'a NamedStretch], change: Option<Change>, axis: Axis) -> Vec<Marks<'a>> {
    let mut ends: Vec<i64> = Vec::new();
    let mut placed: HashMap<&str, Placed> = HashMap::new();
    for stretch in stretches {
        let Placed { seconds, bars } = placed.entry(&stretch.name).or_default();
        *seconds += stretch.length().num_seconds();
        for (from, to) in spans(stretch, change) {
            let free = ends.iter().position(|end| *end <= from + OVERLAP);
            let row = free.unwrap_or_else(|| {
                if ends.len() < MOST_ROWS {
                    ends.push(0);
                }
                ends.len() - 1
            });
            ends[row] = ends[row].max(to);
            let from = axis.place(from);
            let to = axis.place(to).max(from + 1);
            match bars.iter_mut().rev().find(|bar| bar.row == row) {
                Some(last) if last.from <= from && from <= last.to + 1 => last.to = to.max(last.to),
                _ => bars.push(Bar { row, from, to }),
            }
        }
    }
    let rows = i64::try_from(ends.len().max(1)).unwrap_or(1);
    let mut marks: Vec<_> = placed
        .into_iter()
        .map(|(name, Placed { seconds, bars })| {
            let mut path = String::new();
            for Bar { row, from, to } in bars {
                let top = i64::try_from(row).unwrap_or_default() * HEIGHT / rows;
                // Writing to a text cannot fail.
                let _ =
                    write!(path, "M{from} {top}h{width}v{height}H{from}z", width = to - from, height = HEIGHT / rows);
            }
            Marks { name, seconds, path }
        })
        .collect();
    marks.sort_by(|one, other| other.seconds.cmp(&one.seconds).then_with(|| one.name.cmp(other.name)));
    marks
}

/// The union of a day's pieces in UTC, as stretches without a name: the active time.
pub(super) fn united(pieces: &[&NamedStretch]) -> Vec<NamedStretch> {
    let mut united: Vec<NamedStretch> = Vec::new();
    for piece in pieces {
        match united.last_mut() {
            // Only where the clock is the same does the end of one continue the start of the other.
            Some(last) if piece.start_utc <= last.end_utc && offset(piece) == offset(last) => {
                if piece.end_utc > last.end_utc {
                    (last.end_utc, last.end_local) = (piece.end_utc, piece.end_local);
                }
            }
            _ => united.push(NamedStretch { name: String::new(), device: None, color: None, ..(*piece).clone() }),
        }
    }
    united
}

fn offset(stretch: &NamedStretch) -> chrono::TimeDelta {
    stretch.start_local - stretch.start_utc
}

/// How often the axis names an hour, so that labels stay apart.
pub(super) fn label_step(axis: Axis) -> i64 {
    if axis.hours() > 12 { 2 } else { 1 }
}

/// Where `hour` stands on the axis, in per cent.
#[expect(clippy::cast_precision_loss, reason = "hours of a day")]
pub(super) fn percent(axis: Axis, hour: i64) -> f64 {
    (hour - axis.from) as f64 * 100.0 / axis.hours() as f64
}

const _: () = assert!(DAY % UNIT == 0);

#[cfg(test)]
mod tests {
    use super::super::tests::stretch;
    use super::*;

    const MORNING: Axis = Axis { from: 8, to: 14 };

    fn paths(stretches: &[NamedStretch]) -> Vec<String> {
        let references: Vec<_> = stretches.iter().collect();
        let change = Change::of(stretches.iter());
        let marks = marks(&references, change, MORNING).into_iter();
        marks.map(|marks| format!("{} {} {}", marks.name, marks.seconds, marks.path)).collect()
    }

    #[test]
    fn a_mark_begins_at_its_local_start_and_is_as_long_as_it_lasted() {
        let day = [
            stretch("Editor", "2025-01-15 09:00", 60, "2025-01-15 09:30", 60),
            stretch("Mail", "2025-01-15 09:30", 60, "2025-01-15 09:40", 60),
            stretch("Editor", "2025-01-15 13:50", 60, "2025-01-15 14:00", 60),
        ];
        assert_eq!(paths(&day), ["Editor 2400 M360 0h180v12H360zM2100 0h60v12H2100z", "Mail 600 M540 0h60v12H540z"]);
    }

    #[test]
    fn what_runs_at_the_same_time_stands_one_below_the_other() {
        let day = [
            stretch("Editor", "2025-01-15 09:00", 60, "2025-01-15 10:00", 60),
            stretch("Call", "2025-01-15 09:30", 60, "2025-01-15 09:40", 60),
        ];
        assert_eq!(paths(&day), ["Editor 3600 M360 0h360v6H360z", "Call 600 M540 6h60v6H540z"]);
    }

    #[test]
    fn neighbours_of_one_name_are_one_mark_and_nothing_vanishes() {
        let mut day: Vec<_> = (0..50)
            .map(|minute| {
                let (from, to) = (format!("2025-01-15 09:{minute:02}"), format!("2025-01-15 09:{:02}", minute + 1));
                stretch("Editor", &from, 60, &to, 60)
            })
            .collect();
        assert_eq!(paths(&day), ["Editor 3000 M360 0h300v12H360z"]);
        day.truncate(1);
        day[0].end_utc = day[0].start_utc + chrono::TimeDelta::seconds(1);
        assert_eq!(paths(&day), ["Editor 1 M360 0h1v12H360z"]);
    }

    #[test]
    fn the_axis_holds_every_mark_of_every_day() {
        let days = |stretches: &[NamedStretch]| -> (i64, i64) {
            let mut days: BTreeMap<_, Day<'_>> = BTreeMap::new();
            for one in stretches {
                days.entry(one.date).or_default().applications.push(one);
            }
            let axis = Axis::of(&days);
            (axis.from, axis.to)
        };
        let early = stretch("Editor", "2025-01-15 07:59", 60, "2025-01-15 08:10", 60);
        let late = stretch("Editor", "2025-01-16 21:00", 60, "2025-01-16 22:01", 60);
        assert_eq!(days(&[early, late]), (7, 23));
        assert_eq!(days(&[stretch("Editor", "2025-01-15 12:10", 60, "2025-01-15 12:20", 60)]), (10, 16));
        assert_eq!(days(&[stretch("Editor", "2025-01-15 23:10", 60, "2025-01-15 23:20", 60)]), (18, 24));
        assert_eq!(days(&[]), (9, 17));
    }

    #[test]
    fn active_time_counts_once_what_two_devices_share() {
        let day = [
            stretch("Editor", "2025-01-15 09:00", 60, "2025-01-15 10:00", 60),
            stretch("Call", "2025-01-15 09:30", 60, "2025-01-15 09:40", 60),
            stretch("Mail", "2025-01-15 10:00", 60, "2025-01-15 10:10", 60),
            stretch("Mail", "2025-01-15 11:00", 60, "2025-01-15 11:10", 60),
        ];
        let united = united(&day.iter().collect::<Vec<_>>());
        let minutes: Vec<_> = united.iter().map(|one| one.length().num_minutes()).collect();
        assert_eq!(minutes, [70, 10]);
    }
}
