//! `get_history`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_parameters::NotePath;
use crate::{
    mcp::{tool::DataTool, toolset::Toolset},
    notes::HistoryRequest,
    request::Error,
};

/// Lists the commits that changed a note.
pub(super) struct GetHistory;

/// The note.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
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
    const IS_TEXT: bool = true;
    type Parameters = Parameters;
    type Request = HistoryRequest;

    fn request(parameters: Parameters) -> Result<HistoryRequest, Error> {
        Ok(HistoryRequest { note: parameters.path.note(), limit: parameters.limit })
    }
}
