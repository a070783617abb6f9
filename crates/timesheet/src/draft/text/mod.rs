//! The draft as an editable text. [`to_text`] writes the text, and [`read`] reads it after editing.
//!
//! This module defines the format of the lines and of the error comments. The caller opens the editor and checks
//! whether the resulting entries overlap others ([`check_overlaps`](crate::rules::overlap::check_overlaps)).
//!
//! A line has the form `hours | project / task | ticket | description | {row}`, below the heading of its day. A line
//! that starts with `#` is a comment. A line that starts with `#^` is an error comment about the line above, and is
//! removed when the text is read again. Rows that can't be logged yet, such as rows without a project, are written as
//! comments. An unchanged text therefore contains no mistakes.
//!
//! An unchanged column keeps the value of the row, even if the line can't show the whole value. Only changed columns
//! are parsed. A line must not be moved to another day, because the evidence belongs to the row's day. If several lines
//! have the same row id, the user has split the row. The first of these lines then gets all of the evidence, because it
//! is unknown which second belongs to which line. The other lines get no evidence, like lines that the user added.
//!
//! Invariants: an unchanged text gives exactly the rows that can be logged. A text with mistakes is returned with every
//! character that the user wrote, plus error comments.

mod columns;
mod read;
mod target;
mod write;

pub use read::{EditedEntry, MarkedText, read};
pub use write::to_text;
