//! What can go wrong when a picture is saved.

use std::io;
use std::path::PathBuf;

use super::allowed::AllowedBy;
use crate::code::{Code, INTERNAL};
use crate::screenshots::codes;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// No directory is allowed.
    #[error("no directory is allowed for writing")]
    NothingAllowed,
    /// The path does not lie in an allowed directory, or leads out of it.
    #[error("`{path}` is outside of the directories that are allowed for writing")]
    Outside {
        /// What was asked.
        path: String,
    },
    /// The path belongs to `ManicTime`.
    #[error("`{path}` is in ManicTime's own folder, which is never written")]
    Forbidden {
        /// What was asked.
        path: String,
    },
    /// A part of the path cannot be the name of a file or folder on every platform.
    #[error("`{part}` cannot be part of a path: {reason}")]
    InvalidName {
        /// The part, or the whole path.
        part: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The extension is that of no format that is written.
    #[error("`{extension}` is no extension of a picture that can be written")]
    WrongExtension {
        /// What was asked, without the dot.
        extension: String,
    },
    /// The file exists, and nobody asked to replace it.
    #[error("`{}` exists already", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A folder, link or device has the file's name, or a file that of a folder above it.
    #[error("`{}` is in the way: it exists and is of another kind", .path.display())]
    InTheWay {
        /// What is there.
        path: PathBuf,
    },
    /// The picture is in another format than the path tells.
    #[error("a picture in one format cannot be saved as `.{extension}`")]
    OtherFormat {
        /// The extension of the path.
        extension: &'static str,
    },
    /// An allowed directory does not exist or cannot be opened.
    #[error("`{}`, allowed for writing by {}, cannot be used: {source}", .directory.display(), .by.describe())]
    Unusable {
        /// The directory.
        directory: PathBuf,
        /// Who named it.
        by: AllowedBy,
        /// What the operating system says.
        source: io::Error,
    },
    /// The operating system does not let the file be written.
    #[error("`{}` cannot be written: {source}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
}

impl SaveError {
    /// Returns the error's name in the contract.
    pub fn code(&self) -> Code {
        match self {
            Self::NothingAllowed => codes::WRITE_NOT_ALLOWED,
            Self::Outside { .. } | Self::Forbidden { .. } => codes::PATH_NOT_ALLOWED,
            Self::InvalidName { .. } => codes::INVALID_PATH,
            Self::WrongExtension { .. } => codes::INVALID_EXTENSION,
            Self::Exists { .. } | Self::InTheWay { .. } => codes::FILE_EXISTS,
            Self::OtherFormat { .. } => INTERNAL,
            Self::Unusable { .. } | Self::Unwritable { .. } => codes::WRITE_FAILED,
        }
    }

    /// Returns what the user can do, in one line.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NothingAllowed => {
                "start the server with `--allow-write DIR`, or use a client that declares its folders as roots"
            }
            Self::Outside { .. } | Self::Forbidden { .. } => {
                "pass a relative path such as `screenshots/morning.jpg`; it is taken from the first allowed directory"
            }
            Self::InvalidName { .. } => "pass a relative path of plain names, such as `screenshots/morning.jpg`",
            Self::WrongExtension { .. } => "end the path with `.jpg`, `.jpeg` or `.png`, or with no extension",
            Self::Exists { .. } => "choose another name, or ask the user and pass `overwrite: true`",
            Self::InTheWay { .. } => "choose another name",
            Self::OtherFormat { .. } => "try again; if it stays so, report it with the call that you made",
            Self::Unusable { .. } => "make the directory, or correct the setting that names it",
            Self::Unwritable { .. } => {
                "let this user write there and see that the disk has space, or choose another path"
            }
        }
    }
}
