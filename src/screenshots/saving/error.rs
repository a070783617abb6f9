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
    #[error("cannot save the image: no folder is allowed for writing")]
    NothingAllowed,
    /// The path does not lie in an allowed directory, or leads out of it.
    #[error("cannot save the image: `{path}` is outside the folders that are allowed for writing")]
    Outside {
        /// What was asked.
        path: String,
    },
    /// The path belongs to `ManicTime`.
    #[error("cannot save the image: `{path}` is in ManicTime's folder, which dayledger only reads")]
    Forbidden {
        /// What was asked.
        path: String,
    },
    /// A part of the path cannot be the name of a file or folder on every platform.
    #[error("invalid path: `{part}` is not allowed: {reason}")]
    InvalidName {
        /// The part, or the whole path.
        part: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The extension is that of no format that is written.
    #[error("cannot save the image: the extension `{extension}` is not supported")]
    WrongExtension {
        /// What was asked, without the dot.
        extension: String,
    },
    /// The file exists, and nobody asked to replace it.
    #[error("cannot save the image: `{}` already exists", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A folder, link or device has the file's name, or a file that of a folder above it.
    #[error("cannot save the image: `{}` exists and is another kind of file", .path.display())]
    InTheWay {
        /// What is there.
        path: PathBuf,
    },
    /// The picture is in another format than the path tells.
    #[error("cannot save the image: its format does not match `.{extension}`")]
    OtherFormat {
        /// The extension of the path.
        extension: &'static str,
    },
    /// An allowed directory does not exist or cannot be opened.
    #[error("cannot use `{}`, allowed for writing by {}: {source}", .directory.display(), .by.describe())]
    Unusable {
        /// The directory.
        directory: PathBuf,
        /// Who named it.
        by: AllowedBy,
        /// What the operating system says.
        source: io::Error,
    },
    /// The operating system does not let the file be written.
    #[error("cannot write `{}`: {source}", .path.display())]
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
                "restart the server with `--allow-write DIR`, or use a client that declares its folders as roots"
            }
            Self::Outside { .. } | Self::Forbidden { .. } => {
                "pass a relative path such as `screenshots/morning.jpg`; it is relative to the first allowed folder"
            }
            Self::InvalidName { .. } => "pass a relative path of plain names, such as `screenshots/morning.jpg`",
            Self::WrongExtension { .. } => "end the path with `.jpg`, `.jpeg` or `.png`, or without an extension",
            Self::Exists { .. } => "choose another name, or ask the user and pass `overwrite: true`",
            Self::InTheWay { .. } => "choose another name",
            Self::OtherFormat { .. } => "try again; if the error remains, report it with the call that you made",
            Self::Unusable { .. } => "create the folder, or correct its setting",
            Self::Unwritable { .. } => "check the permissions and the free disk space, or choose another path",
        }
    }
}
