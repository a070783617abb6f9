//! Selects a few screenshots that represent a period.
//!
//! Screenshots are selected by segment or at regular intervals, and then limited to a maximum number. This module reads
//! no files. The caller passes the segments.
//!
//! Invariants: a sample is a subset of the screenshots in the same order, without duplicates. It is empty only if the
//! input is empty or the limit is zero. It contains either all screenshots of a time or none of them, unless that time
//! alone has more screenshots than the limit.

use std::ops::Range;
use std::time::Duration;

use chrono::{NaiveDateTime, TimeDelta};

use super::Screenshot;

/// An interval in local time and in UTC, with exclusive ends. If the clock was set back during the interval, the local
/// end may be before the local start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeInterval {
    /// The interval in local time.
    pub local: Range<NaiveDateTime>,
    /// The interval in UTC.
    pub utc: Range<NaiveDateTime>,
}

impl TimeInterval {
    /// Returns the middle of the interval, as the duration since the interval's start.
    pub fn middle(&self) -> TimeDelta {
        self.length() / 2
    }

    fn length(&self) -> TimeDelta {
        self.utc.end - self.utc.start
    }

    /// Returns the range of local times that the interval's screenshots can have. The UTC offset of a screenshot can be
    /// the offset at the interval's start or at the interval's end.
    pub(super) fn local_window(&self) -> Range<NaiveDateTime> {
        let length = self.length();
        self.local.start.min(self.local.end - length)..self.local.end.max(self.local.start + length)
    }

    /// Returns the time from the start of the interval to the screenshot, or `None` if the screenshot is outside of the
    /// interval. Uses local time if the name of the screenshot lacks a UTC offset.
    fn since_start(&self, screenshot: &Screenshot) -> Option<TimeDelta> {
        let since = match screenshot.taken_utc() {
            Some(taken) => taken - self.utc.start,
            None => screenshot.taken_at - self.local.start,
        };
        (TimeDelta::zero()..self.length()).contains(&since).then_some(since)
    }
}

/// The selected screenshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The selected screenshots, sorted by time.
    pub screenshots: Vec<Screenshot>,
    /// Whether the screenshots were selected by segment. Otherwise they were selected at regular intervals.
    pub by_segment: bool,
    /// The number of screenshots before the limit was applied.
    pub available: usize,
}

/// Selects some of `screenshots`, which are the screenshots of `window` (local). They must be sorted by time.
/// Screenshots that were taken at the same time, such as those of two monitors, are selected together. If there are
/// more than `max` screenshots, the first and the last time are kept, and times at regular intervals in between.
///
/// For each of the `segments`, selects the screenshot nearest to the segment's middle (docs/spec/time.md#screenshots).
/// If no segment has a screenshot, selects at regular intervals: for each multiple of `interval` since the window's
/// start, the nearest screenshot within half an interval. Without an `interval`, selects all screenshots.
pub fn sample(
    screenshots: Vec<Screenshot>,
    window: &Range<NaiveDateTime>,
    segments: &[TimeInterval],
    interval: Option<Duration>,
    max: usize,
) -> Sample {
    let of_segments = nearest_per_interval(&screenshots, segments);
    let by_segment = !of_segments.is_empty();
    let chosen = match interval {
        _ if by_segment => of_segments,
        Some(interval) => one_per_interval(&screenshots, window.start, interval),
        None => (0..screenshots.len()).collect(),
    };
    let moments = moments(&screenshots, &chosen);
    let available = moments.iter().map(Vec::len).sum();
    let mut kept = limit_moments(&screenshots, &moments, window, max).into_iter().peekable();
    let screenshots = screenshots.into_iter().enumerate();
    let screenshots = screenshots.filter_map(|(at, one)| kept.next_if_eq(&at).map(|_| one)).collect();
    Sample { screenshots, by_segment, available }
}

/// Returns the screenshot in `inside` that is nearest to a given time. `to` is the duration from the start of `inside`
/// to this time. If two screenshots are equally near, returns the earlier one. The screenshots must be sorted by local
/// time.
pub fn nearest<'s>(screenshots: &'s [Screenshot], inside: &TimeInterval, to: TimeDelta) -> Option<&'s Screenshot> {
    nearest_index(screenshots, inside, to).and_then(|index| screenshots.get(index))
}

fn nearest_index(screenshots: &[Screenshot], inside: &TimeInterval, to: TimeDelta) -> Option<usize> {
    let window = inside.local_window();
    let before = |time: NaiveDateTime| screenshots.partition_point(|one| one.taken_at < time);
    let (first, end) = (before(window.start), before(window.end));
    let taken = |index: usize| Some((index, inside.since_start(&screenshots[index])?));
    let nearest = (first..end).filter_map(taken).min_by_key(|(_, since)| ((*since - to).abs(), *since));
    nearest.map(|(index, _)| index)
}

