//! A name for a file, in a folder that is open.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::error::Error;
use super::kind::Kind;
use super::off_limits::OffLimits;
use super::read::text_up_to;

/// What happens to a file that has the name already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfPresent {
    /// It stays, and writing is an error.
    Keep,
    /// Another file takes its place.
    Replace,
}

/// A name in a folder.
#[derive(Debug)]
pub struct Place {
    folder: Dir,
    name: PathBuf,
}

impl Place {
    /// The name `name` in `folder`.
    pub fn new(folder: Dir, name: impl Into<PathBuf>) -> Self {
        Self { folder, name: name.into() }
    }

    /// Where a path leads, links followed; the file need not be there, its folder must.
    ///
    /// # Errors
    /// What the system refuses, and a link that leads nowhere.
    pub fn at(path: &Path) -> io::Result<Self> {
        let there = path.exists() || path.is_symlink();
        let path = if there { fs::canonicalize(path)? } else { path.to_owned() };
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self::new(Dir::open_ambient_dir(folder, ambient_authority())?, name))
    }

    /// The folder.
    pub fn folder(&self) -> &Dir {
        &self.folder
    }

    /// The name in the folder.
    pub(super) fn name(&self) -> &Path {
        &self.name
    }

    /// Opens the file to read it; `None` where nothing has the name.
    ///
    /// # Errors
    /// [`Error::NotAFile`], and what the system refuses.
    pub fn open(&self) -> Result<Option<fs::File>, Error> {
        match self.found()? {
            Some(_) => self.open_with(OpenOptions::new().read(true)).map(Some),
            None => Ok(None),
        }
    }

    /// Reads the file as text; `None` if nothing has the name.
    ///
    /// # Errors
    /// [`Error::NotAFile`], those of [`text_up_to`], and errors of the system.
    pub fn read_text(&self, most: u64) -> Result<Option<String>, Error> {
        let file = self.open()?;
        Ok(file.map(|file| text_up_to(file, most)).transpose()?)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// What the system refuses, also where nothing has the name.
    pub fn remove(&self) -> io::Result<()> {
        self.folder.remove_file(&self.name)
    }

    /// Whether a file can get the name now.
    ///
    /// # Errors
    /// [`Error::NotAFile`]; [`Error::Exists`] for a file that is to be kept, [`Error::ReadOnly`] for one that could be
    /// replaced but not be changed.
    pub fn check(&self, if_present: IfPresent) -> Result<(), Error> {
        let Some(found) = self.found()? else { return Ok(()) };
        if if_present == IfPresent::Keep {
            return Err(Error::Exists);
        }
        if found.permissions().readonly() {
            return Err(Error::ReadOnly);
        }
        match self.open_with(OpenOptions::new().write(true)) {
            Ok(_) => Ok(()),
            Err(Error::Refused(error))
                if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) =>
            {
                Err(Error::ReadOnly)
            }
            Err(error) => Err(error),
        }
    }

    /// The file that has the name.
    pub(super) fn found(&self) -> Result<Option<Metadata>, Error> {
        match self.folder.symlink_metadata(&self.name) {
            Ok(found) => match Kind::other_than_file(&found) {
                Some(kind) => Err(Error::NotAFile(kind)),
                None => Ok(Some(found)),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens what has the name by now; a pipe that took it in the meantime is not waited for.
    fn open_with(&self, options: &mut OpenOptions) -> Result<fs::File, Error> {
        let options = options.follow(FollowSymlinks::No).nonblock(true);
        let file = self.folder.open_with(&self.name, options)?;
        match Kind::other_than_file(&file.metadata()?) {
            Some(kind) => Err(Error::NotAFile(kind)),
            None => Ok(file.into_std()),
        }
    }
}

/// Opens the folder at `path`, and makes it with those that it is in where they are missing. Links are followed, and
/// nothing is made in a folder that is off limits.
///
/// # Errors
/// [`Error::OffLimits`], and what the system refuses. What was made stays.
pub fn make_folder_at(path: &Path, off_limits: &OffLimits) -> Result<Dir, Error> {
    if off_limits.cover(path) {
        return Err(Error::OffLimits);
    }
    let whole = std::path::absolute(path)?;
    let there = whole.ancestors().find(|folder| folder.exists() || folder.is_symlink()).unwrap_or(&whole);
    let missing = whole.strip_prefix(there).map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
    make_folder(&Dir::open_ambient_dir(there, ambient_authority())?, missing, off_limits)
}

/// Opens the folder `way` below `root`, and makes what is missing of it. Links are followed as long as they stay below
/// `root`, and nothing is made in a folder that is off limits.
///
/// # Errors
/// [`Error::OffLimits`], a way that is no plain names or leads out, and what the system refuses. What was made stays.
pub fn make_folder(root: &Dir, way: &Path, off_limits: &OffLimits) -> Result<Dir, Error> {
    let mut folder = root.try_clone()?;
    off_limits.admit(&folder)?;
    let mut walked = PathBuf::new();
    for part in way.components() {
        let Component::Normal(part) = part else {
            return Err(
                io::Error::new(ErrorKind::InvalidInput, "it leads back out of a folder that is not there").into()
            );
        };
        walked.push(part);
        folder = match root.open_dir(&walked) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                match folder.create_dir(part) {
                    // Somebody else was faster.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    made => made?,
                }
                root.open_dir(&walked)?
            }
            opened => opened?,
        };
        off_limits.admit(&folder)?;
    }
    Ok(folder)
}

