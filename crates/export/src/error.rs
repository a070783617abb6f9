//! Errors of exporting, and of opening an export.

use std::io;
use std::path::{Path, PathBuf};

use dayledger_core::files;
use dayledger_engine as engine;

/// Why an export failed or stopped, or why a folder can't be opened as an export.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// The operating system refused to read the file or folder.
    #[error("cannot read `{0}`: {1}")]
    Unreadable(PathBuf, #[source] io::Error),
    /// The operating system refused to write the file or folder.
    #[error("cannot write `{0}`: {1}")]
    Refused(PathBuf, #[source] io::Error),
    /// The folder is inside a folder that dayledger only reads, such as a folder of the tracker.
    #[error("cannot write `{0}`: it is inside a folder that dayledger only reads")]
    Inside(PathBuf),
    /// The existing path can't be replaced by a file of the export.
    #[error("cannot use `{0}`: it {1}")]
    InTheWay(PathBuf, #[source] files::Error),
    /// The folder is not empty and does not contain an export.
    #[error("cannot export to `{0}`: the folder is not empty and does not contain an export")]
    NotOurs(PathBuf),
    /// The folder has no manifest.
    #[error("cannot open the export `{0}`: it does not contain `manifest.json`")]
    NoExport(PathBuf),
    /// The manifest, or a file of the export, can't be parsed.
    #[error("cannot read `{0}`: {1}")]
    Manifest(PathBuf, String),
    /// A file that the manifest lists is missing or was changed.
    #[error("cannot read the export: `{0}` is missing or was changed")]
    Incomplete(PathBuf),
    /// Another export is running in the folder.
    #[error("cannot write `{0}`: another export is running in this folder")]
    InUse(PathBuf),
    /// The folder contains an export with other options.
    #[error("cannot export to `{path}`: it contains an export {there}, which cannot be mixed with one {wanted}")]
    Mixed {
        /// The folder.
        path: PathBuf,
        /// The options of the existing files.
        there: String,
        /// The requested options.
        wanted: String,
    },
    /// The new file would cover less of its month than the existing file.
    #[error("cannot replace `{file}`: it contains {there}, and the new file would contain only {wanted}")]
    WouldLose {
        /// The path of the file, relative to the folder.
        file: String,
        /// The range of the existing file.
        there: String,
        /// The range of the new file.
        wanted: String,
    },
    /// The files aren't Parquet, so they can't be opened as tables.
    #[error("cannot query `{0}`: it is exported as {1}, and SQL needs Parquet")]
    NotParquet(PathBuf, &'static str),
    /// The export lacks activities or rules, so it can't be read as a history.
    #[error("cannot use the export `{0}` as a history: {1}")]
    NotWhole(PathBuf, String),
    /// The history is already an export, and an export can't be exported again.
    #[error("cannot export an export: it does not contain the texts that rules read")]
    FromExport,
    /// A bug in dayledger, or a value that Arrow can't write.
    #[error("cannot write `{0}`: {1}")]
    Unwritable(&'static str, String),
}

impl Error {
    /// Converts an error about the file or folder at `path`.
    pub(super) fn from_file_error(path: &Path, error: files::Error) -> Self {
        let path = path.to_owned();
        match error {
            files::Error::Refused(source) => Self::Refused(path, source),
            files::Error::OffLimits => Self::Inside(path),
            source => Self::InTheWay(path, source),
        }
    }

    /// Returns one line of advice for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::Engine(error) => return error.hint(),
            Self::Unreadable { .. } => "pass a folder that `dayledger export --out` wrote and that you can read",
            Self::Refused { .. } => "pass a folder that you can write to",
            Self::Inside { .. } => "pass a folder outside of the tracker's folder",
            Self::InTheWay { .. } => "move it, or pass another folder",
            Self::NotOurs { .. } => "pass an empty folder, or the folder of an earlier export",
            Self::NoExport { .. } => "pass the folder that you passed to `dayledger export --out`",
            Self::Manifest { .. } => "export again to an empty folder with this version of dayledger",
            Self::Incomplete { .. } => "export that month again, unless an export to this folder is still running",
            Self::InUse { .. } => "wait until it ends, or pass another folder",
            Self::Mixed { .. } => "pass another folder, or export with the same options",
            Self::WouldLose { .. } => "export the whole month, or remove the file first",
            Self::NotParquet { .. } => "export with `--format parquet`",
            Self::NotWhole { .. } => {
                "export the whole history with `--tables activities`, or query the folder with `dayledger sql --exports`"
            }
            Self::FromExport => "copy the folder of the export, or export the original history",
            Self::Unwritable { .. } => "use another `--format`, or exclude the table with `--tables`",
        }
        .to_owned()
    }
}

impl From<Error> for dayledger_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Engine(error) => error.into(),
            error => Self::from_command_error(&error, error.hint()),
        }
    }
}
