//! What a session of work remembers from one call to the next, so that a person need not say it again.
//!
//! Owns: the last project and task, the entries of late, what was said of the work, since when there is work
//! ([`Session`]), what is suggested of it ([`Suggestion`]), and whose session is whose ([`Sessions`]). Does not own: the
//! clock, the time zone, what is answered.
//!
//! Invariants: time is passed in; a session knows nothing of another; the number of sessions and what each remembers are
//! bounded.

mod choice;
mod session;
mod sessions;
mod suggestion;

pub use choice::{Choice, Missing};
pub use session::Session;
pub use sessions::{Handle, Sessions};
pub use suggestion::Suggestion;
