//! The tools of the toolset `timesheet`. Parameters that several tools share are described here once.

use dayledger_mcp::{Caller, DataTool, Effect, Toolset, WholeNumber};
use dayledger_timesheet::draft::RowId;
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{
    Changes, Day, EntryQuery, Hours, Limit, Order, ProjectFilter, Refusal, Sort, SortBy, Status, Tag, TagsInput,
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::parameters::{EndDate, StartDate, default_true, range};
use crate::mcp::apps::McpApp;
use crate::request::Error;
use crate::timesheet::{
    CallSession, Confirmation, DeleteRequest, DraftRows, EntriesRequest, EntryRef, GetTimerRequest, IfRunning,
    LogRequest, MoveRequest, ProjectsRequest, RowSelection, StartTimerRequest, StopTimerRequest, StoppedTime,
    SubmitRequest, SubmitTarget, SuggestRequest, UpdateRequest,
};

/// Entry ID, or `last`: the entry that this session logged last.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct EntryId(String);

impl EntryId {
    /// Parses the reference to an entry in the parameter `field`.
    fn entry(&self, field: &str) -> Result<EntryRef, Error> {
        EntryRef::parse(&self.0, field)
    }
}

/// session of a response on another connection, to continue that session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Session(String);

impl Session {
    /// Returns the session of the call. If the call doesn't pass a session, returns the connection's session.
    fn call_session(session: Option<&Self>, caller: &Caller) -> Result<CallSession, Error> {
        session.map_or(Ok(caller.call_session), |session| CallSession::from_handle(&session.0))
    }
}

/// Tag values that the project allows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Tags(#[schemars(with = "Vec<Tag>")] Value);

impl Tags {
    /// Parses the tags in any accepted form.
    fn parse(tags: Option<Self>) -> Result<Option<Vec<Tag>>, Error> {
        let read = |tags: Self| {
            let written: Result<TagsInput, _> = serde_json::from_value(tags.0);
            written.map(|tags| tags.0).map_err(|error| Refusal::invalid("tags", format_args!("`tags`: {error}")))
        };
        Ok(tags.map(read).transpose()?)
    }
}

/// Day, such as 2025-10-24.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Date(#[schemars(extend("format" = "date"))] String);

impl Date {
    /// Parses the day in the parameter `field`.
    fn day(date: Option<&Self>, field: &str) -> Result<Option<Day>, Error> {
        let refused = |error| Refusal::invalid(field, error);
        Ok(date.map(|date| date.0.parse()).transpose().map_err(refused)?)
    }
}

/// Code from the error `CONFIRMATION_REQUIRED`, once the user agreed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct ConfirmationCode(String);

impl ConfirmationCode {
    /// Returns the confirmation for a call with this code. Returns one without a code if the call doesn't contain a code.
    fn confirmation(code: Option<Self>) -> Confirmation {
        Confirmation::Code(code.map(|code| code.0))
    }
}

/// Returns the policy of the parameter `allowOverlaps`.
const fn overlaps(are_allowed: bool) -> OverlapPolicy {
    if are_allowed { OverlapPolicy::Allowed } else { OverlapPolicy::Refused }
}

/// Drafts hours from the history.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct SuggestTimeEntries {
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
    const APP: Option<&'static str> = Some(McpApp::Draft.uri());
    type Request = SuggestRequest;

    fn request(self, caller: &Caller) -> Result<SuggestRequest, Error> {
        let range = range(&self.start_date, self.end_date.as_ref())?;
        let call_session = Session::call_session(self.session.as_ref(), caller)?;
        SuggestRequest::new(range, self.round_to, self.min_minutes, call_session)
    }
}

/// Logs hours.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct LogTime {
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
    type Request = LogRequest;

    fn request(self, caller: &Caller) -> Result<LogRequest, Error> {
        if let Some(field) = self.day_of_rows() {
            return Err(Refusal::invalid(field, "omit it: the rows of a draft have their own day").into());
        }
        Ok(LogRequest {
            rows: rows(self.draft.as_deref(), &self.rows)?,
            project_code: self.project_code,
            fields: Changes {
                task: self.task,
                issue_id: self.issue_id,
                standard_hours: self.standard_hours,
                overtime_hours: self.overtime_hours,
                description: self.description,
                start_date: Date::day(self.start_date.as_ref(), "startDate")?,
                completion_date: Date::day(self.completion_date.as_ref(), "completionDate")?,
                tags: Tags::parse(self.tags)?,
            },
            overlaps: overlaps(self.allow_overlaps),
            call_session: Session::call_session(self.session.as_ref(), caller)?,
        })
    }
}

