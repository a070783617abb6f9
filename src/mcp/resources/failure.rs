//! Errors of reading resources.

use rmcp::ErrorData;

use crate::{mcp::errors::shorten, notes::codes, request::Error};

/// Returns the error for an unknown URI. Its data contains the URI, as the protocol requires.
pub(in crate::mcp) fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(
        format!("unknown resource `{}`; resources/list and resources/templates/list list the resources", shorten(uri)),
        Some(serde_json::json!({ "uri": uri })),
    )
}

/// Returns a read failure as an error of the protocol, with the content of a tool's error, because a result of
/// `resources/read` can't contain an error.
pub(in crate::mcp) fn read_error(error: &Error) -> ErrorData {
    let (message, data) = (format!("{}; {}", error.message, error.hint), serde_json::to_value(error).ok());
    match error.code {
        codes::FILE_NOT_FOUND => ErrorData::resource_not_found(message, data),
        codes::INVALID_NOTE_ARGUMENT => ErrorData::invalid_params(message, data),
        _ => ErrorData::internal_error(message, data),
    }
}
