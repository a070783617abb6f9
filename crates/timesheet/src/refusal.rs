//! Refusals: errors with a message in the wording of the API and an error code of the tools.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::id::EntryId;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The input breaks a rule. The refusal contains the invalid field and its allowed values, if known.
    ValidationError,
    /// The entry doesn't exist, or the user can't see it.
    NotFound,
    /// The entry's status or the user's permissions don't allow the operation.
    Forbidden,
    /// The user isn't logged in, or the API doesn't know the user.
    AuthenticationError,
    /// The API can't be reached, or the server at its address isn't the API.
    NetworkError,
    /// Any other error. The input didn't cause it.
    InternalError,
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// An error of an operation. The tools return it as the JSON object `error`.
///
/// The message must not be written to the log file, because it may quote the input.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The kind of the refusal.
    pub code: Code,
    /// The message to display.
    pub message: String,
    /// The tools' name for the invalid field, such as `standardHours`.
    pub field: Option<String>,
    /// The allowed values of the field, if they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_values: Vec<String>,
}

impl Refusal {
    /// Creates a refusal without a field.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None, allowed_values: Vec::new() }
    }

    /// Creates a refusal for an invalid field.
    pub fn invalid(field: &str, message: impl fmt::Display) -> Self {
        Self { field: Some(field.to_owned()), ..Self::new(Code::ValidationError, message.to_string()) }
    }

    /// Creates a refusal for an entry id that doesn't exist.
    pub fn not_found(id: EntryId) -> Self {
        let message = format!("Time entry with ID '{id}' not found");
        Self { field: Some("id".to_owned()), ..Self::new(Code::NotFound, message) }
    }

    /// Sets the allowed values of the field.
    #[must_use]
    pub fn with_allowed<'v>(self, values: impl IntoIterator<Item = &'v str>) -> Self {
        Self { allowed_values: values.into_iter().map(str::to_owned).collect(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn as_json_it_is_the_error_object_of_the_tools() {
        let refusal = Refusal::invalid("task", "Task 'x' is not available").with_allowed(["Development", "Testing"]);
        assert_eq!(
            serde_json::to_value(&refusal).unwrap(),
            json!({
                "code": "VALIDATION_ERROR",
                "message": "Task 'x' is not available",
                "field": "task",
                "allowedValues": ["Development", "Testing"],
            })
        );
        let bare = serde_json::to_value(Refusal::new(Code::NotFound, "no")).unwrap();
        assert_eq!(bare, json!({"code": "NOT_FOUND", "message": "no"}), "unknown fields are absent");
    }
}
