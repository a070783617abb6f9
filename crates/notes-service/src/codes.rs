//! The error codes of the MCP tools for notes.

use dayledger_core::code::codes;

codes! {
    FILE_NOT_FOUND: "The note doesn't exist, isn't in that version, or no note is open.",
    NO_WORKSPACE: "No workspace of notes is set, and none was found.",
    APP_NOT_CONNECTED: "The application isn't running or doesn't answer.",
    API_ERROR: "The model couldn't be reached, or it failed. Nothing was written.",
    RATE_LIMITED: "The model rejects further requests for now. Nothing was written.",
    PARSE_ERROR: "A file of the notes can't be parsed, or processed text lacks its sections.",
    INVALID_NOTE_ARGUMENT: "An argument of a notes tool is invalid, such as a path outside the workspace. The tools \
                            report it as `INVALID_ARGUMENT`.",
    CONFLICT: "The note has changed since it was read. Process it again.",
    IO_ERROR: "The files of the notes can't be read or written. The request isn't the cause.",
}
