//! One request's view of the screenshots folder. It contains the current root and the hidden screenshots. It also finds
//! the reason why a period lacks screenshots.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::index::{Entry, Index, Listing, Root};
use super::names::{Kind, Stem};
use super::reference::{Reference, ReferenceFolder};
use super::screenshot::Screenshot;
use dayledger_source::HiddenScreenshots;

pub(super) struct View<'i> {
    pub(super) index: &'i Index,
    pub(super) root: Root,
    pub(super) hidden: Arc<HiddenScreenshots>,
}

impl View<'_> {
    /// Whether privacy settings allow a screenshot with this name to be shown.
    fn shows(&self, stem: Stem) -> bool {
        let offset = stem.details.and_then(|details| details.offset.to_fixed_offset());
        !self.hidden.hides(stem.taken_at, offset.and_then(|offset| stem.taken_at.checked_sub_offset(offset)))
    }

    /// Returns the screenshots in a range of time. Reads only the day folders that overlap the range, and all folders
    /// that aren't day folders.
    pub(super) fn screenshots_in(&self, window: &Range<NaiveDateTime>) -> io::Result<Vec<Screenshot>> {
        if window.is_empty() {
            return Ok(Vec::new());
        }
        let survey = self.index.survey(&self.root)?;
        // The end is exclusive, so a window until midnight doesn't include the following day.
        let last = window.end.checked_sub_signed(TimeDelta::nanoseconds(1)).unwrap_or(window.end).date();
        let days = window.start.date()..=last;
        let mut folders = survey.loose;
        for (_, folder) in survey.days.into_iter().filter(|(day, _)| days.contains(day)) {
            let listing = self.index.listing(&self.root, &folder)?;
            folders.push((folder, listing));
        }
        Ok(self.collect_screenshots(window, &folders))
    }

    /// Returns the screenshots of `folders` sorted by time, then sequence, then monitor, then name.
    fn collect_screenshots(
        &self,
        window: &Range<NaiveDateTime>,
        folders: &[(String, Arc<Listing>)],
    ) -> Vec<Screenshot> {
        let mut entries = Vec::new();
        for (folder, listing) in folders {
            let place = Arc::new(ReferenceFolder::new(folder));
            let inside = listing.entries_in(window).iter().filter(|entry| self.shows(entry.stem));
            entries.extend(inside.map(|entry| (*entry, folder.as_str(), Arc::clone(&place))));
        }
        entries.sort_by(|(one, folder, _), (other, of_other, _)| (one, folder).cmp(&(other, of_other)));
        entries.iter().filter_map(|(entry, _, place)| Screenshot::new(place, entry)).collect()
    }

    /// Returns the latest screenshot before the window and the earliest screenshot after it. Reads only the nearest day
    /// folders, and all folders that aren't day folders.
    pub(super) fn neighbours(&self, window: &Range<NaiveDateTime>) -> io::Result<[Option<Screenshot>; 2]> {
        let mut survey = self.index.survey(&self.root)?;
        survey.days.sort_unstable();
        let before = survey.days.iter().rev().filter(|(day, _)| *day <= window.start.date());
        let after = survey.days.iter().filter(|(day, _)| *day >= window.end.date());
        Ok([
            self.nearest(&(NaiveDateTime::MIN..window.start), before, &survey.loose, Vec::pop)?,
            self.nearest(&(window.end..NaiveDateTime::MAX), after, &survey.loose, |entries| {
                (!entries.is_empty()).then(|| entries.swap_remove(0))
            })?,
        ])
    }

    /// Returns the screenshot that `pick` selects from the screenshots in `window`. Considers all folders that aren't
    /// day folders, and the first day of `days` with a visible screenshot in `window`.
    fn nearest<'d>(
        &self,
        window: &Range<NaiveDateTime>,
        days: impl Iterator<Item = &'d (NaiveDate, String)>,
        loose: &[(String, Arc<Listing>)],
        pick: impl Fn(&mut Vec<Screenshot>) -> Option<Screenshot>,
    ) -> io::Result<Option<Screenshot>> {
        let shows = |listing: &Listing| listing.entries_in(window).iter().any(|entry| self.shows(entry.stem));
        let day = self.index.first_day(&self.root, days, shows)?;
        let mut folders = loose.to_vec();
        folders.extend(day.into_iter().map(|(folder, listing)| (folder.to_owned(), listing)));
        Ok(pick(&mut self.collect_screenshots(window, &folders)))
    }

    /// Returns the screenshot of a reference. First checks the two files with the reference's extension. Lists the
    /// folder only if one of them is missing, because that file may have another extension.
    pub(super) fn find(&self, reference: &Reference) -> io::Result<Option<Screenshot>> {
        let (stem, extension) = (reference.stem(), reference.extension());
        if !self.shows(stem) {
            return Ok(None);
        }
        let folder = reference.folder();
        let place = ReferenceFolder::new(&folder);
        let has = |kind| self.root.has_file(&reference.path(kind, extension));
        if has(Kind::Image)? && has(Kind::Thumbnail)? {
            let entry = Entry { stem, image: Some(extension), thumbnail: Some(extension) };
            return Ok(Screenshot::new(&place, &entry));
        }
        let listing = self.index.listing(&self.root, &folder)?;
        Ok(listing.find(stem, extension).and_then(|entry| Screenshot::new(&place, entry)))
    }

    /// Returns the time range of the screenshots that aren't hidden. If there are no such screenshots, returns the
    /// reason.
    pub(super) fn store(&self) -> io::Result<Store> {
        if let Some(extent) = TimeBounds::read(self.index, &self.root, &|entry| self.shows(entry.stem))? {
            return Ok(Store::Available(extent));
        }
        // If all screenshots are hidden, the response must not look as if the tracker took no screenshots.
        let any = TimeBounds::read(self.index, &self.root, &|_| true)?.is_some();
        Ok(if any { Store::Hidden } else { Store::Empty })
    }
}

/// Whether the screenshots folder has screenshots that aren't hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// The folder doesn't exist.
    Missing,
    /// The folder exists, but doesn't contain screenshots.
    Empty,
    /// All screenshots are hidden. If the settings hide every screenshot, the folder isn't read and may be empty.
    Hidden,
    /// There are screenshots that aren't hidden.
    Available(TimeBounds),
}

/// The reason why a period lacks screenshots (docs/spec/time.md#diagnostics).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The folder contains no screenshots, so the tracker doesn't take any.
    CaptureDisabled,
    /// The period ends before the oldest screenshot that still exists.
    Retention,
    /// There are older screenshots and perhaps newer ones, but none in the period.
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
    /// The time of the oldest screenshot.
    pub first: NaiveDateTime,
    /// The time of the newest screenshot.
    pub last: NaiveDateTime,
}

impl TimeBounds {
    /// Returns the times of the oldest and the newest screenshot for which `shown` returns `true`, or `None` if such
    /// screenshots don't exist. Reads the day folders from the oldest one and from the newest one, until such a
    /// screenshot is found.
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

    /// Returns the reason why `window` lacks screenshots.
    pub(super) fn absence_in(&self, window: &Range<NaiveDateTime>) -> Absence {
        if window.end <= self.first { Absence::Retention } else { Absence::NoneInRange }
    }
}
