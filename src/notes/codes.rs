//! What can be wrong with notes, in the codes of their own contract.

use crate::code::codes;

codes! {
    FILE_NOT_FOUND: "There is no such note, none is open, or it was not in that version.",
    NO_WORKSPACE: "No workspace of notes was named, and none was found.",
    APP_NOT_CONNECTED: "The application does not run, or does not answer.",
    API_ERROR: "The model was not reached, or did not do what it was asked. Nothing was written.",
    RATE_LIMITED: "The model takes no more requests for now. Nothing was written.",
    PARSE_ERROR: "A file of the notes is not what it should be, or processed text has no sections.",
    INVALID_NOTE_ARGUMENT: "What was asked of the notes cannot be asked for, such as a path that leads out of the workspace. The tools report it as `INVALID_ARGUMENT`.",
    CONFLICT: "The note has changed since it was read: process it again.",
    IO_ERROR: "The files of the notes cannot be read or written; what was asked is not at fault.",
}
