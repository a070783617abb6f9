//! What the application keeps in `.chronicle` for others to read. Everything in it may be missing or of another shape.

use serde_json::Value;

use crate::action::{Action, canonical_owner};
use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::text::{NoteText, unmarked};
use crate::workspace::Workspace;

const STATE: &str = ".chronicle/state.json";
const ACTIONS: &str = ".chronicle/actions.json";
const GUIDANCE: &str = ".chronicle/prompt.md";

/// What the workspace itself says of how its notes are processed: `.chronicle/prompt.md`. Nothing where it says nothing, or
/// cannot be read.
pub fn guidance(workspace: &Workspace) -> Option<String> {
    let text = NoteText::of(workspace.read_beside(GUIDANCE).ok()??);
    Some(text.text().trim().to_owned()).filter(|text| !text.is_empty())
}

/// Which note is open in the application, as far as its file tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Current {
    /// This one.
    Note(NotePath),
    /// None, says the file.
    NoneOpen,
    /// There is no such file, or it does not tell: older versions keep other things under its name.
    Unknown,
}

/// Reads which note is open from `.chronicle/state.json`.
///
/// # Errors
///
/// `PARSE_ERROR` if the file is no JSON, `INVALID_ARGUMENT` if what is open is no note of this workspace.
pub fn current(workspace: &Workspace) -> Result<Current, Refusal> {
    let Some(state) = read(workspace, STATE)? else { return Ok(Current::Unknown) };
    match state.get("currentFile") {
        Some(Value::String(file)) => workspace.name(file).map(Current::Note),
        Some(Value::Null) => Ok(Current::NoneOpen),
        _ => Ok(Current::Unknown),
    }
}

/// What the application has made of a note: `.chronicle/processed/<name>.json`, in both of its shapes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Processed {
    /// The summary.
    pub summary: Option<String>,
    /// The key points.
    pub key_points: Vec<String>,
    /// The actions.
    pub actions: Vec<Action>,
    /// The questions.
    pub questions: Vec<String>,
}

impl Processed {
    /// Reads the file at that place of the workspace.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if it is no JSON.
    pub(crate) fn read(workspace: &Workspace, place: &str) -> Result<Option<Self>, Refusal> {
        Ok(read(workspace, place)?.map(|value| Self {
            summary: value.get("tldr").and_then(text).map(str::to_owned),
            key_points: texts(&value, "keyPoints"),
            actions: items(&value, "actionItems").iter().filter_map(action).collect(),
            questions: texts(&value, "questions"),
        }))
    }
}

/// An action that the application keeps for the whole workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAction {
    /// The action. What is stale is open.
    pub action: Action,
    /// The note that it comes from, by path or by name.
    pub source: String,
}

/// Reads `.chronicle/actions.json`; there are none where that file is missing.
///
/// # Errors
///
/// `PARSE_ERROR` if it is no JSON.
pub fn kept_actions(workspace: &Workspace) -> Result<Vec<KeptAction>, Refusal> {
    let Some(value) = read(workspace, ACTIONS)? else { return Ok(Vec::new()) };
    let list = value.as_array().map_or_else(|| items(&value, "actions"), Vec::as_slice);
    let kept = |item: &Value| {
        let source = item.get("source")?.as_str()?.to_owned();
        Some(KeptAction { action: action(item)?, source })
    };
    Ok(list.iter().filter_map(kept).collect())
}

fn read(workspace: &Workspace, place: &str) -> Result<Option<Value>, Refusal> {
    let Some(bytes) = workspace.read_beside(place)? else { return Ok(None) };
    serde_json::from_slice(unmarked(&bytes)).map(Some).map_err(|error| {
        Refusal::new(Code::ParseError, format!("`{place}` is no JSON: {error}; the application writes it anew"))
    })
}

fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A text, which later versions put into an object with its lines.
fn text(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("text")?.as_str()).map(str::trim).filter(|text| !text.is_empty())
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    items(value, key).iter().filter_map(text).map(str::to_owned).collect()
}

fn action(item: &Value) -> Option<Action> {
    let text = text(item)?;
    let is_done = item.get("status").and_then(Value::as_str) == Some("done");
    let is = |key: &str| item.get(key).and_then(Value::as_bool).unwrap_or(false);
    let owner = item.get("owner").and_then(Value::as_str).and_then(canonical_owner);
    Some(Action { text: text.to_owned(), owner, done: is_done || is("done"), urgent: is("urgent") })
}
