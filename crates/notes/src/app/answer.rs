//! Interpretation of the application's responses.

use std::path::PathBuf;

use serde_json::Value;

use crate::refusal::{Code, Refusal};

use super::message::{CURRENT_FILE, error_text};

/// Returns the absolute path of the open note from a response to `getCurrentFile`. The caller checks that it is in the
/// workspace.
///
/// If no note is open, the response has a null path. Any other error response lacks the path field.
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

/// Returns the refusal for an error response.
pub(super) fn application_error(error: &str) -> Refusal {
    Refusal::new(Code::ApiError, format!("Chronicle responded to `{CURRENT_FILE}` with an error: {error}"))
}
