//! Errors that occur while `ManicTime`'s database is read, each with a hint for the user.

use std::path::{Path, PathBuf};

use dayledger_source::{self as source, ErrorKind, FoundBy, Privacy, configuration_name};

/// The reason why the history can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// None of the searched paths contains a history.
    #[error("cannot find a ManicTime history: looked in {}{}", format_paths(.searched), describe_origin(*.named_by))]
    NotFound {
        /// The searched paths, in order.
        searched: Vec<PathBuf>,
        /// The setting that contains the paths. `None` for the default paths.
        named_by: Option<FoundBy>,
    },
    /// The file isn't an `SQLite` database. `ManicTime` encrypts its database if a password is set.
    #[error("cannot read `{0}`: it is encrypted, damaged or not an SQLite file")]
    NotSqlite(PathBuf),
    /// The file is empty. `SQLite` would accept it as a database without tables.
    #[error("cannot read `{0}`: the file is empty")]
    Empty(PathBuf),
    /// The file has the format of `ManicTime` before version 4 (SQL Server Compact).
    #[error("cannot read `{0}`: its format is older than ManicTime 4")]
    TooOld(PathBuf),
    /// A file of the history isn't a regular file. It is, for example, a pipe or a device.
    #[error("cannot open the history: `{0}` is not a file")]
    NotAFile(PathBuf),
    /// The user isn't allowed to read the file.
    #[error("cannot read `{0}`: permission denied")]
    PermissionDenied(PathBuf),
    /// A table or column that every query needs is missing.
    #[error("cannot use `{}`: it lacks the {part}", .path.display())]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// The missing table or column, such as "table `Ar_Group`".
        part: String,
    },
    /// The read reached its timeout. The timeout is longer for larger files.
    #[error("cannot read `{}`: reading was stopped after {waited_seconds} seconds", .path.display())]
    Endless {
        /// The file.
        path: PathBuf,
        /// The number of seconds after which the read was stopped.
        waited_seconds: u64,
    },
    /// A statement returned more rows or longer texts than the file can contain.
    #[error("cannot read `{0}`: the database is inconsistent, because it returned more data than its size allows")]
    Overfull(PathBuf),
    /// Another program, usually `ManicTime`, kept the file locked until the wait timed out.
    #[error("cannot read `{}`: another program kept it locked for {waited_seconds} seconds", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
        /// The number of seconds that the read waited.
        waited_seconds: u64,
    },
    /// Any other error of `SQLite`.
    #[error("cannot read `{}`: {message}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The message of `SQLite`.
        message: String,
    },
}

impl Error {
    /// Replaces each path in the error by the result of `changed` for this path.
    fn map_paths(mut self, changed: impl Fn(&Path) -> PathBuf) -> Self {
        match &mut self {
            Self::NotFound { searched, .. } => searched.iter_mut().for_each(|path| *path = changed(path)),
            Self::NotSqlite(path)
            | Self::Empty(path)
            | Self::TooOld(path)
            | Self::NotAFile(path)
            | Self::PermissionDenied(path)
            | Self::Incomplete { path, .. }
            | Self::Endless { path, .. }
            | Self::Overfull(path)
            | Self::Busy { path, .. }
            | Self::Sqlite { path, .. } => *path = changed(path),
        }
        self
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::NotSqlite { .. } | Self::Empty { .. } | Self::NotAFile { .. } => ErrorKind::NotReadable,
            Self::TooOld { .. } => ErrorKind::TooOld,
            Self::PermissionDenied { .. } => ErrorKind::PermissionDenied,
            Self::Incomplete { .. } => ErrorKind::Incomplete,
            Self::Busy { .. } => ErrorKind::Busy,
            Self::Endless { .. } | Self::Overfull { .. } => ErrorKind::GaveUp,
            Self::Sqlite { .. } => ErrorKind::Failed,
        }
    }

    /// Returns one line of advice for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { named_by: Some(FoundBy::Environment), .. } => {
                "set `MANICTIME_DATA_DIR` to the folder that contains `ManicTimeReports.db`"
            }
            Self::NotFound { named_by: Some(FoundBy::Configuration), .. } => {
                let file = configuration_name();
                return format!("set `data_dir` in {file} to the folder that contains `ManicTimeReports.db`");
            }
            Self::NotFound { named_by: Some(_), .. } => {
                "pass the folder that contains `ManicTimeReports.db` with `--data-dir`"
            }
            Self::NotFound { named_by: None, .. } => {
                "pass the folder of your time tracker's database with `--data-dir`, or try `--demo`"
            }
            Self::NotSqlite { .. } => {
                "remove the password in ManicTime's settings, or pass another folder with `--data-dir`"
            }
            Self::Empty { .. } => {
                "start ManicTime once so that it writes the file, or restore the file from a backup"
            }
            Self::TooOld { .. } => "update ManicTime to version 4 or later; it converts the history",
            Self::NotAFile { .. } => "remove it: ManicTime stores only files under this name",
            Self::PermissionDenied { .. } => "grant this user read access to the folder, or run as the user who runs ManicTime",
            Self::Incomplete { .. } => {
                "let ManicTime finish its update, or pass a folder of ManicTime 4 or later with `--data-dir`"
            }
            Self::Overfull { .. } => {
                "the file is damaged: copy it from ManicTime's own folder or from a backup"
            }
            Self::Endless { .. } => {
                "if the file is on a slow disk, copy it to a fast one; otherwise it is damaged, so restore it from a backup"
            }
            Self::Busy { .. } => "try again in a moment; if the error remains, restart ManicTime",
            Self::Sqlite { .. } => "start ManicTime once so that it can repair its file, then try again",
        }
        .to_owned()
    }
}

