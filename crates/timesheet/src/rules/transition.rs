//! The operations that each status allows in the ledger. An API has its own rules.

use crate::refusal::{Code, Refusal};
use crate::status::Status;

/// An operation that changes an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Changes fields, including tags.
    Update,
    /// Moves the entry to another task.
    Move,
    /// Deletes the entry.
    Delete,
    /// Submits the entry for approval.
    Submit,
}

impl Operation {
    /// Rejects the operation unless the status allows it.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN`, with the statuses that allow the operation and with what to do instead.
    pub fn check(self, status: Status) -> Result<(), Refusal> {
        if self.is_allowed(status) {
            return Ok(());
        }
        let allowing = Status::ALL.into_iter().filter(|status| self.is_allowed(*status)).map(Status::as_str);
        let (verb, needed) = (self.verb(), allowing.collect::<Vec<_>>().join(" or "));
        let message = format!("Cannot {verb} a time entry with status {status}: it must be {needed}");
        Err(Refusal::new(Code::Forbidden, format!("{message}. {}", hint(status))))
    }

    fn is_allowed(self, status: Status) -> bool {
        match self {
            // A declined entry is kept, so that its comment can be read.
            Self::Delete => status == Status::NotReported,
            Self::Update | Self::Move | Self::Submit => matches!(status, Status::NotReported | Status::Declined),
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Move => "move",
            Self::Delete => "delete",
            Self::Submit => "submit",
        }
    }
}

fn hint(status: Status) -> &'static str {
    match status {
        Status::NotReported => "It has not been submitted yet",
        Status::Submitted => "It is waiting for approval, and can be changed again if it is declined",
        Status::Approved => "It is final",
        Status::Declined => "It can be changed and submitted again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_suggests_the_next_step() {
        let refusal = Operation::Update.check(Status::Submitted).unwrap_err();
        assert_eq!(
            refusal.message,
            "Cannot update a time entry with status SUBMITTED: it must be NOT_REPORTED or DECLINED. \
             It is waiting for approval, and can be changed again if it is declined"
        );
        let refusal = Operation::Delete.check(Status::Declined).unwrap_err();
        assert!(refusal.message.contains("must be NOT_REPORTED. It can be changed"), "{refusal}");
    }
}
