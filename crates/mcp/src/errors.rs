//! Converts failures to tool errors. A tool error is a result with `isError`, and its text is one JSON object
//! (docs/spec/time.md#errors).
//!
//! An error doesn't have structured content. Clients validate structured content against the tool's output schema, and
//! an error wouldn't match the schema.

use std::borrow::Cow;

use dayledger_core::code;
use dayledger_request::Error;
use rmcp::model::{CallToolResult, ContentBlock};

/// The maximum number of characters of an argument that an error repeats.
const MAX_QUOTED_CHARS: usize = 40;

/// Error codes for the arguments of any tool.
pub mod codes {
    use dayledger_core::code::codes;

    codes! {
        INVALID_ARGUMENT: "An argument has the wrong type or isn't an allowed value.",
        UNKNOWN_ARGUMENT: "The tool doesn't have an argument with this name. `allowed` lists its arguments.",
        MISSING_ARGUMENT: "A required argument is absent or `null`.",
        ARGUMENTS_TOO_LONG: "The message of the call is longer than 1 MiB.",
    }
}

/// Returns the error for a bug in dayledger. It doesn't contain the cause, because the cause may include private data.
pub fn internal_error() -> Error {
    Error::new(
        code::INTERNAL,
        "the tool failed because of a bug in dayledger",
        "try a shorter range or another tool; the server keeps running",
    )
}

/// Truncates every text of `long` that appears in the error, because an error repeats only the start of an argument.
pub(super) fn shorten_texts(mut error: Error, long: &[String]) -> Error {
    for text in long {
        let short = shorten(text);
        error.message = error.message.replace(text.as_str(), &short);
        error.hint = error.hint.replace(text.as_str(), &short);
    }
    error
}

/// Returns the result for an error, in the usual format of tools.
pub fn result(error: &Error) -> CallToolResult {
    let text = serde_json::json!({ "error": error }).to_string();
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Whether an error may repeat `text` without truncating it.
pub(super) fn is_short(text: &str) -> bool {
    text.chars().nth(MAX_QUOTED_CHARS).is_none()
}

/// Truncates `text` to the length that an error may repeat. Adds `…` to a truncated text.
pub fn shorten(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
