//! The draft as an editable text: [`to_text`] writes it, [`read`] reads it back.
//!
//! This module defines the format of a line and the error comments. The caller opens the editor, and checks whether the
//! resulting entries may be logged ([`check_overlaps`](crate::rules::overlap::check_overlaps)).
//!
//! A line is `hours | project / task | ticket | description | {row}`, under the heading of its day. A line that starts
//! with `#` is a comment. A line that starts with `#^` is an error comment about the line above; it is removed when
//! the text is read again. Rows that can't be logged yet, such as unassigned ones, are comments from the start, so
//! that an unchanged text has no mistakes.
//!
//! An unchanged column keeps the value of the row, even if the row has more than a line can show; only changed columns
//! are parsed. A row belongs to one day, so that moving its line to another day is a mistake: its evidence is of its
//! own day. If several lines have the same row, the row was split. The first line then gets all of the evidence,
//! because it is unknown which second belongs to which line. The others get none, like added lines.
//!
//! Invariants: an unchanged text gives exactly the rows that can be logged; a text with mistakes comes back with every
//! character of the person's input, plus comments.

mod columns;
mod read;
mod target;
mod write;

pub use read::{EditedEntry, MarkedText, read};
pub use write::to_text;
