//! Computes the geometry of lanes: converts the intervals of a day to SVG paths on an axis of local hours.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::super::text::parse_time;
use super::clock::{ClockChange, DAY, Span, spans};
use dayledger_activity::{NamedInterval, Segment};
use dayledger_core::local_days::LocalDays;
use dayledger_request::Minutes;

/// The length of one unit of the drawing in seconds. A unit is smaller than a pixel in every lane.
const UNIT: i64 = 10;
/// The height of a lane in units of the drawing. It can be divided evenly into one, two or three rows.
pub(super) const HEIGHT: i64 = 12;
/// The maximum number of rows within a lane.
const MAX_ROWS: usize = 3;
/// Two bars can share a row if their overlap is at most this long, in seconds. Such an overlap is too narrow to be
/// seen.
const MAX_OVERLAP_SECONDS: i64 = 30;
/// The minimum length of the axis in hours. `src/mcp/apps/time.js` draws the same lanes for chats and has its own
/// `MIN_AXIS_HOURS`. If you change one of these constants, check the other one too.
const MIN_AXIS_HOURS: i64 = 6;

/// The range of hours on the axis, which is the same for every day of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Axis {
    /// The first hour.
    pub(super) from: i64,
    /// The hour at which the axis ends, at most the end of a day: by default, 24.
    pub(super) to: i64,
}

impl Axis {
    /// Returns an axis that contains all marks of all days.
    pub(super) fn from_days(days: &BTreeMap<NaiveDate, Day<'_>>) -> Self {
        let spans = || days.values().flat_map(Day::all_spans);
        let day_start = LocalDays::current().day_start.seconds();
        let (first, last) = (day_start.div_euclid(3600), (day_start + DAY + 3599).div_euclid(3600));
        let from = spans().map(|span| span.from.div_euclid(3600)).min().unwrap_or(9);
        let to = spans().map(|span| (span.to + 3599).div_euclid(3600)).max().unwrap_or(17);
        let missing = (MIN_AXIS_HOURS - (to - from)).max(0);
        let from = (from - missing / 2).clamp(first, last - MIN_AXIS_HOURS);
        Self { from, to: to.max(from + MIN_AXIS_HOURS) }
    }

    pub(super) fn hours(self) -> i64 {
        self.to - self.from
    }

    /// Returns the width of a lane in units of the drawing.
    pub(super) fn width(self) -> i64 {
        self.hours() * 3600 / UNIT
    }

    /// Returns the label of an hour. Only the end of a day that starts at midnight is 24.
    pub(super) fn label(self, hour: i64) -> String {
        let is_end = hour == 24 && hour == self.to;
        format!("{:02}", if is_end { hour } else { hour.rem_euclid(24) })
    }

    /// Converts seconds since midnight to a position in units of the drawing.
    fn place(self, seconds: i64) -> i64 {
        ((seconds - self.from * 3600) / UNIT).clamp(0, self.width())
    }
}

/// The data of one local day.
#[derive(Debug, Default)]
pub(super) struct Day<'a> {
    pub(super) applications: Vec<&'a NamedInterval>,
    pub(super) websites: Vec<&'a NamedInterval>,
    pub(super) tags: Vec<&'a NamedInterval>,
    /// The blocks of the day, if the page is about one day.
    pub(super) blocks: &'a [Segment],
    /// The intervals away from the computer with their descriptions, if the page is about one day.
    pub(super) away: Vec<NamedInterval>,
}

impl<'a> Day<'a> {
    fn all(&self) -> impl Iterator<Item = &'a NamedInterval> + Clone {
        self.applications.iter().chain(&self.websites).chain(&self.tags).copied()
    }

    fn all_spans(&self) -> Vec<Span> {
        let change = self.change();
        let away = self.away.iter().flat_map(|interval| spans(interval, None));
        self.all().flat_map(|interval| spans(interval, change)).chain(away).collect()
    }

    /// Returns the clock change on this day, if there was one.
    pub(super) fn change(&self) -> Option<ClockChange> {
        ClockChange::detect(self.all())
    }
}

/// The marks of one name in a lane.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marks<'a> {
    /// The name.
    pub(super) name: &'a str,
    /// The total duration of the marks in seconds.
    pub(super) seconds: i64,
    /// The positions of the marks.
    pub(super) rects: Vec<Rect>,
}

/// An interval, or a part of an interval, that isn't assigned to a row yet.
#[derive(Debug)]
struct Bar<'a> {
    /// The index of the interval.
    place: usize,
    /// The device and the UTC offset. A bar gets the row of the previous bar with the same track, if this row is free.
    track: (Option<&'a str>, TimeDelta),
    from: i64,
    to: i64,
}

