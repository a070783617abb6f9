//! What can go wrong between us and the screenshots, each with what to do.

use std::io;
use std::path::PathBuf;

use super::{PictureError, SaveError, codes};
use crate::code::Code;
use crate::source;

/// Why a screenshot, or the folder that holds them, cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The history, which says where the screenshots are and which of them may be shown, cannot be read.
    #[error(transparent)]
    History(#[from] source::Error),
    /// There is no folder with screenshots.
    #[error("cannot find the screenshots folder `{}`", .path.display())]
    FolderMissing {
        /// Where it was expected.
        path: PathBuf,
    },
    /// A folder is there and cannot be read.
    #[error("cannot read the screenshots in `{}`: {kind}", .path.display())]
    Unreadable {
        /// The root.
        path: PathBuf,
        /// What the system says.
        kind: io::ErrorKind,
    },
    /// No file belongs to the reference, or none that may be shown.
    #[error("cannot find a screenshot for this reference")]
    NotFound,
    /// The thumbnail is all that is left.
    #[error("cannot find the full image: only the thumbnail of this screenshot is left")]
    NoFullImage,
    /// A picture cannot be read.
    #[error(transparent)]
    Image(#[from] PictureError),
    /// A picture cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
}

impl Error {
    /// The error's name in the contract.
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

    /// What the user can do, in one line.
    pub fn hint(&self) -> String {
        match self {
            Self::History(error) => return error.hint.clone(),
            Self::FolderMissing { .. } => {
                "if ManicTime stores its screenshots in another folder, set `screenshots_dir` in the configuration"
            }
            Self::Unreadable { .. } => "check that the disk is connected and that this user can read the folder",
            Self::NoFullImage => "use the thumbnail (`get_screenshot`), or choose another screenshot from the list",
            Self::Image(error) => error.hint(),
            Self::Save(error) => error.hint(),
            Self::NotFound => "list the screenshots again, because ManicTime may have deleted it",
        }
        .to_owned()
    }
}
