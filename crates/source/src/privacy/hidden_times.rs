//! Collects the activities and periods in which a hidden application or site was used.
//!
//! A hidden application or site affects other rows of its device, and screenshots of all devices. So before a source
//! redacts any row, it finds all hidden rows with [`Privacy::is_hidden_group`] and [`Privacy::leads_to_hidden_site`].
//! It does this once for each state of its files.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Privacy;
use super::hidden_screenshots::{HiddenScreenshots, HiddenScreenshotsBuilder};
use crate::Role;

/// A period: its start and end in seconds.
pub(super) type Interval = (i64, i64);

/// Returns the interval of a row. If the row has no duration, the interval lasts one second.
pub(super) fn to_interval(start: Option<i64>, end: Option<i64>) -> Option<Interval> {
    start.zip(end).map(|(start, end)| (start, end.max(start + 1)))
}

/// Sorts intervals, and merges intervals that touch or overlap.
pub(super) fn merge_intervals(intervals: &mut Vec<Interval>) {
    intervals.sort_unstable();
    intervals.dedup_by(|next, before| {
        let touches = next.0 <= before.1;
        if touches {
            before.1 = before.1.max(next.1);
        }
        touches
    });
}

/// The activities and periods in which a hidden application or site was used, at one state of the files.
#[derive(Debug, Default)]
pub struct HiddenTimes {
    /// The hidden applications, by device. `sites` contains the hidden sites, also by device.
    pub(super) applications: HashMap<String, HiddenMarks>,
    pub(super) sites: HashMap<String, HiddenMarks>,
    screenshots: Arc<HiddenScreenshots>,
}

impl HiddenTimes {
    /// Returns the periods in which screenshots must not be shown.
    pub fn screenshots(&self) -> Arc<HiddenScreenshots> {
        Arc::clone(&self.screenshots)
    }
}

/// The hidden application activities, the application activities to which a hidden activity is linked, and the hidden
/// periods.
#[derive(Debug, Default)]
pub(super) struct HiddenMarks {
    pub(super) activities: HashSet<i64>,
    /// The hidden periods in UTC, sorted and without overlaps.
    intervals: Vec<Interval>,
    /// Whether there is a hidden row whose time can't be read. Such a row could have been at any time.
    any_time: bool,
}

impl HiddenMarks {
    fn add(&mut self, activity: Option<i64>, interval: Option<Interval>) {
        self.activities.extend(activity);
        match interval {
            Some(interval) => self.intervals.push(interval),
            None => self.any_time = true,
        }
    }

    /// Whether an interval overlaps a hidden period. If `interval` is `None` because it can't be read, returns true if
    /// there is any hidden period.
    pub(super) fn overlaps(&self, interval: Option<Interval>) -> bool {
        let Some((start, end)) = interval else { return self.any_time || !self.intervals.is_empty() };
        let first = self.intervals.partition_point(|(_, ended)| *ended <= start);
        self.any_time || self.intervals.get(first).is_some_and(|(began, _)| *began < end)
    }
}

/// Collects the hidden activities of a history.
#[derive(Debug)]
pub struct HiddenTimesBuilder {
    times: HiddenTimes,
    screenshots: HiddenScreenshotsBuilder,
    hides_sites: bool,
}

impl HiddenTimesBuilder {
    /// Creates a builder without hidden activities.
    pub fn new(privacy: &Privacy) -> Self {
        let (times, screenshots) = (HiddenTimes::default(), HiddenScreenshotsBuilder::default());
        Self { times, screenshots, hides_sites: privacy.hides_sites() }
    }

    /// Adds a hidden activity. `role` is the role of its timeline. For an application activity, `application` is its
    /// own id. For any other activity, `application` is the id of the application activity to which it is linked, if
    /// there is one. `instants` are, in seconds: the UTC start, the local start, the UTC end and the local end. A time
    /// that can't be read is `None`.
    pub fn add(&mut self, role: Role, device: &str, application: Option<i64>, instants: [Option<i64>; 4]) {
        self.screenshots.hide(instants);
        let marks = match role {
            Role::Applications => &mut self.times.applications,
            _ if self.hides_sites => &mut self.times.sites,
            _ => return,
        };
        let [start_utc, _, end_utc, _] = instants;
        marks.entry(device.to_owned()).or_default().add(application, to_interval(start_utc, end_utc));
    }

    /// Returns the collected times. `bounds` are the start of the history's first application activity and the end of
    /// the last application activity, each in UTC and local time. `bounds` is `None` if there are no application
    /// activities. Screenshots from before or after this period are hidden.
    pub fn finish(mut self, bounds: Option<[(i64, i64); 2]>) -> HiddenTimes {
        for marks in self.times.applications.values_mut().chain(self.times.sites.values_mut()) {
            merge_intervals(&mut marks.intervals);
        }
        self.screenshots.end_with_history(bounds);
        HiddenTimes { screenshots: Arc::new(self.screenshots.finish()), ..self.times }
    }
}
