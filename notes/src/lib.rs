//! The notes: meetings in a workspace of Chronicle, a folder of Markdown files with their history.
//!
//! Owns: where a workspace is and which files of it are notes, what a note says, what was agreed in it, its versions, and
//! how processed text is put in its place. Does not own: tools, resources and commands.

pub mod refusal;

pub use refusal::{Code, Refusal};
