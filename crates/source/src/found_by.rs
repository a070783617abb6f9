//! The location of a history, the paths to search for it, and the settings from which these paths come.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// The name of the configuration file, if it isn't the default name.
static CONFIGURATION_NAME: OnceLock<String> = OnceLock::new();

/// Sets the name of the configuration file that this process reads, for messages. By default, this is `dayledger.toml`.
/// Only the first call has an effect.
pub fn set_configuration_name(name: String) {
    CONFIGURATION_NAME.get_or_init(|| name);
}

/// Returns the name of the configuration file for messages. Messages don't contain its folder, because the privacy
/// settings of a server can redact paths.
pub fn configuration_name() -> &'static str {
    CONFIGURATION_NAME.get().map_or("dayledger.toml", String::as_str)
}

/// The location of an existing history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The database file.
    pub database: PathBuf,
    /// The setting from which the path comes.
    pub found_by: FoundBy,
    /// The name of the setting `found_by`, for messages.
    pub setting: &'static str,
    /// When the database or its write-ahead log was last written, or `None` if the operating system
    /// doesn't provide this time.
    pub modified: Option<SystemTime>,
}

impl Location {
    /// Returns the location of a database, with the time when it was last written.
    pub fn new(database: PathBuf, found_by: FoundBy) -> Self {
        let mut log = database.as_os_str().to_owned();
        // The log counts too: with a write-ahead log, a commit changes only the log, and the database itself changes
        // much later.
        log.push("-wal");
        let written = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let modified = written(&database).max(written(log.as_ref()));
        Self { database, found_by, setting: found_by.describe(), modified }
    }
}

/// The paths that are searched for a history, in order. Each path is stored with the setting from which it comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SearchedPaths(
    // The paths are stored as `OsString`. Unlike a `PathBuf`, an `OsString` can always be serialised.
    Vec<(OsString, FoundBy)>,
);

impl SearchedPaths {
    /// Creates a list of the one path that the user set.
    pub fn from_path(path: impl Into<PathBuf>, found_by: FoundBy) -> Self {
        Self(vec![(path.into().into(), found_by)])
    }

    /// Creates a list of the default folders of the tracker on this platform.
    pub fn from_platform(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(folders.into_iter().map(|folder| (folder.into(), FoundBy::Platform)).collect())
    }

    /// Returns the paths with their settings, in order.
    pub fn list(&self) -> impl Iterator<Item = (&Path, FoundBy)> {
        self.0.iter().map(|(path, found_by)| (Path::new(path), *found_by))
    }

    /// Returns the setting from which the paths come. Returns `None` if they are the default folders of this platform.
    pub fn set_by(&self) -> Option<FoundBy> {
        self.0.first().map(|(_, found_by)| *found_by).filter(|found_by| *found_by != FoundBy::Platform)
    }
}

/// The setting from which the path of a history comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FoundBy {
    /// `--data-dir`.
    Flag,
    /// `--demo`.
    Demo,
    /// The environment variable of the tracker.
    Environment,
    /// `data_dir` in the configuration file.
    Configuration,
    /// A default folder of this platform.
    Platform,
}

impl FoundBy {
    /// Returns the name of the setting for messages. For an environment variable, the result is a general text, because
    /// only the source knows the name of the variable.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Flag => "--data-dir",
            Self::Demo => "--demo",
            Self::Environment => "an environment variable",
            Self::Configuration => configuration_name(),
            Self::Platform => "the default folder",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_to_the_log_counts_as_a_modification() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("history.db");
        let modified = || Location::new(database.clone(), FoundBy::Flag).modified;
        assert_eq!(modified(), None);
        let old = SystemTime::UNIX_EPOCH + std::time::Duration::from_hours(24);
        fs::File::create(&database).unwrap().set_modified(old).unwrap();
        assert_eq!(modified(), Some(old));
        fs::write(dir.path().join("history.db-wal"), b"x").unwrap();
        assert!(modified() > Some(old));
    }
}
