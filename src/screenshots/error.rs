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
    #[error("there is no screenshots folder at `{}`", .path.display())]
    FolderMissing {
        /// Where it was expected.
        path: PathBuf,
    },
    /// A folder is there and cannot be read.
    #[error("the screenshots below `{}` cannot be read: {kind}", .path.display())]
    Unreadable {
        /// The root.
        path: PathBuf,
        /// What the system says.
        kind: io::ErrorKind,
    },
    /// No file belongs to the reference, or none that may be shown.
    #[error("there is no screenshot for this reference")]
    NotFound,
    /// The thumbnail is all that is left.
    #[error("only the thumbnail of this screenshot is left, not its full image")]
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
                "if ManicTime keeps its screenshots elsewhere, name that folder in the configuration"
            }
            Self::Unreadable { .. } => "let this user read the folder, and check that its disk is there",
            Self::NoFullImage => "look at the thumbnail with `get_screenshot`, or take another screenshot of the list",
            Self::Image(error) => error.hint(),
            Self::Save(error) => error.hint(),
            Self::NotFound => "ManicTime may have deleted it since; list the screenshots again",
        }
        .to_owned()
    }
}
