//! A file that may be written, and the write.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, process};

use cap_std::fs::{Dir, OpenOptions};

use super::request::Place;
use super::{SaveError, escapes, real};
use crate::screenshots::pictures::{Format, Picture};

/// What happens to a file that has the name already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfPresent {
    /// It stays, and saving is an error.
    Keep,
    /// It is replaced.
    Replace,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The file: the allowed directory as it was named, and what follows in it.
    pub path: PathBuf,
    /// Its length in bytes.
    pub size: u64,
}

/// A file that may be written.
pub struct Target {
    root: Dir,
    /// The allowed directory as it was named, for people.
    shown_root: PathBuf,
    real_root: PathBuf,
    place: Place,
    /// Directories of `ManicTime`, without links.
    forbidden: Vec<PathBuf>,
}

impl fmt::Debug for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Target").field(&self.path()).finish()
    }
}

impl Target {
    pub(super) fn new(root: Dir, shown: &Path, real_root: PathBuf, place: Place, forbidden: Vec<PathBuf>) -> Self {
        Self { root, shown_root: shown.to_owned(), real_root, place, forbidden }
    }

    /// Returns the format that a picture must have to be written here.
    pub fn format(&self) -> Format {
        self.place.format
    }

    /// Returns where the file will be.
    pub fn path(&self) -> PathBuf {
        self.shown_root.join(&self.place.folders).join(&self.place.name)
    }

    /// Looks whether the way to the file, as far as it exists, stays inside and out of what is forbidden.
    pub(super) fn check(&self) -> Result<(), SaveError> {
        let ways = self.place.folders.ancestors().filter(|way| !way.as_os_str().is_empty());
        for way in ways {
            match self.root.metadata(way) {
                Ok(found) if found.is_dir() => break,
                Ok(_) => return Err(SaveError::InTheWay { path: self.shown_root.join(way) }),
                // The folder will be made; a link to nowhere is found when that fails.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(self.failed(error)),
            }
        }
        let folder = real(&self.real_root.join(&self.place.folders));
        if self.forbidden.iter().any(|forbidden| folder.starts_with(forbidden)) {
            return Err(SaveError::Forbidden { path: self.place.text.clone() });
        }
        Ok(())
    }

    /// Writes the picture, with the folders above it. At every moment the name stands for the old file, for the whole
    /// new one, or for nothing.
    ///
    /// # Errors
    /// `Exists` for a file that is to be kept, also where it appears in the meantime; `InTheWay`, `Outside`,
    /// `Forbidden` where the way there changed, `OtherFormat`, `Unwritable`. Nothing is left behind but folders.
    pub fn write(&self, picture: &Picture, if_present: IfPresent) -> Result<Saved, SaveError> {
        if picture.format != self.format() {
            return Err(SaveError::OtherFormat { extension: self.format().extension() });
        }
        self.check()?;
        let folder = self.made_folder().map_err(|error| self.failed(error))?;
        self.check()?;
        let name = Path::new(&self.place.name);
        match folder.symlink_metadata(name) {
            Ok(found) if !found.is_file() => return Err(SaveError::InTheWay { path: self.path() }),
            Ok(_) if if_present == IfPresent::Keep => return Err(SaveError::Exists { path: self.path() }),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(self.failed(error)),
            _ => {}
        }
        let draft = Draft::write(&folder, &picture.bytes).map_err(|error| self.failed(error))?;
        let published = match if_present {
            IfPresent::Keep => draft.publish(name).or_else(|error| match error.kind() {
                ErrorKind::AlreadyExists => Err(error),
                // FAT and some network drives know no second name for a file.
                _ => draft.publish_where_links_are_unknown(name),
            }),
            IfPresent::Replace => draft.replace(name),
        };
        match published {
            Ok(()) => Ok(Saved { path: self.path(), size: picture.bytes.len() as u64 }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(SaveError::Exists { path: self.path() }),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn made_folder(&self) -> io::Result<Dir> {
        if self.place.folders.as_os_str().is_empty() {
            return self.root.try_clone();
        }
        self.root.create_dir_all(&self.place.folders)?;
        self.root.open_dir(&self.place.folders)
    }

    fn failed(&self, source: io::Error) -> SaveError {
        if escapes(&source) {
            return SaveError::Outside { path: self.place.text.clone() };
        }
        SaveError::Unwritable { path: self.path(), source }
    }
}

/// A file under a name of its own, beside the one that it is for; it goes when it was not published.
pub(super) struct Draft<'a> {
    folder: &'a Dir,
    name: PathBuf,
}

impl<'a> Draft<'a> {
    /// Writes `bytes` down to the disk.
    pub(super) fn write(folder: &'a Dir, bytes: &[u8]) -> io::Result<Self> {
        let (mut file, name) = new_file(folder)?;
        let draft = Self { folder, name };
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(draft)
    }

    /// Gives the file its name where nothing has it.
    fn publish(&self, name: &Path) -> io::Result<()> {
        self.folder.hard_link(&self.name, self.folder, name)
    }

    /// The same in two steps: takes the name with an empty file, then puts the whole one in its place.
    pub(super) fn publish_where_links_are_unknown(&self, name: &Path) -> io::Result<()> {
        self.folder.open_with(name, OpenOptions::new().write(true).create_new(true))?;
        self.replace(name).inspect_err(|_| {
            // The name was taken by nobody else, so it is given back.
            let _ = self.folder.remove_file(name);
        })
    }

    fn replace(&self, name: &Path) -> io::Result<()> {
        self.folder.rename(&self.name, self.folder, name)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        // Gone already where it was renamed; where it cannot be removed, nobody is left to tell.
        let _ = self.folder.remove_file(&self.name);
    }
}

fn new_file(folder: &Dir) -> io::Result<(cap_std::fs::File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = PathBuf::from(format!(".dayledger-{}-{number}.tmp", process::id()));
        match folder.open_with(&name, OpenOptions::new().write(true).create_new(true)) {
            // Another process of that number left it behind.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, name)),
        }
    }
}
