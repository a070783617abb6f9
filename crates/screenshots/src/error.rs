//! Errors of finding, reading and saving screenshots, each with a hint.

use std::io;
use std::path::PathBuf;

use super::{PictureError, SaveError, codes};
use dayledger_core::code::Code;
use dayledger_source as source;

/// The reason why a screenshot or the screenshots folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The history can't be read. The history is needed to find the folder of the screenshots and
    /// the hidden screenshots.
    #[error(transparent)]
    History(#[from] source::Error),
    /// The screenshots folder doesn't exist.
    #[error("cannot find the screenshots folder `{0}`")]
    FolderMissing(PathBuf),
    /// The screenshots folder exists, but can't be read.
    #[error("cannot read the screenshots in `{}`: {kind}", .path.display())]
    Unreadable {
        /// The path of the screenshots folder.
        path: PathBuf,
        /// The error that the system returned.
        kind: io::ErrorKind,
    },
    /// No file exists for the reference, or the screenshot is hidden.
    #[error("cannot find a screenshot for this reference")]
    NotFound,
    /// Only the screenshot's thumbnail still exists.
    #[error("cannot find the full image: only the thumbnail of this screenshot is left")]
    NoFullImage,
    /// An image can't be read.
    #[error(transparent)]
    Image(#[from] PictureError),
    /// An image can't be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
}

impl Error {
    /// Returns the error's code in the contract.
    pub fn code(&self) -> Code {
        match self {
            Self::History(error) => error.code(),
            Self::FolderMissing { .. } | Self::NotFound => codes::SCREENSHOT_NOT_FOUND,
            Self::Unreadable { kind: io::ErrorKind::PermissionDenied, .. } => source::codes::PERMISSION_DENIED,
            Self::Unreadable { .. } => codes::SCREENSHOTS_UNREADABLE,
            Self::NoFullImage => codes::SCREENSHOT_MISSING,
            Self::Image(error) => error.code(),
            Self::Save(error) => error.code(),
        }
    }

    /// Returns one line of advice for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::History(error) => return error.hint.clone(),
            Self::FolderMissing { .. } => {
                "if the tracker stores its screenshots in another folder, set `screenshots_dir` in the configuration"
            }
            Self::Unreadable { .. } => "check that the disk is connected and that this user can read the folder",
            Self::NoFullImage => "use the thumbnail (`get_screenshot`), or choose another screenshot from the list",
            Self::Image(error) => error.hint(),
            Self::Save(error) => error.hint(),
            Self::NotFound => "list the screenshots again, because the tracker may have deleted it",
        }
        .to_owned()
    }
}

impl From<Error> for dayledger_core::Error {
    fn from(error: Error) -> Self {
        Self::new(error.code(), error.to_string(), error.hint())
    }
}
