//! The MCP prompts for notes. The user pastes the text of the notes into the prompt.

use dayledger_notes::markers::Markers;
use dayledger_notes::naming::{UNTITLED, title_of_text};
use dayledger_notes::prompt::{Note, Template, parse_minutes};

use super::errors::unredacted_error;
use dayledger_request::Error;

/// Returns the text of a prompt for pasted notes.
///
/// # Errors
/// Fails if `duration` isn't a number of minutes.
pub fn prompt_text(template: Template, notes: &str, duration: Option<&str>) -> Result<String, Error> {
    let markers = Markers::read(notes);
    let title = title_of_text(notes);
    let note = Note {
        title: title.as_deref().unwrap_or(UNTITLED),
        text: notes,
        markers: &markers,
        duration_minutes: parse_minutes(duration.unwrap_or_default()).map_err(unredacted_error)?,
        focus: None,
        guidance: None,
    };
    Ok(template.text(&note))
}
