//! The memory of a session from one call to the next, so that people don't have to repeat themselves.
//!
//! Owns: the last project and task, the recent entries, the descriptions of the work and its start time ([`Session`]),
//! the suggested entry ([`Suggestion`]), and the id of a session ([`SessionHandle`]). Does not own: the clock, the
//! time zone, the storage of sessions ([`crate::LocalStore::with_session`]) and the responses.
//!
//! Invariants: the current time is passed in; sessions don't know of each other; the size of a session is bounded.

mod handle;
mod missing_target;
mod session;
mod suggestion;

pub use handle::SessionHandle;
pub use missing_target::MissingTarget;
pub use session::Session;
pub use suggestion::Suggestion;