/// Returns the bars of `intervals`, sorted by their start and divided into groups. Bars in different groups don't
/// overlap.
fn clusters<'a>(intervals: &[&'a NamedInterval], change: Option<ClockChange>) -> Vec<Vec<Bar<'a>>> {
    let mut bars: Vec<_> = intervals
        .iter()
        .enumerate()
        .flat_map(|(place, stretch)| {
            spans(stretch, change).map(move |Span { from, to, offset }| {
                let track = (stretch.device.as_deref(), offset);
                Bar { place, track, from, to }
            })
        })
        .collect();
    // The sort is stable, so bars with the same start keep the order of their intervals.
    bars.sort_by_key(|bar| bar.from);
    let mut clusters: Vec<Vec<Bar<'_>>> = Vec::new();
    let mut end = i64::MIN;
    for bar in bars {
        let to = bar.to;
        match clusters.last_mut() {
            Some(cluster) if bar.from + MAX_OVERLAP_SECONDS < end => cluster.push(bar),
            _ => clusters.push(vec![bar]),
        }
        end = end.max(to);
    }
    clusters
}

/// Returns the row of each bar of a group, and the number of rows.
fn rows(cluster: &[Bar<'_>]) -> (Vec<usize>, usize) {
    let mut ends: Vec<i64> = Vec::new();
    let mut rows = Vec::with_capacity(cluster.len());
    for (index, bar) in cluster.iter().enumerate() {
        let is_free = |row: &usize| ends[*row] <= bar.from + MAX_OVERLAP_SECONDS;
        let before = cluster[..index].iter().zip(&rows).rev().find(|(other, _)| other.track == bar.track);
        let row = before.map(|(_, row)| *row).filter(is_free).or_else(|| (0..ends.len()).find(is_free));
        let row = row.unwrap_or_else(|| {
            if ends.len() < MAX_ROWS {
                ends.push(i64::MIN);
            }
            // All rows are occupied, and a lane can't have more rows. The bar is therefore drawn over the last row.
            ends.len() - 1
        });
        ends[row] = ends[row].max(bar.to);
        rows.push(row);
    }
    (rows, ends.len())
}

/// Returns the marks of `intervals`, which must be sorted by time. The name with the most time comes first.
///
/// Bars can overlap if the user used two devices, or in the hour that is repeated in autumn. Overlapping bars are in
/// separate rows. If a bar begins less than a unit after the previous mark of the same name, the bar extends this mark.
/// A lane therefore never has more marks than units.
pub(super) fn marks<'a>(intervals: &[&'a NamedInterval], change: Option<ClockChange>, axis: Axis) -> Vec<Marks<'a>> {
    let mut marks: HashMap<&str, (i64, NaiveDateTime, Vec<Rect>)> = HashMap::new();
    for interval in intervals {
        let (seconds, until, _) = marks.entry(&interval.name).or_insert((0, NaiveDateTime::MIN, Vec::new()));
        // Each second counts only once for a name, even if several devices or timelines contain the name at this time.
        *seconds += (interval.end_utc - interval.start_utc.max(*until)).num_seconds().max(0);
        *until = interval.end_utc.max(*until);
    }
    for (place, rect) in bars(intervals, change, axis) {
        let Some((_, _, rects)) = marks.get_mut(intervals[place].name.as_str()) else { continue };
        match rects.last_mut() {
            Some(last) if (last.top, last.height) == (rect.top, rect.height) && rect.from <= last.to + 1 => {
                last.to = rect.to.max(last.to);
            }
            _ => rects.push(rect),
        }
    }
    let marks = marks.into_iter().map(|(name, (seconds, _, rects))| Marks { name, seconds, rects });
    let mut marks: Vec<_> = marks.collect();
    marks.sort_by(|one, other| other.seconds.cmp(&one.seconds).then_with(|| one.name.cmp(other.name)));
    marks
}

/// Returns the position of each bar, with the index of its interval.
pub(super) fn bars(intervals: &[&NamedInterval], change: Option<ClockChange>, axis: Axis) -> Vec<(usize, Rect)> {
    let mut marks = Vec::new();
    for cluster in clusters(intervals, change) {
        let (rows, count) = rows(&cluster);
        let height = HEIGHT / i64::try_from(count.max(1)).unwrap_or(1);
        for (bar, row) in cluster.into_iter().zip(rows) {
            let from = axis.place(bar.from);
            // Every bar has a width of at least one unit. Otherwise, the width of a short bar could be zero.
            let to = axis.place(bar.to).max(from + 1);
            let top = i64::try_from(row).unwrap_or_default() * height;
            marks.push((bar.place, Rect { top, height, from, to }));
        }
    }
    marks
}

/// The position of a mark in units of the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) top: i64,
    pub(super) height: i64,
    pub(super) from: i64,
    pub(super) to: i64,
}

