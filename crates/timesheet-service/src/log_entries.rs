//! Logs hours, either as one entry from the fields of a request or as reviewed rows of a draft.

use std::collections::BTreeSet;

use dayledger_timesheet::context::Session;
use dayledger_timesheet::draft::{Draft, Row, RowId, Settings, find_unchanged};
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{
    Changes, DraftId, EntryId, Hours, IdempotencyKey, LocalStore, NewEntry, ProjectFilter, Refusal, TimeEntry,
    Timesheet,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::call_session::{CallSession, SessionInfo};
use super::drafts::draft_days;
use super::service::TimesheetService;
use dayledger_request::{Error, Request, Truncate};

/// A request to log hours.
#[derive(Debug, Clone)]
pub struct LogRequest {
    /// The project's code. By default, the project of the row or of the session is used.
    pub project_code: Option<String>,
    /// The other fields. Missing fields are taken from the row or the session. If the last day is missing, the entry
    /// ends on its first day.
    pub fields: Changes,
    /// The rows of a draft to log. If this is `None`, the fields are logged as one entry.
    pub rows: Option<DraftRows>,
    /// Whether time may be logged twice.
    pub overlaps: OverlapPolicy,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// Selected rows of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftRows {
    /// The id of the draft.
    pub draft: DraftId,
    /// Which rows are selected.
    pub rows: RowSelection,
}

/// Selects rows of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowSelection {
    /// All rows that have a project and a task and don't need to be confirmed.
    All,
    /// The rows with these ids.
    Named(Vec<RowId>),
}

/// The result of logging: one entry, or rows of a draft.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Logged {
    /// The entry, if the call logged one entry.
    #[serde(flatten)]
    pub entry: Option<TimeEntry>,
    /// The number of rows that were logged, if the call had rows.
    pub logged: Option<usize>,
    /// The hours of the logged rows.
    pub hours: Option<Hours>,
    /// The result of each row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<LoggedRow>,
    /// Rows that weren't logged, because they lack a project or a task or must be confirmed. Log them again with a
    /// project and a task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub unassigned: Vec<RowId>,
    /// Fields about the session.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

/// The result of logging one row.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoggedRow {
    /// The id of the row.
    #[schemars(with = "String")]
    pub row: RowId,
    /// The id of the entry that the row was logged as.
    #[schemars(with = "String")]
    pub id: Option<EntryId>,
    /// True if an earlier call logged the row. Its entry isn't changed then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub was_logged: bool,
    /// The reason if the row wasn't logged.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub error: Option<Refusal>,
}

impl Request for LogRequest {
    type Service = TimesheetService;
    type Response = Logged;

    async fn execute(self, service: &TimesheetService) -> Result<Logged, Error> {
        match self.rows {
            None => log_entry(service, self).await,
            Some(ref rows) => log_rows(service, rows, &self).await,
        }
    }
}

/// Logs the fields of the request as one entry.
async fn log_entry(service: &TimesheetService, request: LogRequest) -> Result<Logged, Error> {
    let LogRequest { project_code: project, fields, overlaps, call_session, .. } = request;
    let (has_project, task) = (project.is_some(), fields.task.clone());
    let look =
        move |session: &mut Session| (session.resolve_task(project.as_deref(), task.as_deref()), session.description());
    let ((choice, said), mut aside) = call_session.begin(service, look).await?;
    let (project, task) = match choice {
        Ok(choice) => choice,
        Err(missing) => {
            let projects = service.timesheet().await?.projects(ProjectFilter::Active).await?;
            return Err(missing.to_refusal(&projects).into());
        }
    };
    let required = |field: &str| Refusal::invalid(field, format_args!("{field} is required"));
    let hours = fields.standard_hours.ok_or_else(|| required("standardHours"))?;
    let start = fields.start_date.ok_or_else(|| required("startDate"))?;
    let end = fields.completion_date.unwrap_or(start);
    for (is_remembered, field) in [
        (!has_project, "projectCode"),
        (fields.task.is_none(), "task"),
        (fields.description.is_none() && said.is_some(), "description"),
    ] {
        if is_remembered {
            aside.remembered.push(field);
        }
    }
    let entry = NewEntry {
        issue_id: fields.issue_id,
        overtime_hours: fields.overtime_hours.unwrap_or_default(),
        description: fields.description.or(said),
        tags: fields.tags.unwrap_or_default(),
        ..NewEntry::new(&project, &task, hours, start, end)
    };
    match service.timesheet().await?.log(entry_key(service, &entry).await?, entry.clone(), overlaps).await {
        Ok(logged) => {
            let entry = logged.clone();
            let aside =
                call_session.end(service, aside, move |session, now| session.record_entry(&logged, now)).await?;
            Ok(Logged { entry: Some(entry), aside, ..Logged::default() })
        }
        Err(refusal) => {
            // The session remembers the description of a refused entry, so that the next attempt can omit it.
            let description = entry.description.unwrap_or_default();
            call_session.end(service, aside, move |session, _| session.add_description(&description)).await?;
            Err(refusal.into())
        }
    }
}

/// Returns the idempotency key for an entry. An earlier attempt to log an identical entry may have an unknown outcome,
/// for example after a lost connection. In this case, returns the key of this attempt, so that the entry can't be
/// logged twice.
async fn entry_key(service: &TimesheetService, entry: &NewEntry) -> Result<IdempotencyKey, Error> {
    let pending = service.store().await?.pending_attempts().await?;
    Ok(pending
        .into_iter()
        .find(|pending| pending.entry == *entry)
        .map_or_else(IdempotencyKey::new, |pending| pending.key))
}

