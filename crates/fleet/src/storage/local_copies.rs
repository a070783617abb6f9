//! A folder with local copies of exports. A copy is replaced only after the new copy is complete.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use dayledger_core::files::{self, FolderLock, IfPresent, OffLimits, make_folder, make_folder_below};
use dayledger_export::{MANIFEST, Person};

use super::checksums::{CHECKSUMS, Checksum, Checksums, FileName};
use super::error::Error;
use crate::team::{REPLACED_FOLDER, person_from_folder};

/// The name of the subfolder for unfinished copies.
const INCOMING_FOLDER: &str = ".dayledger-coming";

/// A folder with local copies. It is locked against other pulls.
#[derive(Debug)]
pub(super) struct LocalCopies {
    path: PathBuf,
    _lock: FolderLock,
}

/// A person's current copy. It is locked against other writers.
#[derive(Debug)]
pub(super) struct LocalCopy {
    path: PathBuf,
    pub(super) checksums: Checksums,
    _lock: FolderLock,
}

/// A person's new copy, which has not replaced the current copy yet.
#[derive(Debug)]
pub(super) struct IncomingCopy {
    pub(super) path: PathBuf,
}

impl LocalCopies {
    /// Opens the folder at `path`, or creates it if it doesn't exist. Cleans up after a pull that was killed.
    ///
    /// # Errors
    /// Fails if the folder can't be used, or if another pull is using it.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        make_folder(path, &OffLimits::default()).map_err(|error| Error::file(path, error))?;
        let copies = Self { path: path.to_owned(), _lock: lock_folder(path)? };
        copies.restore_moved()?;
        copies.clean_up()?;
        Ok(copies)
    }

    /// Returns the people who have a subfolder here, even if the subfolder wasn't pulled.
    pub(super) fn people(&self) -> Result<Vec<Person>, Error> {
        people_in(&self.path).map_err(|error| Error::file(&self.path, error))
    }

    /// Restores copies that an earlier pull moved away but didn't replace.
    fn restore_moved(&self) -> Result<(), Error> {
        let going = self.path.join(REPLACED_FOLDER);
        let wrong = |error| Error::file(&going, error);
        if !is_folder(&going).map_err(wrong)? {
            return Ok(());
        }
        for person in people_in(&going).map_err(wrong)? {
            if fs::symlink_metadata(self.path.join(person.folder())).is_err() {
                self.restore(&person)?;
            }
        }
        Ok(())
    }

    fn restore(&self, person: &Person) -> Result<(), Error> {
        let path = self.path.join(person.folder());
        let back = fs::rename(self.path.join(REPLACED_FOLDER).join(person.folder()), &path);
        back.map_err(|error| Error::file(path, error))
    }

    /// Returns a person's copy, if it exists.
    ///
    /// # Errors
    /// [`Error::NotPulled`] if the person's folder wasn't pulled or was changed after it was pulled. Also errors of the
    /// system.
    pub(super) fn find(&self, person: &Person) -> Result<Option<LocalCopy>, Error> {
        let path = self.path.join(person.folder());
        match is_folder(&path) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(_) => return Err(Error::NotPulled(path)),
        }
        // The folder is locked before it is read, because another process may be exporting into the folder.
        let lock = lock_folder(&path)?;
        let read = |file: &str| read_file(&path.join(file)).map_err(|error| Error::file(path.join(file), error));
        let (checksums, manifest) =
            (read(CHECKSUMS)?, read(MANIFEST)?.map(|manifest| Checksum::from_content(&manifest)));
        let checksums = checksums.and_then(|checksums| Checksums::read(&checksums).ok());
        let matches_manifest = |checksums: &Checksums| {
            checksums
                .files
                .iter()
                .any(|(file, entry)| file.as_str() == MANIFEST && manifest.as_ref() == Some(&entry.sha256))
        };
        match checksums.filter(matches_manifest) {
            Some(checksums) => Ok(Some(LocalCopy { path, checksums, _lock: lock })),
            None => Err(Error::NotPulled(path)),
        }
    }

    /// Creates the folder for a person's new copy.
    pub(super) fn begin(&self, person: &Person) -> Result<IncomingCopy, Error> {
        let below = Path::new(INCOMING_FOLDER).join(person.folder());
        let made = make_folder_below(&self.path, &below, &OffLimits::default());
        Ok(IncomingCopy { path: made.map_err(|error| Error::file(self.path.join(&below), error))? })
    }

    /// Replaces the current copy with the new copy. If this fails, the current copy is restored.
    pub(super) fn publish(&self, person: &Person, coming: &IncomingCopy, here: Option<LocalCopy>) -> Result<(), Error> {
        let had_one = here.is_some();
        if let Some(here) = here {
            self.move_away(person, here)?;
        }
        if let Err(error) = fs::rename(&coming.path, self.path.join(person.folder())) {
            if had_one {
                self.restore(person)?;
            }
            return Err(Error::file(&coming.path, error));
        }
        Ok(())
    }

    /// Removes a person's copy.
    pub(super) fn remove(&self, person: &Person, here: LocalCopy) -> Result<(), Error> {
        self.move_away(person, here)?;
        // If a file can't be removed now, the next pull removes it. The copy is already moved away, so it is no longer
        // used.
        let gone = fs::remove_dir_all(self.path.join(REPLACED_FOLDER).join(person.folder()));
        gone.map_err(|error| Error::file(self.path.join(REPLACED_FOLDER), error))
    }

    fn move_away(&self, person: &Person, here: LocalCopy) -> Result<(), Error> {
        let path = self.path.join(person.folder());
        let wrong = |error: files::Error| Error::file(&path, error);
        let going = make_folder_below(&self.path, Path::new(REPLACED_FOLDER), &OffLimits::default()).map_err(wrong)?;
        // Windows can't move a folder that contains an open file, so the lock is released first.
        drop(here);
        fs::rename(&path, going.join(person.folder())).map_err(|error| wrong(error.into()))
    }

    /// Removes unfinished copies and copies that were replaced.
    pub(super) fn clean_up(&self) -> Result<(), Error> {
        for folder in [INCOMING_FOLDER, REPLACED_FOLDER] {
            match fs::remove_dir_all(self.path.join(folder)) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Error::file(self.path.join(folder), error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl LocalCopy {
    /// Uses a file of this copy for the new copy, if the file has the checksum `wanted`. Returns whether the file was
    /// used.
    pub(super) fn reuse_file(&self, coming: &IncomingCopy, file: &FileName, wanted: &Checksum) -> Result<bool, Error> {
        let path = self.path.join(file.as_str());
        let wrong = |error: files::Error| Error::file(&path, error);
        let Some(here) = read_file(&path).map_err(wrong)? else { return Ok(false) };
        if Checksum::from_content(&here) != *wanted {
            return Ok(false);
        }
        let place = coming.file_path(file.as_str())?;
        // Some file systems don't support hard links. In this case, the file is copied.
        fs::hard_link(&path, &place).or_else(|_| files::write(&place, &here, IfPresent::Replace)).map_err(wrong)?;
        Ok(true)
    }
}

impl IncomingCopy {
    /// Returns the path of a file in the new copy, and creates the folder of the file.
    pub(super) fn file_path(&self, file: &str) -> Result<PathBuf, Error> {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let made = make_folder_below(&self.path, Path::new(folder), &OffLimits::default());
        made.map_err(|error| Error::file(self.path.join(folder), error))?;
        Ok(self.path.join(file))
    }

    /// Writes the checksums into the new copy. The checksums mark the copy as pulled.
    pub(super) fn write_checksums(&self, checksums: &Checksums) -> Result<(), Error> {
        let wrong = |error: files::Error| Error::file(self.path.join(CHECKSUMS), error);
        let text = serde_json::to_vec_pretty(checksums).map_err(|error| wrong(io::Error::from(error).into()))?;
        files::write(&self.file_path(CHECKSUMS)?, &text, IfPresent::Replace).map_err(wrong)
    }
}

/// Locks the folder at `path` against other programs that write into it.
///
/// # Errors
/// Fails if the folder is already locked, and with errors of the system.
pub(super) fn lock_folder(path: &Path) -> Result<FolderLock, Error> {
    let lock = FolderLock::acquire(path).map_err(|error| Error::file(path.join(FolderLock::NAME), error))?;
    lock.ok_or_else(|| Error::InUse(path.to_owned()))
}

/// Whether `path` is a folder. Fails if `path` is a link or a file.
fn is_folder(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(true),
        Ok(_) => Err(ErrorKind::NotADirectory.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn people_in(folder: &Path) -> io::Result<Vec<Person>> {
    let mut persons = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        persons.extend(name.to_str().and_then(person_from_folder));
    }
    Ok(persons)
}

/// Returns the content of a file, or `None` if the file doesn't exist. Links aren't followed.
pub(super) fn read_file(path: &Path) -> Result<Option<Vec<u8>>, files::Error> {
    let Some(mut file) = files::open(path)? else { return Ok(None) };
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(Some(content))
}