/// Opens the folder `way` below `root`, and makes what is missing of it. No link is followed, and nothing is made in a
/// folder that is off limits.
///
/// # Errors
/// [`Error::OffLimits`], what the system refuses, and a link on the way. What was made stays.
pub fn make_own_folder(root: &Dir, way: &Path, off_limits: &OffLimits) -> Result<Dir, Error> {
    let mut folder = root.try_clone()?;
    off_limits.admit(&folder)?;
    for part in way {
        match folder.create_dir(part) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {}
        }
        if folder.symlink_metadata(part)?.is_symlink() {
            return Err(io::Error::new(ErrorKind::NotADirectory, "a link leads there, which is not followed").into());
        }
        folder = folder.open_dir_nofollow(part)?;
        off_limits.admit(&folder)?;
    }
    Ok(folder)
}

/// Reads the regular file at `path`; `None` if nothing has the name. Links are followed. It never waits for a pipe and never
/// reads a device, so use it for files that the user doesn't name in the command, such as the configuration.
///
/// # Errors
/// [`Error::NotAFile`], a link that leads nowhere, and those of [`text_up_to`].
pub fn read_text(path: &Path, most: u64) -> Result<Option<String>, Error> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(None),
        // A path need not lead to its pipe by a name that could be opened.
        Ok(found) => match Kind::other_than_file(&Metadata::from_just_metadata(found)) {
            Some(kind) => Err(Error::NotAFile(kind)),
            None => Place::at(path)?.read_text(most),
        },
        Err(error) => Err(error.into()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::super::read::read_up_to;
    use super::*;

    /// What takes the name between the look at it and its opening: whoever opens a pipe waits for its other end.
    #[test]
    fn a_pipe_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        assert!(std::process::Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap().success());
        let place = Place::at(&dir.path().join("pipe")).unwrap();
        assert!(matches!(place.open_with(OpenOptions::new().read(true)), Err(Error::NotAFile(Kind::Pipe))));
        assert!(place.open_with(OpenOptions::new().write(true)).is_err());
    }

    /// Every command waited for a pipe in the place of `dayledger.toml`, or filled the memory from `/dev/zero`.
    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        symlink(at("pipe"), at("to a pipe")).unwrap();
        symlink("/dev/zero", at("to a device")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for (name, expected) in
            [("pipe", Kind::Pipe), ("to a pipe", Kind::Pipe), ("to a device", Kind::Device), ("folder", Kind::Folder)]
        {
            let read = read_text(&at(name), 100);
            assert!(matches!(&read, Err(Error::NotAFile(kind)) if *kind == expected), "{name}: {read:?}");
        }
        fs::write(at("text"), "x".repeat(100)).unwrap();
        symlink(at("text"), at("to text")).unwrap();
        assert_eq!(read_text(&at("to text"), 100).unwrap().unwrap().len(), 100);
        assert!(
            matches!(read_text(&at("to text"), 99), Err(Error::Refused(error)) if error.kind() == ErrorKind::FileTooLarge)
        );
        assert_eq!(read_text(&at("none"), 100).unwrap(), None);
        assert_eq!(read_up_to(io::repeat(b'x'), 100).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
