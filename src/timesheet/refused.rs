//! What the timesheet refuses, as the error of a question.

use dayledger_timesheet::refusal::Code as Kind;
use dayledger_timesheet::{BookError, Refusal};

use super::codes;
use crate::code::Code;
use crate::question::Error;

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let (code, hint) = explained(refusal.code);
        let mut error = Self::new(code, refusal.message, hint).with_allowed(refusal.allowed_values);
        error.field = refusal.field;
        error
    }
}

/// The ledger's file cannot be used.
pub(super) fn unopened(error: &BookError) -> Error {
    Error::new(codes::INTERNAL_ERROR, error.to_string(), "look at the file, or name another in `[timesheet]`")
}

/// A kind of refusal under its name here, and what to do about it.
fn explained(kind: Kind) -> (Code, &'static str) {
    match kind {
        Kind::ValidationError => (codes::VALIDATION_ERROR, "check project, task, tags, dates and hours"),
        Kind::NotFound => (codes::NOT_FOUND, "ask for the entries again"),
        Kind::Forbidden => (codes::FORBIDDEN, "only entries that are NOT_REPORTED or DECLINED can be changed"),
        Kind::AuthenticationError => (codes::AUTHENTICATION_ERROR, "the user has to log in first: `az login`"),
        Kind::NetworkError => (codes::NETWORK_ERROR, "ask the same again: nothing is booked twice by it"),
        Kind::InternalError => (codes::INTERNAL_ERROR, "ask the same again: nothing is booked twice by it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_the_name_of_the_contract() {
        for kind in Kind::ALL {
            assert_eq!(explained(kind).0.as_str(), kind.as_str());
        }
        assert_eq!(codes::ALL.len(), Kind::ALL.len());
    }
}
