//! How a resource that cannot be read is told of.

use rmcp::ErrorData;

use crate::{mcp::errors::shorten, notes::codes, request::Error};

/// The error for an address that leads nowhere. Its data repeats the address, as the protocol asks.
pub(in crate::mcp) fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(
        format!("unknown resource `{}`; resources/list and resources/templates/list list the resources", shorten(uri)),
        Some(serde_json::json!({ "uri": uri })),
    )
}

/// There is no result that carries a failure to read, so the protocol's error says what a tool's error would.
pub(in crate::mcp) fn read_error(error: &Error) -> ErrorData {
    let (message, data) = (format!("{}; {}", error.message, error.hint), serde_json::to_value(error).ok());
    match error.code {
        codes::FILE_NOT_FOUND => ErrorData::resource_not_found(message, data),
        codes::INVALID_NOTE_ARGUMENT => ErrorData::invalid_params(message, data),
        _ => ErrorData::internal_error(message, data),
    }
}
