//! What can go wrong with an export or with a folder of one.

use std::io;
use std::path::{Path, PathBuf};

use crate::engine;
use crate::files;

/// Why nothing, or no more, was exported, or why a folder cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine cannot answer.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// The system refuses to read.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system refuses to write.
    #[error("cannot write `{path}`: {source}")]
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The folder is `ManicTime`'s own.
    #[error("`{path}` is inside ManicTime's folder, which is only read")]
    Inside {
        /// The folder.
        path: PathBuf,
    },
    /// What is there cannot make way for a file of the export.
    #[error("`{path}` {source}")]
    InTheWay {
        /// The file or folder.
        path: PathBuf,
        /// What is there.
        source: files::Error,
    },
    /// The folder holds something else.
    #[error("`{path}` is not empty and holds no export")]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// There is no manifest.
    #[error("`{path}` holds no export: there is no `manifest.json` in it")]
    NoExport {
        /// The folder.
        path: PathBuf,
    },
    /// The manifest cannot be understood.
    #[error("`{path}` cannot be read as the manifest of an export: {reason}")]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of the manifest is gone, or another one.
    #[error("`{path}` is not there as it was exported")]
    Incomplete {
        /// The file.
        path: PathBuf,
    },
    /// Another export writes into the folder at this moment.
    #[error("`{path}` is being written by another export")]
    InUse {
        /// The folder.
        path: PathBuf,
    },
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
    #[error("`{path}` holds an export as {format}; only Parquet can be asked in SQL")]
    NotParquet {
        /// The folder.
        path: PathBuf,
        /// The format.
        format: &'static str,
    },
    /// A mistake of the program, or a value that Arrow cannot write.
    #[error("`{table}` cannot be written: {reason}")]
    Unwritable {
        /// The table.
        table: &'static str,
        /// What the writer says.
        reason: String,
    },
}

impl Error {
    /// The error of the file or folder at `path`.
    pub(super) fn of(path: &Path, error: files::Error) -> Self {
        let path = path.to_owned();
        match error {
            files::Error::Refused(source) => Self::Refused { path, source },
            files::Error::OffLimits => Self::Inside { path },
            source => Self::InTheWay { path, source },
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
