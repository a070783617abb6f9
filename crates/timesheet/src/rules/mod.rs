//! The rules for entries, independent of the storage: nothing here reads or writes.
//!
//! Their order and messages are those of the API, so that the ledger gives the same results. [`entry`] checks an
//! entry, [`overlap`] checks it against other entries, [`transition`] checks its status, and [`definition`] checks
//! projects.

pub mod definition;
pub mod entry;
pub mod overlap;
pub mod transition;

pub use overlap::OverlapPolicy;
pub use transition::Operation;

use crate::refusal::Refusal;

/// The maximum number of characters of a field.
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

    /// Returns the number of characters, as in the tools' schemas.
    pub const fn get(self) -> usize {
        self.0
    }

    /// Rejects a longer text. The refusal has `field`, and its message calls the field `name`.
    pub(crate) fn check(self, field: &str, name: &str, text: &str) -> Result<(), Refusal> {
        if text.chars().count() <= self.0 {
            return Ok(());
        }
        Err(Refusal::invalid(field, format_args!("{name} must be at most {} characters long", self.0)))
    }
}
