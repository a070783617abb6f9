//! The pictures of the terminal and of answers on the pages: what the program prints over the demo, never drawn by hand.
//!
//! A test compares them with what the program prints now, or writes them if `DAYLEDGER_UPDATE_DOCS` is set.

mod answers;
mod svg;
mod terminals;
mod text_style;

/// Where they are.
const FOLDER: &str = "docs/pictures";
