//! Redacts the texts of notes in responses. Every text of a note passes through here before it is returned.
//!
//! A response can't be built without the notebook, which contains the privacy switches. A text is treated as a note's
//! text unless its type says otherwise. Paths of notes aren't redacted, because other requests accept them.

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

/// A value that contains texts of notes.
pub(super) trait Redact {
    /// Redacts every text of a note.
    fn redact(&mut self, notebook: &Notebook);
}

/// A text for a model to read, as the contract of the notes shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct RedactedText(String);

impl Truncate for RedactedText {}

impl RedactedText {
    /// Redacts `content`, and then renders it.
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

/// A note after redaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteFile {
    /// Its path in the workspace.
    pub path: String,
    /// The day in its front matter or at the start of its file name.
    pub day: Option<NaiveDate>,
    /// Its text. Bytes that aren't text become `U+FFFD`.
    pub text: RedactedText,
}

impl Truncate for NoteFile {}

impl NoteFile {
    /// Returns the content of the note at `path`.
    pub(super) fn new(notebook: &Notebook, path: &NotePath, text: &str) -> Self {
        let (day, text) = (naming::stated_day(path, text), RedactedText(notebook.redact(text)));
        Self { path: path.to_string(), day, text }
    }
}

/// Redacted data that is shown as an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct RedactedJson(Value);

impl Truncate for RedactedJson {}

impl RedactedJson {
    /// Redacts and serialises `shown`.
    ///
    /// # Errors
    /// Fails if the value can't be serialised, which is a bug.
    pub(super) fn new(notebook: &Notebook, mut shown: impl Redact + Serialize) -> Result<Self, Error> {
        shown.redact(notebook);
        let value = serde_json::to_value(shown).map_err(|_| engine::Error::Internal)?;
        Ok(Self(value))
    }
}

/// A text is a note's text unless its type says otherwise.
impl Redact for String {
    fn redact(&mut self, notebook: &Notebook) {
        *self = notebook.redact(self);
    }
}

/// The reason why a part of a response is missing.
impl Redact for Refusal {
    fn redact(&mut self, notebook: &Notebook) {
        self.message = notebook.redact_message(&self.message);
    }
}

/// An action and its owner come from the same line of a note. If either mentions a hidden site, both are redacted.
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
