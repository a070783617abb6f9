//! Recorded times of entries that were drafted from activity, as local times.
//!
//! The evidence of an entry is exact to the second, but the entry's hours are rounded and can be changed. An export
//! must add up to the hours. [`fit`] therefore changes the intervals of the evidence until their total equals the
//! hours. If the total is too short, the shortest gaps between intervals are closed. If it is too long, the shortest
//! intervals are left out. The remaining difference is distributed among all intervals. Each interval starts at its
//! recorded minute unless it would then overlap the previous interval or the end of the day.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta};
use dayledger_core::local_days::LocalDays;

use super::layout::{DAY, DayPart, parts_by_day};
use crate::apportion::distribute_by_weight;
use crate::entry::Evidence;
use crate::logged::{LoggedEntry, seconds};
use crate::span::{Span, resolve_overlaps};

/// Gaps shorter than a minute are ignored, because times are written in minutes.
const MINUTE: i64 = 60;
/// A twentieth of an hour, three minutes. Hours that are a multiple of this unit are divided into intervals of whole
/// minutes.
const TWENTIETH: i64 = 180;
/// A hundredth of an hour. Hours that aren't a multiple of [`TWENTIETH`] are divided into multiples of this unit,
/// because hledger rounds each interval to hundredths.
const HUNDREDTH: i64 = 36;
/// Clocks go back by at most three hours. An interval over such a change then ends after 24 hours by the clock of its
/// start.
const MAX_CHANGE: i64 = 3 * 3600;

/// A recorded interval on one local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Recorded {
    /// The start, in seconds since the start of the local day.
    pub(super) start: i64,
    /// The length in seconds.
    pub(super) length: i64,
    /// The UTC offset of the local time, in seconds.
    pub(super) offset: i64,
}

impl Recorded {
    fn end(self) -> i64 {
        self.start + self.length
    }
}

/// Returns recorded intervals for the part of an entry on one day. The intervals add up to the hours of this part. The
/// result is empty if the times aren't known.
pub(super) fn recorded_times(part: &DayPart<'_>, day: NaiveDate) -> Vec<Recorded> {
    let intervals = intervals_of_day(part.logged.evidence, day);
    let Some(first) = intervals.first().copied() else { return Vec::new() };
    let to_own_clock =
        |interval: Recorded| Recorded { start: interval.start + interval.offset - first.offset, ..interval };
    fit(&intervals, seconds(part.hours)).into_iter().map(to_own_clock).collect()
}

/// Returns the evidence that begins on a local day, in time order and without overlaps. All starts are by the clock of
/// the first interval, because local times can repeat when clocks go back. Evidence with an unknown UTC offset is left
/// out.
fn intervals_of_day(evidence: &[Evidence], day: NaiveDate) -> Vec<Recorded> {
    let local = |interval: &Evidence| {
        let offset = interval.utc_offset?;
        let start = DateTime::from_timestamp(interval.start_utc.checked_add(offset)?, 0)?.naive_utc();
        let days = LocalDays::current();
        let second = (start - days.start_of(day)).num_seconds();
        let end = second.saturating_add(interval.end_utc.saturating_sub(interval.start_utc)).min(DAY + MAX_CHANGE);
        (days.day_of(start) == day).then_some((second, end, offset))
    };
    let intervals: Vec<_> = evidence.iter().filter_map(local).collect();
    let first = intervals.iter().min_by_key(|(start, _, offset)| start - offset);
    let Some(clock) = first.map(|(.., offset)| *offset) else { return Vec::new() };
    let spans = intervals.iter().enumerate().map(|(of, (start, end, offset))| {
        let ahead = clock - offset;
        Span { start: start + ahead, end: end + ahead, of }
    });
    let mut merged: Vec<Recorded> = Vec::new();
    for span in resolve_overlaps(spans) {
        let next = Recorded { start: span.start, length: span.seconds(), offset: intervals[span.of].2 };
        match merged.last_mut().filter(|last| next.start - last.end() < MINUTE && last.offset == next.offset) {
            Some(last) => last.length = next.end() - last.start,
            None => merged.push(next),
        }
    }
    merged
}

