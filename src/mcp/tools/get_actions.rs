//! `get_actions`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_parameters::NoteDate;
use crate::{
    mcp::{arguments::WholeNumber, tool::DataTool, toolset::Toolset},
    notes::ActionsRequest,
    request::Error,
};

/// Lists the action items of notes.
pub(super) struct GetActions;

/// Filters and page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
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
    const IS_TEXT: bool = true;
    type Parameters = Parameters;
    type Request = ActionsRequest;

    fn request(parameters: Parameters) -> Result<ActionsRequest, Error> {
        Ok(ActionsRequest {
            owner: parameters.owner,
            from: NoteDate::day(parameters.date_from.as_ref(), "date_from")?,
            due_before: NoteDate::day(parameters.due_before.as_ref(), "due_before")?,
            overdue: parameters.overdue,
            include_done: parameters.include_done,
            limit: parameters.limit.map(|limit| limit.0),
            offset: parameters.offset.map(|offset| offset.0),
        })
    }
}