/// Converts marks to an SVG path.
pub(super) fn path(rects: &[Rect]) -> String {
    let mut path = String::new();
    for Rect { top, height, from, to } in rects {
        // Writing to a string can't fail.
        let _ = write!(path, "M{from} {top}h{width}v{height}H{from}z", width = to - from);
    }
    path
}

/// Returns an interval between two local times of a response, with the UTC offset 0. If the local times are closer than
/// the duration `length`, the end is moved to a later time. This can be necessary after a clock change.
pub(super) fn local_interval(
    date: NaiveDate,
    (start, end): (&str, &str),
    length: Minutes,
    name: &str,
) -> Option<NamedInterval> {
    let (start, end) = (parse_time(start)?, parse_time(end)?);
    let end = end.max(start + TimeDelta::seconds(length.seconds()));
    Some(NamedInterval {
        date,
        device: None,
        name: name.to_owned(),
        color: None,
        start_local: start,
        start_utc: start,
        end_local: end,
        end_utc: end,
    })
}

/// Returns the active time of a day: the union of the day's intervals in UTC. The results don't have names.
pub(super) fn merge_pieces(pieces: &[&NamedInterval]) -> Vec<NamedInterval> {
    let mut united: Vec<NamedInterval> = Vec::new();
    for piece in pieces {
        match united.last_mut() {
            // Intervals with different UTC offsets aren't merged, because their local times aren't consecutive.
            Some(last) if piece.start_utc <= last.end_utc && offset(piece) == offset(last) => {
                if piece.end_utc > last.end_utc {
                    (last.end_utc, last.end_local) = (piece.end_utc, piece.end_local);
                }
            }
            _ => united.push(NamedInterval { name: String::new(), device: None, color: None, ..(*piece).clone() }),
        }
    }
    united
}

fn offset(interval: &NamedInterval) -> TimeDelta {
    interval.start_local - interval.start_utc
}

/// Returns the number of hours between two labels of the axis. The number is large enough that labels don't overlap.
pub(super) fn label_step(axis: Axis) -> i64 {
    if axis.hours() > 12 { 2 } else { 1 }
}

/// Returns the position of `hour` in per cent of the axis.
#[expect(clippy::cast_precision_loss, reason = "hours of a day")]
pub(super) fn percent(axis: Axis, hour: i64) -> f64 {
    (hour - axis.from) as f64 * 100.0 / axis.hours() as f64
}

const _: () = assert!(DAY % UNIT == 0);

#[cfg(test)]
mod tests {
    use super::super::tests::interval;
    use super::*;

    const MORNING: Axis = Axis { from: 8, to: 14 };

    fn paths(intervals: &[NamedInterval]) -> Vec<String> {
        let references: Vec<_> = intervals.iter().collect();
        let change = ClockChange::detect(intervals.iter());
        let marks = marks(&references, change, MORNING).into_iter();
        marks.map(|marks| format!("{} {} {}", marks.name, marks.seconds, path(&marks.rects))).collect()
    }

    #[test]
    fn a_mark_begins_at_its_local_start_and_is_as_long_as_it_lasted() {
        let day = [
            interval("Editor", "2025-01-15 09:00", 60, "2025-01-15 09:30", 60),
            interval("Mail", "2025-01-15 09:30", 60, "2025-01-15 09:40", 60),
            interval("Editor", "2025-01-15 13:50", 60, "2025-01-15 14:00", 60),
        ];
        assert_eq!(paths(&day), ["Editor 2400 M360 0h180v12H360zM2100 0h60v12H2100z", "Mail 600 M540 0h60v12H540z"]);
    }

    #[test]
    fn simultaneous_marks_get_rows_of_their_own() {
        let day = [
            interval("Editor", "2025-01-15 09:00", 60, "2025-01-15 10:00", 60),
            interval("Call", "2025-01-15 09:30", 60, "2025-01-15 09:40", 60),
        ];
        assert_eq!(paths(&day), ["Editor 3600 M360 0h360v6H360z", "Call 600 M540 6h60v6H540z"]);
        // Bars are in separate rows only in a group with overlaps. In such a group, each device has the same row.
        let on = |device: &str, interval: NamedInterval| NamedInterval { device: Some(device.to_owned()), ..interval };
        let day = [
            on("DESK", interval("Mail", "2025-01-15 08:00", 60, "2025-01-15 09:00", 60)),
            on("DESK", interval("Editor", "2025-01-15 09:00", 60, "2025-01-15 09:20", 60)),
            on("LAP", interval("Call", "2025-01-15 09:10", 60, "2025-01-15 09:30", 60)),
            on("DESK", interval("Mail", "2025-01-15 09:25", 60, "2025-01-15 09:40", 60)),
            on("LAP", interval("Notes", "2025-01-15 09:35", 60, "2025-01-15 09:50", 60)),
        ];
        assert_eq!(
            paths(&day),
            [
                "Mail 4500 M0 0h360v12H0zM510 0h90v6H510z",
                "Call 1200 M420 6h120v6H420z",
                "Editor 1200 M360 0h120v6H360z",
                "Notes 900 M570 6h90v6H570z"
            ]
        );
    }

