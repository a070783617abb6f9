//! Language models that process notes.
//!
//! [`Processor`] selects a model. [`Model`] calls the model and interprets its responses. The caller provides the
//! prompt and writes the response into the note.
//!
//! Invariants: a note is sent to a single server. [`Completion::sent_to`] is the URL of this server. Redirects aren't
//! followed. A truncated response is an error. The key is never shown. Prompts and responses are never logged.

mod address;
mod anthropic;
mod chat;
mod http;
mod language_model;
mod processor;

pub use address::{Address, InvalidAddress, InvalidKey, Key, Reach};
pub use http::Timeouts;
pub use language_model::{Completion, Model, Tokens};
pub use processor::{DEFAULT_MAX_TOKENS, DEFAULT_MODEL, Processor, Settings};
