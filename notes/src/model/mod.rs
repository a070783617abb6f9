//! Language models that process notes.
//!
//! Owns: which model is asked ([`Way`]), how it is asked ([`Model`]) and what its answers mean. Does not own: what it is
//! asked, and what becomes of the answer.
//!
//! Invariants: a note is sent to one address, that of [`Completion::sent_to`], and no redirect takes it elsewhere; an
//! answer is whole or an error; nothing shows the key; nothing of a prompt or an answer goes into a log.

mod address;
mod anthropic;
mod ask;
mod chat;
mod choice;
mod completion;
mod failure;
mod http;
mod key;
mod patience;

pub use address::{Address, InvalidAddress, Reach};
pub use ask::Model;
pub use choice::{DEFAULT_MAX_TOKENS, DEFAULT_MODEL, Settings, Way};
pub use completion::{Completion, Tokens};
pub use key::{InvalidKey, Key};
pub use patience::Patience;
