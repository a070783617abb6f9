//! `list_notes`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_parameters::NoteDate;
use crate::{
    mcp::{tool::DataTool, toolset::Toolset},
    notes::NotesRequest,
    request::Error,
};

/// Lists notes.
pub(super) struct ListNotes;

/// Which.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
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
    const IS_TEXT: bool = true;
    type Parameters = Parameters;
    type Request = NotesRequest;

    fn request(parameters: Parameters) -> Result<NotesRequest, Error> {
        Ok(NotesRequest {
            from: NoteDate::day(parameters.date_from.as_ref(), "date_from")?,
            to: NoteDate::day(parameters.date_to.as_ref(), "date_to")?,
            search: parameters.search,
            processed_only: parameters.processed_only,
            limit: parameters.limit,
        })
    }
}
