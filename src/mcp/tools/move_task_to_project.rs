//! `move_task_to_project`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::entry_parameters::{EntryId, Session};
use crate::{
    mcp::{
        tool::{Caller, DataTool, Effect},
        toolset::Toolset,
    },
    request::Error,
    timesheet::MoveRequest,
};

/// Moves an entry to another task.
pub(super) struct MoveTaskToProject;

/// The entry and its new task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    entry_id: EntryId,
    /// Code of the new project.
    #[schemars(length(max = 10))]
    new_project_code: String,
    /// Task of the new project, case-sensitive.
    #[schemars(length(max = 100))]
    new_task: String,
    session: Option<Session>,
}

impl DataTool for MoveTaskToProject {
    const NAME: &'static str = "move_task_to_project";
    const TITLE: &'static str = "Move an entry";
    const DESCRIPTION: &'static str = "Moves an entry that is NOT_REPORTED (open) or DECLINED to another task or \
                                       project. In the same project it keeps its tags, in another one it loses them.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Changes;
    type Parameters = Parameters;
    type Request = MoveRequest;

    fn request(parameters: Parameters) -> Result<MoveRequest, Error> {
        Ok(MoveRequest {
            entry: parameters.entry_id.entry("entryId")?,
            project_code: parameters.new_project_code,
            task: parameters.new_task,
            call_session: Session::to_call_session(parameters.session.as_ref())?,
        })
    }

    fn with_caller(request: MoveRequest, caller: &Caller) -> MoveRequest {
        MoveRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}
