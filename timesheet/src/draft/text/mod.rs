//! The draft as a text that a person edits, and back.
//!
//! Owns: how a row looks as a line, how a line is read, and what is said of a line that is wrong. Does not own: the
//! editor, and whether what was read may be logged ([`check_overlaps`](crate::rules::overlap::check_overlaps)).
//!
//! A line is `hours | project / task | ticket | description | {row}`, under the heading of its day. A line that starts
//! with `#` is a comment; one that starts with `#^` is ours, says what is wrong with the line above, and vanishes when the
//! text is read again. Rows that cannot be logged as they are, such as unassigned ones, are comments from the start, so
//! that a text that nobody has touched is read without a mistake.
//!
//! What stands in a line between bars is what the row has where it stands as it was written, even if the row has more
//! than a line can show; only what was changed is read anew. A row belongs to one day, and a line with it under another
//! is a mistake: its evidence is of that day. Where several lines have the same row, it was split: the first one has its
//! evidence, all of it, since nobody knows which second was which, and the others have none, as if they were added.
//!
//! Invariants: a text that was not touched gives the rows that can be logged, exactly; a text with mistakes comes back
//! with each character that the person left in it, and comments added.

mod amount;
mod columns;
mod read;
mod target;
mod write;

pub use read::{EditedEntry, MarkedText, read};
pub use write::to_text;
