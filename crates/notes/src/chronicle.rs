//! Chronicle's files in `.chronicle`. Files and fields can be missing. Fields can have unexpected types.

use chrono::NaiveDate;
use serde_json::Value;

use crate::action::{Action, Checkbox, State, canonical_owner};
use crate::due::Due;
use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::sections::Sections;
use crate::text::{NoteText, strip_byte_order_mark};
use crate::workspace::Workspace;

const STATE: &str = ".chronicle/state.json";
const ACTIONS: &str = ".chronicle/actions.json";
const GUIDANCE: &str = ".chronicle/prompt.md";

/// Returns the workspace's own instructions for processing notes, from `.chronicle/prompt.md`. Returns `None` if the
/// file is missing, empty or unreadable.
pub fn guidance(workspace: &Workspace) -> Option<String> {
    let text = NoteText::from_bytes(workspace.read_companion(GUIDANCE).ok()??);
    Some(text.text().trim().to_owned()).filter(|text| !text.is_empty())
}

/// The open note, according to Chronicle's state file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CurrentNote {
    /// The path of the open note.
    Note(NotePath),
    /// No note is open.
    NoneOpen,
    /// The file is missing or doesn't name the open note. Older versions of Chronicle store other data in the file.
    Unknown,
}

/// Reads from `.chronicle/state.json` which note is open in Chronicle.
///
/// # Errors
///
/// `PARSE_ERROR` if the file isn't JSON, `INVALID_ARGUMENT` if the path isn't a note of this workspace.
pub fn current_note(workspace: &Workspace) -> Result<CurrentNote, Refusal> {
    let Some(state) = read(workspace, STATE)? else { return Ok(CurrentNote::Unknown) };
    match state.get("currentFile") {
        Some(Value::String(file)) => workspace.note_path(file).map(CurrentNote::Note),
        Some(Value::Null) => Ok(CurrentNote::NoneOpen),
        _ => Ok(CurrentNote::Unknown),
    }
}

/// Reads Chronicle's record of a note, `.chronicle/processed/<name>.json`, in the older or newer format. `day` is the
/// note's day.
///
/// # Errors
///
/// `PARSE_ERROR` if the file isn't JSON.
pub(crate) fn read_record(
    workspace: &Workspace,
    place: &str,
    day: Option<NaiveDate>,
) -> Result<Option<Sections>, Refusal> {
    Ok(read(workspace, place)?.map(|value| Sections {
        summary: value.get("tldr").and_then(text).map(str::to_owned),
        key_points: texts(&value, "keyPoints"),
        actions: items(&value, "actionItems").iter().filter_map(|item| action(item, day)).collect(),
        questions: texts(&value, "questions"),
    }))
}

/// An action in Chronicle's list for the whole workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAction {
    /// The path or the name of the note that contains the action.
    pub source: String,
    item: Value,
}

impl StoredAction {
    /// Returns the action, or `None` if it has no text. An action that isn't done is open, even if Chronicle calls it
    /// stale. `day` is the note's day.
    pub fn action(&self, day: Option<NaiveDate>) -> Option<Action> {
        action(&self.item, day)
    }
}

/// Reads `.chronicle/actions.json`. Returns an empty list if the file is missing.
///
/// # Errors
///
/// `PARSE_ERROR` if the file isn't JSON.
pub fn read_actions(workspace: &Workspace) -> Result<Vec<StoredAction>, Refusal> {
    let Some(value) = read(workspace, ACTIONS)? else { return Ok(Vec::new()) };
    let list = value.as_array().map_or_else(|| items(&value, "actions"), Vec::as_slice);
    let kept = |item: &Value| {
        let source = item.get("source")?.as_str()?.to_owned();
        Some(StoredAction { source, item: item.clone() })
    };
    Ok(list.iter().filter_map(kept).collect())
}

fn read(workspace: &Workspace, place: &str) -> Result<Option<Value>, Refusal> {
    let Some(bytes) = workspace.read_companion(place)? else { return Ok(None) };
    serde_json::from_slice(strip_byte_order_mark(&bytes)).map(Some).map_err(|error| {
        Refusal::new(
            Code::ParseError,
            format!("`{place}` is not valid JSON: {error}; the application will write it again"),
        )
    })
}

fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the text of a value: a JSON string, or in later versions of Chronicle an object with a field `text`.
fn text(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("text")?.as_str()).map(str::trim).filter(|text| !text.is_empty())
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    items(value, key).iter().filter_map(text).map(str::to_owned).collect()
}

/// Reads an action. The due date is read from the text of the action. The owner is read from the field `owner`, or from
/// the text if the field is missing.
fn action(item: &Value, day: Option<NaiveDate>) -> Option<Action> {
    let mut text = text(item)?.to_owned();
    let is = |key: &str| item.get(key).and_then(Value::as_bool).unwrap_or(false);
    let is_done = item.get("status").and_then(Value::as_str) == Some("done") || is("done");
    let state = if is_done { State::Done } else { State::Open };
    let Some(owner) = item.get("owner").and_then(Value::as_str).and_then(canonical_owner) else {
        let read = Action::read(&text, Checkbox::from(state), day);
        return Some(Action { urgent: read.urgent || is("urgent"), ..read });
    };
    let mut due = Due::take(&mut text, day);
    due.put_back(&mut text);
    Some(Action { text, owner: Some(owner), state, urgent: is("urgent"), due: due.day })
}
