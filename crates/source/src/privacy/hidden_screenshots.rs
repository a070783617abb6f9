//! When pictures of the screen may not be shown.
//!
//! A picture tells neither its device nor what is on it, so what was hidden on any device covers every picture of that
//! time. Where the history does not reach, nothing tells what was on the screen: the newest picture can be older than
//! the row of what it shows.

use chrono::NaiveDateTime;

use super::Privacy;
use super::intervals::{Interval, merge_intervals};

/// Seconds before and after something hidden in which a picture can still, or already, show it.
const MARGIN: i64 = 10;
const HOUR: i64 = 3600;
/// By how much a local clock can be ahead of UTC.
const MAX_OFFSET_AHEAD: i64 = 14 * HOUR;
/// By how much a local clock can be behind UTC.
const MAX_OFFSET_BEHIND: i64 = 12 * HOUR;

/// When pictures of the screen may not be shown.
///
/// A picture shows titles, addresses, paths, and notes while they are written: where any of them is redacted, none is shown. Where applications or
/// sites are hidden, none is shown that was taken within ten seconds of them, on whatever device, nor any from before
/// the first or after the last application activity that the history holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HiddenScreenshots {
    all: bool,
    /// Seconds of UTC, both ends withheld, apart from one another, in order.
    utc: Vec<Interval>,
    /// The same on the local clock.
    local: Vec<Interval>,
}

impl HiddenScreenshots {
    /// What is known without reading a history; nothing where rules ask what it holds.
    pub fn without_history(privacy: &Privacy) -> Option<Self> {
        let all = privacy.redacts_any();
        let any_rule = privacy.hides_applications() || privacy.hides_sites();
        (all || !any_rule).then(|| Self { all, ..Self::default() })
    }

    /// Whether no picture may be shown, whenever it was taken: texts are redacted, something hidden was there at a time
    /// that cannot be read, or the history tells nothing of what was on the screen.
    pub fn hides_all(&self) -> bool {
        self.all
    }

    /// Whether a picture of that moment may not be shown: `local` wall time, and `utc` where it is known.
    ///
    /// The local clock counts also where UTC is known: around a clock change the offset that a picture's name tells can
    /// be the wrong one.
    pub fn hides(&self, local: NaiveDateTime, utc: Option<NaiveDateTime>) -> bool {
        let hold = |intervals: &[Interval], at: NaiveDateTime| {
            let at = at.and_utc().timestamp();
            let first = intervals.partition_point(|(_, to)| *to < at);
            intervals.get(first).is_some_and(|(from, _)| *from <= at)
        };
        self.all || hold(&self.local, local) || utc.is_some_and(|utc| hold(&self.utc, utc))
    }
}

/// What may not be seen on the screen, while it is gathered.
#[derive(Debug, Default)]
pub struct HiddenScreenshotsBuilder(HiddenScreenshots);

impl HiddenScreenshotsBuilder {
    /// Leaves out the pictures of an activity and those around it, by its start in UTC and local time, and its end. What
    /// cannot be read counts as the most that it could be.
    pub fn hide(&mut self, instants: [Option<i64>; 4]) {
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
            // Start and end can have different offsets, and where between them the clock changed is not told.
            let lasts = to - from;
            self.0.local.push(with_margin(Some(start), Some(start + lasts)));
            self.0.local.push(with_margin(Some(end - lasts), Some(end)));
        } else {
            // The clock can have been changed in between.
            let from = start_local.map(|local| local - HOUR).or_else(|| start_utc.map(|utc| utc - MAX_OFFSET_BEHIND));
            let to = end_local.map(|local| local + HOUR).or_else(|| end_utc.map(|utc| utc + MAX_OFFSET_AHEAD));
            self.0.local.push(with_margin(from, to));
        }
    }

    /// Hides the screenshots from before `first` and from after `last`: the start of the first and the end of the last
    /// application activity, each in UTC and local time. Without them, all screenshots are hidden.
    pub fn end_with_history(&mut self, bounds: Option<[(i64, i64); 2]>) {
        let Some([first, last]) = bounds else {
            self.0.all = true;
            return;
        };
        self.0.utc.extend([(i64::MIN, first.0 - 1), (last.0 + 1, i64::MAX)]);
        self.0.local.extend([(i64::MIN, first.1 - 1), (last.1 + 1, i64::MAX)]);
    }

    /// Returns the hidden periods.
    pub fn finish(mut self) -> HiddenScreenshots {
        merge_intervals(&mut self.0.utc);
        merge_intervals(&mut self.0.local);
        self.0
    }
}

/// The time from one second to another, in whichever order, with the margin; what is not known is without end.
fn with_margin(from: Option<i64>, to: Option<i64>) -> Interval {
    let (from, to) = match (from, to) {
        (Some(from), Some(to)) => (Some(from.min(to)), Some(from.max(to))),
        open => open,
    };
    (from.map_or(i64::MIN, |from| from - MARGIN), to.map_or(i64::MAX, |to| to + MARGIN))
}
