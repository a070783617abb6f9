//! What of a note goes into a prompt.

use crate::markers::Markers;

/// How many markers of each kind a note has, and who is quoted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkerCounts {
    /// Thoughts (`>`).
    pub thoughts: usize,
    /// Important points (`!`).
    pub important: usize,
    /// Questions (`?`).
    pub questions: usize,
    /// Action items (`[]`).
    pub actions: usize,
    /// Who is quoted (`@name:`), in the order of the note; the same person may come twice.
    pub attributions: Vec<String>,
}

impl From<&Markers> for MarkerCounts {
    fn from(markers: &Markers) -> Self {
        Self {
            thoughts: markers.thoughts.len(),
            important: markers.important.len(),
            questions: markers.questions.len(),
            actions: markers.actions.len(),
            attributions: markers.attributions.iter().map(|said| said.person.clone()).collect(),
        }
    }
}

/// A note that is to be processed.
#[derive(Debug, Clone, Copy)]
pub struct Note<'n> {
    /// Its title.
    pub title: &'n str,
    /// Its text, as it was written.
    pub text: &'n str,
    /// What was found in the text.
    pub markers: &'n MarkerCounts,
    /// How long the meeting was, if that is known.
    pub duration_minutes: Option<u32>,
    /// What whoever asks wants to be told about above all.
    pub focus: Option<&'n str>,
    /// What the workspace asks for in its own `.chronicle/prompt.md`.
    pub guidance: Option<&'n str>,
}
