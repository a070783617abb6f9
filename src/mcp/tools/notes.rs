//! The tools of the toolset `notes`. Parameters that several tools share are described here once.

use chrono::NaiveDate;
use dayledger_mcp::{Caller, DataTool, Effect, Lane, Toolset, WholeNumber};
use dayledger_notes::prompt::Style;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::notes::{
    ActionsRequest, CompareRequest, HistoryRequest, NoteRef, NotesRequest, ProcessRequest, VersionRequest, WriteRequest,
};
use crate::request::{Error, parse_date};

/// Path of a note in the workspace, or `current`: the note that is open in Chronicle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct NotePath(String);

impl NotePath {
    /// Parses the note.
    fn note(&self) -> NoteRef {
        NoteRef::parse(&self.0)
    }
}

/// Day, YYYY-MM-DD.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct NoteDate(#[schemars(extend("format" = "date"))] String);

impl NoteDate {
    /// Parses the day in the parameter `field`.
    fn day(date: Option<&Self>, field: &str) -> Result<Option<NaiveDate>, Error> {
        date.map(|date| parse_date(&date.0, field)).transpose()
    }
}

/// Lists notes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListNotes {
    /// First day, YYYY-MM-DD.
    date_from: Option<NoteDate>,
    /// Last day, inclusive.
    date_to: Option<NoteDate>,
    /// Text in the title or body, case-insensitive.
    search: Option<String>,
    /// Only processed notes.
    #[serde(default)]
    processed_only: bool,
    /// Return at most this many notes, up to 100.
    #[schemars(extend("default" = 20))]
    limit: Option<i64>,
}

impl DataTool for ListNotes {
    const NAME: &'static str = "list_notes";
    const TITLE: &'static str = "Notes";
    const DESCRIPTION: &'static str = "Lists notes of the workspace, newest first, by date or search term, with \
                                       minutes and whether they were processed. Use it to find the notes of a meeting. \
                                       For action items use get_actions.";
    const TOOLSET: Toolset = Toolset::Notes;
    type Request = NotesRequest;

    fn request(self, _: &Caller) -> Result<NotesRequest, Error> {
        Ok(NotesRequest {
            from: NoteDate::day(self.date_from.as_ref(), "date_from")?,
            to: NoteDate::day(self.date_to.as_ref(), "date_to")?,
            search: self.search,
            processed_only: self.processed_only,
            limit: self.limit,
        })
    }
}

/// Lists the action items of notes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetActions {
    /// Filter: a person, or `me` or `self` for the user.
    owner: Option<String>,
    /// Filter: notes from this day on.
    date_from: Option<NoteDate>,
    /// Filter: due before this day.
    due_before: Option<NoteDate>,
    /// Filter: due before today.
    #[serde(default)]
    overdue: bool,
    /// Include completed actions.
    #[serde(default)]
    include_done: bool,
    /// Return at most this many actions, up to 100.
    #[schemars(extend("default" = 50))]
    limit: Option<WholeNumber>,
    /// Skip this many actions.
    offset: Option<WholeNumber>,
}

impl DataTool for GetActions {
    const NAME: &'static str = "get_actions";
    const TITLE: &'static str = "Action items";
    const DESCRIPTION: &'static str = "Lists open action items of all processed notes, by owner, date or due date. \
                                       Notes that were not processed have no action items.";
    const TOOLSET: Toolset = Toolset::Notes;
    type Request = ActionsRequest;

    fn request(self, _: &Caller) -> Result<ActionsRequest, Error> {
        Ok(ActionsRequest {
            owner: self.owner,
            from: NoteDate::day(self.date_from.as_ref(), "date_from")?,
            due_before: NoteDate::day(self.due_before.as_ref(), "due_before")?,
            overdue: self.overdue,
            include_done: self.include_done,
            limit: self.limit.map(|limit| limit.0),
            offset: self.offset.map(|offset| offset.0),
        })
    }
}

/// Writes a record into a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProcessMeeting {
    path: NotePath,
    #[serde(default)]
    style: StyleParameter,
    /// Topic to emphasise.
    focus: Option<String>,
}

/// Style of the record.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum StyleParameter {
    #[default]
    Standard,
    Brief,
    Detailed,
    Focused,
    Structured,
}

impl From<StyleParameter> for Style {
    fn from(style: StyleParameter) -> Self {
        match style {
            StyleParameter::Standard => Self::Standard,
            StyleParameter::Brief => Self::Brief,
            StyleParameter::Detailed => Self::Detailed,
            StyleParameter::Focused => Self::Focused,
            StyleParameter::Structured => Self::Structured,
        }
    }
}

