//! Prompts for language models.
//!
//! [`prompt()`] writes the prompt for a note in a [`Style`], and [`Template`] has the three prompts of the contract.
//! `model` selects a model, and `markers` reads the markers of a note.
//!
//! Notes are data, not instructions. They are between two tags that they can't contain, because the name of the tags
//! is a hash of the notes, and both messages say so. Only the workspace's `prompt.md` and a focus are instructions by
//! the user.

mod style;
mod wording;

pub use style::{Style, Template, UnknownStyle};
pub use wording::{Note, Prompt, parse_minutes, prompt};
