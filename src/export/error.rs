//! What can go wrong with an export or with a folder of one.

use std::io;
use std::path::{Path, PathBuf};

use crate::engine;
use crate::files;
use crate::request;

/// Why nothing, or no more, was exported, or why a folder cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine cannot answer.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// The system refuses to read.
    #[error("cannot read `{0}`: {1}")]
    Unreadable(PathBuf, #[source] io::Error),
    /// The system refuses to write.
    #[error("cannot write `{0}`: {1}")]
    Refused(PathBuf, #[source] io::Error),
    /// The folder is `ManicTime`'s own.
    #[error("`{0}` is inside ManicTime's folder, which is only read")]
    Inside(PathBuf),
    /// What is there cannot make way for a file of the export.
    #[error("`{0}` {1}")]
    InTheWay(PathBuf, #[source] files::Error),
    /// The folder holds something else.
    #[error("`{0}` is not empty and holds no export")]
    NotOurs(PathBuf),
    /// There is no manifest.
    #[error("`{0}` holds no export: there is no `manifest.json` in it")]
    NoExport(PathBuf),
    /// The manifest cannot be understood.
    #[error("`{0}` cannot be read as the manifest of an export: {1}")]
    Manifest(PathBuf, String),
    /// A file of the manifest is gone, or another one.
    #[error("`{0}` is not there as it was exported")]
    Incomplete(PathBuf),
    /// Another export writes into the folder at this moment.
    #[error("`{0}` is being written by another export")]
    InUse(PathBuf),
    /// What is there was written in another way.
    #[error("`{path}` holds an export {there}, which cannot be mixed with one {wanted}")]
    Mixed {
        /// The folder.
        path: PathBuf,
        /// How the files that are there were written.
        there: String,
        /// How they would be written now.
        wanted: String,
    },
    /// A month's file would be replaced by one that holds less of the month.
    #[error("`{file}` holds {there}, and would hold {wanted} only")]
    WouldLose {
        /// The file, below the folder.
        file: String,
        /// The range that it holds.
        there: String,
        /// The range that was asked for.
        wanted: String,
    },
    /// Only Parquet files can be opened as tables.
    #[error("`{0}` holds an export as {1}; only Parquet can be asked in SQL")]
    NotParquet(PathBuf, &'static str),
    /// A mistake of the program, or a value that Arrow cannot write.
    #[error("`{0}` cannot be written: {1}")]
    Unwritable(&'static str, String),
}

impl Error {
    /// The error of the file or folder at `path`.
    pub(super) fn from_file_error(path: &Path, error: files::Error) -> Self {
        let path = path.to_owned();
        match error {
            files::Error::Refused(source) => Self::Refused(path, source),
            files::Error::OffLimits => Self::Inside(path),
            source => Self::InTheWay(path, source),
        }
    }

    /// What the user can do, in one line.
    pub fn hint(&self) -> String {
        match self {
            Self::Engine(error) => return error.hint(),
            Self::Unreadable { .. } => "name a folder that `dayledger export --out` wrote and that you may read",
            Self::Refused { .. } => "name a folder that you may write",
            Self::Inside { .. } => "name a folder outside of it",
            Self::InTheWay { .. } => "move it away, or name another folder; nothing takes its place",
            Self::NotOurs { .. } => "name an empty folder, or one of an earlier export",
            Self::NoExport { .. } => "name the folder that was given to `dayledger export --out`",
            Self::Manifest { .. } => "export again, with this version of the program, into an empty folder",
            Self::Incomplete { .. } => {
                "export that month again; while an export into this folder runs, wait until it has ended"
            }
            Self::InUse { .. } => "wait until it has ended, or name another folder",
            Self::Mixed { .. } => "name another folder, or export in the same way",
            Self::WouldLose { .. } => "ask for the whole month, or remove the file first",
            Self::NotParquet { .. } => "export with `--format parquet`",
            Self::Unwritable { .. } => "try another `--format`, or leave the table out with `--tables`",
        }
        .to_owned()
    }
}

impl From<Error> for request::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Engine(error) => error.into(),
            error => Self::from_command_error(&error, error.hint()),
        }
    }
}