fn nearest_per_interval(screenshots: &[Screenshot], intervals: &[TimeInterval]) -> Vec<usize> {
    let nearest = |interval: &TimeInterval| nearest_index(screenshots, interval, interval.middle());
    let mut chosen: Vec<_> = intervals.iter().filter_map(nearest).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

fn one_per_interval(screenshots: &[Screenshot], start: NaiveDateTime, interval: Duration) -> Vec<usize> {
    let step = i64::try_from(interval.as_secs().max(1)).unwrap_or(i64::MAX);
    // Returns the nearest multiple of the interval, and the distance to it. Halfway between two multiples, the earlier
    // one counts as nearer.
    let nearest = |one: &Screenshot| {
        let since = (one.taken_at - start).num_seconds();
        let (whole, rest) = (since / step, since % step);
        if rest <= step - rest { (whole, rest) } else { (whole + 1, step - rest) }
    };
    let mut chosen: Vec<usize> = Vec::new();
    for (index, one) in screenshots.iter().enumerate() {
        let (multiple, distance) = nearest(one);
        match chosen.last_mut().map(|last| (nearest(&screenshots[*last]), last)) {
            Some(((same, nearer), _)) if same == multiple && nearer <= distance => {}
            Some(((same, _), last)) if same == multiple => *last = index,
            _ => chosen.push(index),
        }
    }
    chosen
}

/// Groups the selected screenshots by time. Each group contains all screenshots of that time, even those that weren't
/// selected.
fn moments(screenshots: &[Screenshot], chosen: &[usize]) -> Vec<Vec<usize>> {
    let moment = |index: &usize| {
        let Screenshot { taken_at, offset, .. } = screenshots[*index];
        let first = screenshots.partition_point(|one| one.taken_at < taken_at);
        let end = screenshots.partition_point(|one| one.taken_at <= taken_at);
        (first..end).filter(|other| screenshots[*other].offset == offset).collect()
    };
    let mut moments: Vec<Vec<usize>> = chosen.iter().map(moment).collect();
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// Keeps as many complete groups as fit into `max` screenshots. If a single group has more than `max` screenshots,
/// keeps the first screenshots of the group.
fn limit_moments(
    screenshots: &[Screenshot],
    moments: &[Vec<usize>],
    window: &Range<NaiveDateTime>,
    max: usize,
) -> Vec<usize> {
    let firsts: Vec<usize> = moments.iter().filter_map(|moment| moment.first().copied()).collect();
    let of = |count| {
        let kept = thin(screenshots, firsts.clone(), window, count).into_iter();
        let kept = kept.filter_map(|first| moments.binary_search_by_key(&Some(&first), |moment| moment.first()).ok());
        let mut kept: Vec<usize> = kept.flat_map(|at| moments[at].iter().copied()).collect();
        kept.sort_unstable();
        kept
    };
    let fitting = (1..=max.min(moments.len())).rev().map(of).find(|kept| kept.len() <= max);
    fitting.unwrap_or_else(|| of(1).into_iter().take(max).collect())
}

/// Keeps `max` of the selected screenshots. Computes `max` times at regular intervals from the first to the last
/// screenshot, and keeps the screenshot nearest to each time. If `max` is one, keeps the screenshot nearest to the
/// middle of the window.
fn thin(screenshots: &[Screenshot], chosen: Vec<usize>, window: &Range<NaiveDateTime>, max: usize) -> Vec<usize> {
    let (Some(first), Some(last)) = (chosen.first(), chosen.last()) else { return chosen };
    if chosen.len() <= max {
        return chosen;
    }
    let taken = |index: usize| screenshots[chosen[index]].taken_at;
    let (start, whole) =
        (screenshots[*first].taken_at, (screenshots[*last].taken_at - screenshots[*first].taken_at).num_seconds());
    let moment = |number: usize| match i64::try_from(max) {
        Ok(1) => window.start + (window.end - window.start) / 2,
        Ok(max) => start + TimeDelta::seconds(spread(whole, number, max)),
        Err(_) => start,
    };
    let mut kept: Vec<usize> = Vec::with_capacity(max);
    for number in 0..max {
        let moment = moment(number);
        let later = chosen.partition_point(|index| screenshots[*index].taken_at < moment);
        let is_earlier = later == chosen.len() || (later > 0 && moment - taken(later - 1) <= taken(later) - moment);
        let nearest = later - usize::from(is_earlier);
        // The limits ensure that no index is used twice, and that enough indexes are left for the remaining times.
        let from = kept.last().map_or(0, |last| last + 1);
        kept.push(nearest.clamp(from, chosen.len() - (max - number)));
    }
    if max > 1
        && let Some(end) = kept.last_mut()
    {
        *end = chosen.len() - 1;
    }
    kept.into_iter().map(|index| chosen[index]).collect()
}

/// Returns `whole * number / (count - 1)` without overflow.
fn spread(whole: i64, number: usize, count: i64) -> i64 {
    let product = i128::from(whole) * i128::try_from(number).unwrap_or_default();
    i64::try_from(product / i128::from(count - 1)).unwrap_or(whole)
}

#[cfg(test)]
mod tests;
