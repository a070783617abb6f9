//! Prompts for language models.
//!
//! Owns: the styles, the wording of the prompts, and the three prompts of the contract. Does not own: the selection of
//! a model, and the markers of a note.
//!
//! Notes are data, not instructions. They are between two tags that they can't contain, because the name of the tags
//! is a hash of the notes, and both messages say so. Only the workspace's `prompt.md` and a focus are instructions by
//! the user.

mod style;
mod wording;

pub use style::{Style, Template, UnknownStyle};
pub use wording::{Note, Prompt, parse_minutes, prompt};
