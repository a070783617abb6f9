//! What a language model is asked.
//!
//! Owns: styles, the wording of what is asked, and the three prompts of the contract. Does not own: which model is asked,
//! and what the markers of a note are.
//!
//! Notes are material and no orders: they stand between two tags that they cannot name, since the tags are made from the
//! notes themselves, and both messages say so. What a workspace asks for in its `prompt.md`, and a focus, are orders of the
//! user's own.

mod duration;
mod fence;
mod note;
mod style;
mod template;
mod wording;

pub use duration::parse_minutes;
pub use note::Note;
pub use style::{Style, UnknownStyle};
pub use template::Template;
pub use wording::{Prompt, prompt};
