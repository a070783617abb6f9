//! The application, which serves a WebSocket on this machine.
//!
//! Owns: the connection ([`App`]) and its messages. Does not own: what a trigger starts, and whether a path that the
//! application names may be read.
//!
//! [`App`] is the handle of a task that connects when somebody asks, stays connected, and ends with the last handle.
//!
//! Invariants: who asks gets an answer or a refusal within [`Timeouts::request`], and at once where there is nobody to
//! answer; what was to be told while the application was away is told in order once it is back; whatever it sends, the
//! task goes on.

mod answer;
mod dial;
mod handle;
mod link;
mod message;
mod outbox;
mod request_queue;
mod timeouts;

pub use dial::{Dial, Loopback, PORT};
pub use handle::{App, Triggers};
pub use message::{Complete, Push, Trigger};
pub use timeouts::Timeouts;
