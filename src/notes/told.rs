//! What an answer tells of notes: the one door to which every text of a note comes before it leaves.
//!
//! An answer cannot be made without the notebook, which knows what may be told. What is not said to be anything else is
//! a text of a note. Paths of notes are what other questions take, and stay whole.

use chrono::NaiveDate;
use dayledger_notes::{NotePath, Refusal, naming};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::notebook::Notebook;
use crate::engine;
use crate::question::{Answer, Error};

/// The name under which an object holds the path of a note.
const PATH: &str = "filename";

/// What an answer is made of.
pub(super) trait Telling {
    /// Leaves of every text of a note what may be told of it.
    fn withhold(&mut self, notebook: &Notebook);

    /// The answer in the words of the contract.
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
    /// The day of its name, if its name begins with one.
    pub day: Option<NaiveDate>,
    /// Its text; what is no text in it is `U+FFFD`.
    pub text: Told,
}

impl Answer for NoteFile {}

impl NoteFile {
    /// The note at that path, which says that.
    pub(super) fn of(notebook: &Notebook, path: &NotePath, text: String) -> Self {
        Self { path: path.to_string(), day: naming::named_day(path), text: Told::of(notebook, text) }
    }
}

/// Something that the contract shows as an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Shown(Value);

impl Answer for Shown {}

impl Shown {
    /// What may be told of it: of every text but those under `filename`.
    ///
    /// # Errors
    /// What is no object, which is a mistake of this program.
    pub(super) fn of(notebook: &Notebook, shown: impl Serialize) -> Result<Self, Error> {
        let mut value = serde_json::to_value(shown).map_err(|_| engine::Error::Internal)?;
        withhold_in(&mut value, notebook);
        Ok(Self(value))
    }
}

fn withhold_in(value: &mut Value, notebook: &Notebook) {
    match value {
        Value::String(text) => text.withhold(notebook),
        Value::Array(values) => values.iter_mut().for_each(|value| withhold_in(value, notebook)),
        Value::Object(members) => {
            let others = members.iter_mut().filter(|(name, _)| name.as_str() != PATH);
            others.for_each(|(_, value)| withhold_in(value, notebook));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text of a note, or of which nothing says that it is none.
impl Telling for String {
    fn withhold(&mut self, notebook: &Notebook) {
        *self = notebook.told(self);
    }

    fn into_text(self) -> String {
        self
    }
}

/// Why some of an answer is missing.
impl Telling for Refusal {
    fn withhold(&mut self, notebook: &Notebook) {
        self.message = notebook.told_of_refusal(&self.message);
    }

    fn into_text(self) -> String {
        self.message
    }
}
