//! `get_available_projects`.

use dayledger_timesheet::ProjectFilter;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{entry_parameters::Session, parameters::default_true};
use crate::{
    mcp::{
        tool::{Caller, DataTool},
        toolset::Toolset,
    },
    request::Error,
    timesheet::ProjectsRequest,
};

/// Lists the projects and tasks on which hours can be logged.
pub(super) struct GetAvailableProjects;

/// Which.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    /// false: include inactive projects.
    #[serde(default = "default_true")]
    active_only: bool,
    session: Option<Session>,
}

impl DataTool for GetAvailableProjects {
    const NAME: &'static str = "get_available_projects";
    const TITLE: &'static str = "Projects";
    const DESCRIPTION: &'static str = "Lists projects and tasks on which hours can be logged, with allowed tag values. \
                                       Use it to find a project code, a task or tags.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    type Parameters = Parameters;
    type Request = ProjectsRequest;

    fn request(parameters: Parameters) -> Result<ProjectsRequest, Error> {
        Ok(ProjectsRequest {
            filter: if parameters.active_only { ProjectFilter::Active } else { ProjectFilter::All },
            call_session: Session::to_call_session(parameters.session.as_ref())?,
        })
    }

    fn with_caller(request: ProjectsRequest, caller: &Caller) -> ProjectsRequest {
        ProjectsRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}
