//! Converts the errors of the crate `dayledger-notes` to the errors of requests.

use dayledger_notes::{Code as Kind, Refusal};

use super::codes;
use dayledger_core::code::Code;
use dayledger_request::Error;

/// Converts a refusal to an error without redacting its message. Requests have to use
/// [`Notebook::to_error`](super::notebook::Notebook::to_error), which redacts the message.
pub(super) fn unredacted_error(refusal: Refusal) -> Error {
    let (code, hint) = code_and_hint(refusal.code);
    Error::new(code, refusal.message, hint)
}

/// Returns the error code and the hint for a kind of refusal.
fn code_and_hint(kind: Kind) -> (Code, &'static str) {
    match kind {
        Kind::FileNotFound => (codes::FILE_NOT_FOUND, "list the notes with list_notes"),
        Kind::NoWorkspace => (codes::NO_WORKSPACE, "set CHRONICLE_WORKSPACE, or `workspace` in `[notes]`"),
        Kind::AppNotConnected => (codes::APP_NOT_CONNECTED, "start the application, or pass the path of the note"),
        Kind::ApiError => (codes::API_ERROR, "nothing was written; try again, or use your own model"),
        Kind::RateLimited => (codes::RATE_LIMITED, "nothing was written; wait and try again"),
        Kind::ParseError => (codes::PARSE_ERROR, "check the file, or add the missing sections"),
        Kind::InvalidArgument => (codes::INVALID_NOTE_ARGUMENT, "change the arguments"),
        Kind::Conflict => (codes::CONFLICT, "call process_meeting again to read the note again"),
        Kind::IoError => (codes::IO_ERROR, "check the permissions of the folder"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_have_the_names_of_the_contract() {
        let kinds = [
            Kind::FileNotFound,
            Kind::NoWorkspace,
            Kind::AppNotConnected,
            Kind::ApiError,
            Kind::RateLimited,
            Kind::ParseError,
            Kind::InvalidArgument,
            Kind::Conflict,
            Kind::IoError,
        ];
        for kind in kinds {
            let name = code_and_hint(kind).0.as_str();
            let own = if kind == Kind::InvalidArgument { "INVALID_NOTE_ARGUMENT".to_owned() } else { kind.to_string() };
            assert_eq!(name, own);
        }
        assert_eq!(codes::ALL.len(), kinds.len());
    }
}
