//! Why something was not done, in the words of the API and with the codes of the tools.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::id::EntryId;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// What was sent breaks a rule: see field and allowed values.
    ValidationError,
    /// There is no such entry, or it is not to be seen.
    NotFound,
    /// The entry's status, or what the user may do, does not allow it.
    Forbidden,
    /// Nobody is logged in, or not as somebody whom the API knows.
    AuthenticationError,
    /// The API was not reached, or what answered is not the API.
    NetworkError,
    /// Anything else; what was asked is not at fault.
    InternalError,
}

impl Code {
    /// All, with those of the tools' contract first.
    pub const ALL: [Self; 6] = [
        Self::ValidationError,
        Self::NotFound,
        Self::Forbidden,
        Self::AuthenticationError,
        Self::NetworkError,
        Self::InternalError,
    ];

    /// The code as it is sent, such as `VALIDATION_ERROR`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ValidationError => "VALIDATION_ERROR",
            Self::NotFound => "NOT_FOUND",
            Self::Forbidden => "FORBIDDEN",
            Self::AuthenticationError => "AUTHENTICATION_ERROR",
            Self::NetworkError => "NETWORK_ERROR",
            Self::InternalError => "INTERNAL_ERROR",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why something was not done. As JSON it is the `error` object of the tools.
///
/// Its message may quote what was sent, so that it belongs into an answer and into no log.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// Its kind.
    pub code: Code,
    /// A sentence for a person.
    pub message: String,
    /// The field that is at fault, as the tools name it, such as `standardHours`.
    pub field: Option<String>,
    /// What the field could have been, if that is known and can be listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_values: Vec<String>,
}

impl Refusal {
    /// A refusal of that kind, with no field named.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None, allowed_values: Vec::new() }
    }

    /// A field that breaks a rule.
    pub fn invalid(field: &str, message: impl fmt::Display) -> Self {
        Self { field: Some(field.to_owned()), ..Self::new(Code::ValidationError, message.to_string()) }
    }

    /// No entry has that id.
    pub fn not_found(id: EntryId) -> Self {
        let message = format!("Time entry with ID '{id}' not found");
        Self { field: Some("id".to_owned()), ..Self::new(Code::NotFound, message) }
    }

    /// The same, with what the field could have been.
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
        for code in Code::ALL {
            let bare = serde_json::to_value(Refusal::new(code, "no")).unwrap();
            assert_eq!(bare, json!({"code": code.as_str(), "message": "no"}), "what is not known is not there");
        }
    }
}
