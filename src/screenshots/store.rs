//! What a store holds at all, and why a stretch of time has nothing to show.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDateTime;

use super::index::{Entry, Index, Listing, Root};

/// What the screenshots folder holds, as far as it may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// There is no such folder.
    Missing,
    /// The folder is there, without a single screenshot.
    Empty,
    /// There may be some, of which none may be shown.
    Hidden,
    /// There are screenshots.
    Available(TimeBounds),
}

/// Why a stretch of time has no screenshots (docs/spec/time.md#diagnostics).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The folder holds no screenshot at all: `ManicTime` takes none.
    CaptureDisabled,
    /// The stretch ends before the oldest that is kept.
    Retention,
    /// There are older and perhaps newer ones, none within.
    NoneInRange,
    /// There is no folder.
    DirectoryMissing,
    /// Privacy switches withhold every screenshot.
    Hidden,
    /// The folder cannot be read.
    Unknown,
}

/// The times of the oldest and the newest screenshot, local.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBounds {
    /// The oldest.
    pub first: NaiveDateTime,
    /// The newest.
    pub last: NaiveDateTime,
}

impl TimeBounds {
    /// Reads day folders from both ends, until a day shows something; `None` where none does.
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

    /// Why there is none in `window`, which shows none.
    pub(super) fn absence_in(&self, window: &Range<NaiveDateTime>) -> Absence {
        if window.end <= self.first { Absence::Retention } else { Absence::NoneInRange }
    }
}
