//! The application, which runs a WebSocket server on this machine.
//!
//! This module connects to it ([`App`]) and defines its messages. The caller processes a note when the
//! application requests it ([`Trigger`]), and checks that a path from the application may be read.
//!
//! [`App`] is the handle of a task that connects on the first request, stays connected, and stops with the last
//! handle.
//!
//! Invariants: each request ends with a response or a refusal within [`Timeouts::request`], and immediately if the
//! application isn't running. Messages are queued while the application is away and sent in order when it is back. No
//! message from the application can stop the task.

mod dial;
mod handle;
mod link;
mod message;
mod request_queue;

pub use dial::{Dial, Loopback, PORT, Timeouts};
pub use handle::{App, Triggers};
pub use message::{Complete, Push, Trigger};
