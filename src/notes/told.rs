//! What an answer tells of notes: the one door to which every text of a note comes before it leaves.
//!
//! An answer cannot be made without the notebook, which knows what may be told. What is not said to be anything else is
//! a text of a note. Paths of notes are what other questions take, and stay whole.

use chrono::NaiveDate;
use dayledger_notes::action::Action;
use dayledger_notes::{NotePath, Refusal, naming};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::notebook::Notebook;
use crate::engine;
use crate::manictime::HIDDEN;
use crate::question::{Answer, Error};

/// What has texts of notes.
pub(super) trait Withhold {
    /// Leaves of every text of a note what may be told of it.
    fn withhold(&mut self, notebook: &Notebook);
}

/// What an answer in the words of the contract is made of.
pub(super) trait Telling: Withhold {
    /// The answer.
    fn into_text(self) -> String;
}

/// A text for a model to read, as the contract of the notes shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Told(String);

impl Answer for Told {}

impl Told {
    /// What may be told of it.
    pub(super) fn of(notebook: &Notebook, mut telling: impl Telling) -> Self {
        telling.withhold(notebook);
        Self(telling.into_text())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text by itself.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// A note as it may be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteFile {
    /// Its path below the workspace.
    pub path: String,
    /// The day in its front matter or at the beginning of its name.
    pub day: Option<NaiveDate>,
    /// Its text; what is no text in it is `U+FFFD`.
    pub text: Told,
}

impl Answer for NoteFile {}

impl NoteFile {
    /// The note at that path, which says that.
    pub(super) fn of(notebook: &Notebook, path: &NotePath, text: String) -> Self {
        Self { path: path.to_string(), day: naming::stated_day(path, &text), text: Told::of(notebook, text) }
    }
}

/// Something that the contract shows as an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Shown(Value);

impl Answer for Shown {}

impl Shown {
    /// What may be told of it.
    ///
    /// # Errors
    /// What is no object, which is a mistake of this program.
    pub(super) fn of(notebook: &Notebook, mut shown: impl Withhold + Serialize) -> Result<Self, Error> {
        shown.withhold(notebook);
        let value = serde_json::to_value(shown).map_err(|_| engine::Error::Internal)?;
        Ok(Self(value))
    }
}

/// A text of a note, or of which nothing says that it is none.
impl Withhold for String {
    fn withhold(&mut self, notebook: &Notebook) {
        *self = notebook.told(self);
    }
}

impl Telling for String {
    fn into_text(self) -> String {
        self
    }
}

/// Why some of an answer is missing.
impl Withhold for Refusal {
    fn withhold(&mut self, notebook: &Notebook) {
        self.message = notebook.told_of_refusal(&self.message);
    }
}

/// An action and who has it stand in one line of a note: where that names a hidden site, nothing of either is told.
impl Withhold for Action {
    fn withhold(&mut self, notebook: &Notebook) {
        let is_hidden = |text: &str| notebook.names_hidden_site(text);
        if is_hidden(&self.text) || self.owner.as_deref().is_some_and(is_hidden) {
            (self.text, self.owner) = (HIDDEN.to_owned(), None);
            return;
        }
        self.text.withhold(notebook);
        self.owner.iter_mut().for_each(|owner| owner.withhold(notebook));
    }
}
