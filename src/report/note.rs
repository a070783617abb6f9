//! What is said beside an answer.

use std::io::{self, Write};

use super::ink::Ink;
use super::sections::write_prose;
use super::style::Style;

/// Writes a sentence that may hold names from the history, in lines that fit.
///
/// # Errors
/// Those of `out`.
pub fn write_note(out: &mut dyn Write, note: &str, style: &Style) -> io::Result<()> {
    write_prose(out, note, Ink::Faint, style)
}
