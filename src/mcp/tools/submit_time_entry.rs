//! `submit_time_entry`.

use dayledger_timesheet::Refusal;
use schemars::JsonSchema;
use serde::Deserialize;

use super::entry_parameters::{EntryId, Session};
use crate::{
    mcp::{
        tool::{Caller, DataTool, Effect},
        toolset::Toolset,
    },
    request::Error,
    timesheet::{SubmitRequest, SubmitTarget},
};

/// Submits entries.
pub(super) struct SubmitTimeEntry;

/// One entry, or those of a week.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    id: Option<EntryId>,
    /// Instead of id: a week such as 2025-W43, with all its open entries.
    week: Option<String>,
    session: Option<Session>,
}

impl DataTool for SubmitTimeEntry {
    const NAME: &'static str = "submit_time_entry";
    const TITLE: &'static str = "Submit for approval";
    const DESCRIPTION: &'static str =
        "Submits an entry, or a whole week, for approval. Use it only if the user asks for it: no tool can undo it.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Changes;
    type Parameters = Parameters;
    type Request = SubmitRequest;

    fn request(parameters: Parameters) -> Result<SubmitRequest, Error> {
        let target = match (parameters.id, parameters.week) {
            (Some(id), None) => SubmitTarget::Entry(id.entry("id")?),
            (None, Some(week)) => {
                SubmitTarget::Week(week.trim().parse().map_err(|error| Refusal::invalid("week", error))?)
            }
            (_, week) => {
                let message = if week.is_some() { "pass either `id` or `week`" } else { "id is required, or a `week`" };
                return Err(Refusal::invalid("id", message).into());
            }
        };
        Ok(SubmitRequest { target, call_session: Session::to_call_session(parameters.session.as_ref())? })
    }

    fn with_caller(request: SubmitRequest, caller: &Caller) -> SubmitRequest {
        SubmitRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}
