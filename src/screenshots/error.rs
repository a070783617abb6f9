//! What can go wrong between us and the screenshots, each with what to do.

use std::io;
use std::path::PathBuf;

use crate::manictime;

/// Why a screenshot, or the folder that holds them, cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The history, which says where the screenshots are and which of them may be shown, cannot be read.
    #[error(transparent)]
    History(#[from] manictime::Error),
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
}

impl Error {
    /// The error's name in the contract (semantics, section 7).
    pub fn code(&self) -> &'static str {
        match self {
            Self::History(error) => error.code(),
            Self::FolderMissing { .. } | Self::NotFound => "SCREENSHOT_NOT_FOUND",
            Self::Unreadable { kind: io::ErrorKind::PermissionDenied, .. } => "PERMISSION_DENIED",
            Self::Unreadable { .. } => "SCREENSHOTS_UNREADABLE",
        }
    }

    /// What the user can do, in one line.
    pub fn hint(&self) -> String {
        match self {
            Self::History(error) => return error.hint(),
            Self::FolderMissing { .. } => {
                "if ManicTime keeps its screenshots elsewhere, name that folder in the configuration"
            }
            Self::Unreadable { .. } => "let this user read the folder, and check that its disk is there",
            Self::NotFound => "ManicTime may have deleted it since; list the screenshots again",
        }
        .to_owned()
    }
}