impl From<Error> for source::Error {
    fn from(error: Error) -> Self {
        Self { kind: error.kind(), message: error.to_string(), hint: error.hint() }
    }
}

/// Returns the name of a setting for messages.
pub(crate) fn setting_name(found_by: FoundBy) -> &'static str {
    match found_by {
        FoundBy::Environment => "MANICTIME_DATA_DIR",
        other => other.describe(),
    }
}

/// Returns a text for the end of a message. It names the setting from which a path comes. It is empty for default
/// paths.
fn describe_origin(named_by: Option<FoundBy>) -> String {
    named_by.map(|named_by| format!(", from {}", setting_name(named_by))).unwrap_or_default()
}

fn format_paths(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no folder, because this platform has no default folder".to_owned();
    }
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}

/// Redacts the paths in an error according to the privacy settings. Users see errors too, so an error must not reveal
/// more than a result.
pub(crate) fn redact_error(privacy: &Privacy, error: Error) -> Error {
    if privacy.is_empty() {
        return error;
    }
    let error = match error {
        Error::Sqlite { path, message } => {
            // SQLite's message can contain the path of the file, so the message is also redacted.
            let message = privacy.redact_message(&message, &path);
            Error::Sqlite { path, message }
        }
        error => error,
    };
    error.map_paths(|path| privacy.redact_path(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dayledger_source::Redaction;

    /// If a setting contains a wrong path, the hint must suggest correcting this setting. It must not suggest a flag.
    #[test]
    fn hint_for_a_missing_history_names_the_setting_of_its_path() {
        let hint = |named_by| Error::NotFound { searched: vec!["nowhere".into()], named_by }.hint();
        assert!(hint(Some(FoundBy::Environment)).starts_with("set `MANICTIME_DATA_DIR`"));
        assert!(hint(Some(FoundBy::Configuration)).starts_with("set `data_dir` in dayledger.toml"));
        assert!(hint(Some(FoundBy::Flag)).ends_with("with `--data-dir`"));
        assert!(hint(None).ends_with("or try `--demo`"));
    }

    #[test]
    fn error_contains_no_folder_if_paths_are_redacted() {
        let paths = Privacy::new([Redaction::Paths], [], []);
        let path = PathBuf::from("/home/zqpath/ManicTimeReports.db");
        let error = Error::Sqlite {
            path: path.clone(),
            message: "unable to open database file: /home/zqpath/ManicTimeReports.db".to_owned(),
        };
        let shown = redact_error(&paths, error.clone()).to_string();
        assert!(shown.contains("ManicTimeReports.db") && !shown.contains("zqpath"), "{shown}");
        assert_eq!(redact_error(&Privacy::default(), error.clone()), error);
        let searched = vec![path];
        let shown = redact_error(&paths, Error::NotFound { searched, named_by: None }).to_string();
        assert!(!shown.contains("zqpath"), "{shown}");
    }
}
