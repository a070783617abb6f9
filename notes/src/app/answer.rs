//! What answers of the application mean.

use std::path::PathBuf;

use serde_json::Value;

use crate::refusal::{Code, Refusal};

use super::message::{CURRENT_FILE, error_text};

/// Returns the absolute path of the open note from an answer to `getCurrentFile`. The caller checks that it is in the
/// workspace.
///
/// If nothing is open, the application answers with a path that is null. Any other error has no path at all.
pub(super) fn current_file(result: &Value) -> Result<PathBuf, Refusal> {
    match (result.get("path"), result.get("error")) {
        (Some(Value::String(path)), _) if !path.is_empty() => Ok(PathBuf::from(path)),
        (Some(Value::Null), _) => {
            let message = "no note is open in Chronicle: open one there, or pass the path of a note";
            Err(Refusal::new(Code::FileNotFound, message))
        }
        (None, Some(error)) if !error.is_null() => Err(application_error(&error_text(error))),
        _ => {
            let message = format!(
                "Chronicle responded to `{CURRENT_FILE}` without a usable `path`: its version may use another protocol"
            );
            Err(Refusal::new(Code::ParseError, message))
        }
    }
}

/// The application answered with an error of its own.
pub(super) fn application_error(error: &str) -> Refusal {
    Refusal::new(Code::ApiError, format!("Chronicle responded to `{CURRENT_FILE}` with an error: {error}"))
}
