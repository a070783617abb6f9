//! Language models that process notes.
//!
//! [`Processor`] selects a model, and [`Model`] calls it and interprets its responses. The caller provides the prompt and uses
//! the response.
//!
//! Invariants: a note is sent to one address, that of [`Completion::sent_to`], and no redirect takes it elsewhere; an
//! answer is whole or an error; nothing shows the key; nothing of a prompt or an answer goes into a log.

mod address;
mod anthropic;
mod chat;
mod completion;
mod failure;
mod http;
mod key;
mod language_model;
mod processor;
mod timeouts;

pub use address::{Address, InvalidAddress, Reach};
pub use completion::{Completion, Tokens};
pub use key::{InvalidKey, Key};
pub use language_model::Model;
pub use processor::{DEFAULT_MAX_TOKENS, DEFAULT_MODEL, Processor, Settings};
pub use timeouts::Timeouts;
