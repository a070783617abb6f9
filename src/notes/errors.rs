//! What the notes refuse, as the error of a question.

use dayledger_notes::{Code as Kind, Refusal};

use super::codes;
use crate::code::Code;
use crate::request::Error;

/// The error that says all of a refusal. What a question of the notes refuses goes through
/// [`Notebook::refused`](super::notebook::Notebook) instead.
pub(super) fn unredacted_error(refusal: Refusal) -> Error {
    let (code, hint) = code_and_hint(refusal.code);
    Error::new(code, refusal.message, hint)
}

/// A kind of refusal under its name here, and what to do about it.
fn code_and_hint(kind: Kind) -> (Code, &'static str) {
    match kind {
        Kind::FileNotFound => (codes::FILE_NOT_FOUND, "list_notes tells which notes there are"),
        Kind::NoWorkspace => (codes::NO_WORKSPACE, "set CHRONICLE_WORKSPACE, or `workspace` of `[notes]`"),
        Kind::AppNotConnected => (codes::APP_NOT_CONNECTED, "start the application, or name the note by its path"),
        Kind::ApiError => (codes::API_ERROR, "nothing was written; ask again, or let your own model do it"),
        Kind::RateLimited => (codes::RATE_LIMITED, "nothing was written; wait and ask again"),
        Kind::ParseError => (codes::PARSE_ERROR, "look at the file, or write the sections that are missing"),
        Kind::InvalidArgument => (codes::INVALID_NOTE_ARGUMENT, "change what is asked for"),
        Kind::Conflict => (codes::CONFLICT, "call process_meeting again, which reads it anew"),
        Kind::IoError => (codes::IO_ERROR, "look at the folder's permissions"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_the_name_of_the_contract() {
        for kind in Kind::ALL {
            let name = code_and_hint(kind).0.as_str();
            let own = if kind == Kind::InvalidArgument { "INVALID_NOTE_ARGUMENT" } else { kind.as_str() };
            assert_eq!(name, own);
        }
        assert_eq!(codes::ALL.len(), Kind::ALL.len());
    }
}
