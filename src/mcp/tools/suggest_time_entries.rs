//! `suggest_time_entries`.

use dayledger_timesheet::Hours;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    entry_parameters::Session,
    parameters::{EndDate, StartDate, range},
};
use crate::{
    mcp::{
        apps::McpApp,
        tool::{Caller, DataTool},
        toolset::Toolset,
    },
    request::Error,
    timesheet::SuggestRequest,
};

/// Drafts hours from the history.
pub(super) struct SuggestTimeEntries;

/// The days and rounding.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Round hours to multiples of this.
    #[schemars(range(min = 0.01, max = 24), extend("default" = 0.25))]
    round_to: Option<Hours>,
    /// Skip rows shorter than this.
    #[schemars(range(min = 0, max = 1440), extend("default" = 15.0))]
    min_minutes: Option<f64>,
    session: Option<Session>,
}

impl DataTool for SuggestTimeEntries {
    const NAME: &'static str = "suggest_time_entries";
    const TITLE: &'static str = "Draft a timesheet";
    const DESCRIPTION: &'static str = "Drafts timesheet entries for whole days from the history, without time that is \
                                       already logged: hours per day and task with description, times and the reason \
                                       for the project. Use it when the user wants to log hours; it logs nothing \
                                       itself. Show the draft to the user, then log approved rows with log_time.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const APP: Option<McpApp> = Some(McpApp::Draft);
    type Parameters = Parameters;
    type Request = SuggestRequest;

    fn request(parameters: Parameters) -> Result<SuggestRequest, Error> {
        let range = range(&parameters.start_date, parameters.end_date.as_ref())?;
        let call_session = Session::to_call_session(parameters.session.as_ref())?;
        SuggestRequest::new(range, parameters.round_to, parameters.min_minutes, call_session)
    }

    fn with_caller(request: SuggestRequest, caller: &Caller) -> SuggestRequest {
        SuggestRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}
