//! Converts times to positions on the axis of a day. The axis shows local time, even if the clock changes.
//!
//! A mark begins at the local time of its start and is as long as its duration in UTC
//! (docs/spec/time.md#local-time-and-utc). If the clock changes during an interval, its mark is split at the change.
//! The second part begins at the new local time. In autumn, a local hour is repeated. The first and the second pass of
//! this hour have the same position, so [`super::lanes`] draws them in two rows. In spring, a local hour is skipped, so
//! its position stays empty.

use chrono::{DurationRound, NaiveDateTime, NaiveTime, TimeDelta};

use dayledger_activity::NamedInterval;
use dayledger_core::local_days::LocalDays;

/// A change of the clock within one local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockChange {
    /// The time of the change in UTC.
    at: NaiveDateTime,
    /// The UTC offset after the change.
    after: TimeDelta,
    /// The time by which the clock went forward. It is negative if the clock went back.
    pub(super) change: TimeDelta,
}

impl ClockChange {
    /// Detects a clock change from the intervals of one day. All times before the change must have one UTC offset, and
    /// all times after the change must have another UTC offset. The history doesn't contain the time of the change. The
    /// function assumes that the change was at the first full hour between the two groups, because clocks change at
    /// full hours.
    pub(super) fn detect<'a>(intervals: impl Iterator<Item = &'a NamedInterval> + Clone) -> Option<Self> {
        let instants = intervals.flat_map(|one| {
            [(one.start_utc, one.start_local - one.start_utc), (one.end_utc, one.end_local - one.end_utc)]
        });
        let (_, before) = instants.clone().min_by_key(|(utc, _)| *utc)?;
        let (_, after) = instants.clone().max_by_key(|(utc, _)| *utc)?;
        // If there is a third offset, the user travelled or has devices in two zones. In these cases, the offsets don't
        // show a clock change.
        if before == after || instants.clone().any(|(_, offset)| offset != before && offset != after) {
            return None;
        }
        let lower = instants.clone().filter(|(_, offset)| *offset == before).map(|(utc, _)| utc).max()?;
        let upper = instants.filter(|(_, offset)| *offset == after).map(|(utc, _)| utc).min()?;
        if lower > upper {
            return None;
        }
        let hour = lower.duration_trunc(TimeDelta::hours(1)).ok()?;
        let hour = if hour < lower { hour + TimeDelta::hours(1) } else { hour };
        Some(Self { at: hour.min(upper), after, change: after - before })
    }
}

/// An interval, or a part of an interval, as a position on the axis of its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// The start in seconds since the midnight at which the date of the day starts. It is negative for a time on the
    /// date before.
    pub(super) from: i64,
    /// The end in seconds since the same midnight. It is not after the end of the day.
    pub(super) to: i64,
    /// The UTC offset with which the position was computed.
    pub(super) offset: TimeDelta,
}

/// Returns the position of `interval` on the axis of its day. If the clock changes during the interval, returns two
/// parts.
pub(super) fn spans(interval: &NamedInterval, change: Option<ClockChange>) -> impl Iterator<Item = Span> {
    let (midnight, day_start) = (interval.date.and_time(NaiveTime::MIN), LocalDays::current().day_start.seconds());
    let place = |start: NaiveDateTime, end: NaiveDateTime, offset: TimeDelta| {
        let from = (start + offset - midnight).num_seconds();
        let to = from + (end - start).num_seconds();
        Span { from: from.clamp(day_start, day_start + DAY), to: to.clamp(day_start, day_start + DAY), offset }
    };
    let before = interval.start_local - interval.start_utc;
    let crosses = |change: &ClockChange| interval.start_utc < change.at && change.at < interval.end_utc;
    let parts = match change.filter(crosses) {
        Some(ClockChange { at, after, .. }) => {
            [Some(place(interval.start_utc, at, before)), Some(place(at, interval.end_utc, after))]
        }
        None => [Some(place(interval.start_utc, interval.end_utc, before)), None],
    };
    parts.into_iter().flatten().filter(|span| span.from < span.to)
}

/// The length of the axis in seconds. A day has 24 hours on the axis, even if the clock changes.
pub(super) const DAY: i64 = 86_400;

#[cfg(test)]
mod tests {
    use super::super::tests::interval;
    use super::*;

    /// Formats spans as local times.
    fn span_texts(intervals: &[NamedInterval]) -> Vec<Vec<String>> {
        let change = ClockChange::detect(intervals.iter());
        let clock = |seconds: i64| format!("{:02}:{:02}", seconds / 3600, seconds % 3600 / 60);
        let spans = |one| spans(one, change).map(|span| format!("{}-{}", clock(span.from), clock(span.to)));
        intervals.iter().map(|one| spans(one).collect()).collect()
    }

    #[test]
    fn both_passes_of_the_repeated_hour_in_autumn_share_one_place() {
        let night = [
            interval("Editor", "2025-10-26 01:00", 120, "2025-10-26 02:40", 120),
            interval("Editor", "2025-10-26 02:50", 120, "2025-10-26 02:10", 60),
            interval("Editor", "2025-10-26 02:10", 60, "2025-10-26 04:00", 60),
        ];
        assert_eq!(span_texts(&night), [vec!["01:00-02:40"], vec!["02:50-03:00", "02:00-02:10"], vec!["02:10-04:00"]]);
        assert_eq!(ClockChange::detect(night.iter()).unwrap().change, TimeDelta::hours(-1));
    }

    #[test]
    fn the_skipped_hour_in_spring_stays_empty() {
        let night = [interval("Editor", "2025-03-30 01:30", 60, "2025-03-30 03:10", 120)];
        assert_eq!(span_texts(&night), [vec!["01:30-02:00", "03:00-03:10"]]);
        assert_eq!(ClockChange::detect(night.iter()).unwrap().change, TimeDelta::hours(1));
    }

    #[test]
    fn a_clock_change_without_activity_moves_no_mark() {
        let day = [
            interval("Editor", "2025-03-30 01:00", 60, "2025-03-30 01:30", 60),
            interval("Editor", "2025-03-30 09:00", 120, "2025-03-30 10:00", 120),
        ];
        assert_eq!(span_texts(&day), [vec!["01:00-01:30"], vec!["09:00-10:00"]]);
        assert_eq!(ClockChange::detect(day[..1].iter()), None);
    }

    #[test]
    fn devices_in_two_time_zones_are_not_a_clock_change() {
        let day = [
            interval("Editor", "2025-01-15 09:00", 60, "2025-01-15 11:00", 60),
            interval("Mail", "2025-01-15 09:30", 0, "2025-01-15 09:45", 0),
        ];
        assert_eq!(span_texts(&day), [vec!["09:00-11:00"], vec!["09:30-09:45"]]);
    }
}
