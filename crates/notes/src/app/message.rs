//! Messages from and to the application, as JSON.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::action::Action;
use crate::display_text::one_line;
use crate::model::Tokens;
use crate::prompt::Style;
use crate::refusal::{Code, Refusal};
use crate::sections::Sections;
use crate::writing::WrittenRecord;

/// The maximum length of a record, and of each text in it, that is sent to the application, which reads the rest from
/// the note.
const MAX_TEXT_LENGTH: usize = 500;

/// The maximum number of key points, actions and questions of a record that are sent to the application.
const MAX_LIST_LENGTH: usize = 100;

/// The maximum length of an application's error in a message.
const MAX_ERROR_LENGTH: usize = 300;

/// The method that returns the open note.
pub(super) const CURRENT_FILE: &str = "getCurrentFile";

/// Returns the request for the open note, with this id.
pub(super) fn current_file_request(id: &str) -> String {
    json!({"type": "request", "id": id, "method": CURRENT_FILE}).to_string()
}

/// A message that is sent without a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Push {
    /// A note is being processed. This responds to a [`Trigger`]; the application waits ten seconds for it.
    Started {
        /// The style.
        style: Style,
    },
    /// A note was processed.
    Complete(Complete),
    /// A note could not be processed.
    Error {
        /// The note, relative to the workspace, if it is known.
        path: Option<String>,
        /// The reason.
        error: String,
    },
}

/// A note that was processed.
#[derive(Clone, PartialEq, Eq)]
pub struct Complete {
    /// Its path, relative to the workspace.
    pub path: String,
    /// The record; the application gets its first 500 characters.
    pub record: String,
    /// The record's sections.
    pub sections: Sections,
    /// How it was processed.
    pub style: Style,
    /// The tokens used; zero if no model's API was called.
    pub tokens: Tokens,
}

impl std::fmt::Debug for Complete {
    /// Formats without path and text.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Complete").field("style", &self.style).finish_non_exhaustive()
    }
}

impl Push {
    /// Returns the message as JSON.
    pub(super) fn message(&self) -> String {
        let (event, data) = match self {
            Self::Started { style } => ("processingStarted", json!({"style": style})),
            Self::Complete(complete) => ("processingComplete", complete.data()),
            Self::Error { path: Some(path), error } => {
                ("processingError", json!({"path": path, "error": truncate(error)}))
            }
            Self::Error { path: None, error } => ("processingError", json!({"error": truncate(error)})),
        };
        json!({"type": "push", "event": event, "data": data}).to_string()
    }
}

impl Complete {
    /// Creates the message for a note whose record was written.
    pub fn from_written(written: &WrittenRecord, style: Style, tokens: Tokens) -> Self {
        let WrittenRecord { path, record, sections, .. } = written;
        Self { path: path.to_string(), record: record.clone(), sections: sections.clone(), style, tokens }
    }

    fn data(&self) -> Value {
        let Sections { key_points, actions, questions, .. } = &self.sections;
        let action = |action: &Action| {
            let owner = action.owner.as_deref().map(truncate);
            json!({"text": truncate(&action.text), "owner": owner, "urgent": action.urgent})
        };
        let texts =
            |texts: &[String]| texts.iter().take(MAX_LIST_LENGTH).map(|text| truncate(text)).collect::<Vec<_>>();
        // The application expects the names of the model's API.
        let tokens = json!({
            "input_tokens": self.tokens.input,
            "output_tokens": self.tokens.output,
            "cache_creation_input_tokens": self.tokens.cache_creation,
            "cache_read_input_tokens": self.tokens.cache_read,
        });
        let result = json!({
            "summary": truncate(&self.record),
            "keyPoints": texts(key_points),
            "actionItems": actions.iter().take(MAX_LIST_LENGTH).map(action).collect::<Vec<_>>(),
            "questions": texts(questions),
            "style": self.style,
            "tokens": tokens,
        });
        json!({"path": self.path, "result": result})
    }
}

fn truncate(text: &str) -> String {
    text.chars().take(MAX_TEXT_LENGTH).collect()
}

/// The application requests that the open note be processed. It waits ten seconds for [`Push::Started`], then for
/// [`Push::Complete`] or [`Push::Error`]. It sends the request to every connected client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The style; the standard style if the request doesn't contain a known one.
    pub style: Style,
}

/// A message from the application.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A response: the result, or the error.
    Answer { id: String, answer: Result<Value, String> },
    /// A request to process a note.
    Trigger(Trigger),
    /// A message without a meaning here.
    Nothing,
}

/// The JSON of a message; unknown fields are ignored.
#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    method: Value,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    result: Value,
    #[serde(default)]
    error: Value,
}

impl Incoming {
    pub(super) fn read(text: &str) -> Self {
        let Ok(message) = serde_json::from_str::<Message>(text) else { return Self::Nothing };
        match (message.kind.as_str(), message.id, message.method.as_str()) {
            ("response", Value::String(id), _) => {
                let answer = match message.error {
                    Value::Null => Ok(message.result),
                    error => Err(error_text(&error)),
                };
                Self::Answer { id, answer }
            }
            ("request", _, Some("triggerProcessing")) => {
                let style = message.data["style"].as_str().and_then(|style| style.parse().ok());
                Self::Trigger(Trigger { style: style.unwrap_or_default() })
            }
            _ => Self::Nothing,
        }
    }
}

/// Returns an error of the application, which is usually a text, as one line.
pub(super) fn error_text(error: &Value) -> String {
    let text = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
    one_line(&text, MAX_ERROR_LENGTH)
}

/// Returns the absolute path of the open note from a response to `getCurrentFile`. The caller checks that it is in the
/// workspace.
///
/// If no note is open, the response has a null path. Any other error response lacks the path field.
pub(super) fn current_file(result: &Value) -> Result<PathBuf, Refusal> {
    match (result.get("path"), result.get("error")) {
        (Some(Value::String(path)), _) if !path.is_empty() => Ok(PathBuf::from(path)),
        (Some(Value::Null), _) => {
            let message = "no note is open in Chronicle: open one there, or pass the path of a note";
            Err(Refusal::new(Code::FileNotFound, message))
        }
        (None, Some(error)) if !error.is_null() => Err(application_error(&error_text(error))),
        _ => {
            let message = format!(
                "Chronicle responded to `{CURRENT_FILE}` without a usable `path`: its version may use another protocol"
            );
            Err(Refusal::new(Code::ParseError, message))
        }
    }
}

/// Returns the refusal for an error response.
pub(super) fn application_error(error: &str) -> Refusal {
    Refusal::new(Code::ApiError, format!("Chronicle responded to `{CURRENT_FILE}` with an error: {error}"))
}
