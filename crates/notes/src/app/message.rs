//! JSON messages from and to Chronicle.

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

/// The maximum length of a record, and of each text in it, in a message to Chronicle. Chronicle reads the complete
/// texts from the note.
const MAX_TEXT_LENGTH: usize = 500;

/// The maximum length of a list in a message to Chronicle. It applies to key points, to actions and to questions
/// separately.
const MAX_LIST_LENGTH: usize = 100;

/// The maximum length of an error from Chronicle in a message to the user.
const MAX_ERROR_LENGTH: usize = 300;

/// The method of Chronicle that returns the open note.
pub(super) const CURRENT_FILE: &str = "getCurrentFile";

/// Returns the JSON of a request for the open note, with this request ID.
pub(super) fn current_file_request(id: &str) -> String {
    json!({"type": "request", "id": id, "method": CURRENT_FILE}).to_string()
}

/// A message to Chronicle that isn't a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Push {
    /// A note is being processed. This message responds to a [`Trigger`]. Chronicle waits ten seconds for this message.
    Started {
        /// The processing style.
        style: Style,
    },
    /// A note was processed.
    Complete(Complete),
    /// A note could not be processed.
    Error {
        /// The note's path relative to the workspace, if it is known.
        path: Option<String>,
        /// The reason for the failure.
        error: String,
    },
}

/// The result of processing a note.
#[derive(Clone, PartialEq, Eq)]
pub struct Complete {
    /// The note's path relative to the workspace.
    pub path: String,
    /// The record. Only its first 500 characters are sent to Chronicle.
    pub record: String,
    /// The record's sections.
    pub sections: Sections,
    /// The processing style.
    pub style: Style,
    /// The number of tokens used, or zero if no model's API was called.
    pub tokens: Tokens,
}

impl std::fmt::Debug for Complete {
    /// Formats without the path and the text, so that they can't be logged.
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
    /// Creates the message for a record that was written into a note.
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
        // Chronicle expects the field names of the Anthropic API.
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

/// A request of Chronicle to process the open note. Chronicle waits ten seconds for [`Push::Started`], then for
/// [`Push::Complete`] or [`Push::Error`]. It sends the request to every connected client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The processing style, or the standard style if the request contains no style or an unknown one.
    pub style: Style,
}

/// A message from Chronicle.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A response: the result or the error.
    Answer { id: String, answer: Result<Value, String> },
    /// A request to process the open note.
    Trigger(Trigger),
    /// Any other message, which is ignored.
    Nothing,
}

/// The JSON form of a message. Unknown fields are ignored.
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

/// Returns an error of Chronicle as one line. The error is usually a JSON string, but can be any JSON value.
pub(super) fn error_text(error: &Value) -> String {
    let text = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
    one_line(&text, MAX_ERROR_LENGTH)
}

/// Returns the absolute path of the open note from a response to `getCurrentFile`. The caller has to check that the
/// path is in the workspace.
///
/// If no note is open, the response contains a null path. Any other error response has no path field.
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

/// Converts an error response to a refusal.
pub(super) fn application_error(error: &str) -> Refusal {
    Refusal::new(Code::ApiError, format!("Chronicle responded to `{CURRENT_FILE}` with an error: {error}"))
}
