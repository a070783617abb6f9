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
    date_from: Option<NoteDate>,
    /// Inclusive.
    date_to: Option<NoteDate>,
    /// In title or text, any case.
    search: Option<String>,
    #[serde(default)]
    processed_only: bool,
    /// At most 100.
    #[schemars(extend("default" = 20))]
    limit: Option<i64>,
}

impl DataTool for ListNotes {
    const NAME: &'static str = "list_notes";
    const TITLE: &'static str = "Notes";
    const DESCRIPTION: &'static str = "Notes of the workspace, newest first, by date or search term, with minutes and \
                                       whether they were processed.";
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
