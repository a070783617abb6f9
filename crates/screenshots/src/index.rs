//! Lists the files in the screenshots folder, and caches the listing of each subfolder until it
//! changes.
//!
//! A request always lists the root and all folders except day folders (`2026-02-27`). A day folder
//! is listed only if the request needs that day. The store of a server has up to two levels above
//! the day folders, for user and device. A store without day folders is listed completely. Each
//! image is paired with its thumbnail.
//!
//! A cached listing is valid until the folder's modification time changes. A folder that was
//! changed just before it was read may change again within the same tick of the file system's
//! clock. So its listing isn't cached. The cache contains the parsed fields of file names instead
//! of the names, and takes about 60 bytes for each screenshot.
//!
//! Invariants: files outside of the root are never read, even through symbolic links. Only regular
//! files count as screenshots. A folder that disappears while it is read counts as empty.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirEntry};
use chrono::{NaiveDate, NaiveDateTime};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::names::{Extension, Kind, MAX_FOLDER_DEPTH, Name, Stem, parse_day};

/// The longest tick of the clock for modification times in a common file system (FAT).
const CLOCK_TICK: Duration = Duration::from_secs(2);
/// The maximum size of all cached listings, in bytes. The listings of more than a year of day
/// folders fit into the cache.
const CACHE_BYTES: u64 = 32 << 20;
/// The expected number of folders. With a number this small, the cache isn't split into shards. A
/// huge folder wouldn't fit into one of several shards.
const EXPECTED_FOLDERS: usize = 32;

/// The opened root folder of a store.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) dir: Dir,
    path: PathBuf,
}

/// The image and the thumbnail of one screenshot in one folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) stem: Stem,
    pub(super) image: Option<Extension>,
    pub(super) thumbnail: Option<Extension>,
}

/// The content of one folder.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Sorted by the time at which the screenshots were taken.
    pub(super) entries: Box<[Entry]>,
    days: Box<[NaiveDate]>,
    /// The names of folders that aren't day folders.
    folders: Box<[Box<str>]>,
}

/// The cached listings of folders. All methods block while they access the file system.
#[derive(Debug)]
pub(super) struct Index {
    cache: Cache<PathBuf, CachedListing, Bytes>,
}

#[derive(Debug, Clone)]
struct CachedListing {
    stamp: Stamp,
    listing: Arc<Listing>,
}

/// Identifies a version of a folder. A folder that replaced another one has a different stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    created: Option<SystemTime>,
}

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<PathBuf, CachedListing> for Bytes {
    fn weight(&self, path: &PathBuf, kept: &CachedListing) -> u64 {
        let listing = &kept.listing;
        let names: usize = listing.folders.iter().map(|name| name.len() + size_of::<Box<str>>()).sum();
        let bytes = size_of_val(&*listing.entries) + size_of_val(&*listing.days) + names + path.as_os_str().len();
        // Adds an estimate of the cache's own memory for each item.
        bytes as u64 + 256
    }
}

impl Root {
    /// Opens the root folder. Returns `None` if the folder doesn't exist.
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        let opened = Dir::open_ambient_dir(path, ambient_authority());
        Ok(ok_if_missing(opened)?.map(|dir| Self { dir, path: path.to_owned() }))
    }

    /// Whether `path` is a regular file. A symbolic link isn't a regular file.
    pub(super) fn has_file(&self, path: &Path) -> io::Result<bool> {
        Ok(ok_if_missing(self.dir.symlink_metadata(path))?.is_some_and(|found| found.is_file()))
    }
}

/// Converts an error to `None` if the path doesn't exist, was removed, or is invalid.
fn ok_if_missing<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    match found {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory | InvalidFilename) => Ok(None),
        found => found.map(Some),
    }
}

impl Entry {
    /// Returns the extension that a reference to this entry contains.
    pub(super) fn extension(&self) -> Option<Extension> {
        self.image.or(self.thumbnail)
    }
}

impl Listing {
    fn read(dir: &Dir) -> io::Result<Self> {
        let (mut names, mut days, mut folders) = (Vec::new(), Vec::new(), Vec::new());
        for entry in dir.entries()? {
            let entry = entry?;
            let (is_file, is_dir) = entry_kind(&entry)?;
            let name = entry.file_name();
            if is_file {
                names.extend(Name::parse(name.as_encoded_bytes()));
            } else if is_dir {
                match parse_day(name.as_encoded_bytes()) {
                    Some(day) => days.push(day),
                    // References are text, so folders whose names aren't valid Unicode are left
                    // out.
                    None => folders.extend(name.to_str().map(Box::from)),
                }
            }
        }
        days.sort_unstable();
        folders.sort_unstable();
        let entries = pair_files(names).into();
        Ok(Self { entries, days: days.into(), folders: folders.into() })
    }

    /// Returns the screenshots that were taken in a range of local time.
    pub(super) fn entries_in(&self, window: &Range<NaiveDateTime>) -> &[Entry] {
        let before = |time| self.entries.partition_point(|entry| entry.stem.taken_at < time);
        self.entries.get(before(window.start)..before(window.end)).unwrap_or_default()
    }

    /// Returns the entry with this stem. If several entries have this stem, returns the entry whose
    /// image has this extension, otherwise the first entry.
    pub(super) fn find(&self, stem: Stem, extension: Extension) -> Option<&Entry> {
        let same_stem = &self.entries[self.entries.partition_point(|entry| entry.stem < stem)..];
        let same_stem = &same_stem[..same_stem.partition_point(|entry| entry.stem == stem)];
        same_stem.iter().find(|entry| entry.extension() == Some(extension)).or(same_stem.first())
    }
}

