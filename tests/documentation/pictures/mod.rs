//! The pictures of the pages: what the program prints over the demo that pages show, never drawn by hand.
//!
//! A test holds them to what the program prints now, or writes them anew where `DAYLEDGER_UPDATE_DOCS` is set. Pages of
//! `report` are photographed by a browser, which the machine must have then; what is held otherwise is the page that was
//! photographed.

mod answers;
mod ink;
mod photographs;
mod svg;
mod terminals;

/// Where they are.
const FOLDER: &str = "docs/pictures";
