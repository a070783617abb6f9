//! Finds screenshots on disk, selects those that represent a period best, and reads and saves their pixels.
//!
//! [`Screenshots`] lists the screenshots and reads their images, [`sample`] selects some of them, and [`Destinations`]
//! saves copies. The other files read file names, index folders, manage references and process pixels.
//!
//! Invariants: only regular files in the history's own folder are read, and nothing is written there. A reference is
//! validated before it is used as a path. Screenshots that privacy settings hide don't exist here.

pub mod codes;
mod error;
mod index;
mod names;
mod pictures;
mod reference;
mod sampling;
mod saving;
mod screenshot;
mod size;
mod store;
mod view;

use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::Dir;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

use crate::source::{FoundBy, HistorySource};
pub use error::Error;
use index::{Index, Root};
pub use pictures::{
    Crop, Error as PictureError, Format, InvalidRegion, Picture, Pictures, PixelRect, Region, SizeLimit, Units,
};
pub use reference::{InvalidReference, Reference};
pub use sampling::{Sample, TimeInterval, nearest, sample};
pub use saving::{AllowedBy, AllowedDirectory, Destinations, IfPresent, SaveError, Saved, Target, folder_of_root};
pub use screenshot::Screenshot;
pub use size::Size;
pub use store::{Absence, Store, TimeBounds};
use view::View;

/// The screenshots of a history. Cheap to clone; all methods block on the file system.
///
/// The folder is looked for anew at every question: it can appear, move and go while a server runs.
#[derive(Debug, Clone)]
pub struct Screenshots {
    source: Arc<dyn HistorySource>,
    folder: Option<ConfiguredFolder>,
    index: Arc<Index>,
    pictures: Pictures,
    is_hidden: bool,
}

/// A folder of screenshots that the user named. It can be serialised whatever its name is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredFolder {
    path: OsString,
    found_by: FoundBy,
}

impl ConfiguredFolder {
    /// The folder at `path`, which was named by `found_by`.
    pub fn new(path: &Path, found_by: FoundBy) -> Self {
        Self { path: path.into(), found_by }
    }
}

impl Screenshots {
    /// Returns the screenshots of the history of `source`, under its privacy settings. They are in `folder`, or in the
    /// folder in which the tracker saves them.
    pub fn new(source: Arc<dyn HistorySource>, folder: Option<ConfiguredFolder>) -> Self {
        Self { source, folder, index: Arc::new(Index::new()), pictures: Pictures::default(), is_hidden: false }
    }

    /// The configured folder, if there is one.
    pub fn configured_folder(&self) -> Option<&ConfiguredFolder> {
        self.folder.as_ref()
    }

    /// Returns the configured folder as it may be shown, and what named it. `None` if none is configured.
    pub fn describe_configured_folder(&self) -> Option<(String, FoundBy)> {
        let ConfiguredFolder { path, found_by } = self.folder.as_ref()?;
        Some((self.source.privacy().redact_path(Path::new(path)).display().to_string(), *found_by))
    }

    /// Returns the folders in which nothing is ever written: those of the tracker, and that of the screenshots.
    pub fn own_folders(&self) -> Vec<PathBuf> {
        self.source.folders().into_iter().chain(self.path().ok().flatten()).collect()
    }

    /// The history's source.
    pub fn source(&self) -> &dyn HistorySource {
        &*self.source
    }

    /// Returns where the screenshots are, whether or not that folder exists. `None` if the tracker takes none.
    fn path(&self) -> Result<Option<PathBuf>, Error> {
        Ok(match &self.folder {
            Some(folder) => Some((&folder.path).into()),
            None => self.source.screenshots_folder()?,
        })
    }

