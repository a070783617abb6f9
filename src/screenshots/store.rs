//! What a store holds at all, and why a stretch of time has nothing to show.

use std::io;
use std::ops::Range;

use chrono::{NaiveDate, NaiveDateTime};

use super::index::{Entry, Index, Root};

/// What the screenshots folder holds, as far as it may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// There is no such folder.
    Missing,
    /// The folder is there, without a single screenshot.
    Empty,
    /// No screenshot may be shown, so nobody looked.
    Withheld,
    /// There are screenshots.
    Holds {
        /// The local day of the oldest.
        first_day: NaiveDate,
        /// The local day of the newest.
        last_day: NaiveDate,
        /// Whether there are folders per day; without them every question reads all names.
        day_folders: bool,
    },
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
pub(super) struct Extent {
    pub(super) first: NaiveDateTime,
    pub(super) last: NaiveDateTime,
    pub(super) day_folders: bool,
}

impl Extent {
    /// Reads day folders from both ends until one shows something; `None` where none does.
    pub(super) fn of(index: &Index, root: &Root, shown: &impl Fn(&Entry) -> bool) -> io::Result<Option<Self>> {
        let mut survey = index.survey(root)?;
        survey.days.sort_unstable();
        let day_folders = !survey.days.is_empty();
        let mut extent = None;
        for (_, listing) in &survey.loose {
            widen(&mut extent, &listing.entries, shown, day_folders);
        }
        let forwards = survey.days.iter();
        let backwards = survey.days.iter().rev();
        for ends in [&mut forwards.into_iter() as &mut dyn Iterator<Item = _>, &mut backwards.into_iter()] {
            for (_, folder) in ends {
                if widen(&mut extent, &index.listing(root, folder)?.entries, shown, day_folders) {
                    break;
                }
            }
        }
        Ok(extent)
    }

    /// Why there is none in `window`, which shows none.
    pub(super) fn absence_in(&self, window: &Range<NaiveDateTime>) -> Absence {
        if window.end <= self.first { Absence::Retention } else { Absence::NoneInRange }
    }
}

/// Takes what is shown of a listing into the extent, and tells whether there was any.
fn widen(extent: &mut Option<Extent>, entries: &[Entry], shown: &impl Fn(&Entry) -> bool, day_folders: bool) -> bool {
    let Some(first) = entries.iter().find(|entry| shown(entry)) else { return false };
    let last = entries.iter().rev().find(|entry| shown(entry)).unwrap_or(first);
    let (first, last) = (first.stem.taken, last.stem.taken);
    *extent = Some(match *extent {
        Some(Extent { first: earlier, last: later, .. }) => {
            Extent { first: earlier.min(first), last: later.max(last), day_folders }
        }
        None => Extent { first, last, day_folders },
    });
    true
}

impl From<Option<Extent>> for Store {
    fn from(extent: Option<Extent>) -> Self {
        extent.map_or(Self::Empty, |Extent { first, last, day_folders }| Self::Holds {
            first_day: first.date(),
            last_day: last.date(),
            day_folders,
        })
    }
}
