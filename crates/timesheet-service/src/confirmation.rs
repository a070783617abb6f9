//! The user's confirmation of a change that can't be undone.

use dayledger_timesheet::TimeEntry;
use dayledger_timesheet::confirmation::{code, question};
use dayledger_timesheet::rules::Operation;

use super::codes;
use dayledger_request::Error;

/// The user's confirmation of a change that can't be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmation {
    /// The user requests the change directly, such as with a command.
    Given,
    /// An assistant requests the change. The code proves that the user could see the entries, because it is part of the
    /// error for a missing code. The code is `None` if the call doesn't contain one.
    Code(Option<String>),
}

impl Confirmation {
    /// Checks that the user has agreed to `operation` on `entries`.
    ///
    /// # Errors
    /// `CONFIRMATION_REQUIRED` if the code is missing, or if an entry has changed since the user agreed. The message is
    /// the question for the user, and the allowed value is the valid code.
    pub(super) fn check(&self, operation: Operation, entries: &[TimeEntry]) -> Result<(), Error> {
        let Self::Code(given) = self else { return Ok(()) };
        let code = code(operation, entries);
        if given.as_ref() == Some(&code) {
            return Ok(());
        }
        let reason = match given {
            Some(_) => "`confirm` does not match these entries, so nothing was changed",
            None => "nothing was changed yet",
        };
        let hint =
            format!("{reason}: show the message to the user and, if they agree, call again with confirm `{code}`");
        let error = Error::with_field(codes::CONFIRMATION_REQUIRED, "confirm", question(operation, entries), hint);
        Err(error.with_allowed([code]))
    }
}