/// Logs each row separately, so that a refused row doesn't prevent the other rows from being logged.
async fn log_rows(
    service: &TimesheetService,
    DraftRows { draft, rows }: &DraftRows,
    request: &LogRequest,
) -> Result<Logged, Error> {
    let ((), aside) = request.call_session.begin(service, |_| ()).await?;
    let kept = service.store().await?.draft(*draft).await?;
    let now = redraft_rows(service, &kept).await?;
    let (timesheet, store) = (service.timesheet().await?.as_ref(), service.store().await?);
    let (rows, unassigned) = select_rows(&kept, rows)?;
    let mut answer = Logged { logged: Some(0), hours: Some(Hours::ZERO), unassigned, ..Logged::default() };
    let mut new_entries = Vec::new();
    for row in rows {
        let outcome = log_row((timesheet, store), *draft, row, &now, request).await;
        let logged = match outcome {
            Ok((entry, was_logged)) => {
                let id = Some(entry.id);
                if !was_logged {
                    answer.logged = answer.logged.map(|rows| rows + 1);
                    answer.hours = answer.hours.map(|hours| hours + entry.total_hours());
                    new_entries.push(entry);
                }
                LoggedRow { row: row.id.clone(), id, was_logged, error: None }
            }
            Err(refusal) => LoggedRow { row: row.id.clone(), id: None, was_logged: false, error: Some(refusal) },
        };
        answer.rows.push(logged);
    }
    let remember = move |session: &mut Session, now| {
        for entry in &new_entries {
            session.record_entry(entry, now);
        }
    };
    answer.aside = request.call_session.end(service, aside, remember).await?;
    Ok(answer)
}

/// Drafts the days of a stored draft again. The rounding step and the minimum length are as small as possible, so that
/// no row of the draft is missing.
async fn redraft_rows(service: &TimesheetService, kept: &Draft) -> Result<Vec<Row>, Error> {
    let (Some((first, _)), Some((last, _))) = (kept.days.first_key_value(), kept.days.last_key_value()) else {
        return Ok(Vec::new());
    };
    let settings = Settings { round_to: Hours::from_hundredths(1), min_seconds: 0, ..Settings::default() };
    let (draft, ..) = draft_days(service, *first, *last, settings).await?;
    Ok(draft.rows)
}

/// Returns the selected rows. With [`RowSelection::All`], also returns the ids of the rows that can't be logged,
/// because they lack a project or a task or must be confirmed.
fn select_rows<'d>(draft: &'d Draft, asked: &RowSelection) -> Result<(Vec<&'d Row>, Vec<RowId>), Refusal> {
    match asked {
        RowSelection::All => {
            let is_ready = |row: &&Row| row.project_code.is_some() && row.task.is_some() && !row.is_unconfirmed();
            let (rows, others): (Vec<_>, Vec<_>) = draft.rows.iter().partition(is_ready);
            Ok((rows, others.into_iter().map(|row| row.id.clone()).collect()))
        }
        RowSelection::Named(ids) => {
            let find = |id: &RowId| {
                let row = draft.rows.iter().find(|row| row.id == *id);
                row.ok_or_else(|| Refusal::invalid("rows", format_args!("the draft does not contain the row `{id}`")))
            };
            let ids: BTreeSet<_> = ids.iter().collect();
            Ok((ids.into_iter().map(find).collect::<Result<_, _>>()?, Vec::new()))
        }
    }
}

/// Logs a row with the fields of the request, if the row is unchanged since the user reviewed it. Returns the entry,
/// and whether an earlier call had already logged the row.
async fn log_row(
    (timesheet, store): (&dyn Timesheet, &LocalStore),
    draft: DraftId,
    row: &Row,
    now: &[Row],
    LogRequest { project_code, fields, overlaps, .. }: &LogRequest,
) -> Result<(TimeEntry, bool), Refusal> {
    let key = IdempotencyKey::from_row(draft, row.id.as_str());
    if let Some(id) = store.logged_entry(key).await? {
        let deleted = |_| {
            let message =
                format_args!("the row `{}` was logged and its entry was deleted. Draft the day again", row.id);
            Refusal::invalid("rows", message)
        };
        return Ok((timesheet.find(id).await.map_err(deleted)?, true));
    }
    let same = find_unchanged(row, now)?;
    let named = Row {
        project_code: project_code.clone().or(row.project_code.clone()),
        task: fields.task.clone().or(row.task.clone()),
        evidence: same.evidence.clone(),
        known_by: same.known_by.clone(),
        ..row.clone()
    };
    let entry = named.to_entry()?;
    let entry = NewEntry {
        issue_id: fields.issue_id.clone().or(entry.issue_id),
        standard_hours: fields.standard_hours.unwrap_or(entry.standard_hours),
        overtime_hours: fields.overtime_hours.unwrap_or(entry.overtime_hours),
        description: fields.description.clone().or(entry.description),
        tags: fields.tags.clone().unwrap_or_default(),
        ..entry
    };
    Ok((timesheet.log(key, entry, *overlaps).await?, false))
}

impl Truncate for Logged {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn keep(&mut self, rows: usize) {
        self.rows.truncate(rows);
    }
}