    #[test]
    fn the_second_pass_of_a_repeated_hour_is_drawn_below_the_first() {
        let night = [
            interval("Editor", "2025-10-26 02:00", 120, "2025-10-26 02:40", 120),
            interval("Mail", "2025-10-26 02:40", 120, "2025-10-26 02:20", 60),
            interval("Notes", "2025-10-26 02:20", 60, "2025-10-26 03:30", 60),
        ];
        let references: Vec<_> = night.iter().collect();
        let marks = marks(&references, ClockChange::detect(night.iter()), Axis { from: 2, to: 8 });
        let paths: Vec<_> = marks.iter().map(|marks| format!("{} {}", marks.name, path(&marks.rects))).collect();
        assert_eq!(paths, ["Notes M120 6h420v6H120z", "Editor M0 0h240v6H0z", "Mail M0 6h120v6H0zM240 0h120v6H240z"]);
    }

    #[test]
    fn adjacent_intervals_of_one_name_become_one_visible_mark() {
        let mut day: Vec<_> = (0..50)
            .map(|minute| {
                let (from, to) = (format!("2025-01-15 09:{minute:02}"), format!("2025-01-15 09:{:02}", minute + 1));
                interval("Editor", &from, 60, &to, 60)
            })
            .collect();
        assert_eq!(paths(&day), ["Editor 3000 M360 0h300v12H360z"]);
        day.truncate(1);
        day[0].end_utc = day[0].start_utc + TimeDelta::seconds(1);
        assert_eq!(paths(&day), ["Editor 1 M360 0h1v12H360z"]);
    }

    #[test]
    fn the_axis_contains_every_mark() {
        let days = |intervals: &[NamedInterval]| -> (i64, i64) {
            let mut days: BTreeMap<_, Day<'_>> = BTreeMap::new();
            for one in intervals {
                days.entry(one.date).or_default().applications.push(one);
            }
            let axis = Axis::from_days(&days);
            (axis.from, axis.to)
        };
        let early = interval("Editor", "2025-01-15 07:59", 60, "2025-01-15 08:10", 60);
        let late = interval("Editor", "2025-01-16 21:00", 60, "2025-01-16 22:01", 60);
        assert_eq!(days(&[early, late]), (7, 23));
        assert_eq!(days(&[interval("Editor", "2025-01-15 12:10", 60, "2025-01-15 12:20", 60)]), (10, 16));
        assert_eq!(days(&[interval("Editor", "2025-01-15 23:10", 60, "2025-01-15 23:20", 60)]), (18, 24));
        assert_eq!(days(&[]), (9, 17));
    }

    /// If an application is in front on two devices during the same 2 hours, the lane must not show 4 hours.
    #[test]
    fn a_second_on_several_devices_counts_once_per_name() {
        let day = [
            interval("Editor", "2025-01-15 09:00", 60, "2025-01-15 10:00", 60),
            interval("Editor", "2025-01-15 09:00", 60, "2025-01-15 09:20", 60),
            interval("Mail", "2025-01-15 09:30", 60, "2025-01-15 09:40", 60),
            interval("Editor", "2025-01-15 09:50", 60, "2025-01-15 10:10", 60),
        ];
        let axis = Axis::from_days(&BTreeMap::new());
        let marks = marks(&day.iter().collect::<Vec<_>>(), None, axis);
        let actual: Vec<_> = marks.iter().map(|marks| (marks.name, marks.seconds / 60)).collect();
        assert_eq!(actual, [("Editor", 70), ("Mail", 10)]);
    }

    #[test]
    fn active_time_on_two_devices_counts_once() {
        let day = [
            interval("Editor", "2025-01-15 09:00", 60, "2025-01-15 10:00", 60),
            interval("Call", "2025-01-15 09:30", 60, "2025-01-15 09:40", 60),
            interval("Mail", "2025-01-15 10:00", 60, "2025-01-15 10:10", 60),
            interval("Mail", "2025-01-15 11:00", 60, "2025-01-15 11:10", 60),
        ];
        let united = merge_pieces(&day.iter().collect::<Vec<_>>());
        let minutes: Vec<_> = united.iter().map(|one| one.length().num_minutes()).collect();
        assert_eq!(minutes, [70, 10]);
    }
}
