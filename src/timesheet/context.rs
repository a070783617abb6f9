//! What the session of a client remembers.

use chrono::SecondsFormat;
use dayledger_timesheet::EntryId;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::asker::Asker;
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks what a session remembers. Looking begins none and is no work.
#[derive(Debug, Clone)]
pub struct ContextRequest {
    /// Whose.
    pub asker: Asker,
}

/// A session.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionContext {
    /// What finds it again from another connection.
    pub session: String,
    /// The project that was used last.
    pub last_project_code: Option<String>,
    /// The task that was used last.
    pub last_task: Option<String>,
    /// When the work began that is in no entry, UTC.
    pub session_start_time: Option<String>,
    /// Descriptions of the work done in this session: logged entries, processed notes, and calls that were refused.
    pub accumulated_description: Vec<String>,
    /// The entries that were logged of late, the newest first.
    pub recent_entries: Vec<EntryId>,
}

impl Question for ContextRequest {
    type Of = Sheet;
    type Answer = SessionContext;

    async fn answer(self, sheet: &Sheet) -> Result<SessionContext, Error> {
        let session = self.asker.handle();
        self.asker
            .look(sheet, move |known| {
                let last = known.last_task().map(|(project, task)| (project.to_owned(), task.to_owned()));
                let (last_project_code, last_task) = last.unzip();
                SessionContext {
                    session,
                    last_project_code,
                    last_task,
                    session_start_time: known.started_at().map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true)),
                    accumulated_description: known.work_done().map(str::to_owned).collect(),
                    recent_entries: known.recent_entries().collect(),
                }
            })
            .await
    }
}

impl Answer for SessionContext {}

/// Adds work that other tools did to a session.
#[derive(Debug, Clone)]
pub struct WorkDoneRequest {
    /// Whose session.
    pub asker: Asker,
    /// What was done.
    pub description: String,
}

impl Question for WorkDoneRequest {
    type Of = Sheet;
    type Answer = ();

    async fn answer(self, sheet: &Sheet) -> Result<(), Error> {
        self.asker.did(sheet, self.description).await
    }
}
