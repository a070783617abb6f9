//! The pictures on the pages. They show the terminal and responses, and are generated from the program's output for the
//! demo.
//!
//! A test compares the pictures with the current output. If `DAYLEDGER_UPDATE_DOCS` is set, the test writes the
//! pictures instead.

mod answers;
mod svg;
mod terminals;
mod text_style;

/// The folder of the pictures.
const FOLDER: &str = "docs/pictures";
