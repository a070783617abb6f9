//! A folder of copies: each person's is there as a whole, or not at all.

use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use dayledger::export::{MANIFEST, Person};
use dayledger::files::{self, Draft, FolderLock, IfPresent, OffLimits, Place, make_folder_at, make_own_folder};

use super::checksums::{CHECKSUMS, Checksum, Checksums, FileName};
use super::error::Error;
use crate::team::{GOING, person_of};

/// The folder of copies that are on their way here.
const COMING: &str = ".dayledger-coming";

/// A folder into which nobody else pulls while this value is there.
#[derive(Debug)]
pub(super) struct Copies {
    path: PathBuf,
    open: Dir,
    _lock: FolderLock,
}

/// A person's copy as it is. Nobody else writes it while this value is there.
#[derive(Debug)]
pub(super) struct Copy {
    path: PathBuf,
    open: Dir,
    pub(super) checksums: Checksums,
    _lock: FolderLock,
}

/// A person's copy that is to take its place.
#[derive(Debug)]
pub(super) struct Coming {
    pub(super) path: PathBuf,
    open: Dir,
}

impl Copies {
    /// The folder at `path`, made where there is none. What a run that was killed left in it goes, or goes back.
    ///
    /// # Errors
    /// One that cannot be used, or that somebody else pulls into.
    pub(super) fn at(path: &Path) -> Result<Self, Error> {
        let open = make_folder_at(path, &off_limits()).map_err(|error| Error::file(path, error))?;
        let lock = hold(&open, path)?;
        let copies = Self { path: path.to_owned(), open, _lock: lock };
        copies.bring_back()?;
        copies.sweep()?;
        Ok(copies)
    }

    /// Whose folders are here, pulled or not.
    pub(super) fn persons(&self) -> Result<Vec<Person>, Error> {
        persons_in(&self.open).map_err(|error| Error::file(&self.path, error))
    }

