//! Language models that process notes.
//!
//! [`Processor`] selects a model, and [`Model`] calls it and interprets its responses. The caller provides the prompt
//! and uses the response.
//!
//! Invariants: a note is sent to one server, that of [`Completion::sent_to`], and redirects aren't followed. A
//! truncated response is an error. The key is never shown. Prompts and responses are never logged.

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