impl DataTool for ProcessMeeting {
    const NAME: &'static str = "process_meeting";
    const TITLE: &'static str = "Process a note";
    const DESCRIPTION: &'static str = "Turns raw notes into a record: TL;DR, key points, action items, open questions. \
                                       If no model is set up, returns instructions for you to write the record. Save \
                                       the record that you wrote with write_processed.";
    const TOOLSET: Toolset = Toolset::Notes;
    const EFFECT: Effect = Effect::Replaces;
    const LANE: Lane = Lane::Models;
    const REACHES_OUT: bool = true;
    type Request = ProcessRequest;

    fn request(self, _: &Caller) -> Result<ProcessRequest, Error> {
        Ok(ProcessRequest {
            note: self.path.note(),
            style: self.style.into(),
            focus: self.focus.filter(|focus| !focus.trim().is_empty()),
        })
    }
}

/// Writes a record into a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteProcessed {
    path: NotePath,
    /// Record in Markdown, with at least one of its sections.
    content: String,
    /// Metadata to add to the note.
    #[serde(default)]
    meta: Map<String, Value>,
    /// Handle from `process_meeting`. The call fails if the note changed after that response.
    handle: Option<String>,
}

impl DataTool for WriteProcessed {
    const NAME: &'static str = "write_processed";
    const TITLE: &'static str = "Write a record";
    const DESCRIPTION: &'static str = "Writes a record above the text of a note. Keeps the text and replaces an \
                                       earlier record. Use it for a record that you wrote by the instructions of \
                                       process_meeting.";
    const TOOLSET: Toolset = Toolset::Notes;
    const EFFECT: Effect = Effect::Replaces;
    /// `handle` identifies the version of the note that the call replaces. An empty handle matches no version, so it
    /// must not count as absent: without a handle, the note would be replaced without a check.
    const MAY_BE_EMPTY: &'static [&'static str] = &["handle"];
    type Request = WriteRequest;

    fn request(self, _: &Caller) -> Result<WriteRequest, Error> {
        Ok(WriteRequest { note: self.path.note(), content: self.content, meta: self.meta, handle: self.handle })
    }
}

/// Lists the commits that changed a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetHistory {
    path: NotePath,
    /// Return at most this many commits.
    #[schemars(extend("default" = 10))]
    limit: Option<i64>,
}

impl DataTool for GetHistory {
    const NAME: &'static str = "get_history";
    const TITLE: &'static str = "History of a note";
    const DESCRIPTION: &'static str =
        "Lists the commits that changed a note, newest first, with their hashes. Use it to find an earlier version.";
    const TOOLSET: Toolset = Toolset::Notes;
    type Request = HistoryRequest;

    fn request(self, _: &Caller) -> Result<HistoryRequest, Error> {
        Ok(HistoryRequest { note: self.path.note(), limit: self.limit })
    }
}

/// Shows an earlier version of a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetVersion {
    path: NotePath,
    /// Hash, or a name such as HEAD~1. Hashes come from `get_history`.
    commit: String,
}

impl DataTool for GetVersion {
    const NAME: &'static str = "get_version";
    const TITLE: &'static str = "Former version";
    const DESCRIPTION: &'static str =
        "Returns a note as of an earlier commit, with the commit's subject. For differences use compare_versions.";
    const TOOLSET: Toolset = Toolset::Notes;
    type Request = VersionRequest;

    fn request(self, _: &Caller) -> Result<VersionRequest, Error> {
        Ok(VersionRequest { note: self.path.note(), commit: self.commit })
    }
}

/// Compares two versions of a note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompareVersions {
    path: NotePath,
    /// The older commit.
    #[serde(default = "before")]
    from_commit: String,
    /// The newer commit.
    #[serde(default = "head")]
    to_commit: String,
}

/// Returns the default of `from`: the second-to-last commit.
fn before() -> String {
    "HEAD~1".to_owned()
}

/// Returns the default of `to`: the last commit.
fn head() -> String {
    "HEAD".to_owned()
}

impl DataTool for CompareVersions {
    const NAME: &'static str = "compare_versions";
    const TITLE: &'static str = "Compare versions";
    const DESCRIPTION: &'static str =
        "Returns the differences in a note between two commits, as a diff. For a whole version use get_version.";
    const TOOLSET: Toolset = Toolset::Notes;
    type Request = CompareRequest;

    fn request(self, _: &Caller) -> Result<CompareRequest, Error> {
        Ok(CompareRequest { note: self.path.note(), from: self.from_commit, to: self.to_commit })
    }
}
