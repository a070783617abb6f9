//! The content of the screenshots folder, and the reason if a period has no screenshots.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDateTime;

use super::index::{Entry, Index, Listing, Root};

/// The content of the screenshots folder without hidden screenshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// The folder doesn't exist.
    Missing,
    /// The folder exists, but doesn't contain screenshots.
    Empty,
    /// All screenshots are hidden. If the settings hide every screenshot, the folder is not read and can be empty.
    Hidden,
    /// There are screenshots.
    Available(TimeBounds),
}

/// The reason if a period has no screenshots (docs/spec/time.md#diagnostics).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The folder contains no screenshots at all, so the tracker doesn't take any.
    CaptureDisabled,
    /// The period ends before the oldest screenshot that was kept.
    Retention,
    /// There are older and perhaps newer screenshots, but none in the period.
    NoneInRange,
    /// The folder doesn't exist.
    DirectoryMissing,
    /// The privacy settings hide all screenshots.
    Hidden,
    /// The folder cannot be read.
    Unknown,
}

/// The local times of the oldest and the newest screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBounds {
    /// The time of the oldest.
    pub first: NaiveDateTime,
    /// The time of the newest.
    pub last: NaiveDateTime,
}

impl TimeBounds {
    /// Reads day folders from both ends until a day has a screenshot for which `shown` returns
    /// true. Returns `None` without such a day.
    pub(super) fn read(index: &Index, root: &Root, shown: &impl Fn(&Entry) -> bool) -> io::Result<Option<Self>> {
        let mut survey = index.survey(root)?;
        survey.days.sort_unstable();
        let has_any = |listing: &Listing| listing.entries.iter().any(shown);
        let first_day = index.first_day(root, survey.days.iter(), has_any)?;
        let last_day = index.first_day(root, survey.days.iter().rev(), has_any)?;
        let days = first_day.iter().chain(&last_day).map(|(_, listing)| listing);
        let ends = |listing: &Arc<Listing>| {
            let mut times = listing.entries.iter().filter(|entry| shown(entry)).map(|entry| entry.stem.taken_at);
            [times.next(), times.next_back()]
        };
        let times = survey.loose.iter().map(|(_, listing)| listing).chain(days).flat_map(ends).flatten();
        let times: Vec<_> = times.collect();
        Ok(times.iter().min().zip(times.iter().max()).map(|(first, last)| Self { first: *first, last: *last }))
    }

    /// Returns the reason if `window` has no screenshots.
    pub(super) fn absence_in(&self, window: &Range<NaiveDateTime>) -> Absence {
        if window.end <= self.first { Absence::Retention } else { Absence::NoneInRange }
    }
}
