//! The folder of the notes, and access to its files.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};
use chrono::{DateTime, Utc};
use same_file::Handle;

use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::text::NoteText;

/// The maximum size of a file in bytes: 50 MB, as in Chronicle.
pub const MAX_BYTES: u64 = 50 * 1024 * 1024;

/// An open workspace. Files outside of the folder are never read or written, even through links.
#[derive(Debug)]
pub struct Workspace {
    dir: Dir,
    /// The path of the folder, with links resolved.
    root: PathBuf,
    /// The path of the folder as the user configured it.
    configured: PathBuf,
    writing: Mutex<()>,
}

impl Workspace {
    /// Opens the workspace in a folder.
    ///
    /// # Errors
    ///
    /// `NO_WORKSPACE` if the path isn't a folder, or if the folder can't be read.
    pub fn open(folder: &Path) -> Result<Self, Refusal> {
        let opened = std::fs::canonicalize(folder)
            .and_then(|root| Ok((Dir::open_ambient_dir(&root, ambient_authority())?, root)));
        match opened {
            Ok((dir, root)) => Ok(Self { dir, root, configured: folder.to_owned(), writing: Mutex::new(()) }),
            Err(error) => Err(Refusal::new(
                Code::NoWorkspace,
                format!("cannot open the workspace `{}`: {error}; set CHRONICLE_WORKSPACE", folder.display()),
            )),
        }
    }

