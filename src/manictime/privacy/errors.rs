//! Errors go where answers would have gone, so they tell no more.

use super::Privacy;
use crate::manictime::error::Error;

impl Privacy {
    /// The same error with no more of its paths than may be told.
    pub(crate) fn redact_error(&self, error: Error) -> Error {
        if self.is_empty() {
            return error;
        }
        let error = match error {
            Error::Sqlite { path, message } => {
                // SQLite names the file as it was opened.
                let message = message.replace(&*path.to_string_lossy(), &self.redact_path(&path).to_string_lossy());
                Error::Sqlite { path, message: self.redactions().free_text(&message).into_owned() }
            }
            error => error,
        };
        error.map_paths(|path| self.redact_path(path))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::Redaction;
    use super::*;

    #[test]
    fn error_contains_no_folder_if_paths_are_redacted() {
        let paths = Privacy::new([Redaction::Paths], [], []);
        let path = PathBuf::from("/home/zqpath/ManicTimeReports.db");
        let error = Error::Sqlite {
            path: path.clone(),
            message: "unable to open database file: /home/zqpath/ManicTimeReports.db".to_owned(),
        };
        let told = paths.redact_error(error.clone()).to_string();
        assert!(told.contains("ManicTimeReports.db") && !told.contains("zqpath"), "{told}");
        assert_eq!(Privacy::default().redact_error(error.clone()), error);
        let searched = vec![path];
        let told = paths.redact_error(Error::NotFound { searched, named_by: None }).to_string();
        assert!(!told.contains("zqpath"), "{told}");
    }
}
