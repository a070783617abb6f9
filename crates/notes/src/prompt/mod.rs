//! Prompts for language models.
//!
//! [`prompt()`] builds the prompt for a note in a [`Style`]. [`Template`] contains the three prompts that the MCP
//! server offers. The module `model` selects a model, and the module `markers` reads the markers of a note.
//!
//! The notes in a prompt are data, not instructions. They are between two tags, and both messages of the prompt explain
//! that text between these tags is data. The name of the tags is a hash of the notes, so the notes can't contain the
//! tags. Only two texts of the user are instructions: the workspace's `prompt.md` and the focus of a request.

mod style;
mod wording;

pub use style::{Style, Template, UnknownStyle};
pub use wording::{Note, Prompt, parse_minutes, prompt};
