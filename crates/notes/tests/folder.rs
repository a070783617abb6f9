//! Workspaces in temporary folders, for the other tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, FixedOffset, TimeZone};
use dayledger_notes::{NotePath, Workspace};
use tempfile::TempDir;

/// A workspace that is deleted when the value is dropped.
pub(crate) struct Folder {
    _above: TempDir,
    root: PathBuf,
}

impl Folder {
    /// Creates an empty workspace.
    pub(crate) fn empty() -> Self {
        let above = tempfile::tempdir().unwrap();
        let root = above.path().join("ws");
        fs::create_dir(&root).unwrap();
        Self { _above: above, root }
    }

    /// Creates a workspace with these files.
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let folder = Self::empty();
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Sets the modification time of a file, in seconds since 1970-01-01 UTC.
    pub(crate) fn set_modified(&self, path: &str, seconds: u64) {
        let file = fs::File::options().write(true).open(self.path(path)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    }

    /// Creates a file that is a byte larger than the maximum size of a note.
    pub(crate) fn create_too_large(&self, path: &str) {
        fs::File::create(self.path(path)).unwrap().set_len(50 * 1024 * 1024 + 1).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn open(&self) -> Workspace {
        Workspace::open(&self.root).unwrap()
    }
}

/// Encodes a text as little-endian UTF-16 with a byte order mark, as Windows programs do.
pub(crate) fn utf_16(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

pub(crate) fn note(path: &str) -> NotePath {
    NotePath::parse(path).unwrap()
}

/// Returns a time on 10 December 2024, at UTC+1.
pub(crate) fn at_hour(hour: u32, minute: u32) -> DateTime<FixedOffset> {
    FixedOffset::east_opt(3600).unwrap().with_ymd_and_hms(2024, 12, 10, hour, minute, 0).unwrap()
}