impl LogTime {
    /// Returns the name of the first date parameter, if the call also chooses rows. The date would move these rows to
    /// another day.
    fn day_of_rows(&self) -> Option<&'static str> {
        let given = [(&self.start_date, "startDate"), (&self.completion_date, "completionDate")];
        given.into_iter().find(|(date, _)| date.is_some() && !self.rows.is_empty()).map(|(_, field)| field)
    }
}

/// Returns the requested rows. Fails for a draft without rows, and for rows without a draft.
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

/// Lists entries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct QueryTimeEntries {
    /// Filter: entries that start on this day or later.
    start_date: Option<Date>,
    /// Filter: entries that end on this day or earlier. Inclusive, unlike in activity tools.
    end_date: Option<Date>,
    /// Filter: project code.
    project_code: Option<String>,
    /// Filter: task, case-sensitive.
    task: Option<String>,
    /// Filter: status.
    #[serde(default)]
    #[schemars(with = "Status")]
    status: Option<String>,
    /// Filter: text in the description, case-sensitive.
    description_contains: Option<String>,
    /// Filter: entries with all of these tags.
    tags: Option<Tags>,
    /// Filter: entries with overtime (true) or without (false).
    has_overtime: Option<bool>,
    /// Filter: at least this many hours, overtime included.
    min_hours: Option<Hours>,
    /// Filter: at most this many hours, overtime included.
    max_hours: Option<Hours>,
    /// Filter: email address of the entry's user.
    user_email: Option<String>,
    /// startDate, completionDate or standardHours.
    #[schemars(extend("default" = "startDate"))]
    sort_by: Option<String>,
    /// asc or desc.
    #[schemars(extend("default" = "desc"))]
    sort_order: Option<String>,
    /// Return at most this many entries.
    #[serde(default)]
    #[schemars(with = "i64", range(min = 1, max = 200), extend("default" = 50))]
    limit: Option<WholeNumber>,
    /// Skip this many entries.
    #[serde(default)]
    #[schemars(with = "i64", range(min = 0), extend("default" = 0))]
    offset: Option<WholeNumber>,
    session: Option<Session>,
}

impl DataTool for QueryTimeEntries {
    const NAME: &'static str = "query_time_entries";
    const TITLE: &'static str = "Logged time";
    const DESCRIPTION: &'static str = "Lists the entries of the timesheet: logged hours, with status. Don't use it for \
                                       activity. For hours that are not logged yet use suggest_time_entries.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    type Request = EntriesRequest;

    fn normalize_arguments(mut arguments: JsonObject) -> JsonObject {
        for (other, name) in [("take", "limit"), ("skip", "offset")] {
            if !arguments.contains_key(name)
                && let Some(value) = arguments.remove(other)
            {
                arguments.insert(name.to_owned(), value);
            }
        }
        arguments
    }

    fn request(self, caller: &Caller) -> Result<EntriesRequest, Error> {
        let count = |number: WholeNumber, field| {
            u32::try_from(number.0).map_err(|_| Refusal::invalid(field, format_args!("`{field}` is {}", number.0)))
        };
        let status = self.status.map(|text| text.parse::<Status>()).transpose();
        let by = self.sort_by.map(|text| text.parse::<SortBy>()).transpose();
        let order = self.sort_order.map(|text| text.parse::<Order>()).transpose();
        let query = EntryQuery {
            start_date: Date::day(self.start_date.as_ref(), "startDate")?,
            end_date: Date::day(self.end_date.as_ref(), "endDate")?,
            project_code: self.project_code,
            task: self.task,
            status: status?,
            description_contains: self.description_contains,
            tags: Tags::parse(self.tags)?.unwrap_or_default(),
            has_overtime: self.has_overtime,
            min_hours: self.min_hours,
            max_hours: self.max_hours,
            user_email: self.user_email,
            sort: Sort { by: by?.unwrap_or_default(), order: order?.unwrap_or_default() },
            limit: match self.limit {
                Some(number) => Limit::new(u32::try_from(number.0).unwrap_or_default())?,
                None => Limit::default(),
            },
            offset: self.offset.map(|number| count(number, "offset")).transpose()?.unwrap_or_default(),
        };
        Ok(EntriesRequest { query, call_session: Session::call_session(self.session.as_ref(), caller)? })
    }
}

