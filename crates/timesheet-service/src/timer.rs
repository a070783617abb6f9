//! Requests with which clients start, stop and read the timer.

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
    /// The code, name or alias of a project.
    pub project: String,
    /// The task. By default, the only task of the project.
    pub task: Option<String>,
    /// A description of the work.
    pub description: Option<String>,
    /// What to do if a timer is already running.
    pub if_running: IfRunning,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request to stop the timer.
#[derive(Debug, Clone)]
pub struct StopTimerRequest {
    /// What to do with the time of the timer.
    pub time: StoppedTime,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// A request for the timer that is running.
#[derive(Debug, Clone)]
pub struct GetTimerRequest;

/// The timer of the call, and the entries that were logged if a timer stopped.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimerAnswer {
    /// The timer that is running or that was stopped. Absent if no timer was running.
    pub timer: Option<RunningWork>,
    /// Hours of recorded activity while the timer ran, except for activity that other entries cover. Absent if it is
    /// unknown, for example because the history can't be read.
    pub recorded_hours: Option<Hours>,
    /// The logged entries, one for each day.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logged: Vec<LoggedDay>,
}

/// The entry that was logged for one day of a timer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoggedDay {
    /// The id of the entry.
    pub id: EntryId,
    /// The day of the entry.
    pub day: Day,
    /// The logged hours.
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

/// Creates the response for work that was started or stopped. The session remembers the logged entries, so that the
/// next call can refer to the last entry as `last`.
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
