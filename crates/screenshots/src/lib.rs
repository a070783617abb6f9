//! Finds screenshots on disk, selects the screenshots that represent a period best, and reads and saves images.
//!
//! [`Screenshots`] lists the screenshots and reads their images, [`sample`] selects some of them, and [`Destinations`]
//! saves copies. The other modules parse file names, list folders, encode references and process pixels.
//!
//! Invariants: only regular files in the history's own screenshots folder are read, and no file is written there. A
//! reference is validated before it is used as a path. Screenshots that privacy settings hide are treated as if they
//! didn't exist.

pub mod codes;
mod error;
mod index;
mod names;
mod pictures;
mod reference;
mod sampling;
mod saving;
mod screenshot;
mod view;

use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::Dir;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

use dayledger_source::{FoundBy, HistorySource};
pub use error::Error;
use index::{Index, Root};
pub use names::Size;
pub use pictures::{
    Crop, Error as PictureError, Format, InvalidRegion, Picture, Pictures, PixelRect, Region, SizeLimit, Units,
};
pub use reference::{InvalidReference, Reference};
pub use sampling::{Sample, TimeInterval, nearest, sample};
pub use saving::{AllowedBy, AllowedDirectory, Destinations, IfPresent, SaveError, Saved, Target, folder_of_root};
pub use screenshot::Screenshot;
use view::View;
pub use view::{Absence, Store, TimeBounds};

/// The screenshots of a history. Cheap to clone. All methods block while they access the file system.
///
/// The folder is located again for every request, because it can appear, move or disappear while a server runs.
#[derive(Debug, Clone)]
pub struct Screenshots {
    source: Arc<dyn HistorySource>,
    folder: Option<ConfiguredFolder>,
    index: Arc<Index>,
    pictures: Pictures,
    is_hidden: bool,
}

/// A screenshots folder that the user configured. It can be serialised even if its path isn't valid Unicode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfiguredFolder {
    path: OsString,
    found_by: FoundBy,
}

impl ConfiguredFolder {
    /// Creates the setting for the folder at `path`. `found_by` is the kind of setting that contains the path.
    pub fn new(path: &Path, found_by: FoundBy) -> Self {
        Self { path: path.into(), found_by }
    }
}

impl Screenshots {
    /// Creates an instance for the history of `source`, with the source's privacy settings. If `folder` is `None`, the
    /// tracker's own folder is used.
    pub fn new(source: Arc<dyn HistorySource>, folder: Option<ConfiguredFolder>) -> Self {
        Self { source, folder, index: Arc::new(Index::new()), pictures: Pictures::default(), is_hidden: false }
    }

    /// Returns the redacted path of the configured folder, and the kind of setting that contains the path. Returns
    /// `None` if no folder is configured.
    pub fn describe_configured_folder(&self) -> Option<(String, FoundBy)> {
        let ConfiguredFolder { path, found_by } = self.folder.as_ref()?;
        Some((self.source.privacy().redact_path(Path::new(path)).display().to_string(), *found_by))
    }

    /// Returns the folders into which no file may be written: the tracker's folders and the screenshots folder.
    pub fn own_folders(&self) -> Vec<PathBuf> {
        self.source.folders().into_iter().chain(self.path().ok().flatten()).collect()
    }

    /// Returns the source of the history.
    pub fn source(&self) -> &dyn HistorySource {
        &*self.source
    }

    /// Returns the path of the screenshots folder, which doesn't have to exist. Returns `None` if the tracker takes no
    /// screenshots.
    fn path(&self) -> Result<Option<PathBuf>, Error> {
        Ok(match &self.folder {
            Some(folder) => Some((&folder.path).into()),
            None => self.source.screenshots_folder()?,
        })
    }