/// Changes an entry.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct UpdateTimeEntry {
    id: EntryId,
    updates: Updates,
    /// Allow more than 24 hours a day.
    #[serde(default)]
    allow_overlaps: bool,
    session: Option<Session>,
}

/// New values. Omitted fields stay unchanged; tags replaces all tags.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Updates {
    /// Task of the same project, case-sensitive.
    task: Option<String>,
    /// Ticket, such as JIRA-123.
    issue_id: Option<String>,
    /// Regular hours, without overtime.
    #[schemars(range(min = 0))]
    standard_hours: Option<Hours>,
    /// Overtime hours.
    #[schemars(range(min = 0))]
    overtime_hours: Option<Hours>,
    /// What was done.
    description: Option<String>,
    /// First day, such as 2025-10-24.
    start_date: Option<Date>,
    /// Last day, inclusive.
    completion_date: Option<Date>,
    tags: Option<Tags>,
}

/// The fields of [`Updates`]. A call can also pass them at the top level, next to `id`.
const UPDATE_FIELDS: [&str; 8] =
    ["task", "issueId", "standardHours", "overtimeHours", "description", "startDate", "completionDate", "tags"];

impl DataTool for UpdateTimeEntry {
    const NAME: &'static str = "update_time_entry";
    const TITLE: &'static str = "Change an entry";
    const DESCRIPTION: &'static str = "Changes fields of an entry that is NOT_REPORTED (open) or DECLINED. Use it to \
                                       correct hours, days, tags or text. For another project call \
                                       move_task_to_project.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Changes;
    /// An empty text clears a field, so it must not count as absent.
    const MAY_BE_EMPTY: &'static [&'static str] = &UPDATE_FIELDS;
    type Request = UpdateRequest;

    fn normalize_arguments(mut arguments: JsonObject) -> JsonObject {
        let flat: Vec<_> = UPDATE_FIELDS.iter().filter_map(|field| arguments.remove_entry(*field)).collect();
        if let Some(Value::String(text)) = arguments.get("updates")
            && let Ok(updates @ Value::Object(_)) = serde_json::from_str(text)
        {
            arguments.insert("updates".to_owned(), updates);
        }
        if !flat.is_empty() {
            let updates = arguments.entry("updates").or_insert_with(|| JsonObject::new().into());
            if let Value::Object(updates) = updates {
                for (field, value) in flat {
                    updates.entry(field).or_insert(value);
                }
            }
        }
        arguments
    }

    fn request(self, caller: &Caller) -> Result<UpdateRequest, Error> {
        let Updates { task, issue_id, standard_hours, overtime_hours, description, start_date, completion_date, tags } =
            self.updates;
        Ok(UpdateRequest {
            entry: self.id.entry("id")?,
            changes: Changes {
                task,
                issue_id,
                standard_hours,
                overtime_hours,
                description,
                start_date: Date::day(start_date.as_ref(), "startDate")?,
                completion_date: Date::day(completion_date.as_ref(), "completionDate")?,
                tags: Tags::parse(tags)?,
            },
            overlaps: overlaps(self.allow_overlaps),
            call_session: Session::call_session(self.session.as_ref(), caller)?,
        })
    }
}

/// Moves an entry to another task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct MoveTaskToProject {
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
    type Request = MoveRequest;

    fn request(self, caller: &Caller) -> Result<MoveRequest, Error> {
        Ok(MoveRequest {
            entry: self.entry_id.entry("entryId")?,
            project_code: self.new_project_code,
            task: self.new_task,
            call_session: Session::call_session(self.session.as_ref(), caller)?,
        })
    }
}

/// Removes an entry.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct DeleteTimeEntry {
    id: EntryId,
    confirm: Option<ConfirmationCode>,
    session: Option<Session>,
}

impl DataTool for DeleteTimeEntry {
    const NAME: &'static str = "delete_time_entry";
    const TITLE: &'static str = "Delete an entry";
    const DESCRIPTION: &'static str = "Deletes an entry that is NOT_REPORTED (open), permanently, after the user confirmed it. Use it only if the user \
         asks for it.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Removes;
    type Request = DeleteRequest;

    fn request(self, caller: &Caller) -> Result<DeleteRequest, Error> {
        Ok(DeleteRequest {
            entry: self.id.entry("id")?,
            confirmation: ConfirmationCode::confirmation(self.confirm),
            call_session: Session::call_session(self.session.as_ref(), caller)?,
        })
    }
}

