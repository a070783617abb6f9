//! What a session of work remembers from one call to the next, so that a person need not say it again.
//!
//! Owns: the last project and task, the entries of late, what was said of the work, since when there is work
//! ([`Session`]), what is suggested of it ([`Suggestion`]), and what a client finds it by ([`SessionHandle`]). Does not own: the
//! clock, the time zone, where sessions are kept ([`crate::LocalStore::with_session`]), what is answered.
//!
//! Invariants: time is passed in; a session knows nothing of another; what it remembers is bounded.

mod handle;
mod missing_target;
mod session;
mod suggestion;

pub use handle::SessionHandle;
pub use missing_target::MissingTarget;
pub use session::Session;
pub use suggestion::Suggestion;
