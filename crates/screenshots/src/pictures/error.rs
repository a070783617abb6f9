//! Errors of reading images.

use std::io;

use super::header::MAX_PIXELS;
use super::reading::MAX_BYTES;
use crate::codes;
use dayledger_core::code::Code;

/// The reason why an image can't be read. The text doesn't contain the path, because the caller
/// knows it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file doesn't exist or was deleted.
    #[error("cannot read the image file: it was deleted or moved")]
    Missing,
    /// Another program locks the file.
    #[error("cannot read the image file: another program is using it")]
    Locked,
    /// The file ends or becomes invalid before its end marker.
    #[error("cannot read the image file: it is still being written, or it is damaged")]
    Incomplete,
    /// The file is empty.
    #[error("cannot read the image file: it is empty")]
    Empty,
    /// The content isn't JPEG or PNG, or is an unsupported variant of one of these formats. Also
    /// returned if the path isn't a regular file.
    #[error("cannot read the image file: it is not a valid JPEG or PNG image")]
    NotAnImage,
    /// The file or the image exceeds a limit.
    #[error("cannot read the image file: it is larger than {} MiB, or the image is larger than {} million pixels", MAX_BYTES >> 20, MAX_PIXELS / 1_000_000)]
    TooLarge,
    /// Another error of the operating system.
    #[error("cannot read the image file: {0}")]
    Unreadable(#[source] io::Error),
}

impl Error {
    /// Returns the error's code in the contract.
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

    /// Returns one line of advice for the user.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing => "list the screenshots again, because the tracker deletes old ones",
            Self::Locked | Self::Incomplete | Self::Empty => {
                "try again in a moment, or choose another screenshot from the list"
            }
            Self::NotAnImage | Self::TooLarge => "choose another screenshot from the list",
            Self::Unreadable { .. } => "grant this user read access to the screenshots folder",
        }
    }

    /// Whether the error can disappear at a retry. A file that another program is writing can cause
    /// any of these errors.
    pub(super) fn may_pass(&self) -> bool {
        !matches!(self, Self::TooLarge)
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        /// The errors that Windows returns if another program opened the file exclusively
        /// (`ERROR_SHARING_VIOLATION`), or locked a range of the file (`ERROR_LOCK_VIOLATION`).
        const WINDOWS_LOCK_ERRORS: [i32; 2] = [32, 33];
        let held = cfg!(windows) && source.raw_os_error().is_some_and(|code| WINDOWS_LOCK_ERRORS.contains(&code));
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::ResourceBusy | io::ErrorKind::WouldBlock => Self::Locked,
            _ if held => Self::Locked,
            _ => Self::Unreadable(source),
        }
    }
}