    /// Returns the path of the folder, with links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Locks the workspace, so that other threads of this process wait before they write.
    pub(crate) fn lock_process(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the workspace against other processes of this program until the returned file is dropped. Returns `None`
    /// if the system can't lock a folder. Without the lock, a concurrent change is noticed unless it happens between
    /// the check and the write.
    pub(crate) fn lock_folder(&self) -> Option<std::fs::File> {
        // The folder is opened again, because a lock belongs to an open file and ends when the file is closed.
        let folder = self.dir.open(".").ok()?.into_std();
        folder.lock().ok().map(|()| folder)
    }

    /// Whether the path still leads to the folder that was opened. Returns false if the folder was moved or replaced.
    pub fn is_in_place(&self) -> bool {
        let handle = |dir: Dir| Handle::from_file(dir.into_std_file());
        let opened = self.dir.try_clone().and_then(handle);
        let there = Dir::open_ambient_dir(&self.root, ambient_authority()).and_then(handle);
        matches!((opened, there), (Ok(opened), Ok(there)) if opened == there)
    }

    /// Returns the path of a note. `asked` is absolute or relative to the workspace. The note doesn't have to exist.
    ///
    /// # Errors
    ///
    /// See [`NotePath::parse`].
    pub fn note_path(&self, asked: &str) -> Result<NotePath, Refusal> {
        let path = Path::new(asked);
        if !path.is_absolute() {
            return NotePath::parse(asked);
        }
        // A client may know the folder only by its configured path, which can lead through links.
        let below = [&self.root, &self.configured]
            .into_iter()
            .find_map(|root| path.strip_prefix(root).ok().map(Path::to_owned));
        let below =
            below.or_else(|| std::fs::canonicalize(path).ok()?.strip_prefix(&self.root).ok().map(Path::to_owned));
        NotePath::parse(below.as_deref().and_then(Path::to_str).unwrap_or(asked))
    }

    /// Returns the path of an existing note. `asked` is absolute or relative to the workspace. A link to another note
    /// of the workspace is resolved.
    ///
    /// # Errors
    ///
    /// `FILE_NOT_FOUND` if the note doesn't exist, `INVALID_ARGUMENT` if the path isn't a note or leads out of the
    /// workspace.
    pub fn resolve(&self, asked: &str) -> Result<NotePath, Refusal> {
        let path = self.note_path(asked)?;
        let canonical = self.dir.canonicalize(path.as_str()).map_err(|error| unreadable(&path, &error))?;
        let path = NotePath::parse(&canonical.to_string_lossy())?;
        self.note_metadata(&path).map(|_| path)
    }

    fn note_metadata(&self, path: &NotePath) -> Result<Metadata, Refusal> {
        let metadata = self.dir.metadata(path.as_str()).map_err(|error| unreadable(path, &error))?;
        if metadata.is_file() {
            return Ok(metadata);
        }
        Err(Refusal::new(
            Code::FileNotFound,
            format!("`{path}` is not a file; list the notes, in SQL from the table `notes`"),
        ))
    }

    /// Reads a note.
    ///
    /// # Errors
    ///
    /// `FILE_NOT_FOUND` if the note no longer exists, and `PARSE_ERROR` if it has more than [`MAX_BYTES`].
    /// `INVALID_ARGUMENT` if its path leads out of the workspace, and `IO_ERROR` if it can't be read for another
    /// reason.
    pub fn read(&self, path: &NotePath) -> Result<NoteText, Refusal> {
        // Opening a pipe would block, so the type of the file is checked before the file is opened.
        self.note_metadata(path)?;
        self.read_file(path.as_str()).map(NoteText::from_bytes).map_err(|error| unreadable(path, &error))
    }

    /// Reads a whole file. Fails if the file has more than [`MAX_BYTES`].
    pub(crate) fn read_file(&self, place: &str) -> std::io::Result<Vec<u8>> {
        let file = self.dir.open(place)?;
        let mut bytes = Vec::new();
        // The file may grow while it is read, so the bytes are counted too.
        if file.metadata()?.len() <= MAX_BYTES {
            // Reading one byte more than the limit is enough to notice that the file is too large.
            file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 <= MAX_BYTES {
                return Ok(bytes);
            }
        }
        Err(ErrorKind::FileTooLarge.into())
    }

    /// Reads at most `most_bytes` bytes from the start of a note. Returns `None` if the note can't be read.
    pub(crate) fn read_head(&self, path: &NotePath, most_bytes: usize) -> Option<Vec<u8>> {
        let mut head = Vec::new();
        let file = self.dir.open(path.as_str()).ok()?;
        file.take(most_bytes as u64).read_to_end(&mut head).ok().map(|_| head)
    }

    /// Reads a whole file that belongs to a note, or returns `None` if the path doesn't exist or isn't a file.
    pub(crate) fn read_companion(&self, place: &str) -> Result<Option<Vec<u8>>, Refusal> {
        let read = match self.dir.metadata(place) {
            Ok(metadata) if metadata.is_file() => self.read_file(place).map(Some),
            Ok(_) => Ok(None),
            Err(error) => Err(error),
        };
        match read {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            read => read.map_err(|error| {
                Refusal::new(Code::ParseError, format!("`{place}` cannot be read: {}", reason(&error)))
            }),
        }
    }
}

/// Returns the time of the last change to a file, or 1970-01-01 if the time is unknown.
pub(crate) fn file_modified_time(metadata: &Metadata) -> DateTime<Utc> {
    let modified = metadata.modified().ok().and_then(|time| time.into_std().duration_since(UNIX_EPOCH).ok());
    let known =
        modified.and_then(|since| DateTime::from_timestamp(i64::try_from(since.as_secs()).ok()?, since.subsec_nanos()));
    known.unwrap_or_default()
}

/// Returns the reason why a file can't be read or written, as text for the user.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        _ if leads_out(error) => "a link leads out of the workspace".to_owned(),
        ErrorKind::FileTooLarge => "it has more than 50 MB".to_owned(),
        _ => error.to_string(),
    }
}

/// Whether an error means that a path leads out of the folder. cap-std creates this error without an OS error code.
fn leads_out(error: &std::io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

fn unreadable(path: &NotePath, error: &std::io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Refusal::new(
            Code::FileNotFound,
            format!("there is no note `{path}`; list the notes, in SQL from the table `notes`"),
        ),
        ErrorKind::FileTooLarge => Refusal::new(
            Code::ParseError,
            format!("`{path}` has more than 50 MB, which is too large for a note; make it smaller"),
        ),
        _ if leads_out(error) => Refusal::new(
            Code::InvalidArgument,
            format!("`{path}` is a link that leads out of the workspace; pass a note in the workspace"),
        ),
        _ => Refusal::new(Code::IoError, format!("`{path}` cannot be read: {error}")),
    }
}