    /// Gives those their place again whose copy was taken away and not replaced.
    fn bring_back(&self) -> Result<(), Error> {
        let going = match self.open.open_dir_nofollow(GOING) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            opened => opened.and_then(|going| persons_in(&going)),
        };
        for person in going.map_err(|error| Error::file(self.path.join(GOING), error))? {
            if self.open.symlink_metadata(person.folder()).is_err() {
                self.put_back(&person)?;
            }
        }
        Ok(())
    }

    fn put_back(&self, person: &Person) -> Result<(), Error> {
        let back = self.open.rename(Path::new(GOING).join(person.folder()), &self.open, person.folder());
        back.map_err(|error| Error::file(self.path.join(person.folder()), error))
    }

    /// A person's copy; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::NotPulled`] where something else has its name, or somebody changed it; what the system refuses.
    pub(super) fn copy(&self, person: &Person) -> Result<Option<Copy>, Error> {
        let path = self.path.join(person.folder());
        let open = match self.open.open_dir_nofollow(person.folder()) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            // A link, or a file.
            Err(_) => return Err(Error::NotPulled { path }),
            Ok(open) => open,
        };
        // Before it is looked at: somebody may be exporting into it.
        let lock = hold(&open, &path)?;
        let read = |file: &str| content(&open, file).map_err(|error| Error::file(path.join(file), error));
        let (told, manifest) = (read(CHECKSUMS)?, read(MANIFEST)?.map(|manifest| Checksum::of(&manifest)));
        let told = told.and_then(|told| Checksums::read(&told).ok());
        let is_of = |told: &Checksums| {
            told.files.iter().any(|(file, entry)| file.as_str() == MANIFEST && manifest.as_ref() == Some(&entry.sha256))
        };
        match told.filter(is_of) {
            Some(checksums) => Ok(Some(Copy { path, open, checksums, _lock: lock })),
            None => Err(Error::NotPulled { path }),
        }
    }

    /// Begins a copy that is to take the place of a person's.
    pub(super) fn begin(&self, person: &Person) -> Result<Coming, Error> {
        let below = Path::new(COMING).join(person.folder());
        let path = self.path.join(&below);
        let open = make_own_folder(&self.open, &below, &off_limits());
        Ok(Coming { open: open.map_err(|error| Error::file(&path, error))?, path })
    }

    /// Gives the copy that has come the place of the one that is there, which stays where that fails.
    pub(super) fn publish(&self, person: &Person, coming: Coming, here: Option<Copy>) -> Result<(), Error> {
        let path = coming.path.clone();
        // Windows moves no folder that is open.
        drop(coming);
        let had_one = here.is_some();
        if let Some(here) = here {
            self.take_away(person, here)?;
        }
        let moved = self.open.rename(Path::new(COMING).join(person.folder()), &self.open, person.folder());
        if let Err(error) = moved {
            if had_one {
                self.put_back(person)?;
            }
            return Err(Error::file(path, error));
        }
        Ok(())
    }

    /// Removes a person's copy.
    pub(super) fn remove(&self, person: &Person, here: Copy) -> Result<(), Error> {
        self.take_away(person, here)?;
        // What cannot go now goes at the next run; it has no place among the others any more.
        let gone = self.open.remove_dir_all(Path::new(GOING).join(person.folder()));
        gone.map_err(|error| Error::file(self.path.join(GOING), error))
    }

    fn take_away(&self, person: &Person, here: Copy) -> Result<(), Error> {
        let wrong = |error: files::Error| Error::file(self.path.join(person.folder()), error);
        make_own_folder(&self.open, Path::new(GOING), &off_limits()).map_err(wrong)?;
        // Windows moves no folder that is open, so its lock goes just before.
        drop(here);
        let taken = self.open.rename(person.folder(), &self.open, Path::new(GOING).join(person.folder()));
        taken.map_err(|error| wrong(error.into()))
    }

    /// Removes what is neither here nor there.
    pub(super) fn sweep(&self) -> Result<(), Error> {
        for folder in [COMING, GOING] {
            match self.open.remove_dir_all(folder) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Error::file(self.path.join(folder), error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Copy {
    /// Lets a file of this copy be part of the one that comes, where it is as it should be.
    pub(super) fn lend(&self, coming: &Coming, file: &FileName, wanted: &Checksum) -> Result<bool, Error> {
        let wrong = |error: files::Error| Error::file(self.path.join(file.as_str()), error);
        let Some(here) = content(&self.open, file.as_str()).map_err(wrong)? else { return Ok(false) };
        if Checksum::of(&here) != *wanted {
            return Ok(false);
        }
        let place = coming.place(file.as_str())?;
        let lent = self.open.hard_link(file.as_str(), place.folder(), file_name(file.as_str()));
        // Some file systems know no second name for a file.
        lent.map_err(files::Error::from).or_else(|_| write(&place, &here)).map_err(wrong)?;
        Ok(true)
    }
}

impl Coming {
    /// The place of a file, whose folder is made where there is none.
    pub(super) fn place(&self, file: &str) -> Result<Place, Error> {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let made = make_own_folder(&self.open, Path::new(folder), &off_limits());
        Ok(Place::new(made.map_err(|error| Error::file(self.path.join(folder), error))?, file_name(file)))
    }

    /// A file at that place.
    pub(super) fn draft<'a>(&self, place: &'a Place) -> Result<Draft<'a>, Error> {
        place.draft(IfPresent::Replace).map_err(|error| Error::file(&self.path, error))
    }

    /// Says that what is in it comes from storage, and what that is.
    pub(super) fn mark(&self, checksums: &Checksums) -> Result<(), Error> {
        let wrong = |error: files::Error| Error::file(self.path.join(CHECKSUMS), error);
        let text = checksums.text().map_err(|error| wrong(io::Error::from(error).into()))?;
        write(&self.place(CHECKSUMS)?, &text).map_err(wrong)
    }
}

/// Keeps others from writing the folder at `path`.
///
/// # Errors
/// Where somebody does, and what the system refuses.
pub(super) fn hold(folder: &Dir, path: &Path) -> Result<FolderLock, Error> {
    let lock = FolderLock::hold(folder).map_err(|error| Error::file(path.join(FolderLock::NAME), error))?;
    lock.ok_or_else(|| Error::InUse { path: path.to_owned() })
}

/// Nothing that this program knows of is off limits to it.
fn off_limits() -> OffLimits {
    OffLimits::new(Vec::new())
}

fn persons_in(folder: &Dir) -> io::Result<Vec<Person>> {
    let mut persons = Vec::new();
    for entry in folder.entries()? {
        let name = entry?.file_name();
        persons.extend(name.to_str().and_then(person_of));
    }
    Ok(persons)
}

fn file_name(file: &str) -> &str {
    file.rsplit_once('/').map_or(file, |(_, name)| name)
}

fn write(place: &Place, content: &[u8]) -> Result<(), files::Error> {
    let mut draft = place.draft(IfPresent::Replace)?;
    draft.write_all(content)?;
    draft.publish().map(drop)
}

/// All that is in a file; `None` where it is not there. No link leads to it.
pub(super) fn content(folder: &Dir, file: &str) -> Result<Option<Vec<u8>>, files::Error> {
    let (at, name) = file.rsplit_once('/').unwrap_or((".", file));
    let folder = match folder.open_dir(at) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let Some(mut file) = Place::new(folder, name).open()? else { return Ok(None) };
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(Some(content))
}
