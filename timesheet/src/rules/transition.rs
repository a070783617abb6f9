//! What may happen to an entry, by its status.

use crate::refusal::{Code, Refusal};
use crate::status::Status;

/// Who keeps the entries. The two differ in one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// The ledger, which removes no entry that was declined: a person is to see why it was.
    Ledger,
    /// The API.
    Api,
}

/// Something that happens to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Fields change, tags among them.
    Update,
    /// Tags alone change, by the API's own operation for it.
    UpdateTags,
    /// It is booked on another task.
    Move,
    /// It is removed.
    Delete,
    /// It is handed in.
    Submit,
    /// It is approved.
    Approve,
    /// It is sent back.
    Decline,
}

/// What becomes of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It has that status.
    Is(Status),
    /// It is no more.
    Gone,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Update, Self::UpdateTags, Self::Move, Self::Delete, Self::Submit, Self::Approve, Self::Decline];

    /// Whether it takes the comment away with which an entry was declined.
    pub const fn clears_comment(self) -> bool {
        matches!(self, Self::Update | Self::Move)
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::UpdateTags => "change the tags of",
            Self::Move => "move",
            Self::Delete => "delete",
            Self::Submit => "submit",
            Self::Approve => "approve",
            Self::Decline => "decline",
        }
    }
}

impl Keeper {
    /// What becomes of an entry of that status.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN`, with the statuses in which the operation is possible and what can be done instead.
    pub fn next(self, status: Status, operation: Operation) -> Result<Next, Refusal> {
        self.possible(status, operation).ok_or_else(|| {
            let possible = |status: &Status| self.possible(*status, operation).is_some();
            let needed = Status::ALL.into_iter().filter(possible).map(Status::as_str).collect::<Vec<_>>().join(" or ");
            let verb = operation.verb();
            let message = format!("Cannot {verb} a time entry with status {status}: it must be {needed}");
            Refusal::new(Code::Forbidden, format!("{message}. {}", what_to_do(status)))
        })
    }

    fn possible(self, status: Status, operation: Operation) -> Option<Next> {
        use Status::{Approved, Declined, NotReported, Submitted};

        match (operation, status) {
            (Operation::Update | Operation::Move, NotReported | Declined) => Some(Next::Is(NotReported)),
            (Operation::UpdateTags, NotReported | Declined) => Some(Next::Is(status)),
            (Operation::Submit, NotReported | Declined) => Some(Next::Is(Submitted)),
            (Operation::Delete, NotReported) => Some(Next::Gone),
            (Operation::Delete, Declined) if self == Self::Api => Some(Next::Gone),
            (Operation::Approve, Submitted) => Some(Next::Is(Approved)),
            (Operation::Decline, Submitted) => Some(Next::Is(Declined)),
            _ => None,
        }
    }
}

fn what_to_do(status: Status) -> &'static str {
    match status {
        Status::NotReported => "It has not been submitted yet",
        Status::Submitted => "It waits for approval, and opens again when it is declined",
        Status::Approved => "It is final",
        Status::Declined => "It can be changed and submitted again",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Section 4 of the facts as it is printed there: a line for each status, a column for each operation.
    const TABLE: [(&str, [&str; 7]); 4] = [
        ("NOT_REPORTED", ["NOT_REPORTED", "NOT_REPORTED", "NOT_REPORTED", "gone", "SUBMITTED", "no", "no"]),
        ("SUBMITTED", ["no", "no", "no", "no", "no", "APPROVED", "DECLINED"]),
        ("APPROVED", ["no", "no", "no", "no", "no", "no", "no"]),
        ("DECLINED", ["NOT_REPORTED", "DECLINED", "NOT_REPORTED", "gone", "SUBMITTED", "no", "no"]),
    ];

    /// What the table says, without a look at the rules.
    fn naive(keeper: Keeper, status: &str, operation: usize) -> &'static str {
        let line = TABLE.iter().find(|(from, _)| *from == status).unwrap().1;
        if keeper == Keeper::Ledger && status == "DECLINED" && operation == 3 { "no" } else { line[operation] }
    }

    proptest! {
        #[test]
        fn any_course_of_an_entry_is_that_of_the_table(
            operations in prop::collection::vec(0..7_usize, 0..40),
            keeper in prop::sample::select(vec![Keeper::Ledger, Keeper::Api]),
        ) {
            let mut status = Status::default();
            let mut expected = "NOT_REPORTED";
            for operation in operations {
                let next = naive(keeper, expected, operation);
                match keeper.next(status, Operation::ALL[operation]) {
                    Ok(Next::Is(then)) => {
                        prop_assert_eq!(then.as_str(), next);
                        (status, expected) = (then, next);
                    }
                    Ok(Next::Gone) => {
                        prop_assert_eq!(next, "gone");
                        break;
                    }
                    Err(refusal) => {
                        prop_assert_eq!(next, "no");
                        prop_assert_eq!(refusal.code, Code::Forbidden);
                    }
                }
            }
        }
    }

    #[test]
    fn a_refusal_says_what_can_be_done() {
        let refusal = Keeper::Ledger.next(Status::Submitted, Operation::Update).unwrap_err();
        assert_eq!(
            refusal.message,
            "Cannot update a time entry with status SUBMITTED: it must be NOT_REPORTED or DECLINED. \
             It waits for approval, and opens again when it is declined"
        );
        let refusal = Keeper::Ledger.next(Status::Declined, Operation::Delete).unwrap_err();
        assert!(refusal.message.contains("must be NOT_REPORTED. It can be changed"), "{refusal}");
    }
}
