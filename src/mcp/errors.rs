//! Lists all error codes. Also formats the errors of the timesheet and of the notes, because the formats of these
//! errors differ from the usual format.

use dayledger_mcp::errors::codes;
use rmcp::model::{CallToolResult, ContentBlock};

use crate::code::{self, Code};
use crate::request::Error;
use crate::{activity, engine, notes, questions, request, screenshots, source, timesheet};

/// Returns every error code of tools, for the contract page. The codes for mistakes of the caller come first. The codes
/// for failures of the history, the engine or the system follow.
pub fn error_codes() -> impl Iterator<Item = Code> {
    [
        codes::ALL,
        request::codes::ALL,
        activity::codes::ALL,
        &[code::TIMED_OUT],
        source::codes::ALL,
        engine::codes::ALL,
        questions::codes::ALL,
        screenshots::codes::ALL,
        timesheet::codes::ALL,
        notes::codes::ALL,
        &[code::INTERNAL],
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Returns the result for an error of a timesheet tool, with the fields and codes of the timesheet contract. Every
/// invalid argument is a `VALIDATION_ERROR`.
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

/// Returns the result for an error of a notes tool, in the format of the notes contract: `Error: CODE: message`.
pub(super) fn result_of_notes(error: &Error) -> CallToolResult {
    let name = if error.code == notes::codes::INVALID_NOTE_ARGUMENT { codes::INVALID_ARGUMENT } else { error.code };
    // The error messages of notes already contain a hint.
    let hint = if notes::codes::ALL.contains(&error.code) { String::new() } else { format!("; {}", error.hint) };
    let text = format!("Error: {name}: {}{hint}", error.message);
    CallToolResult::error(vec![ContentBlock::text(text)])
}
