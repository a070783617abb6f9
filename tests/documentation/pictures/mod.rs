//! Pictures of the terminal and of responses on the pages: generated from the program's output over the demo.
//!
//! A test compares them with the current output, or writes them if `DAYLEDGER_UPDATE_DOCS` is set.

mod answers;
mod svg;
mod terminals;
mod text_style;

/// The folder of the pictures.
const FOLDER: &str = "docs/pictures";
