//! Where the user's notes are.

use std::io::{self, Write};

use super::ink::Ink;
use super::sections::{counted, sentence, write_heading, write_item};
use super::style::Style;
use crate::notes::NotesState;

/// Writes where notes are, how many there are, and what cannot be read of them. Nothing where there are none and nothing is
/// amiss.
///
/// # Errors
/// Those of `out`.
pub fn write_notes_state(out: &mut dyn Write, state: &NotesState, style: &Style) -> io::Result<()> {
    if state.folder.is_none() && state.problems.is_empty() {
        return Ok(());
    }
    write_heading(out, "Notes", style)?;
    if let Some(folder) = &state.folder {
        let newest = state.newest.map(|day| format!(", the newest of {day}")).unwrap_or_default();
        write_item(out, folder, Ink::Plain, style)?;
        write_item(out, &format!("  {}{newest}", counted(state.notes, "note")), Ink::Faint, style)?;
    }
    for problem in &state.problems {
        write_item(out, &sentence(problem), Ink::Plain, style)?;
    }
    Ok(())
}
