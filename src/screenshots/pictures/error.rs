//! What can go wrong with a picture.

use std::io;

use super::limits::{MAX_BYTES, MAX_PIXELS};
use crate::code::Code;
use crate::screenshots::codes;

/// Why there is no picture. The caller knows which one it asked for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such file, or no longer.
    #[error("the picture's file is not there; it was deleted or moved meanwhile")]
    Missing,
    /// Another program holds the file.
    #[error("the picture's file is in use by another program")]
    Locked,
    /// The file ends, or stops making sense, before its end mark.
    #[error("the picture's file is not complete; it is still being written, or it was damaged")]
    Incomplete,
    /// The file has no content.
    #[error("the picture's file is empty")]
    Empty,
    /// The content is neither JPEG nor PNG, or a rare kind of them, or the path is no regular file.
    #[error("the picture's file holds no JPEG or PNG picture that can be read")]
    NotAnImage,
    /// The file or its pixels are more than is read.
    #[error("the picture's file is larger than {} MiB, or the picture larger than {} million pixels", MAX_BYTES >> 20, MAX_PIXELS / 1_000_000)]
    TooLarge,
    /// The operating system fails otherwise.
    #[error("the picture's file cannot be read: {source}")]
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
            Self::Missing => "list the screenshots again; ManicTime deletes old ones",
            Self::Locked | Self::Incomplete | Self::Empty => {
                "try again in a moment; if it stays so, take another screenshot of the list"
            }
            Self::NotAnImage | Self::TooLarge => "take another screenshot of the list",
            Self::Unreadable { .. } => "let this user read ManicTime's folder of screenshots",
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
