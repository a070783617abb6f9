//! A file while it is written: under a name of its own, which only its writer knows, beside the one that it is for.
//!
//! A draft is locked as long as somebody writes it, and the system lets go of the lock when that process ends, however
//! it ends. So a draft that can be locked is one that a killed run left, and whoever writes in its folder next removes
//! it. On a file system without locks nobody removes any.

use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::error::Error;
use super::place::{IfPresent, Place};

/// What the names of drafts begin with.
const PREFIX: &str = ".dayledger-";
/// What the names of drafts end in.
const SUFFIX: &str = ".tmp";

/// A file that has not got its name yet. Its owner alone can read it, and so it stays; it goes when it is not
/// published.
#[derive(Debug)]
pub struct Draft<'a> {
    place: &'a Place,
    if_present: IfPresent,
    file: File,
    name: DraftName<'a>,
}

/// The name of a draft, gone with its value.
#[derive(Debug)]
struct DraftName<'a> {
    folder: &'a Dir,
    name: PathBuf,
}

impl Place {
    /// Begins a file that is to get the name.
    ///
    /// # Errors
    /// Those of [`Place::check`], and what the system refuses.
    pub fn draft(&self, if_present: IfPresent) -> Result<Draft<'_>, Error> {
        self.check(if_present)?;
        Ok(Draft::begin(self, if_present)?)
    }
}

impl<'a> Draft<'a> {
    fn begin(place: &'a Place, if_present: IfPresent) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = PathBuf::from(format!("{PREFIX}{}-{number}{SUFFIX}", process::id()));
            let file = match place.folder().open_with(&name, &new_file()) {
                // Another process of that number left it behind.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                opened => opened?.into_std(),
            };
            let name = DraftName { folder: place.folder(), name };
            if name.is_held(&file) {
                name.remove_left_over(&file);
                return Ok(Self { place, if_present, file, name });
            }
        }
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Brings the file to the disk and gives it its name: at every moment that stands for the old file, for the whole
    /// new one, or for nothing. Returns the file.
    ///
    /// # Errors
    /// Those of [`Place::check`] for what has got the name in the meantime, and what the system refuses. The draft is
    /// gone then.
    pub fn publish(self) -> Result<File, Error> {
        self.file.sync_all()?;
        match self.if_present {
            IfPresent::Keep => self.name.link(self.place.name()).or_else(|error| match error.kind() {
                ErrorKind::AlreadyExists => Err(Error::Exists),
                // FAT and some network drives know no second name for a file.
                _ => self.name.take(self.place.name()),
            })?,
            IfPresent::Replace => {
                self.place.check(IfPresent::Replace)?;
                self.name.rename(self.place.name())?;
            }
        }
        // Windows lets nobody read what is locked.
        let _ = self.file.unlock();
        Ok(self.file)
    }
}

impl Write for Draft<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl DraftName<'_> {
    /// Holds the file as long as it is open. Not so where somebody takes it for left over at this very moment.
    fn is_held(&self, file: &File) -> bool {
        match file.try_lock() {
            Ok(()) => self.folder.symlink_metadata(&self.name).is_ok(),
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => {
                tracing::debug!(%error, "a draft cannot be locked");
                true
            }
        }
    }

    /// Removes what runs that were killed left in the folder.
    fn remove_left_over(&self, own: &File) {
        let Ok(own) = Metadata::from_file(own) else { return };
        for entry in self.folder.entries().into_iter().flatten().flatten() {
            let name = entry.file_name();
            if is_draft(&name)
                && let Some(_locked) = left_over(self.folder, &name, &own)
            {
                // What cannot be removed goes another time.
                let _ = self.folder.remove_file(&name);
            }
        }
    }

    /// Gives the file a second name where nothing has it.
    fn link(&self, name: &Path) -> io::Result<()> {
        self.folder.hard_link(&self.name, self.folder, name)
    }

    /// The same in two steps: takes the name with an empty file, then puts the whole one in its place.
    fn take(&self, name: &Path) -> Result<(), Error> {
        match self.folder.open_with(name, &new_file()) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(Error::Exists),
            opened => drop(opened?),
        }
        self.rename(name).inspect_err(|_| {
            // The name was taken by nobody else, so it is given back.
            let _ = self.folder.remove_file(name);
        })?;
        Ok(())
    }

    fn rename(&self, name: &Path) -> io::Result<()> {
        self.folder.rename(&self.name, self.folder, name)
    }
}

impl Drop for DraftName<'_> {
    fn drop(&mut self) {
        // Gone already where it was renamed; where it cannot be removed, the next run does it.
        let _ = self.folder.remove_file(&self.name);
    }
}

/// Whether a file of that name is being written, or was when its writer was killed.
pub fn is_draft(name: &OsStr) -> bool {
    let inner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    inner
        .and_then(|inner| inner.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// A draft that nobody writes any more, locked; it is our own user's, as `own` is.
fn left_over(folder: &Dir, name: &OsStr, own: &Metadata) -> Option<File> {
    if !folder.symlink_metadata(name).ok()?.is_file() {
        return None;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).follow(FollowSymlinks::No).nonblock(true);
    let file = folder.open_with(name, &options).ok()?;
    let found = file.metadata().ok()?;
    let file = file.into_std();
    (found.is_file() && is_of_one_owner(&found, own) && file.try_lock().is_ok()).then_some(file)
}

#[cfg(unix)]
fn is_of_one_owner(one: &Metadata, other: &Metadata) -> bool {
    use cap_std::fs::MetadataExt;

    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn is_of_one_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// A file that is not there yet, its owner's alone.
fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::{fs, thread};

    use super::*;

    #[test]
    fn where_a_file_can_have_one_name_only_exactly_one_gets_it_too() {
        for _ in 0..20 {
            let dir = tempfile::tempdir().unwrap();
            let (path, start) = (&dir.path().join("x"), &Barrier::new(4));
            let taken = thread::scope(|scope| {
                let writers: Vec<_> = (0..4)
                    .map(|number| {
                        scope.spawn(move || {
                            let place = Place::at(path).unwrap();
                            let mut draft = place.draft(IfPresent::Keep).unwrap();
                            draft.write_all(&[number; 1000]).unwrap();
                            start.wait();
                            draft.name.take(Path::new("x")).is_ok()
                        })
                    })
                    .collect();
                writers.into_iter().map(|writer| writer.join().unwrap()).filter(|taken| *taken).count()
            });
            assert_eq!(taken, 1);
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
            assert_eq!(fs::read(path).unwrap().len(), 1000);
        }
    }

    /// The two steps between which another process can take a draft for one that was left.
    #[test]
    fn a_draft_that_was_taken_for_left_over_is_not_held() {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::at(&dir.path().join("x")).unwrap();
        let draft = place.draft(IfPresent::Keep).unwrap();
        draft.file.unlock().unwrap();
        assert!(draft.name.is_held(&draft.file));
        draft.file.unlock().unwrap();
        let other = File::open(dir.path().join(&draft.name.name)).unwrap();
        other.lock().unwrap();
        assert!(!draft.name.is_held(&draft.file), "somebody holds it to remove it");
        fs::remove_file(dir.path().join(&draft.name.name)).unwrap();
        drop(other);
        assert!(!draft.name.is_held(&draft.file), "somebody has removed it");
    }
}
