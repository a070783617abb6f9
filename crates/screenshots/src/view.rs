//! One request's view of a store: the current root, and which screenshots are hidden.

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::index::{Entry, Index, Listing, Root};
use super::names::{Kind, Stem};
use super::reference::{Reference, ReferenceFolder};
use super::screenshot::Screenshot;
use super::store::{Store, TimeBounds};
use dayledger_source::HiddenScreenshots;

pub(super) struct View<'i> {
    pub(super) index: &'i Index,
    pub(super) root: Root,
    pub(super) path: PathBuf,
    pub(super) hidden: Option<Arc<HiddenScreenshots>>,
}

impl View<'_> {
    /// Whether a screenshot with this name may be shown.
    fn shows(&self, stem: Stem) -> bool {
        self.hidden.as_ref().is_none_or(|hidden_times| {
            let offset = stem.details.and_then(|details| details.offset.to_fixed_offset());
            !hidden_times.hides(stem.taken_at, offset.and_then(|offset| stem.taken_at.checked_sub_offset(offset)))
        })
    }

    /// Returns the screenshots in a range of time. Reads only the overlapping day folders and all
    /// folders that aren't day folders.
    pub(super) fn screenshots_in(&self, window: &Range<NaiveDateTime>) -> io::Result<Vec<Screenshot>> {
        if window.is_empty() {
            return Ok(Vec::new());
        }
        let survey = self.index.survey(&self.root)?;
        // The end is exclusive: a window until midnight doesn't include the following day.
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

    /// Returns the latest before the window and the earliest after it. Reads only the nearest day
    /// folders.
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

    /// Returns the screenshot that `pick` selects from those in `window`. They come from the first
    /// of `days` that has any, and from folders that aren't day folders.
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

    /// Returns the screenshot of a reference. First checks the two files with the extension of the
    /// reference. Lists the folder only if one of them is missing, because it may have another
    /// extension.
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

    /// Returns the content of the folder without hidden screenshots.
    pub(super) fn store(&self) -> io::Result<Store> {
        if let Some(extent) = TimeBounds::read(self.index, &self.root, &|entry| self.shows(entry.stem))? {
            return Ok(Store::Available(extent));
        }
        // If all screenshots are hidden, the result must not look as if the tracker took none.
        let any = self.hidden.is_some() && TimeBounds::read(self.index, &self.root, &|_| true)?.is_some();
        Ok(if any { Store::Hidden } else { Store::Empty })
    }
}
