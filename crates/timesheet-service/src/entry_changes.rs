//! Changes, moves and removes entries.

use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{Changes, Refusal, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;

use super::call_session::{CallSession, EntryRef, SessionInfo};
use super::service::TimesheetService;
use dayledger_request::{Error, Request, Truncate};

/// A request to change an entry that isn't reported or was declined.
#[derive(Debug, Clone)]
pub struct UpdateRequest {
    /// The entry.
    pub entry: EntryRef,
    /// The fields to change.
    pub changes: Changes,
    /// Whether a day may get more hours than it has.
    pub overlaps: OverlapPolicy,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request to move an entry to another task. Moving it to another project removes its tags.
#[derive(Debug, Clone)]
pub struct MoveRequest {
    /// The entry.
    pub entry: EntryRef,
    /// The code of the new project.
    pub project_code: String,
    /// The task of that project, in its exact case.
    pub task: String,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request to remove an entry.
#[derive(Debug, Clone)]
pub struct DeleteRequest {
    /// The entry.
    pub entry: EntryRef,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// An entry after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EntryAnswer {
    /// The entry.
    #[serde(flatten)]
    pub entry: TimeEntry,
    /// Session data.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

/// A deleted entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deleted {
    /// Always true, because a failure is an error.
    pub success: bool,
    /// A message about the entry, for people.
    pub message: String,
    /// Session data.
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
        service.timesheet().await?.delete(id).await?;
        let aside = self.call_session.end(service, aside, move |session, _| session.forget_entry(id)).await?;
        Ok(Deleted { success: true, message: "Time entry deleted successfully".to_owned(), aside })
    }
}

impl Truncate for EntryAnswer {}

impl Truncate for Deleted {}