/// Changes the intervals of a day so that their total length is `seconds`. Returns an empty list if there are no
/// intervals, or if the day is too short for them.
fn fit(intervals: &[Recorded], seconds: i64) -> Vec<Recorded> {
    let Some(first) = intervals.first().copied() else { return Vec::new() };
    if seconds == 0 {
        return vec![Recorded { length: 0, ..first }];
    }
    let total: i64 = intervals.iter().map(|interval| interval.length).sum();
    let intervals_end = intervals.iter().map(|interval| interval.end()).max().unwrap_or(DAY);
    let intervals = if total < seconds {
        close_gaps(intervals, seconds - total)
    } else {
        leave_out_shortest(intervals, total - seconds)
    };
    let unit = if seconds % TWENTIETH == 0 { TWENTIETH } else { HUNDREDTH };
    let weights: Vec<_> = intervals.iter().map(|interval| interval.length).collect();
    let lengths = distribute_by_weight(seconds / unit, &weights).into_iter().map(|units| units * unit);
    let scaled = intervals.into_iter().zip(lengths).filter(|(_, length)| *length > 0);
    let mut fitted: Vec<Recorded> = Vec::new();
    for (interval, length) in scaled {
        let earliest = fitted.last().map_or(0, |last| last.end());
        let minute = interval.start - interval.start % MINUTE;
        fitted.push(Recorded { start: minute.max(earliest), length, ..interval });
    }
    let mut latest = intervals_end.max(DAY);
    for interval in fitted.iter_mut().rev() {
        interval.start = interval.start.min(latest - interval.length);
        latest = interval.start;
    }
    if latest < 0 { Vec::new() } else { fitted }
}

/// Merges neighbouring intervals, starting with the shortest gap, until closing the next gap would add more than `most`
/// seconds in total.
fn close_gaps(intervals: &[Recorded], mut most: i64) -> Vec<Recorded> {
    let gap = |place: usize| intervals[place].start - intervals[place - 1].end();
    let mut gaps: Vec<_> = (1..intervals.len()).map(|place| (gap(place), place)).collect();
    gaps.sort_unstable();
    let mut is_closed = vec![false; intervals.len()];
    for (gap, place) in gaps {
        if gap > most {
            break;
        }
        most -= gap;
        is_closed[place] = true;
    }
    let mut merged: Vec<Recorded> = Vec::new();
    for (interval, is_closed) in intervals.iter().zip(is_closed) {
        match merged.last_mut().filter(|_| is_closed) {
            Some(last) => last.length = interval.end() - last.start,
            None => merged.push(*interval),
        }
    }
    merged
}

/// Leaves out intervals, starting with the shortest, until leaving out the next one would remove more than `most`
/// seconds in total. At least one interval remains, because `most` is less than the total length.
fn leave_out_shortest(intervals: &[Recorded], mut most: i64) -> Vec<Recorded> {
    let mut by_length: Vec<_> =
        intervals.iter().enumerate().map(|(place, interval)| (interval.length, place)).collect();
    by_length.sort_unstable();
    let mut is_kept = vec![true; intervals.len()];
    for (length, place) in by_length {
        if length > most {
            break;
        }
        most -= length;
        is_kept[place] = false;
    }
    intervals.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(interval, _)| *interval).collect()
}

