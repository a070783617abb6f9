//! The audit log. It records each request for team hours, so that an auditor can compare the requests.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};

use chrono::{SecondsFormat, Utc};
use dayledger_request::DateRange;
use directories::ProjectDirs;
use serde_json::json;

use crate::hours::GroupBy;

/// The file of the audit log, with one line of JSON for each request. The file is opened only when a request is logged.
#[derive(Debug, Clone)]
pub struct AuditLog(PathBuf);

/// An error that prevented a request from being logged.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the audit log `{path}`: {source}")]
pub struct AuditLogError {
    path: PathBuf,
    source: io::Error,
}

impl AuditLogError {
    /// Returns a hint for the user, on one line.
    pub fn hint(&self) -> &'static str {
        "pass a file that you can write with `--record`, because every query must be logged"
    }
}

impl AuditLog {
    /// Returns the log at `path` [default: `hours.jsonl` in the user's data folder].
    ///
    /// # Errors
    /// Fails if `path` is unset and the user's data folder can't be determined.
    pub fn open(path: Option<PathBuf>) -> Result<Self, AuditLogError> {
        let own = || ProjectDirs::from("", "", "dayledger-fleet").map(|own| own.data_local_dir().join("hours.jsonl"));
        let none = || AuditLogError { path: PathBuf::from("hours.jsonl"), source: io::ErrorKind::NotFound.into() };
        path.or_else(own).map(Self).ok_or_else(none)
    }

    /// Logs a request: the current time (UTC), the requested range (local), the grouping, and the minimum number of
    /// people.
    ///
    /// # Errors
    /// Fails if the file can't be written.
    pub fn add(&self, range: &DateRange, by: GroupBy, least: NonZeroU16) -> Result<(), AuditLogError> {
        let line = json!({
            "askedUtc": Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
            "start": range.start_text(),
            "end": range.end_text(),
            "by": by,
            "atLeast": least,
        });
        append(&self.0, &format!("{line}\n")).map_err(|source| AuditLogError { path: self.0.clone(), source })
    }
}

/// Appends a text to a file. If the file doesn't exist, creates it so that only its owner can access it.
fn append(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Pipes and devices are refused. Opening a pipe blocks until another program reads from the pipe. A device such as
    // `/dev/null` stores nothing.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // The text is written in a single call, so that the lines of simultaneous requests don't mix.
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Opening a pipe must not block the request.
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
