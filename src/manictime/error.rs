//! What can go wrong between us and `ManicTime`'s files, each with what to do.

use std::path::PathBuf;

use super::privacy::Privacy;

/// Why the history cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No place holds a history.
    #[error("no ManicTime history found; looked in {}", list(.searched))]
    NotFound {
        /// The places that were tried, in order.
        searched: Vec<PathBuf>,
    },
    /// The file is not `SQLite`; `ManicTime` encrypts it when a password is set.
    #[error("`{}` is not a readable SQLite file; it is encrypted or damaged", .path.display())]
    NotSqlite {
        /// The file.
        path: PathBuf,
    },
    /// The file of `ManicTime` before version 4 (SQL Server Compact).
    #[error("`{}` belongs to a ManicTime older than version 4, whose format cannot be read", .path.display())]
    TooOld {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refuses to let us read.
    #[error("no permission to read `{}`", .path.display())]
    PermissionDenied {
        /// The file or directory.
        path: PathBuf,
    },
    /// A table that every question needs is missing.
    #[error("`{}` lacks the table `{table}`", .path.display())]
    MissingTable {
        /// The file.
        path: PathBuf,
        /// The table.
        table: String,
    },
    /// A column that every question needs is missing.
    #[error("`{}` lacks the column `{table}.{column}`", .path.display())]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
    /// `ManicTime` held its file locked for longer than we wait.
    #[error("`{}` stayed locked by another program for {waited_seconds} seconds", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
        /// How long we waited.
        waited_seconds: u64,
    },
    /// Anything else that `SQLite` says.
    #[error("reading `{}` failed: {message}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// `SQLite`'s own words.
        message: String,
    },
}

impl Error {
    /// The same error with no more of its paths than may be told.
    pub(crate) fn under(self, privacy: &Privacy) -> Self {
        if privacy.is_empty() {
            return self;
        }
        let shown = |path: PathBuf| privacy.shown_path(&path);
        match self {
            Self::NotFound { searched } => Self::NotFound { searched: searched.into_iter().map(shown).collect() },
            Self::NotSqlite { path } => Self::NotSqlite { path: shown(path) },
            Self::TooOld { path } => Self::TooOld { path: shown(path) },
            Self::PermissionDenied { path } => Self::PermissionDenied { path: shown(path) },
            Self::MissingTable { path, table } => Self::MissingTable { path: shown(path), table },
            Self::MissingColumn { path, table, column } => Self::MissingColumn { path: shown(path), table, column },
            Self::Busy { path, waited_seconds } => Self::Busy { path: shown(path), waited_seconds },
            Self::Sqlite { path, message } => {
                // SQLite names the file as it was opened.
                let shown = shown(path.clone());
                let message = message.replace(&*path.to_string_lossy(), &shown.to_string_lossy());
                Self::Sqlite { path: shown, message: privacy.redactions().text(&message).into_owned() }
            }
        }
    }

    /// The error's name in the contract (semantics, section 7).
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "DATABASE_NOT_FOUND",
            Self::NotSqlite { .. } => "DATABASE_NOT_READABLE",
            Self::TooOld { .. } => "DATABASE_TOO_OLD",
            Self::PermissionDenied { .. } => "PERMISSION_DENIED",
            Self::MissingTable { .. } | Self::MissingColumn { .. } => "SCHEMA_INCOMPLETE",
            Self::Busy { .. } => "DATABASE_BUSY",
            Self::Sqlite { .. } => "DATABASE_ERROR",
        }
    }

    /// What the user can do, in one line.
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { .. } => {
                "pass the folder that holds `ManicTimeReports.db` with `--data-dir`, set `MANICTIME_DATA_DIR`, or try \
                 `--demo`"
            }
            Self::NotSqlite { .. } => {
                "remove the password in ManicTime's settings, or point `--data-dir` at another folder"
            }
            Self::TooOld { .. } => "update ManicTime to version 4 or later, which converts the history",
            Self::PermissionDenied { .. } => "let this user read the folder, or run as the user who runs ManicTime",
            Self::MissingTable { .. } | Self::MissingColumn { .. } => {
                "point `--data-dir` at a folder of ManicTime 4 or later, or let ManicTime finish its update"
            }
            Self::Busy { .. } => "try again in a moment; if it stays so, restart ManicTime",
            Self::Sqlite { .. } => "start ManicTime once so that it can repair its file, then try again",
        }
        .to_owned()
    }
}

fn list(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no place, since this platform has no usual one".to_owned();
    }
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}
