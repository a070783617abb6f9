//! Decides which screenshots are hidden. The decision depends only on the time of a screenshot.
//!
//! A screenshot doesn't contain information about its device or its content. So if a hidden application or site was
//! used on any device, all screenshots of that time are hidden. Screenshots from before and after the recorded history
//! can also show something hidden. For example, the tracker can take a screenshot before it stores the activity on the
//! screen.

use chrono::NaiveDateTime;

use super::Privacy;
use super::hidden_times::{Interval, merge_intervals};

/// A screenshot can still show a hidden activity up to this many seconds before its start and after its end.
const MARGIN: i64 = 10;
const HOUR: i64 = 3600;
/// The maximum time by which a local clock can be ahead of UTC, in seconds.
const MAX_OFFSET_AHEAD: i64 = 14 * HOUR;
/// The maximum time by which a local clock can be behind UTC, in seconds.
const MAX_OFFSET_BEHIND: i64 = 12 * HOUR;

/// The times at which screenshots must not be shown.
///
/// A screenshot can show titles, URLs, paths, and notes while the user writes them. If any of these kinds of text is
/// redacted, all screenshots are hidden. If applications or sites are hidden, screenshots of all devices are hidden
/// while one of these is used, and for ten seconds before and after. Screenshots from before the first and after the
/// last recorded application activity are also hidden.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HiddenScreenshots {
    all: bool,
    /// The hidden intervals in UTC, in seconds. Both ends are included. The intervals are sorted
    /// and don't overlap.
    utc: Vec<Interval>,
    /// The hidden intervals in local time, also sorted and without overlaps.
    local: Vec<Interval>,
}

impl HiddenScreenshots {
    /// Creates a result that hides all screenshots.
    pub fn all() -> Self {
        Self { all: true, ..Self::default() }
    }

    /// Returns the result if the privacy settings alone decide it. Returns `None` if applications or sites are hidden,
    /// because the history must then be read.
    pub fn without_history(privacy: &Privacy) -> Option<Self> {
        let all = privacy.redacts_any();
        let any_rule = privacy.hides_applications() || privacy.hides_sites();
        (all || !any_rule).then(|| Self { all, ..Self::default() })
    }

    /// Whether all screenshots are hidden. This is the case if texts are redacted. If applications or sites are hidden,
    /// there are two more cases: the time of a hidden activity can't be read, or the history doesn't contain
    /// application activities.
    pub fn hides_all(&self) -> bool {
        self.all
    }

    /// Whether a screenshot is hidden. `local` is the local time at which the screenshot was taken,
    /// and `utc` is the UTC time, if it is known.
    ///
    /// The local time is checked even if the UTC time is known. The reason is that the UTC offset in a screenshot's
    /// name can be wrong near a clock change.
    pub fn hides(&self, local: NaiveDateTime, utc: Option<NaiveDateTime>) -> bool {
        let hold = |intervals: &[Interval], at: NaiveDateTime| {
            let at = at.and_utc().timestamp();
            let first = intervals.partition_point(|(_, to)| *to < at);
            intervals.get(first).is_some_and(|(from, _)| *from <= at)
        };
        self.all || hold(&self.local, local) || utc.is_some_and(|utc| hold(&self.utc, utc))
    }
}

/// Collects the times of hidden activities.
#[derive(Debug, Default)]
pub(super) struct HiddenScreenshotsBuilder(HiddenScreenshots);

impl HiddenScreenshotsBuilder {
    /// Hides the screenshots of an activity. `instants` are, in seconds: the UTC start, the local start, the UTC end
    /// and the local end. If a time can't be read, the longest possible period is hidden.
    pub(super) fn hide(&mut self, instants: [Option<i64>; 4]) {
        if instants == [None; 4] {
            self.0.all = true;
            return;
        }
        let [mut start_utc, mut start_local, mut end_utc, mut end_local] = instants;
        if start_utc.zip(end_utc).is_some_and(|(start, end)| end < start) {
            (start_utc, start_local, end_utc, end_local) = (end_utc, end_local, start_utc, start_local);
        }
        let from = start_utc.or_else(|| start_local.map(|local| local - MAX_OFFSET_AHEAD));
        let to = end_utc.or_else(|| end_local.map(|local| local + MAX_OFFSET_BEHIND));
        self.0.utc.push(with_margin(from, to));
        if let (Some((from, to)), Some((start, end))) = (start_utc.zip(end_utc), start_local.zip(end_local)) {
            // The UTC offset at the end can differ from the offset at the start, and it isn't known when the clock
            // changed. So two periods with the activity's duration are hidden: one from the local start, and one up to
            // the local end.
            let lasts = to - from;
            self.0.local.push(with_margin(Some(start), Some(start + lasts)));
            self.0.local.push(with_margin(Some(end - lasts), Some(end)));
        } else {
            // The clock may have changed during the activity, so an hour is added before and after it.
            let from = start_local.map(|local| local - HOUR).or_else(|| start_utc.map(|utc| utc - MAX_OFFSET_BEHIND));
            let to = end_local.map(|local| local + HOUR).or_else(|| end_utc.map(|utc| utc + MAX_OFFSET_AHEAD));
            self.0.local.push(with_margin(from, to));
        }
    }

    /// Hides the screenshots from before the first and after the last application activity. `bounds` are the start of
    /// the first application activity and the end of the last, each in UTC and in local time. If `bounds` is `None`,
    /// all screenshots are hidden.
    pub(super) fn end_with_history(&mut self, bounds: Option<[(i64, i64); 2]>) {
        let Some([first, last]) = bounds else {
            self.0.all = true;
            return;
        };
        self.0.utc.extend([(i64::MIN, first.0 - 1), (last.0 + 1, i64::MAX)]);
        self.0.local.extend([(i64::MIN, first.1 - 1), (last.1 + 1, i64::MAX)]);
    }

    /// Returns the hidden periods.
    pub(super) fn finish(mut self) -> HiddenScreenshots {
        merge_intervals(&mut self.0.utc);
        merge_intervals(&mut self.0.local);
        self.0
    }
}

/// Returns the period between two times in seconds, extended by the margin. The times can be in any order. If `from` is
/// unknown, the period has no start. If `to` is unknown, it has no end.
fn with_margin(from: Option<i64>, to: Option<i64>) -> Interval {
    let (from, to) = match (from, to) {
        (Some(from), Some(to)) => (Some(from.min(to)), Some(from.max(to))),
        open => open,
    };
    (from.map_or(i64::MIN, |from| from - MARGIN), to.map_or(i64::MAX, |to| to + MARGIN))
}
