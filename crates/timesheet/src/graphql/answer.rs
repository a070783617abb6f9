//! Conversion of API responses to a [`Refusal`].

use graphql_client::Error;
use serde_json::Value;

use crate::refusal::{Code, Refusal};

/// The maximum length of an API message in a refusal.
const MAX_MESSAGE_CHARS: usize = 1_000;

/// Converts an API error. The message takes precedence over the code, because the API reports an entry that wasn't
/// found with the code of a validation error (docs/spec/timesheet.md#api-errors).
pub(super) fn refusal(error: &Error) -> Refusal {
    let extension = |name| {
        let value = error.extensions.as_ref().and_then(|extensions| extensions.get(name));
        value.and_then(Value::as_str)
    };
    let message = truncate(&error.message);
    let field = extension("field").map(str::to_owned);
    if message.starts_with("Time entry ") && message.contains(" not found") {
        return Refusal { field: Some("id".to_owned()), ..Refusal::new(Code::NotFound, message) };
    }
    match extension("code") {
        Some("VALIDATION_ERROR") => {
            let allowed_values = parse_allowed_values(&message);
            Refusal { field, allowed_values, ..Refusal::new(Code::ValidationError, message) }
        }
        Some("AUTH_FORBIDDEN" | "BUSINESS_RULE_VIOLATION") => Refusal::new(Code::Forbidden, message),
        Some("AUTH_NOT_AUTHENTICATED" | "AUTH_NOT_AUTHORIZED") => not_authenticated(&message),
        Some("HC0051" | "PAGINATION_MAX_ITEMS") => Refusal::invalid("limit", message),
        _ => Refusal::new(Code::InternalError, message),
    }
}

/// Returns the refusal for a failed authentication.
pub(super) fn not_authenticated(message: &str) -> Refusal {
    let message = match message.trim_end_matches('.') {
        "" => "The API does not accept the token. Run `az login`".to_owned(),
        message => format!("{message}. Run `az login`"),
    };
    Refusal::new(Code::AuthenticationError, message)
}

/// Returns the project in a message about a task.
pub(super) fn project_of(message: &str) -> Option<&str> {
    message.rsplit_once("for project '")?.1.strip_suffix('\'')
}

/// Returns the values listed in a message about a tag.
fn parse_allowed_values(message: &str) -> Vec<String> {
    let listed = message.split_once("Allowed values: ").map(|(_, listed)| listed);
    listed.map(|listed| listed.split(", ").map(str::to_owned).collect()).unwrap_or_default()
}

fn truncate(message: &str) -> String {
    message.chars().take(MAX_MESSAGE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Refusal {
        refusal(&serde_json::from_str(json).unwrap())
    }

    /// See docs/spec/timesheet.md#api-errors.
    #[test]
    fn every_error_of_the_api_has_a_code_of_the_tools() {
        let not_found = read(
            r#"{"message":"Time entry with ID '7' not found","extensions":{"code":"VALIDATION_ERROR","field":"id"}}"#,
        );
        assert_eq!((not_found.code, not_found.field.as_deref()), (Code::NotFound, Some("id")));
        for (error, code) in [
            (r#"{"message":"Time entry 7 not found"}"#, Code::NotFound),
            (r#"{"message":"no","extensions":{"code":"VALIDATION_ERROR"}}"#, Code::ValidationError),
            (r#"{"message":"no","extensions":{"code":"BUSINESS_RULE_VIOLATION"}}"#, Code::Forbidden),
            (r#"{"message":"no","extensions":{"code":"AUTH_FORBIDDEN"}}"#, Code::Forbidden),
            (r#"{"message":"no","extensions":{"code":"AUTH_NOT_AUTHENTICATED"}}"#, Code::AuthenticationError),
            (r#"{"message":"no","extensions":{"code":"AUTH_NOT_AUTHORIZED"}}"#, Code::AuthenticationError),
            (r#"{"message":"no","extensions":{"code":"HC0051"}}"#, Code::ValidationError),
            (r#"{"message":"no","extensions":{"code":"INTERNAL_ERROR"}}"#, Code::InternalError),
            (r#"{"message":"no","extensions":{"code":7}}"#, Code::InternalError),
            (r#"{"message":"Cannot return null"}"#, Code::InternalError),
        ] {
            assert_eq!(read(error).code, code, "{error}");
        }
    }

    #[test]
    fn a_value_that_is_not_allowed_comes_with_those_that_are() {
        let message = "Value 'x' is not allowed for tag 'Environment'. Allowed values: Production, Staging";
        let error = format!(r#"{{"message":"{message}","extensions":{{"code":"VALIDATION_ERROR","field":"tags"}}}}"#);
        let refusal = read(&error);
        assert_eq!(refusal.allowed_values, ["Production", "Staging"]);
        assert_eq!((refusal.field.as_deref(), &*refusal.message), (Some("tags"), message));
        assert_eq!(project_of("Task 'for project 'X'' is not available for project 'CLIENT-A'"), Some("CLIENT-A"));
    }

    #[test]
    fn long_messages_are_truncated() {
        let error = format!(r#"{{"message":"{}"}}"#, "ö".repeat(5_000));
        assert_eq!(read(&error).message.chars().count(), MAX_MESSAGE_CHARS);
    }
}
