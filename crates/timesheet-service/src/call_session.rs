//! The session of a call: how a call selects its session, and the session fields of a response.

use chrono::{DateTime, SecondsFormat, Utc};
use dayledger_timesheet::context::{Session, SessionHandle, Suggestion};
use dayledger_timesheet::{Day, EntryId, Refusal};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::service::TimesheetService;
use dayledger_engine::local_today;
use dayledger_request::{Error, Request, Truncate};

/// Identifies the session of a call. A call with a handle uses the session with this handle. Any other call uses the
/// session of its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallSession {
    handle: SessionHandle,
    is_named: bool,
}

/// The session fields of a response.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    /// The session's id, only in the first response. Pass it as `session` to continue the session in another
    /// connection.
    pub session: Option<String>,
    /// The names of fields that the call omitted and that were filled in from the session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remembered: Vec<&'static str>,
    /// A proposed entry for the unlogged work of this session, once the work has lasted long enough.
    pub suggestion: Option<Suggestion>,
}

/// The entry that a call refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryRef {
    /// The entry that this session logged last.
    Last,
    /// The entry with this id.
    Id(EntryId),
}

impl EntryRef {
    /// Parses the parameter `field`, which is the id of an entry or `last`.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` for any other text.
    pub fn parse(text: &str, field: &str) -> Result<Self, Error> {
        if text.trim().eq_ignore_ascii_case("last") {
            return Ok(Self::Last);
        }
        let refused = |error| Refusal::invalid(field, format_args!("{error}: pass the id of an entry, or `last`"));
        Ok(Self::Id(text.trim().parse().map_err(refused)?))
    }
}

impl CallSession {
    /// Creates the session of a new connection.
    #[expect(clippy::new_without_default, reason = "a default that differs each time surprises")]
    pub fn new() -> Self {
        Self { handle: SessionHandle::new(), is_named: false }
    }

    /// Selects the session with this handle.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` if the text isn't a handle.
    pub fn from_handle(handle: &str) -> Result<Self, Error> {
        Ok(Self { handle: handle.parse()?, is_named: true })
    }

    /// Begins a call. Passes the session to `work` and returns the result. The session fields contain the session's
    /// handle if the session is new and the call didn't contain a handle.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub(super) async fn begin<T: Send + 'static>(
        self,
        service: &TimesheetService,
        work: impl FnOnce(&mut Session) -> T + Send + 'static,
    ) -> Result<(T, SessionInfo), Error> {
        let now = Utc::now();
        let (answer, is_first) = service
            .store()
            .await?
            .with_session(self.handle, move |session| {
                session.touch(now);
                (work(session), session.should_return_handle())
            })
            .await?;
        let session = (is_first && !self.is_named).then(|| self.handle.to_string());
        Ok((answer, SessionInfo { session, ..SessionInfo::default() }))
    }

    /// Begins a call, and returns the id of the entry that the parameter `field` refers to.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` for `last` if nothing was logged in the session. Also fails if the store can't be written.
    pub(super) async fn entry(
        self,
        service: &TimesheetService,
        meant: EntryRef,
        field: &'static str,
    ) -> Result<(EntryId, SessionInfo), Error> {
        let (last, aside) = self.begin(service, |session| session.recent_entries().next()).await?;
        match (meant, last) {
            (EntryRef::Id(id), _) | (EntryRef::Last, Some(id)) => Ok((id, aside)),
            (EntryRef::Last, None) => {
                let message = "nothing was logged in this session: pass the id of the entry";
                Err(Refusal::invalid(field, message).into())
            }
        }
    }

    /// Ends a call. `work` records the result of the call in the session. A suggestion, if any, is added to the session
    /// fields.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub(super) async fn end(
        self,
        service: &TimesheetService,
        aside: SessionInfo,
        work: impl FnOnce(&mut Session, DateTime<Utc>) + Send + 'static,
    ) -> Result<SessionInfo, Error> {
        let now = Utc::now();
        let today = Day::try_from(local_today()).ok();
        let suggestion = service
            .store()
            .await?
            .with_session(self.handle, move |session| {
                work(session, now);
                today.and_then(|today| session.suggest(now, today))
            })
            .await?;
        Ok(SessionInfo { suggestion, ..aside })
    }
}

/// A request for the content of a session. It doesn't create a session, and doesn't count as a call.
#[derive(Debug, Clone)]
pub struct ContextRequest {
    /// The session to read.
    pub call_session: CallSession,
}

/// The content of a session.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionContext {
    /// The session's id. Pass it as `session` to continue the session in another connection.
    pub session: String,
    /// The project that was used last.
    pub last_project_code: Option<String>,
    /// The task that was used last.
    pub last_task: Option<String>,
    /// The time in UTC at which the unlogged work began.
    pub session_start_time: Option<String>,
    /// Descriptions of the work in this session, from logged entries, processed notes and refused calls.
    pub accumulated_description: Vec<String>,
    /// The ids of recently logged entries, newest first.
    pub recent_entries: Vec<EntryId>,
}

impl Request for ContextRequest {
    type Service = TimesheetService;
    type Response = SessionContext;

    async fn execute(self, service: &TimesheetService) -> Result<SessionContext, Error> {
        let handle = self.call_session.handle;
        let context = move |known: &mut Session| {
            let last = known.last_task().map(|(project, task)| (project.to_owned(), task.to_owned()));
            let (last_project_code, last_task) = last.unzip();
            SessionContext {
                session: handle.to_string(),
                last_project_code,
                last_task,
                session_start_time: known.started_at().map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true)),
                accumulated_description: known.work_done().map(str::to_owned).collect(),
                recent_entries: known.recent_entries().collect(),
            }
        };
        Ok(service.store().await?.with_session(handle, context).await?)
    }
}

impl Truncate for SessionContext {}

/// A request to add a description of work to a session. The work was done with tools that don't log hours.
#[derive(Debug, Clone)]
pub struct WorkDoneRequest {
    /// The session to which the work is added.
    pub call_session: CallSession,
    /// A description of the work.
    pub description: String,
}

impl Request for WorkDoneRequest {
    type Service = TimesheetService;
    type Response = ();

    async fn execute(self, service: &TimesheetService) -> Result<(), Error> {
        let now = Utc::now();
        let add = move |session: &mut Session| {
            session.touch(now);
            session.add_description(&self.description);
        };
        Ok(service.store().await?.with_session(self.call_session.handle, add).await?)
    }
}
