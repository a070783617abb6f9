//! Errors of an installation. If an error occurs, no file has been changed.

use std::io;
use std::path::PathBuf;

use super::document::DocumentError;
use crate::cli::config_file;
use crate::request;
use crate::source;

/// Why a client could not be set up.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum Error {
    #[error(transparent)]
    NoHistory(#[from] source::Error),
    #[error("cannot find the configuration of the assistant: this user has no home folder")]
    NoHome,
    #[error("{client} does not seem to be installed: `{}` does not exist", .missing.display())]
    NotInstalled { client: &'static str, missing: PathBuf },
    #[error("cannot find the path of the dayledger executable")]
    NoProgram(#[source] io::Error),
    #[error("cannot write `{}` to the configuration: it is not valid Unicode", .path.display())]
    NotUnicode { path: PathBuf },
    #[error(transparent)]
    File(#[from] config_file::Error),
    #[error("cannot change `{}`: {trouble}", .path.display())]
    Unusable { path: PathBuf, trouble: DocumentError },
}

/// Converts an installation error for the terminal.
pub(super) fn install_error(error: impl Into<Error>) -> request::Error {
    let error = error.into();
    request::Error::from_command_error(&error, error.hint())
}

/// Converts a removal error for the terminal.
pub(super) fn removal_error(error: &Error) -> request::Error {
    let hint = match error {
        Error::NotInstalled { .. } => "there is nothing to remove",
        _ => "nothing was changed; remove the server from the file by hand",
    };
    request::Error::from_command_error(error, hint)
}

impl Error {
    fn hint(&self) -> String {
        match self {
            Self::NoHistory(error) => format!("nothing was changed; {}", error.hint),
            Self::NotInstalled { client, .. } => {
                format!("start {client} once and try again, or add the output of `--print` by hand")
            }
            Self::NoProgram(_) | Self::NotUnicode { .. } => {
                "move it to a folder with a plain name and try again".to_owned()
            }
            Self::Unusable { .. } => {
                "nothing was changed; correct the file, or add the output of `--print` by hand".to_owned()
            }
            Self::File(error) => error.hint("--print"),
            Self::NoHome => "nothing was changed; add the output of `--print` by hand".to_owned(),
        }
    }
}
