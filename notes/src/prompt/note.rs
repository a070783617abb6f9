//! What of a note goes into a prompt.

use crate::markers::Markers;

/// A note that is to be processed.
#[derive(Debug, Clone, Copy)]
pub struct Note<'n> {
    /// Its title.
    pub title: &'n str,
    /// Its text, as it was written.
    pub text: &'n str,
    /// What was found in the text.
    pub markers: &'n Markers,
    /// How long the meeting was, if that is known.
    pub duration_minutes: Option<u32>,
    /// What whoever asks wants to be told about above all.
    pub focus: Option<&'n str>,
    /// What the workspace asks for in its own `.chronicle/prompt.md`.
    pub guidance: Option<&'n str>,
}