/// Returns two values: whether an entry is a regular file, and whether it is a folder. For a
/// symbolic link, both are `false`.
fn entry_kind(entry: &DirEntry) -> io::Result<(bool, bool)> {
    let listed = entry.file_type()?;
    if listed.is_file() || listed.is_dir() || listed.is_symlink() {
        return Ok((listed.is_file(), listed.is_dir()));
    }
    // Some file systems list the names of entries without their kinds.
    let found = ok_if_missing(entry.metadata())?;
    Ok(found.map_or((false, false), |found| (found.is_file(), found.is_dir())))
}

/// Pairs images and thumbnails with the same stem. An image gets the thumbnail with the image's own
/// extension, otherwise any thumbnail. Every image is a screenshot. If a stem has only thumbnails,
/// they count as one screenshot.
fn pair_files(mut names: Vec<Name>) -> Vec<Entry> {
    names.sort_unstable();
    let mut entries = Vec::with_capacity(names.len() / 2);
    for same_stem in names.chunk_by(|one, other| one.stem == other.stem) {
        let stem = same_stem[0].stem;
        let (images, thumbnails) = same_stem.split_at(same_stem.partition_point(|name| name.kind == Kind::Image));
        let any = thumbnails.first().map(|name| name.extension);
        if images.is_empty() {
            entries.push(Entry { stem, image: None, thumbnail: any });
        }
        for Name { extension, .. } in images {
            let own = thumbnails.iter().map(|name| name.extension).find(|own| own == extension);
            entries.push(Entry { stem, image: Some(*extension), thumbnail: own.or(any) });
        }
    }
    entries.shrink_to_fit();
    entries
}

impl Index {
    pub(super) fn new() -> Self {
        Self { cache: Cache::with_weighter(EXPECTED_FOLDERS, CACHE_BYTES, Bytes) }
    }

    /// Returns the listing of `folder`, which is a path relative to the root with `/` as separator.
    pub(super) fn listing(&self, root: &Root, folder: &str) -> io::Result<Arc<Listing>> {
        let opened = if folder.is_empty() { root.dir.try_clone() } else { root.dir.open_dir(folder) };
        let Some(dir) = ok_if_missing(opened)? else { return Ok(Arc::default()) };
        let stamp = Stamp::from_dir(&dir)?;
        let path = root.path.join(folder);
        if let Some(kept) = self.cache.get(&path).filter(|kept| kept.stamp == stamp) {
            return Ok(kept.listing);
        }
        let begun = SystemTime::now();
        let Some(listing) = ok_if_missing(Listing::read(&dir))? else { return Ok(Arc::default()) };
        let listing = Arc::new(listing);
        if begun.duration_since(stamp.modified).is_ok_and(|age| age > CLOCK_TICK) {
            self.cache.insert(path, CachedListing { stamp, listing: Arc::clone(&listing) });
        } else {
            self.cache.remove(&path);
        }
        Ok(listing)
    }

    /// Returns the folders that aren't day folders, each with its listing, starting with the root.
    /// Also returns the paths of all day folders.
    pub(super) fn survey(&self, root: &Root) -> io::Result<Survey> {
        let mut survey = Survey::default();
        self.survey_folder(root, String::new(), 0, &mut survey)?;
        Ok(survey)
    }

    /// Finds the first day in `days` with a listing that `shows` accepts. Returns all folders of
    /// this day that have an accepted listing, each with the listing.
    pub(super) fn first_day<'d>(
        &self,
        root: &Root,
        days: impl Iterator<Item = &'d (NaiveDate, String)>,
        shows: impl Fn(&Listing) -> bool,
    ) -> io::Result<Vec<(&'d str, Arc<Listing>)>> {
        let mut first = None;
        let mut folders = Vec::new();
        for (day, folder) in days {
            if first.is_some_and(|first| first != day) {
                break;
            }
            let listing = self.listing(root, folder)?;
            if shows(&listing) {
                first = Some(day);
                folders.push((folder.as_str(), listing));
            }
        }
        Ok(folders)
    }

    fn survey_folder(&self, root: &Root, folder: String, depth: usize, survey: &mut Survey) -> io::Result<()> {
        let listing = self.listing(root, &folder)?;
        survey.days.extend(listing.days.iter().map(|day| (*day, join(&folder, &day.to_string()))));
        if depth + 1 < MAX_FOLDER_DEPTH {
            for name in &listing.folders {
                self.survey_folder(root, join(&folder, name), depth + 1, survey)?;
            }
        }
        survey.loose.push((folder, listing));
        Ok(())
    }
}

/// The folders of a store.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Folders other than day folders, with their listings.
    pub(super) loose: Vec<(String, Arc<Listing>)>,
    /// Day folders with their paths.
    pub(super) days: Vec<(NaiveDate, String)>,
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

impl Stamp {
    fn from_dir(dir: &Dir) -> io::Result<Self> {
        let metadata = dir.dir_metadata()?;
        let created = metadata.created().ok().map(cap_std::time::SystemTime::into_std);
        Ok(Self { modified: metadata.modified()?.into_std(), created })
    }
}

#[cfg(test)]
mod tests;
