//! Redacts errors. Errors are shown instead of results, so they must not reveal more than results.

use crate::error::Error;
use dayledger_source::Privacy;

/// Redacts the paths in an error according to the privacy settings.
pub(crate) fn redact_error(privacy: &Privacy, error: Error) -> Error {
    if privacy.is_empty() {
        return error;
    }
    let error = match error {
        Error::Sqlite { path, message } => {
            // SQLite's message contains the path under which the file was opened.
            let message = privacy.redact_message(&message, &path);
            Error::Sqlite { path, message }
        }
        error => error,
    };
    error.map_paths(|path| privacy.redact_path(path))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use dayledger_source::Redaction;

    #[test]
    fn error_contains_no_folder_if_paths_are_redacted() {
        let paths = Privacy::new([Redaction::Paths], [], []);
        let path = PathBuf::from("/home/zqpath/ManicTimeReports.db");
        let error = Error::Sqlite {
            path: path.clone(),
            message: "unable to open database file: /home/zqpath/ManicTimeReports.db".to_owned(),
        };
        let shown = redact_error(&paths, error.clone()).to_string();
        assert!(shown.contains("ManicTimeReports.db") && !shown.contains("zqpath"), "{shown}");
        assert_eq!(redact_error(&Privacy::default(), error.clone()), error);
        let searched = vec![path];
        let shown = redact_error(&paths, Error::NotFound { searched, named_by: None }).to_string();
        assert!(!shown.contains("zqpath"), "{shown}");
    }
}
