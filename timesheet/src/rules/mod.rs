//! The rules that hold for entries, wherever they are kept: nothing here reads or writes.
//!
//! Their order and their messages are those of the API, so that an answer does not change with where entries are kept.
//! [`entry`] says what an entry may hold, [`overlap`] what it may not hold beside others, [`transition`] what may happen
//! to it, [`definition`] what a project may be.

pub mod definition;
pub mod entry;
pub mod overlap;
pub mod transition;

pub use overlap::OverlapPolicy;
pub use transition::Operation;

use crate::refusal::Refusal;

/// How many characters a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxLength(usize);

impl MaxLength {
    /// A project's code.
    pub const PROJECT_CODE: Self = Self(10);
    /// A project's name.
    pub const PROJECT_NAME: Self = Self(200);
    /// A task's name.
    pub const TASK: Self = Self(100);
    /// A ticket.
    pub const ISSUE_ID: Self = Self(30);
    /// A tag's name.
    pub const TAG_NAME: Self = Self(20);
    /// A tag's value.
    pub const TAG_VALUE: Self = Self(100);

    /// How many characters, as the tools' schemas have it.
    pub const fn get(self) -> usize {
        self.0
    }

    /// Refuses a text with more characters, as `field`, which the message calls `name`.
    pub(crate) fn check(self, field: &str, name: &str, text: &str) -> Result<(), Refusal> {
        if text.chars().count() <= self.0 {
            return Ok(());
        }
        Err(Refusal::invalid(field, format_args!("{name} must be at most {} characters long", self.0)))
    }
}