    /// The same, all of them withheld from whoever asks.
    #[must_use]
    pub fn with_all_hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }

    /// Returns the screenshots taken in `window` (local, start inclusive, end exclusive), in order of time, then
    /// sequence, then monitor, then name. There are none without a folder or if all are withheld:
    /// [`Screenshots::absence_reason`] says which.
    ///
    /// # Errors
    /// When a folder is there and cannot be read, or the history cannot.
    pub fn find_in(&self, window: &Range<NaiveDateTime>) -> Result<Vec<Screenshot>, Error> {
        match self.begin_lookup()? {
            Lookup::Open(view) => view.screenshots_in(window).map_err(|error| self.unreadable(&view.path, &error)),
            Lookup::Missing | Lookup::Hidden => Ok(Vec::new()),
        }
    }

    /// Returns the latest screenshot before `window` (local) and the earliest after it.
    ///
    /// # Errors
    /// Those of [`Screenshots::find_in`].
    pub fn find_neighbours(&self, window: &Range<NaiveDateTime>) -> Result<[Option<Screenshot>; 2], Error> {
        match self.begin_lookup()? {
            Lookup::Open(view) => view.neighbours(window).map_err(|error| self.unreadable(&view.path, &error)),
            Lookup::Missing | Lookup::Hidden => Ok([None, None]),
        }
    }

    /// Returns for each stretch of time the screenshot nearest to a moment since its start, among those inside it; a
    /// tie goes to the earlier (docs/spec/time.md#screenshots). Reads only days that a stretch touches, each once where
    /// the stretches are in order of time.
    ///
    /// # Errors
    /// Those of [`Screenshots::find_in`].
    pub fn nearest_each(&self, intervals: &[(TimeInterval, TimeDelta)]) -> Result<Vec<Option<Screenshot>>, Error> {
        let Lookup::Open(view) = self.begin_lookup()? else { return Ok(vec![None; intervals.len()]) };
        let windows: Vec<_> = intervals.iter().map(|(inside, to)| (inside.local_window(), inside, *to)).collect();
        let mut chosen = Vec::with_capacity(intervals.len());
        for together in windows.chunk_by(|(one, ..), (next, ..)| one.end.date() >= next.start.date()) {
            let start = together.iter().map(|(window, ..)| window.start).min().unwrap_or_default();
            let end = together.iter().map(|(window, ..)| window.end).max().unwrap_or_default();
            let found = view.screenshots_in(&(start..end)).map_err(|error| self.unreadable(&view.path, &error))?;
            chosen.extend(together.iter().map(|(_, inside, to)| nearest(&found, inside, *to).cloned()));
        }
        Ok(chosen)
    }

    /// Returns the screenshot that the reference stands for, with what is there of image and thumbnail now. Looks at
    /// those two files, and where one is missing at their folder.
    ///
    /// # Errors
    /// `NotFound`, also for one that may not be shown; what keeps the folder or the history from being read.
    pub fn find(&self, reference: &Reference) -> Result<Screenshot, Error> {
        let Lookup::Open(view) = self.begin_lookup()? else { return Err(Error::NotFound) };
        let found = view.find(reference).map_err(|error| self.unreadable(&view.path, &error))?;
        found.ok_or(Error::NotFound)
    }

    /// Returns what there is at all. Reads few day folders, however many there are.
    ///
    /// # Errors
    /// When a folder is there and cannot be read, or the history cannot.
    pub fn store(&self) -> Result<Store, Error> {
        match self.begin_lookup()? {
            Lookup::Open(view) => view.store().map_err(|error| self.unreadable(&view.path, &error)),
            Lookup::Missing => Ok(Store::Missing),
            Lookup::Hidden => Ok(Store::Hidden),
        }
    }

    /// Returns why `window` (local), in which none was found, has none.
    ///
    /// # Errors
    /// When the history cannot be read; a folder that cannot is [`Absence::Unknown`].
    pub fn absence_reason(&self, window: &Range<NaiveDateTime>) -> Result<Absence, Error> {
        Ok(match self.store() {
            Ok(Store::Available(extent)) => extent.absence_in(window),
            Ok(Store::Hidden) => Absence::Hidden,
            Ok(Store::Empty) => Absence::CaptureDisabled,
            Ok(Store::Missing) => Absence::DirectoryMissing,
            Err(Error::Unreadable { .. }) => Absence::Unknown,
            Err(error) => return Err(error),
        })
    }

    /// Reads the full image, made at most `max_width` pixels wide where that is given.
    ///
    /// # Errors
    /// `NoFullImage` where only the thumbnail is left; what keeps the file from being read.
    pub fn full_image(&self, screenshot: &Screenshot, max_width: Option<u32>) -> Result<Picture, Error> {
        self.read_picture(&screenshot.image().ok_or(Error::NoFullImage)?, max_width)
    }

    /// Reads the thumbnail in the same way.
    ///
    /// # Errors
    /// `NotFound` where there is none; what keeps the file from being read.
    pub fn thumbnail(&self, screenshot: &Screenshot, max_width: Option<u32>) -> Result<Picture, Error> {
        self.read_picture(&screenshot.thumbnail().ok_or(Error::NotFound)?, max_width)
    }

    fn read_picture(&self, path: &Path, max_width: Option<u32>) -> Result<Picture, Error> {
        let folder = self.folder()?;
        Ok(match max_width {
            Some(width) => self.pictures.scale(&folder, path, width)?,
            None => self.pictures.original(&folder, path)?,
        })
    }

    /// Cuts a part out of the full image, as large as `room` allows and at most `max_width` pixels wide.
    ///
    /// # Errors
    /// Those of [`Screenshots::full_image`].
    pub fn crop_to_fit(
        &self,
        screenshot: &Screenshot,
        region: &Region,
        max_width: Option<u32>,
        room: SizeLimit,
    ) -> Result<Crop, Error> {
        let path = screenshot.image().ok_or(Error::NoFullImage)?;
        Ok(self.pictures.crop_to_fit(&self.folder()?, &path, region, max_width, room)?)
    }

    /// Cuts a part out of the full image, in its own resolution.
    ///
    /// # Errors
    /// Those of [`Screenshots::full_image`].
    pub fn crop(&self, screenshot: &Screenshot, region: &Region) -> Result<Picture, Error> {
        let path = screenshot.image().ok_or(Error::NoFullImage)?;
        Ok(self.pictures.crop(&self.folder()?, &path, region, None)?.picture)
    }

    /// The same picture as a file of `format`.
    ///
    /// # Errors
    /// Where it cannot be decoded.
    pub fn convert_to(&self, picture: &Picture, format: Format) -> Result<Picture, Error> {
        Ok(self.pictures.convert_to(picture, format)?)
    }

    /// Opens the folder that the paths of a [`Screenshot`] are relative to; nothing outside of it can be reached by it.
    fn folder(&self) -> Result<Dir, Error> {
        let path = self.path()?.ok_or(Error::NotFound)?;
        let root = Root::open(&path).map_err(|error| self.unreadable(&path, &error))?;
        Ok(root.ok_or_else(|| Error::FolderMissing { path: self.source.privacy().redact_path(&path) })?.dir)
    }

    /// Begins a question: asks once what is withheld and where the folder is.
    fn begin_lookup(&self) -> Result<Lookup<'_>, Error> {
        // Without switches the history need not even be there.
        let privacy = self.source.privacy();
        let hidden = if privacy.is_empty() { None } else { Some(self.source.hidden_screenshots()?) };
        if self.is_hidden || hidden.as_ref().is_some_and(|withheld| withheld.hides_all()) {
            return Ok(Lookup::Hidden);
        }
        let Some(path) = self.path()? else { return Ok(Lookup::Missing) };
        let root = Root::open(&path).map_err(|error| self.unreadable(&path, &error))?;
        Ok(root.map_or(Lookup::Missing, |root| Lookup::Open(View { index: &self.index, root, path, hidden })))
    }

    fn unreadable(&self, path: &Path, error: &io::Error) -> Error {
        tracing::debug!(path = %path.display(), %error, "screenshots cannot be read");
        Error::Unreadable { path: self.source.privacy().redact_path(path), kind: error.kind() }
    }
}

/// What a question finds before it reads a listing.
enum Lookup<'i> {
    Open(View<'i>),
    Missing,
    Hidden,
}

#[cfg(test)]
mod tests;
