//! The connection to the Chronicle application, here called Chronicle. Chronicle runs a WebSocket server on this
//! machine.
//!
//! This module connects to Chronicle ([`App`]) and defines its messages. When Chronicle requests processing
//! ([`Trigger`]), the caller processes the note. The caller also checks that a path from Chronicle may be read.
//!
//! [`App`] is a handle to a background task. The task connects on the first request, stays connected, and stops when
//! the last handle is dropped.
//!
//! Invariants: each request ends with a response or a refusal within [`Timeouts::request`], and immediately if
//! Chronicle isn't running. Messages are queued while Chronicle is disconnected, and sent in order after it reconnects.
//! No message from Chronicle can stop the task.

mod dial;
mod handle;
mod link;
mod message;
mod request_queue;

pub use dial::{Dial, Loopback, PORT, Timeouts};
pub use handle::{App, Triggers};
pub use message::{Complete, Push, Trigger};
