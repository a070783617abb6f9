//! Errors of saving images.

use std::io;
use std::path::PathBuf;

use super::AllowedBy;
use crate::codes;
use dayledger_core::code::{Code, INTERNAL};

/// The reason why an image wasn't saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// No directory is allowed for saving.
    #[error("cannot save the image: no folder is allowed for writing")]
    NothingAllowed,
    /// The path isn't in an allowed directory, or leads out of the directory.
    #[error("cannot save the image: `{0}` is outside the folders that are allowed for writing")]
    Outside(String),
    /// The path is in a folder of the tracker.
    #[error("cannot save the image: `{0}` is in the tracker's folder, which dayledger only reads")]
    Forbidden(String),
    /// A name in the path isn't valid on every platform.
    #[error("invalid path: `{part}` is not allowed: {reason}")]
    InvalidName {
        /// The invalid name, or the whole path.
        part: String,
        /// The reason why the name is invalid.
        reason: &'static str,
    },
    /// The file extension doesn't belong to a supported format.
    #[error("cannot save the image: the extension `{0}` is not supported")]
    WrongExtension(String),
    /// The file exists, and replacing it wasn't requested.
    #[error("cannot save the image: `{0}` already exists")]
    Exists(PathBuf),
    /// A folder, link or device already has the name of the file, or a file already has the name of
    /// a folder in the path.
    #[error("cannot save the image: `{0}` exists and is another kind of file")]
    InTheWay(PathBuf),
    /// The format of the image isn't the format of the file extension.
    #[error("cannot save the image: its format does not match `.{0}`")]
    OtherFormat(&'static str),
    /// An allowed directory doesn't exist or can't be opened.
    #[error("cannot use `{}`, allowed for writing by {}: {source}", .directory.display(), .by.describe())]
    Unusable {
        /// The path of the directory.
        directory: PathBuf,
        /// The setting that allows the directory.
        by: AllowedBy,
        /// The error that the operating system returned.
        source: io::Error,
    },
    /// The operating system refuses to write the file.
    #[error("cannot write `{0}`: {1}")]
    Unwritable(PathBuf, #[source] io::Error),
}

impl SaveError {
    /// Returns the error's code in the contract.
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

    /// Returns one line of advice for the user.
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
