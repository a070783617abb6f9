//! Converts failures to tool errors: one JSON object as text in a result with `isError` (docs/spec/time.md#errors).
//!
//! An error doesn't have structured content, because clients validate that against the tool's output schema, and an
//! error wouldn't match.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, ContentBlock};

use crate::code::{self, Code};
use crate::request::Error;
use crate::{activity, engine, notes, request, screenshots, source, timesheet};

/// The most characters of an argument that an error repeats.
const MAX_QUOTED_CHARS: usize = 40;

/// Codes for errors in the arguments of any tool.
pub mod codes {
    use crate::code::codes;

    codes! {
        INVALID_ARGUMENT: "An argument has the wrong type or isn't an allowed value.",
        UNKNOWN_ARGUMENT: "The tool doesn't have an argument with this name. `allowed` lists its arguments.",
        MISSING_ARGUMENT: "A required argument is absent or `null`.",
        ARGUMENTS_TOO_LONG: "The message of the call is longer than 1 MiB.",
    }
}

/// Returns every error code of tools for the contract page: first mistakes of the caller, then failures of the history,
/// the engine or the system.
pub fn error_codes() -> impl Iterator<Item = Code> {
    [
        codes::ALL,
        request::codes::ALL,
        activity::codes::ALL,
        &[code::TIMED_OUT],
        source::codes::ALL,
        engine::codes::ALL,
        screenshots::codes::ALL,
        timesheet::codes::ALL,
        notes::codes::ALL,
        &[code::INTERNAL],
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Returns the error for a bug. It doesn't contain the cause, which may include private data.
pub(super) fn internal_error() -> Error {
    Error::new(
        code::INTERNAL,
        "the tool failed because of a bug in dayledger",
        "try a shorter range or another tool; the server keeps running",
    )
}

/// Truncates every text of `long` in the error, because an error repeats only the start of an argument.
pub(super) fn shorten_texts(mut error: Error, long: &[String]) -> Error {
    for text in long {
        let short = shorten(text);
        error.message = error.message.replace(text.as_str(), &short);
        error.hint = error.hint.replace(text.as_str(), &short);
    }
    error
}

/// Returns the result for an error.
pub(super) fn result(error: &Error) -> CallToolResult {
    let text = serde_json::json!({ "error": error }).to_string();
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Returns the result for an error of a timesheet tool, in the object and the codes of that contract. Any invalid
/// argument is a `VALIDATION_ERROR`.
pub(super) fn result_of_timesheet(error: &Error) -> CallToolResult {
    let is_argument = [codes::ALL, request::codes::ALL].into_iter().flatten().any(|code| *code == error.code);
    let code = if is_argument { timesheet::codes::VALIDATION_ERROR } else { error.code };
    let mut object = serde_json::json!({ "code": code, "message": error.message, "hint": error.hint });
    if let Some(field) = &error.field {
        object["field"] = field.as_str().into();
    }
    if !error.allowed.is_empty() {
        object["allowedValues"] = error.allowed.as_slice().into();
    }
    let text = serde_json::json!({ "success": false, "error": object }).to_string();
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Returns the result for an error of a notes tool, in the format of that contract: `Error: CODE: message`.
pub(super) fn result_of_notes(error: &Error) -> CallToolResult {
    let name = if error.code == notes::codes::INVALID_NOTE_ARGUMENT { codes::INVALID_ARGUMENT } else { error.code };
    // Messages of the notes contain their own hint.
    let hint = if notes::codes::ALL.contains(&error.code) { String::new() } else { format!("; {}", error.hint) };
    let text = format!("Error: {name}: {}{hint}", error.message);
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Whether an error may repeat `text` without truncating it.
pub(super) fn is_short(text: &str) -> bool {
    text.chars().nth(MAX_QUOTED_CHARS).is_none()
}

/// Truncates `text`, and marks the place with `…`.
pub(super) fn shorten(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
