//! `log_time`.

use dayledger_timesheet::draft::RowId;
use dayledger_timesheet::{Changes, Hours, Refusal};
use schemars::JsonSchema;
use serde::Deserialize;

use super::entry_parameters::{Date, Session, Tags, overlaps};
use crate::{
    mcp::{
        tool::{Caller, DataTool, Effect},
        toolset::Toolset,
    },
    request::Error,
    timesheet::{DraftRows, LogRequest, RowSelection},
};

/// Logs hours.
pub(super) struct LogTime;

/// An entry, or rows of a draft with changes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    /// Project code. Default: the last project of this session.
    #[schemars(length(max = 10))]
    project_code: Option<String>,
    /// Task of the project, case-sensitive. Default: the last task.
    #[schemars(length(max = 100))]
    task: Option<String>,
    /// Ticket, such as JIRA-123.
    #[schemars(length(max = 30))]
    issue_id: Option<String>,
    /// Regular hours, without overtime. Required without rows.
    #[schemars(range(min = 0))]
    standard_hours: Option<Hours>,
    /// Overtime hours.
    #[schemars(range(min = 0))]
    overtime_hours: Option<Hours>,
    /// What was done.
    description: Option<String>,
    /// First day, such as 2025-10-24. Required without rows.
    start_date: Option<Date>,
    /// Last day, inclusive. Default: startDate.
    completion_date: Option<Date>,
    tags: Option<Tags>,
    /// Draft ID. It comes from `suggest_time_entries`.
    draft: Option<String>,
    /// Row IDs of the draft, or only `all`. Other parameters replace the values of these rows.
    #[serde(default)]
    rows: Vec<String>,
    /// Allow overlaps, and more than 24 hours a day.
    #[serde(default)]
    allow_overlaps: bool,
    session: Option<Session>,
}

impl DataTool for LogTime {
    const NAME: &'static str = "log_time";
    const TITLE: &'static str = "Log time";
    const DESCRIPTION: &'static str = "Logs hours on a task of a project, as one entry or as rows of a draft. Use it \
                                       only after the user has agreed. A row is never logged twice. Drafts come from \
                                       suggest_time_entries.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Logs;
    const MAY_BE_EMPTY: &'static [&'static str] = &["description"];
    type Parameters = Parameters;
    type Request = LogRequest;

    fn request(parameters: Parameters) -> Result<LogRequest, Error> {
        if let Some(field) = parameters.day_of_rows() {
            return Err(Refusal::invalid(field, "omit it: the rows of a draft have their own day").into());
        }
        Ok(LogRequest {
            rows: rows(parameters.draft.as_deref(), &parameters.rows)?,
            project_code: parameters.project_code,
            fields: Changes {
                task: parameters.task,
                issue_id: parameters.issue_id,
                standard_hours: parameters.standard_hours,
                overtime_hours: parameters.overtime_hours,
                description: parameters.description,
                start_date: Date::day(parameters.start_date.as_ref(), "startDate")?,
                completion_date: Date::day(parameters.completion_date.as_ref(), "completionDate")?,
                tags: Tags::parse(parameters.tags)?,
            },
            overlaps: overlaps(parameters.allow_overlaps),
            call_session: Session::to_call_session(parameters.session.as_ref())?,
        })
    }

    fn with_caller(request: LogRequest, caller: &Caller) -> LogRequest {
        LogRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}

impl Parameters {
    /// Returns the name of the parameter that would move rows to another day, if it was passed.
    fn day_of_rows(&self) -> Option<&'static str> {
        let given = [(&self.start_date, "startDate"), (&self.completion_date, "completionDate")];
        given.into_iter().find(|(date, _)| date.is_some() && !self.rows.is_empty()).map(|(_, field)| field)
    }
}

/// Returns the requested rows. A draft without rows, and rows without a draft, are refused.
fn rows(draft: Option<&str>, rows: &[String]) -> Result<Option<DraftRows>, Error> {
    let refused = |field, message: &str| Err(Refusal::invalid(field, message).into());
    match (draft, rows) {
        (None, []) => Ok(None),
        (None, _) => refused("draft", "`rows` need a draft: pass its ID as `draft`"),
        (Some(_), []) => refused("rows", "pass the rows of the draft to log, or only `all`"),
        (Some(draft), rows) => {
            let draft = draft.parse().map_err(|error| Refusal::invalid("draft", error))?;
            let is_all = rows.iter().any(|row| row.eq_ignore_ascii_case("all"));
            if is_all && rows.len() > 1 {
                return refused("rows", "pass either `all` or the rows");
            }
            let named = || RowSelection::Named(rows.iter().map(|row| RowId::from(row.as_str())).collect());
            Ok(Some(DraftRows { draft, rows: if is_all { RowSelection::All } else { named() } }))
        }
    }
}
