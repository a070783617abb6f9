//! Which screenshots show a stretch of time with the fewest pictures.
//!
//! Chooses by segment or evenly over the time, and applies the cap. Reads no files; the caller passes the segments.
//!
//! Invariants: a sample is a part of what was there, in the same order; one screenshot is never in it twice; it is
//! empty only where nothing was there or nothing was asked for; it has all screenshots of one moment or none of them,
//! unless the cap is smaller than their number.

use std::ops::Range;
use std::time::Duration;

use chrono::{NaiveDateTime, TimeDelta};

use super::Screenshot;

/// A stretch of time on both clocks, start inclusive, end exclusive; its local end lies before its local start where
/// clocks went back in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeInterval {
    /// In local time.
    pub local: Range<NaiveDateTime>,
    /// In UTC.
    pub utc: Range<NaiveDateTime>,
}

impl TimeInterval {
    /// Its middle, as the time since its start.
    pub fn middle(&self) -> TimeDelta {
        self.length() / 2
    }

    fn length(&self) -> TimeDelta {
        self.utc.end - self.utc.start
    }

    /// The local time that its screenshots bear, by the clock of its start or that of its end.
    pub(super) fn local_window(&self) -> Range<NaiveDateTime> {
        let length = self.length();
        self.local.start.min(self.local.end - length)..self.local.end.max(self.local.start + length)
    }

    /// How long after its start a screenshot was taken inside of it; by local time where the name tells no offset.
    fn since_start(&self, screenshot: &Screenshot) -> Option<TimeDelta> {
        let since = match screenshot.taken_utc() {
            Some(taken) => taken - self.utc.start,
            None => screenshot.taken_at - self.local.start,
        };
        (TimeDelta::zero()..self.length()).contains(&since).then_some(since)
    }
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// In order of time.
    pub screenshots: Vec<Screenshot>,
    /// Whether they were chosen by segment; otherwise evenly over the time.
    pub by_segment: bool,
    /// How many were chosen before the cap.
    pub available: usize,
}

/// Chooses among the screenshots of `window` (local), which are in order of time, with all that share the moment of a
/// chosen one, such as those of two monitors. Leaves at most `max` of them, with moments spread evenly over the time
/// and the first and the last kept.
///
/// For each of the `segments` it takes the screenshot nearest to the middle (docs/spec/time.md#screenshots). If none of
/// them has a screenshot, it takes all, or with an `interval` the one nearest to each multiple of it since the window's
/// start, if one lies within half an interval.
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

/// Returns the screenshot nearest to the moment `to` since the start of `inside`, among those inside it; a tie goes to
/// the earlier. The screenshots are in order of local time.
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
    // The nearest multiple, the earlier one half way between two, and how far it is.
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

/// Groups the chosen by moment, each with all screenshots of its moment, in order.
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

/// Leaves as many whole moments as have at most `max` screenshots together; of a single moment that has more, the
/// first.
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

/// Leaves `max` of the chosen: those nearest to as many moments, spread evenly from the first to the last; one alone
/// is that nearest to the middle of the window.
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
        // Each takes one, and leaves enough for those that follow.
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

/// `whole * number / (count - 1)`, whatever the numbers.
fn spread(whole: i64, number: usize, count: i64) -> i64 {
    let product = i128::from(whole) * i128::try_from(number).unwrap_or_default();
    i64::try_from(product / i128::from(count - 1)).unwrap_or(whole)
}

#[cfg(test)]
mod tests;