    /// Hides all screenshots.
    #[must_use]
    pub fn with_all_hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }

    /// Returns the screenshots that were taken in `window` (local, exclusive end). They are sorted by time, then
    /// sequence, then monitor, then name. The result is empty if the folder doesn't exist, if it contains no
    /// screenshots in `window`, or if all screenshots are hidden. [`Screenshots::absence_reason`] returns the reason.
    ///
    /// # Errors
    /// Fails if the folder exists but can't be read, or if the history can't be read.
    pub fn find_in(&self, window: &Range<NaiveDateTime>) -> Result<Vec<Screenshot>, Error> {
        self.look(|_| Vec::new(), |view| view.screenshots_in(window))
    }

    /// Returns the latest screenshot before `window` and the earliest screenshot after `window` (local).
    ///
    /// # Errors
    /// Fails like [`Screenshots::find_in`].
    pub fn find_neighbours(&self, window: &Range<NaiveDateTime>) -> Result<[Option<Screenshot>; 2], Error> {
        self.look(|_| [None, None], |view| view.neighbours(window))
    }

    /// For each interval, returns the screenshot inside the interval that is nearest to a given time. This time is
    /// passed as the duration since the interval's start. If two screenshots are equally near, returns the earlier one
    /// (docs/spec/time.md#screenshots). Reads only days that overlap an interval. If the intervals are sorted by time,
    /// reads each day once.
    ///
    /// # Errors
    /// Fails like [`Screenshots::find_in`].
    pub fn nearest_each(&self, intervals: &[(TimeInterval, TimeDelta)]) -> Result<Vec<Option<Screenshot>>, Error> {
        let windows: Vec<_> = intervals.iter().map(|(inside, to)| (inside.local_window(), inside, *to)).collect();
        let choose = |view: &View<'_>| {
            let mut chosen = Vec::with_capacity(intervals.len());
            for together in windows.chunk_by(|(one, ..), (next, ..)| one.end.date() >= next.start.date()) {
                let start = together.iter().map(|(window, ..)| window.start).min().unwrap_or_default();
                let end = together.iter().map(|(window, ..)| window.end).max().unwrap_or_default();
                let found = view.screenshots_in(&(start..end))?;
                chosen.extend(together.iter().map(|(_, inside, to)| nearest(&found, inside, *to).cloned()));
            }
            Ok::<_, io::Error>(chosen)
        };
        self.look(|_| vec![None; intervals.len()], choose)
    }

    /// Returns the screenshot of a reference, with the existing files of the screenshot. Checks the two expected files
    /// first. Lists their folder only if one of them is missing.
    ///
    /// # Errors
    /// Fails with `NotFound` if the screenshot doesn't exist or is hidden. Also fails if the folder or the history
    /// can't be read.
    pub fn find(&self, reference: &Reference) -> Result<Screenshot, Error> {
        self.look(|_| None, |view| view.find(reference))?.ok_or(Error::NotFound)
    }

    /// Returns the time range of all screenshots, or the reason why there are no screenshots. Reads only a few day
    /// folders, even if there are many.
    ///
    /// # Errors
    /// Fails if the folder exists but can't be read, or if the history can't be read.
    pub fn store(&self) -> Result<Store, Error> {
        self.look(|store| store, View::store)
    }

    /// Returns the reason why no screenshot was found in `window` (local).
    ///
    /// # Errors
    /// Fails if the history can't be read. If only the folder can't be read, returns [`Absence::Unknown`].
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

    /// Reads the full image. With `max_width`, scales the image down to a width of at most `max_width` pixels.
    ///
    /// # Errors
    /// Fails with `NoFullImage` if only the thumbnail still exists. Also fails if the file can't be read.
    pub fn full_image(&self, screenshot: &Screenshot, max_width: Option<u32>) -> Result<Picture, Error> {
        self.read_picture(&screenshot.image().ok_or(Error::NoFullImage)?, max_width)
    }

    /// Reads the thumbnail. With `max_width`, scales the image down to a width of at most `max_width` pixels.
    ///
    /// # Errors
    /// Fails with `NotFound` if the thumbnail doesn't exist. Also fails if the file can't be read.
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

    /// Crops the full image. The result is at most `max_width` pixels wide, and as large as the limits of `room` allow.
    ///
    /// # Errors
    /// Fails like [`Screenshots::full_image`].
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

    /// Crops the full image without scaling it.
    ///
    /// # Errors
    /// Fails like [`Screenshots::full_image`].
    pub fn crop(&self, screenshot: &Screenshot, region: &Region) -> Result<Picture, Error> {
        let path = screenshot.image().ok_or(Error::NoFullImage)?;
        Ok(self.pictures.crop(&self.folder()?, &path, region, None)?.picture)
    }

    /// Converts an image to `format`.
    ///
    /// # Errors
    /// Fails if the image can't be decoded.
    pub fn convert_to(&self, picture: &Picture, format: Format) -> Result<Picture, Error> {
        Ok(self.pictures.convert_to(picture, format)?)
    }

    /// Opens the folder to which the paths of a [`Screenshot`] are relative. Files outside of the folder can't be
    /// accessed through the returned handle.
    fn folder(&self) -> Result<Dir, Error> {
        let path = self.path()?.ok_or(Error::NotFound)?;
        let root = Root::open(&path).map_err(|error| self.unreadable(&path, &error))?;
        Ok(root.ok_or_else(|| Error::FolderMissing(self.source.privacy().redact_path(&path)))?.dir)
    }

    /// Determines once which screenshots are hidden, then runs `look` on the folder. If the folder is missing, or all
    /// screenshots are hidden, returns the result of `otherwise` instead.
    fn look<'s, T>(
        &'s self,
        otherwise: impl FnOnce(Store) -> T,
        look: impl FnOnce(&View<'s>) -> io::Result<T>,
    ) -> Result<T, Error> {
        let hidden = self.source.hidden_screenshots()?;
        if self.is_hidden || hidden.hides_all() {
            return Ok(otherwise(Store::Hidden));
        }
        let Some(path) = self.path()? else { return Ok(otherwise(Store::Missing)) };
        let unreadable = |error: io::Error| self.unreadable(&path, &error);
        let Some(root) = Root::open(&path).map_err(unreadable)? else { return Ok(otherwise(Store::Missing)) };
        look(&View { index: &self.index, root, hidden }).map_err(unreadable)
    }

    fn unreadable(&self, path: &Path, error: &io::Error) -> Error {
        tracing::debug!(path = %path.display(), %error, "screenshots cannot be read");
        Error::Unreadable { path: self.source.privacy().redact_path(path), kind: error.kind() }
    }
}

#[cfg(test)]
mod tests;
