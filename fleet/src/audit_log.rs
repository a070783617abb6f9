//! A record of what was asked of all together: whoever has to see to it can set the questions against each other.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};

use chrono::{SecondsFormat, Utc};
use dayledger::request::DateRange;
use directories::ProjectDirs;
use serde_json::json;

use crate::hours::GroupBy;

/// A file with a line of JSON for each question. Cheap to make: nothing is opened before a question is kept.
#[derive(Debug, Clone)]
pub struct AuditLog(PathBuf);

/// Why a question could not be kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the audit log `{path}`: {source}")]
pub struct AuditLogError {
    path: PathBuf,
    source: io::Error,
}

impl AuditLogError {
    /// What the user can do, in one line.
    pub fn hint(&self) -> &'static str {
        "pass a file that you can write with `--record`, because every query must be logged"
    }
}

impl AuditLog {
    /// The file at `path`; without one, `hours.jsonl` in the user's own folder for data.
    ///
    /// # Errors
    /// Where the user has no such folder.
    pub fn open(path: Option<PathBuf>) -> Result<Self, AuditLogError> {
        let own = || ProjectDirs::from("", "", "dayledger-fleet").map(|own| own.data_local_dir().join("hours.jsonl"));
        let none = || AuditLogError { path: PathBuf::from("hours.jsonl"), source: io::ErrorKind::NotFound.into() };
        path.or_else(own).map(Self).ok_or_else(none)
    }

    /// Adds a question: when it is asked (UTC), the local range, what rows are of, and of how many persons at least.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&self, range: &DateRange, by: GroupBy, least: NonZeroU16) -> Result<(), AuditLogError> {
        let line = json!({
            "askedUtc": Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
            "start": range.start_text(),
            "end": range.end_text(),
            "by": by.name(),
            "atLeast": least,
        });
        append(&self.0, &format!("{line}\n")).map_err(|source| AuditLogError { path: self.0.clone(), source })
    }
}

/// Adds to a file, which is its owner's alone and made where there is none.
fn append(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Opening a pipe waits for its other end, and a device keeps nothing.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // At once, so that lines of two that ask do not mix.
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The question waited for a reader of the pipe.
    #[test]
    fn audit_log_that_is_a_pipe_or_a_device_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/null")] {
            assert!(append(path, "line\n").unwrap_err().to_string().contains("not a regular file"));
        }
        let path = dir.path().join("new/hours.jsonl");
        append(&path, "one\n").unwrap();
        append(&path, "two\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }
}
