//! What can be in the way of an installation; nothing has been changed then.

use std::io;
use std::path::PathBuf;

use super::document_error::DocumentError;
use crate::cli::config_file;
use crate::request;
use crate::source;

/// Why a client was not set up.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum Error {
    #[error(transparent)]
    NoHistory(#[from] source::Error),
    #[error("this user has no home directory, so there is no configuration of a client")]
    NoHome,
    #[error("{client} does not seem to be installed: there is no `{}`", .missing.display())]
    NotInstalled { client: &'static str, missing: PathBuf },
    #[error("the path of this program cannot be told")]
    NoProgram(#[source] io::Error),
    #[error("`{}` is no Unicode text, so it cannot stand in a configuration", .path.display())]
    NotUnicode { path: PathBuf },
    #[error(transparent)]
    File(#[from] config_file::Error),
    #[error("`{}` {trouble}", .path.display())]
    Unusable { path: PathBuf, trouble: DocumentError },
}

/// The error of an installation for the terminal.
pub(super) fn install_error(error: impl Into<Error>) -> request::Error {
    let error = error.into();
    request::Error::from_command_error(&error, error.hint())
}

/// The error of a removal for the terminal.
pub(super) fn removal_error(error: &Error) -> request::Error {
    let hint = match error {
        Error::NotInstalled { .. } => "there is nothing to take out",
        _ => "nothing was changed; take the server out of the file by hand",
    };
    request::Error::from_command_error(error, hint)
}

impl Error {
    fn hint(&self) -> String {
        match self {
            Self::NoHistory(error) => format!("nothing was changed; {}", error.hint),
            Self::NotInstalled { client, .. } => {
                format!("start {client} once and try again, or add by hand what `--print` shows")
            }
            Self::NoProgram(_) | Self::NotUnicode { .. } => {
                "move it to a place with a plain name and try again".to_owned()
            }
            Self::Unusable { .. } => {
                "nothing was changed; correct the file, or add by hand what `--print` shows".to_owned()
            }
            Self::File(error) => error.hint("--print"),
            Self::NoHome => "nothing was changed; add by hand what `--print` shows".to_owned(),
        }
    }
}
