//! Redacts the texts of notes in responses. Each text of a note must pass through this module before it is returned.
//!
//! A response can be created only with a notebook, which contains the privacy settings. Every `String` counts as text
//! of a note. Paths of notes aren't redacted, because clients need them for other requests.

use chrono::NaiveDate;
use dayledger_notes::action::Action;
use dayledger_notes::{NotePath, Refusal, naming};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::notebook::Notebook;
use dayledger_engine as engine;
use dayledger_request::{Error, Truncate};
use dayledger_source::HIDDEN;

/// A value that contains texts from notes.
pub(super) trait Redact {
    /// Redacts every text in the value that comes from a note.
    fn redact(&mut self, notebook: &Notebook);
}

/// A text from notes for a model or a person to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct RedactedText(String);

impl Truncate for RedactedText {}

impl RedactedText {
    /// Redacts `content`, and then formats it with `render`.
    pub(super) fn new<T: Redact>(notebook: &Notebook, mut content: T, render: impl FnOnce(T) -> String) -> Self {
        content.redact(notebook);
        Self(render(content))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text as a `String`.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// The content of a note after redaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteFile {
    /// The path of the note in the workspace.
    pub path: String,
    /// The day in the front matter or at the start of the file name.
    pub day: Option<NaiveDate>,
    /// The text of the note. Bytes that aren't valid text become `U+FFFD`.
    pub text: RedactedText,
}

impl Truncate for NoteFile {}

impl NoteFile {
    /// Creates the redacted content of the note at `path`.
    pub(super) fn new(notebook: &Notebook, path: &NotePath, text: &str) -> Self {
        let (day, text) = (naming::stated_day(path, text), RedactedText(notebook.redact(text)));
        Self { path: path.to_string(), day, text }
    }
}

/// Redacted data as a JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct RedactedJson(Value);

impl Truncate for RedactedJson {}

impl RedactedJson {
    /// Redacts `shown`, and then converts it to JSON.
    ///
    /// # Errors
    /// Fails if the value can't be converted to JSON, which would be a bug.
    pub(super) fn new(notebook: &Notebook, mut shown: impl Redact + Serialize) -> Result<Self, Error> {
        shown.redact(notebook);
        let value = serde_json::to_value(shown).map_err(|_| engine::Error::Internal)?;
        Ok(Self(value))
    }
}

/// A `String` counts as text of a note, so it is always redacted.
impl Redact for String {
    fn redact(&mut self, notebook: &Notebook) {
        *self = notebook.redact(self);
    }
}

/// A refusal explains why some data is missing in a response.
impl Redact for Refusal {
    fn redact(&mut self, notebook: &Notebook) {
        self.message = notebook.redact_message(&self.message);
    }
}

/// An action and its owner come from the same line of a note. If either of them mentions a hidden site, both are
/// hidden.
impl Redact for Action {
    fn redact(&mut self, notebook: &Notebook) {
        let is_hidden = |text: &str| notebook.names_hidden_site(text);
        if is_hidden(&self.text) || self.owner.as_deref().is_some_and(is_hidden) {
            (self.text, self.owner) = (HIDDEN.to_owned(), None);
            return;
        }
        self.text.redact(notebook);
        self.owner.iter_mut().for_each(|owner| owner.redact(notebook));
    }
}
