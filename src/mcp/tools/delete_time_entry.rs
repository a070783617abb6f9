//! `delete_time_entry`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::entry_parameters::{EntryId, Session};
use crate::{
    mcp::{
        tool::{Caller, DataTool, Effect},
        toolset::Toolset,
    },
    request::Error,
    timesheet::DeleteRequest,
};

/// Removes an entry.
pub(super) struct DeleteTimeEntry;

/// Which.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    id: EntryId,
    session: Option<Session>,
}

impl DataTool for DeleteTimeEntry {
    const NAME: &'static str = "delete_time_entry";
    const TITLE: &'static str = "Delete an entry";
    const DESCRIPTION: &'static str =
        "Deletes an entry that is NOT_REPORTED (open), permanently. Use it only if the user asks for it.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Removes;
    type Parameters = Parameters;
    type Request = DeleteRequest;

    fn request(parameters: Parameters) -> Result<DeleteRequest, Error> {
        Ok(DeleteRequest {
            entry: parameters.id.entry("id")?,
            call_session: Session::to_call_session(parameters.session.as_ref())?,
        })
    }

    fn with_caller(request: DeleteRequest, caller: &Caller) -> DeleteRequest {
        DeleteRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}
