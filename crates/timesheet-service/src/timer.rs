//! The timer as a client of the timesheet tools uses it: starts, stops and returns it.

use chrono::Utc;
use dayledger_timesheet::context::Session;
use dayledger_timesheet::{Day, EntryId, Hours, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::call_session::{CallSession, SessionInfo};
use super::running_work::{
    IfRunning, RunningWork, StoppedTime, TOOL_HINTS, TrackedWork, running_work, start_work, stop_work,
};
use super::service::TimesheetService;
use dayledger_request::{Error, Request, Truncate};

/// A request to start the timer.
#[derive(Debug, Clone)]
pub struct StartTimerRequest {
    /// A code, a name or an alias of a project.
    pub project: String,
    /// A task. By default, the only task of the project.
    pub task: Option<String>,
    /// A description of the work.
    pub description: Option<String>,
    /// What happens to a running timer.
    pub if_running: IfRunning,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request to stop the timer.
#[derive(Debug, Clone)]
pub struct StopTimerRequest {
    /// What happens to its time.
    pub time: StoppedTime,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request for the running timer.
#[derive(Debug, Clone)]
pub struct GetTimerRequest;

/// A timer, and the entries that were logged when a timer stopped.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimerAnswer {
    /// The timer that runs, or that was stopped. Absent if no timer is running.
    pub timer: Option<RunningWork>,
    /// Hours of recorded activity while the timer ran, without activity of other entries. Absent if the history can't
    /// be read.
    pub recorded_hours: Option<Hours>,
    /// The logged entries, one for each day.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logged: Vec<LoggedDay>,
}

/// An entry for a day of a timer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoggedDay {
    /// The entry.
    pub id: EntryId,
    /// Its day.
    pub day: Day,
    /// Its hours.
    pub hours: Hours,
}

impl From<&TimeEntry> for LoggedDay {
    fn from(entry: &TimeEntry) -> Self {
        Self { id: entry.id, day: entry.start_date, hours: entry.total_hours() }
    }
}

impl Request for StartTimerRequest {
    type Service = TimesheetService;
    type Response = TimerAnswer;

    async fn execute(self, service: &TimesheetService) -> Result<TimerAnswer, Error> {
        let target = (&*self.project, self.task.as_deref());
        let started = start_work(service, target, self.description, self.if_running, &TOOL_HINTS).await?;
        answer(service, self.call_session, started).await
    }
}

impl Request for StopTimerRequest {
    type Service = TimesheetService;
    type Response = TimerAnswer;

    async fn execute(self, service: &TimesheetService) -> Result<TimerAnswer, Error> {
        let stopped = stop_work(service, self.time, &TOOL_HINTS).await?;
        answer(service, self.call_session, stopped).await
    }
}

impl Request for GetTimerRequest {
    type Service = TimesheetService;
    type Response = TimerAnswer;

    async fn execute(self, service: &TimesheetService) -> Result<TimerAnswer, Error> {
        let Some((work, recorded_hours)) = running_work(service, Utc::now()).await? else {
            return Ok(TimerAnswer::default());
        };
        Ok(TimerAnswer { timer: Some(work), recorded_hours, logged: Vec::new() })
    }
}

/// Returns the response for work that started or stopped. The session remembers the logged entries, so that the next
/// call can correct them as `last`.
async fn answer(
    service: &TimesheetService,
    call_session: CallSession,
    TrackedWork { work, logged }: TrackedWork,
) -> Result<TimerAnswer, Error> {
    let ids: Vec<_> = logged.iter().map(|entry| entry.id).collect();
    let evidence = service.store().await?.evidence(&ids).await?;
    let seconds: i64 = evidence.values().flatten().map(|interval| interval.end_utc - interval.start_utc).sum();
    let recorded_hours = (!logged.is_empty()).then(|| Hours::from_seconds(seconds));
    let days = logged.iter().map(LoggedDay::from).collect();
    let remember = move |session: &mut Session, now| {
        for entry in &logged {
            session.record_entry(entry, now);
        }
    };
    call_session.end(service, SessionInfo::default(), remember).await?;
    Ok(TimerAnswer { timer: Some(work), recorded_hours, logged: days })
}

impl Truncate for TimerAnswer {}
