//! `get_actions`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_parameters::NoteDate;
use crate::{
    mcp::{tool::DataTool, toolset::Toolset},
    notes::ActionsRequest,
    question::Error,
};

/// Tells what was agreed.
pub(super) struct GetActions;

/// Which actions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    /// A person; self or me: the user.
    #[serde(default)]
    #[schemars(with = "String")]
    owner: Option<String>,
    /// Of notes from that day on.
    #[serde(default)]
    #[schemars(with = "NoteDate")]
    date_from: Option<NoteDate>,
    #[serde(default)]
    include_done: bool,
}

impl DataTool for GetActions {
    const NAME: &'static str = "get_actions";
    const TITLE: &'static str = "Action items";
    const DESCRIPTION: &'static str = "Open action items of all processed notes, by owner or date.";
    const TOOLSET: Toolset = Toolset::Notes;
    const IS_TEXT: bool = true;
    type Parameters = Parameters;
    type Question = ActionsRequest;

    fn question(parameters: Parameters) -> Result<ActionsRequest, Error> {
        Ok(ActionsRequest {
            owner: parameters.owner,
            from: NoteDate::day(parameters.date_from.as_ref(), "date_from")?,
            include_done: parameters.include_done,
        })
    }
}
