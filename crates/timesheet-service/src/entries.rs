//! Requests that list, change, move and delete entries.

use dayledger_timesheet::rules::{Operation, OverlapPolicy};
use dayledger_timesheet::{
    Changes, Day, EntryPage, EntryQuery, Limit, Order, Refusal, Sort, SortBy, Status, TimeEntry,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::call_session::{CallSession, EntryRef, SessionInfo};
use super::confirmation::Confirmation;
use super::service::TimesheetService;
use dayledger_request::{Error, Request, Truncate};

/// A request to change an entry that is open or was declined.
#[derive(Debug, Clone)]
pub struct UpdateRequest {
    /// The entry to change.
    pub entry: EntryRef,
    /// The fields to change.
    pub changes: Changes,
    /// Whether a day may get more than 24 hours.
    pub overlaps: OverlapPolicy,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request to move an entry to another task. If the project changes, the tags of the entry are removed.
#[derive(Debug, Clone)]
pub struct MoveRequest {
    /// The entry to move.
    pub entry: EntryRef,
    /// The code of the new project.
    pub project_code: String,
    /// The task of that project, in its exact case.
    pub task: String,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request to delete an entry.
#[derive(Debug, Clone)]
pub struct DeleteRequest {
    /// The entry to delete.
    pub entry: EntryRef,
    /// The user's confirmation.
    pub confirmation: Confirmation,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// An entry after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EntryAnswer {
    /// The changed entry.
    #[serde(flatten)]
    pub entry: TimeEntry,
    /// Fields about the session.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

/// The response after an entry was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deleted {
    /// Always true. If an entry can't be deleted, the call returns an error.
    pub success: bool,
    /// A message to display.
    pub message: String,
    /// Fields about the session.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

impl Request for UpdateRequest {
    type Service = TimesheetService;
    type Response = EntryAnswer;

    async fn execute(self, service: &TimesheetService) -> Result<EntryAnswer, Error> {
        if self.changes.is_empty() {
            return Err(Refusal::invalid("updates", "there is nothing to change: pass at least one field").into());
        }
        let (id, aside) = self.call_session.entry(service, self.entry, "id").await?;
        let entry = service.timesheet().await?.update(id, self.changes, self.overlaps).await?;
        finish_change(service, self.call_session, aside, entry).await
    }
}

impl Request for MoveRequest {
    type Service = TimesheetService;
    type Response = EntryAnswer;

    async fn execute(self, service: &TimesheetService) -> Result<EntryAnswer, Error> {
        let (id, aside) = self.call_session.entry(service, self.entry, "entryId").await?;
        let entry = service.timesheet().await?.move_to(id, &self.project_code, &self.task).await?;
        finish_change(service, self.call_session, aside, entry).await
    }
}

/// Ends the call, and records the entry's project and task in the session.
async fn finish_change(
    service: &TimesheetService,
    call_session: CallSession,
    aside: SessionInfo,
    entry: TimeEntry,
) -> Result<EntryAnswer, Error> {
    let (project, task) = (entry.project_code.clone(), entry.task.clone());
    let aside = call_session.end(service, aside, move |session, _| session.record_task(&project, &task)).await?;
    Ok(EntryAnswer { entry, aside })
}

impl Request for DeleteRequest {
    type Service = TimesheetService;
    type Response = Deleted;

    async fn execute(self, service: &TimesheetService) -> Result<Deleted, Error> {
        let (id, aside) = self.call_session.entry(service, self.entry, "id").await?;
        let timesheet = service.timesheet().await?;
        let entry = timesheet.find(id).await?;
        // The user isn't asked about a change that would be refused. Only the API deletes declined entries.
        if entry.status != Status::Declined || service.ledger().await?.is_some() {
            Operation::Delete.check(entry.status)?;
        }
        self.confirmation.check(Operation::Delete, &[entry])?;
        timesheet.delete(id).await?;
        let aside = self.call_session.end(service, aside, move |session, _| session.forget_entry(id)).await?;
        Ok(Deleted { success: true, message: "Time entry deleted successfully".to_owned(), aside })
    }
}

impl Truncate for EntryAnswer {}

impl Truncate for Deleted {}

/// A request for entries that match a query.
#[derive(Debug, Clone)]
pub struct EntriesRequest {
    /// The filters, the order and the page.
    pub query: EntryQuery,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A page of entries.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntriesAnswer {
    /// Number of entries in the response.
    pub count: usize,
    /// The `offset` of the next page. Absent on the last page.
    pub next_offset: Option<usize>,
    /// The entries, in the requested order.
    pub entries: Vec<TimeEntry>,
    /// Fields about the session.
    #[serde(flatten)]
    pub aside: SessionInfo,
    #[serde(skip)]
    offset: usize,
}

impl Request for EntriesRequest {
    type Service = TimesheetService;
    type Response = EntriesAnswer;

    async fn execute(self, service: &TimesheetService) -> Result<EntriesAnswer, Error> {
        let ((), aside) = self.call_session.begin(service, |_| ()).await?;
        let EntryPage { entries, has_more } = service.timesheet().await?.query(&self.query).await?;
        let aside = self.call_session.end(service, aside, |_, _| ()).await?;
        let offset = usize::try_from(self.query.offset).unwrap_or(usize::MAX);
        let next_offset = has_more.then(|| offset.saturating_add(entries.len()));
        Ok(EntriesAnswer { count: entries.len(), next_offset, entries, aside, offset })
    }
}

impl Truncate for EntriesAnswer {
    fn rows(&self) -> usize {
        self.entries.len()
    }

    fn keep(&mut self, rows: usize) {
        if rows < self.entries.len() {
            self.entries.truncate(rows);
            self.count = rows;
            self.next_offset = Some(self.offset.saturating_add(rows));
        }
    }
}

/// Returns the entries that have the status and start on one of the days, ordered by start. `days` contains the first
/// and the last day. If `status` or `days` is `None`, entries with any status or on any day are returned.
///
/// # Errors
/// Fails if the timesheet can't be read.
pub(super) async fn list_entries(
    service: &TimesheetService,
    days: Option<(Day, Day)>,
    status: Option<Status>,
) -> Result<Vec<TimeEntry>, Error> {
    let mut found: Vec<TimeEntry> = Vec::new();
    let is_within = |entry: &TimeEntry| days.is_none_or(|(_, last)| entry.start_date <= last);
    let mut offset = 0;
    loop {
        let query = EntryQuery {
            start_date: days.map(|(first, _)| first),
            status,
            sort: Sort { by: SortBy::StartDate, order: Order::Ascending },
            limit: Limit::MAX_VALUE,
            offset,
            ..EntryQuery::default()
        };
        let page = service.timesheet().await?.query(&query).await?;
        let is_past = !page.entries.last().is_some_and(is_within);
        found.extend(page.entries.into_iter().filter(is_within));
        if is_past || !page.has_more {
            return Ok(found);
        }
        offset += Limit::MAX_VALUE.get();
    }
}