/// Submits entries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct SubmitTimeEntry {
    id: Option<EntryId>,
    /// Instead of id: a week such as 2025-W43, with all its open entries.
    week: Option<String>,
    confirm: Option<ConfirmationCode>,
    session: Option<Session>,
}

impl DataTool for SubmitTimeEntry {
    const NAME: &'static str = "submit_time_entry";
    const TITLE: &'static str = "Submit for approval";
    const DESCRIPTION: &'static str = "Submits an entry, or a whole week, for approval, after the user confirmed it. Use it only if the user asks for \
         it: no tool can undo it.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Changes;
    type Request = SubmitRequest;

    fn request(self, caller: &Caller) -> Result<SubmitRequest, Error> {
        let target = match (self.id, self.week) {
            (Some(id), None) => SubmitTarget::Entry(id.entry("id")?),
            (None, Some(week)) => {
                SubmitTarget::Week(week.trim().parse().map_err(|error| Refusal::invalid("week", error))?)
            }
            (_, week) => {
                let message = if week.is_some() { "pass either `id` or `week`" } else { "id is required, or a `week`" };
                return Err(Refusal::invalid("id", message).into());
            }
        };
        Ok(SubmitRequest {
            target,
            confirmation: ConfirmationCode::confirmation(self.confirm),
            call_session: Session::call_session(self.session.as_ref(), caller)?,
        })
    }
}

/// Lists the projects and tasks on which hours can be logged.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetAvailableProjects {
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
    type Request = ProjectsRequest;

    fn request(self, caller: &Caller) -> Result<ProjectsRequest, Error> {
        Ok(ProjectsRequest {
            filter: if self.active_only { ProjectFilter::Active } else { ProjectFilter::All },
            call_session: Session::call_session(self.session.as_ref(), caller)?,
        })
    }
}

/// Starts the timer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct StartTimer {
    /// Project code, name or alias.
    project_code: String,
    /// Task. Default: the only task of the project.
    task: Option<String>,
    /// The work.
    description: Option<String>,
    /// Log and replace a running timer.
    #[serde(default)]
    replace: bool,
}

impl DataTool for StartTimer {
    const NAME: &'static str = "start_timer";
    const TITLE: &'static str = "Start the timer";
    const DESCRIPTION: &'static str = "Starts the timer for work of the user, only if the user asks for it. Don't time \
                                       your own work. Fails if a timer is running, unless replace is set.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Logs;
    type Request = StartTimerRequest;

    fn request(self, caller: &Caller) -> Result<StartTimerRequest, Error> {
        Ok(StartTimerRequest {
            project: self.project_code,
            task: self.task,
            description: self.description,
            if_running: if self.replace { IfRunning::Replace } else { IfRunning::Refuse },
            call_session: caller.call_session,
        })
    }
}

/// Stops the timer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct StopTimer {
    /// Log only the first hours, if the user forgot the timer. Required after 16 hours.
    #[schemars(range(min = 0.01))]
    hours: Option<Hours>,
    /// Log nothing.
    #[serde(default)]
    discard: bool,
}

impl DataTool for StopTimer {
    const NAME: &'static str = "stop_timer";
    const TITLE: &'static str = "Stop the timer";
    const DESCRIPTION: &'static str = "Stops the timer and logs its time, one entry per day, with the recorded activity \
                                       as evidence. Use it only if the user asks for it.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Removes;
    type Request = StopTimerRequest;

    fn request(self, caller: &Caller) -> Result<StopTimerRequest, Error> {
        let time = match (self.hours, self.discard) {
            (Some(_), true) => return Err(Refusal::invalid("discard", "pass either `hours` or `discard`").into()),
            (Some(hours), false) => StoppedTime::Hours(hours),
            (None, true) => StoppedTime::Discarded,
            (None, false) => StoppedTime::Logged,
        };
        Ok(StopTimerRequest { time, call_session: caller.call_session })
    }
}

/// Returns the timer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetTimer {}

impl DataTool for GetTimer {
    const NAME: &'static str = "get_timer";
    const TITLE: &'static str = "The timer";
    const DESCRIPTION: &'static str = "Returns the running timer, if any: task, start and hours.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    type Request = GetTimerRequest;

    fn request(self, _caller: &Caller) -> Result<GetTimerRequest, Error> {
        Ok(GetTimerRequest)
    }
}
