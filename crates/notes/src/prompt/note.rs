//! The input of a prompt.

use crate::markers::Markers;

/// A note to be processed.
#[derive(Debug, Clone, Copy)]
pub struct Note<'n> {
    /// Its title.
    pub title: &'n str,
    /// Its original text.
    pub text: &'n str,
    /// The markers in the text.
    pub markers: &'n Markers,
    /// The duration of the meeting, if known.
    pub duration_minutes: Option<u32>,
    /// The topic that the user wants to focus on.
    pub focus: Option<&'n str>,
    /// The workspace's own instructions, from `.chronicle/prompt.md`.
    pub guidance: Option<&'n str>,
}
