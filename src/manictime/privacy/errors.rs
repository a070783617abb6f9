//! Errors go where answers would have gone, so they tell no more.

use std::path::Path;

use super::Privacy;
use crate::manictime::{Error, Unreadable};

impl Privacy {
    /// The same error with no more of its paths than may be told.
    pub(crate) fn error(&self, error: Error) -> Error {
        if self.is_empty() {
            return error;
        }
        let searched = |path: &Path, text: &str| {
            // SQLite names the file as it was opened.
            let text = text.replace(&*path.to_string_lossy(), &self.shown_path(path).to_string_lossy());
            self.redactions().text(&text).into_owned()
        };
        let error = match error {
            Error::UnreadableTable { path, table, reason } => {
                let reason = searched(&path, &reason);
                Error::UnreadableTable { path, table, reason }
            }
            Error::Sqlite { path, message } => {
                let message = searched(&path, &message);
                Error::Sqlite { path, message }
            }
            error => error,
        };
        error.with_paths(|path| self.shown_path(path))
    }

    /// The same loss with no more told than may be.
    pub(crate) fn unreadable(&self, lost: Unreadable) -> Unreadable {
        Unreadable { reason: self.redactions().text(&lost.reason).into_owned(), ..lost }
    }
}
