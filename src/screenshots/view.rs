//! One question's look at a store: the root as it is now, and what of it may be shown.

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
use crate::source::HiddenScreenshots;

pub(super) struct View<'i> {
    pub(super) index: &'i Index,
    pub(super) root: Root,
    pub(super) path: PathBuf,
    pub(super) hidden: Option<Arc<HiddenScreenshots>>,
}

impl View<'_> {
    /// Whether a picture with that name may be shown.
    fn shows(&self, stem: Stem) -> bool {
        self.hidden.as_ref().is_none_or(|withheld| {
            let offset = stem.details.and_then(|details| details.offset.to_fixed_offset());
            !withheld.hides(stem.taken_at, offset.and_then(|offset| stem.taken_at.checked_sub_offset(offset)))
        })
    }

    /// Reads the days that the window touches, and whatever lies outside of day folders.
    pub(super) fn screenshots_in(&self, window: &Range<NaiveDateTime>) -> io::Result<Vec<Screenshot>> {
        if window.is_empty() {
            return Ok(Vec::new());
        }
        let survey = self.index.survey(&self.root)?;
        // The end is exclusive: a window until midnight does not touch the day that begins there.
        let last = window.end.checked_sub_signed(TimeDelta::nanoseconds(1)).unwrap_or(window.end).date();
        let days = window.start.date()..=last;
        let mut folders = survey.loose;
        for (_, folder) in survey.days.into_iter().filter(|(day, _)| days.contains(day)) {
            let listing = self.index.listing(&self.root, &folder)?;
            folders.push((folder, listing));
        }
        Ok(self.collect_screenshots(window, &folders))
    }

    /// The screenshots of `folders` in order of time, then sequence, then monitor, then name.
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

    /// The latest before the window and the earliest after it. Reads the nearest day folders alone.
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

    /// The one that `pick` takes of what was taken in `window`, in order: from the first of `days` that has any, or outside
    /// of day folders.
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

    /// Looks for both files under the name that the reference carries, and reads their folder only where one of them
    /// is not there: it may be written with another extension.
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

    /// What the folder holds, as far as it may be shown.
    pub(super) fn store(&self) -> io::Result<Store> {
        if let Some(extent) = TimeBounds::read(self.index, &self.root, &|entry| self.shows(entry.stem))? {
            return Ok(Store::Available(extent));
        }
        // What is withheld must not pass for a history that takes no screenshots.
        let any = self.hidden.is_some() && TimeBounds::read(self.index, &self.root, &|_| true)?.is_some();
        Ok(if any { Store::Hidden } else { Store::Empty })
    }
}
