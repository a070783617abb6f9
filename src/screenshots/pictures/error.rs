//! What can go wrong with a picture.

use std::io;

use super::limits::{MAX_BYTES, MAX_PIXELS};
use crate::code::Code;
use crate::screenshots::codes;

/// Why there is no picture. The caller knows which one it asked for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such file, or no longer.
    #[error("cannot read the image file: it was deleted or moved")]
    Missing,
    /// Another program holds the file.
    #[error("cannot read the image file: another program is using it")]
    Locked,
    /// The file ends, or stops making sense, before its end mark.
    #[error("cannot read the image file: it is still being written, or it is damaged")]
    Incomplete,
    /// The file has no content.
    #[error("cannot read the image file: it is empty")]
    Empty,
    /// The content is neither JPEG nor PNG, or a rare kind of them, or the path is no regular file.
    #[error("cannot read the image file: it is not a valid JPEG or PNG image")]
    NotAnImage,
    /// The file or its pixels are more than is read.
    #[error("cannot read the image file: it is larger than {} MiB, or the image is larger than {} million pixels", MAX_BYTES >> 20, MAX_PIXELS / 1_000_000)]
    TooLarge,
    /// The operating system fails otherwise.
    #[error("cannot read the image file: {source}")]
    Unreadable {
        /// What the operating system says.
        source: io::Error,
    },
}

impl Error {
    /// Returns the error's name in the contract.
    pub fn code(&self) -> Code {
        match self {
            Self::Missing => codes::SCREENSHOT_MISSING,
            Self::Locked => codes::SCREENSHOT_LOCKED,
            Self::Incomplete => codes::SCREENSHOT_INCOMPLETE,
            Self::Empty => codes::SCREENSHOT_EMPTY,
            Self::NotAnImage => codes::SCREENSHOT_NOT_AN_IMAGE,
            Self::TooLarge => codes::SCREENSHOT_TOO_LARGE,
            Self::Unreadable { .. } => codes::SCREENSHOT_UNREADABLE,
        }
    }

    /// Returns what the user can do, in one line.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing => "list the screenshots again, because ManicTime deletes old ones",
            Self::Locked | Self::Incomplete | Self::Empty => {
                "try again in a moment, or choose another screenshot from the list"
            }
            Self::NotAnImage | Self::TooLarge => "choose another screenshot from the list",
            Self::Unreadable { .. } => "grant this user read access to ManicTime's folder of screenshots",
        }
    }

    /// Whether the file may be whole a moment later: what is being written looks like all of these in turn.
    pub(super) fn may_pass(&self) -> bool {
        !matches!(self, Self::TooLarge)
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        /// Windows: another program opened the file for itself alone (`ERROR_SHARING_VIOLATION`), or locked a part of
        /// it (`ERROR_LOCK_VIOLATION`).
        const WINDOWS_LOCK_ERRORS: [i32; 2] = [32, 33];
        let held = cfg!(windows) && source.raw_os_error().is_some_and(|code| WINDOWS_LOCK_ERRORS.contains(&code));
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::ResourceBusy | io::ErrorKind::WouldBlock => Self::Locked,
            _ if held => Self::Locked,
            _ => Self::Unreadable { source },
        }
    }
}