/// Returns the local start and end of each recorded interval of an entry, in time order. The intervals add up to the
/// entry's hours. The result is empty if the time of any of these hours isn't known.
pub fn local_times(logged: LoggedEntry<'_>) -> Vec<(NaiveDateTime, NaiveDateTime)> {
    let mut times = Vec::new();
    if logged.evidence.is_empty() {
        return times;
    }
    for (day, parts) in parts_by_day(&[logged]) {
        for part in parts {
            let recorded = recorded_times(&part, day);
            if recorded.is_empty() {
                return Vec::new();
            }
            let at = |second| LocalDays::current().start_of(day) + TimeDelta::seconds(second);
            times.extend(recorded.iter().map(|interval| (at(interval.start), at(interval.end()))));
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn recorded_times(times: &[(i64, i64)]) -> Vec<Recorded> {
        times.iter().map(|(start, end)| Recorded { start: *start, length: end - start, offset: 3600 }).collect()
    }

    fn times(fitted: &[Recorded]) -> Vec<String> {
        let clock = |second: i64| format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
        let time = |interval: &Recorded| format!("{}-{}", clock(interval.start), clock(interval.end()));
        fitted
            .iter()
            .map(time)
            .map(|text| text.replace(":00-", "-"))
            .map(|text| text.strip_suffix(":00").unwrap_or(&text).to_owned())
            .collect()
    }

    const HOUR: i64 = 3600;

    #[test]
    fn intervals_of_quarter_hours_have_whole_minutes() {
        let morning = (9 * HOUR + 9 * MINUTE + 17, 10 * HOUR + 20);
        let noon = (13 * HOUR + 35 * MINUTE, 14 * HOUR + 43 * MINUTE);
        assert_eq!(times(&fit(&recorded_times(&[morning]), HOUR)), ["09:09-10:09"]);
        assert_eq!(times(&fit(&recorded_times(&[morning, noon]), 2 * HOUR)), ["09:09-10:00", "13:35-14:44"]);
        assert_eq!(times(&fit(&recorded_times(&[morning]), HOUR + 36)), ["09:09-10:09:36"]);
    }

    #[test]
    fn the_shortest_gaps_are_closed_and_the_shortest_intervals_left_out() {
        let parts = [(9 * HOUR, 10 * HOUR), (10 * HOUR + 5 * MINUTE, 11 * HOUR), (12 * HOUR, 12 * HOUR + 2 * MINUTE)];
        assert_eq!(times(&fit(&recorded_times(&parts), 2 * HOUR + 3 * MINUTE)), ["09:00-11:00", "12:00-12:03"]);
        assert_eq!(times(&fit(&recorded_times(&parts), HOUR + 54 * MINUTE)), ["09:00-10:00", "10:05-10:59"]);
    }

    #[test]
    fn hours_beyond_the_activity_end_with_the_day() {
        let evening = [(22 * HOUR, 23 * HOUR)];
        assert_eq!(times(&fit(&recorded_times(&evening), 3 * HOUR)), ["21:00-24:00"]);
        assert_eq!(fit(&recorded_times(&evening), 25 * HOUR), []);
        assert_eq!(times(&fit(&recorded_times(&evening), 0)), ["22:00-22:00"]);
    }

    /// Without this rule, work until 04:00 in the night of the change was exported an hour too early.
    #[test]
    fn an_interval_until_the_end_of_a_day_of_25_hours_keeps_its_start() {
        let night = [(18 * HOUR + 33 * MINUTE, 25 * HOUR)];
        assert_eq!(times(&fit(&recorded_times(&night), 6 * HOUR + 27 * MINUTE)), ["18:33-25:00"]);
    }

    proptest! {
        #[test]
        fn intervals_add_up_to_the_hours_in_time_order(
            times in prop::collection::vec((0..DAY, 1..5 * HOUR), 0..40),
            hundredths in 0..2400_i64,
        ) {
            let spans = times.iter().enumerate().map(|(of, (start, length))| Span { start: *start, end: (start + length).min(DAY), of });
            let intervals: Vec<_> = resolve_overlaps(spans).into_iter()
                .map(|span| Recorded { start: span.start, length: span.seconds(), offset: 0 }).collect();
            let fitted = fit(&intervals, hundredths * 36);
            prop_assert_eq!(fitted.is_empty(), intervals.is_empty());
            if !fitted.is_empty() {
                prop_assert_eq!(fitted.iter().map(|interval| interval.length).sum::<i64>(), hundredths * 36);
            }
            prop_assert!(fitted.iter().all(|interval| interval.start >= 0 && interval.end() <= DAY && interval.length % 36 == 0));
            prop_assert!(fitted.is_sorted_by(|one, next| one.end() <= next.start));
        }
    }
}
