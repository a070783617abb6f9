//! What a store holds at all, and why a stretch of time has nothing to show.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime};

use super::index::{Entry, Index, Listing, Root};

/// What the screenshots folder holds, as far as it may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// There is no such folder.
    Missing,
    /// The folder is there, without a single screenshot.
    Empty,
    /// There may be some, of which none may be shown.
    Withheld,
    /// There are screenshots.
    Holds(Extent),
}

/// Why a stretch of time has no screenshots (semantics, section 7).
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
    Withheld,
    /// The folder cannot be read.
    Unknown,
}

/// The times of the oldest and the newest screenshot, local.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The oldest.
    pub first: NaiveDateTime,
    /// The newest.
    pub last: NaiveDateTime,
}

impl Extent {
    /// Reads day folders from both ends, until a day shows something; `None` where none does.
    pub(super) fn of(index: &Index, root: &Root, shown: &impl Fn(&Entry) -> bool) -> io::Result<Option<Self>> {
        let mut survey = index.survey(root)?;
        survey.days.sort_unstable();
        let mut extent = Self::NOTHING;
        for (_, listing) in &survey.loose {
            extent.widen(&listing.entries, shown);
        }
        let read = |folder: &str| index.listing(root, folder);
        extent.widen_by_first(survey.days.iter(), read, shown)?;
        extent.widen_by_first(survey.days.iter().rev(), read, shown)?;
        Ok((extent.first <= extent.last).then_some(extent))
    }

    /// What nothing has widened yet.
    const NOTHING: Self = Self { first: NaiveDateTime::MAX, last: NaiveDateTime::MIN };

    /// Takes in the first of the days that shows something, with every folder of that day.
    fn widen_by_first<'d>(
        &mut self,
        days: impl Iterator<Item = &'d (NaiveDate, String)>,
        read: impl Fn(&str) -> io::Result<Arc<Listing>>,
        shown: &impl Fn(&Entry) -> bool,
    ) -> io::Result<()> {
        let mut first = None;
        for (day, folder) in days {
            if first.is_some_and(|first| first != day) {
                break;
            }
            if self.widen(&read(folder)?.entries, shown) {
                first = Some(day);
            }
        }
        Ok(())
    }

    /// Takes in what is shown, and tells whether there was any.
    fn widen(&mut self, entries: &[Entry], shown: &impl Fn(&Entry) -> bool) -> bool {
        let Some(first) = entries.iter().find(|entry| shown(entry)) else { return false };
        let last = entries.iter().rev().find(|entry| shown(entry)).unwrap_or(first);
        self.first = self.first.min(first.stem.taken);
        self.last = self.last.max(last.stem.taken);
        true
    }

    /// Why there is none in `window`, which shows none.
    pub(super) fn absence_in(&self, window: &Range<NaiveDateTime>) -> Absence {
        if window.end <= self.first { Absence::Retention } else { Absence::NoneInRange }
    }
}
