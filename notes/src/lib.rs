//! The notes: meetings in a workspace of Chronicle, a folder of Markdown files with their history.
//!
//! Owns: how the application is talked to ([`app`]), what a language model is asked ([`prompt`]) and how ([`model`]), and
//! what becomes of notes without one ([`extract`]). Does not own: tools, resources and commands.
//!
//! Invariants: nothing of a note, and no key, goes into a log above debug; a note goes nowhere but where
//! [`model::Way::told`] says.

pub mod app;
pub mod extract;
pub mod model;
mod plain;
pub mod prompt;
pub mod refusal;
pub mod setting;

pub use refusal::{Code, Refusal};
