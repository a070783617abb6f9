//! The session of a client, which is kept between calls so that users don't have to repeat the project and task.
//!
//! A [`Session`] contains the last project and task, the recent entries, descriptions of the work, and the start time
//! of the unlogged work. [`Suggestion`] is an entry that the session proposes. [`SessionHandle`] is the id of a
//! session. [`crate::LocalStore::with_session`] stores sessions.
//!
//! Invariants: the caller passes the current time and day. A session can't access other sessions. The size of a session
//! is bounded.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::day::Day;
use crate::entry::TimeEntry;
use crate::hours::Hours;
use crate::id::EntryId;
use crate::project::Project;
use crate::refusal::Refusal;

/// The maximum pause between two calls of a session. After a longer pause, a new session starts.
const BREAK: TimeDelta = TimeDelta::minutes(30);
/// The amount of unlogged work after which the session suggests an entry.
const MIN_LOGGED_WORK: TimeDelta = TimeDelta::minutes(15);
/// The maximum number of entries in a session, and also the maximum number of descriptions. The oldest ones are dropped
/// first.
const MAX_REMEMBERED: usize = 20;

/// The recent activity of a client. Every call must begin with [`Session::touch`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    last_task: Option<(String, String)>,
    started_at: Option<DateTime<Utc>>,
    active_at: Option<DateTime<Utc>>,
    descriptions: VecDeque<String>,
    #[serde(default)]
    work_done: VecDeque<String>,
    recent_entries: VecDeque<EntryId>,
    has_suggested: bool,
    #[serde(default)]
    has_returned_handle: bool,
}

impl Session {
    /// Records a call at `now`. After a pause of more than 30 minutes the call starts a new session. The new session
    /// keeps the last project and the recent entries.
    pub fn touch(&mut self, now: DateTime<Utc>) {
        // Compare before the time of the last call is overwritten.
        if self.active_at.is_none_or(|active_at| now - active_at > BREAK) {
            self.restart(now);
            self.work_done.clear();
        }
        self.active_at = Some(now);
    }

    /// Whether the response to this call should contain the session's handle. Returns true only for the first response.
    pub fn should_return_handle(&mut self) -> bool {
        !std::mem::replace(&mut self.has_returned_handle, true)
    }

    /// Records a logged entry. The entry covers all work so far, so the unlogged work starts now.
    pub fn record_entry(&mut self, entry: &TimeEntry, now: DateTime<Utc>) {
        self.record_task(&entry.project_code, &entry.task);
        self.recent_entries.retain(|id| *id != entry.id);
        self.recent_entries.push_front(entry.id);
        self.recent_entries.truncate(MAX_REMEMBERED);
        if let Some(description) = &entry.description {
            push_description(&mut self.work_done, description);
        }
        self.restart(now);
        self.active_at = Some(now);
    }

    /// Records the task that an entry was moved to, or that the user switched to.
    pub fn record_task(&mut self, project_code: &str, task: &str) {
        self.last_task = Some((project_code.to_owned(), task.to_owned()));
    }

    /// Removes a deleted entry from the recent entries.
    pub fn forget_entry(&mut self, id: EntryId) {
        self.recent_entries.retain(|recent| *recent != id);
    }

    /// Adds a description of unlogged work, unless the session already contains this description.
    pub fn add_description(&mut self, description: &str) {
        push_description(&mut self.descriptions, description);
        push_description(&mut self.work_done, description);
    }

    /// Returns the project and task that were used last.
    pub fn last_task(&self) -> Option<(&str, &str)> {
        self.last_task.as_ref().map(|(project_code, task)| (project_code.as_str(), task.as_str()))
    }

    /// Returns the recently logged entries, newest first.
    pub fn recent_entries(&self) -> impl Iterator<Item = EntryId> {
        self.recent_entries.iter().copied()
    }

    /// Returns the time at which the unlogged work began.
    pub fn started_at(&self) -> Option<DateTime<Utc>> {
        self.started_at
    }

    /// Returns the descriptions of all work in this session, whether or not the work was logged, oldest first.
    pub fn work_done(&self) -> impl Iterator<Item = &str> {
        self.work_done.iter().map(String::as_str)
    }

    /// Returns the descriptions of the unlogged work as one comma-separated text. For example
    /// `implemented login, fixed a bug`.
    pub fn description(&self) -> Option<String> {
        let said: Vec<_> = self.descriptions.iter().map(String::as_str).collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// Returns the project and task to log on. If the call omits the project, the last project is used. If the call
    /// omits the task, the last task is used, but only if the project is also the last project.
    ///
    /// # Errors
    ///
    /// The missing value, if neither the call nor the session provides it.
    pub fn resolve_task(
        &self,
        project_code: Option<&str>,
        task: Option<&str>,
    ) -> Result<(String, String), MissingTarget> {
        let last = self.last_task();
        let project = project_code.or(last.map(|(project, _)| project)).ok_or(MissingTarget::Project)?;
        let last_task = last.filter(|(last, _)| *last == project).map(|(_, task)| task);
        let chosen = task.or(last_task).ok_or_else(|| MissingTarget::Task(project.to_owned()))?;
        Ok((project.to_owned(), chosen.to_owned()))
    }

    /// Suggests an entry for the unlogged work, on the local day `today`. Returns a suggestion after at least 15
    /// minutes of work, and only one for each period of unlogged work.
    pub fn suggest(&mut self, now: DateTime<Utc>, today: Day) -> Option<Suggestion> {
        let worked = now - self.started_at?;
        if self.has_suggested || worked < MIN_LOGGED_WORK {
            return None;
        }
        self.has_suggested = true;
        Some(Suggestion::new(self.last_task(), worked, today, self.description()))
    }

    fn restart(&mut self, now: DateTime<Utc>) {
        self.started_at = Some(now);
        self.descriptions.clear();
        self.has_suggested = false;
    }
}

/// Adds a description to the list unless the list already contains it. If the list is full, the oldest description is
/// dropped.
fn push_description(descriptions: &mut VecDeque<String>, description: &str) {
    let description = description.trim();
    if description.is_empty() || descriptions.iter().any(|known| known == description) {
        return;
    }
    if descriptions.len() == MAX_REMEMBERED {
        descriptions.pop_front();
    }
    descriptions.push_back(description.to_owned());
}

/// The step of suggested hours, in hundredths of an hour. A suggestion is at least one step.
const QUARTER: i64 = 25;
/// A quarter of an hour in seconds.
const QUARTER_SECONDS: i64 = 900;
/// The longest suggestion, in quarters of an hour: eight hours.
const MAX_QUARTERS: i64 = 32;

/// A proposed entry for the unlogged work.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The project that was used last, if any.
    pub project_code: Option<String>,
    /// The task that was used last, if any.
    pub task: Option<String>,
    /// The hours, 0.25 to 8, rounded to the nearest quarter of an hour. A tie rounds to the even number of quarters.
    pub hours: Hours,
    /// The duration of the work in whole minutes, rounded down.
    pub minutes: i64,
    /// The local day of the call.
    pub date: Day,
    /// The descriptions of the unlogged work as one text.
    pub description: Option<String>,
}

impl Suggestion {
    fn new(task: Option<(&str, &str)>, worked: TimeDelta, date: Day, description: Option<String>) -> Self {
        let (project_code, task) = task.map(|(project, task)| (project.to_owned(), task.to_owned())).unzip();
        Self { project_code, task, hours: round_to_quarters(worked), minutes: worked.num_minutes(), date, description }
    }
}

fn round_to_quarters(worked: TimeDelta) -> Hours {
    let quarters = Decimal::from(worked.num_seconds()) / Decimal::from(QUARTER_SECONDS);
    let rounded = quarters.round_dp_with_strategy(0, RoundingStrategy::MidpointNearestEven).to_i64();
    Hours::from_hundredths(rounded.unwrap_or(MAX_QUARTERS).clamp(1, MAX_QUARTERS) * QUARTER)
}

/// The id that a client sends to continue its session. An id is needed because the protocol itself has no sessions. The
/// id has 122 random bits, so that no other client can guess it. It is never written to the log file. Its text is a
/// lower-case UUID.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionHandle(Uuid);

impl SessionHandle {
    /// Creates a random handle.
    #[expect(clippy::new_without_default, reason = "a default that differs each time surprises")]
    pub fn new() -> Self {
        Self(Uuid::new_v4())
    }
}

impl fmt::Display for SessionHandle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for SessionHandle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Handle(..)")
    }
}

impl FromStr for SessionHandle {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        // The message doesn't repeat the text, because the text may be a valid handle with a typo.
        let message = "invalid `session`: it is not the ID of a session. Leave it out to start one";
        Uuid::try_parse(text).map(Self).map_err(|_| Refusal::invalid("session", message))
    }
}

/// The project or task that neither the call nor the session provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingTarget {
    /// The project is missing.
    Project,
    /// The task is missing. Contains the code of its project.
    Task(String),
}

impl MissingTarget {
    /// Returns the refusal of the call, with the allowed values. `projects` are the projects on which hours can be
    /// logged.
    pub fn to_refusal(&self, projects: &[Project]) -> Refusal {
        match self {
            Self::Project => {
                let message = "ProjectCode is required: nothing was logged in this session yet";
                Refusal::invalid("projectCode", message).with_allowed(projects.iter().map(|project| &*project.code))
            }
            Self::Task(project_code) => {
                let project = projects.iter().find(|project| project.code == *project_code);
                let tasks = project.into_iter().flat_map(Project::active_tasks);
                let message = format_args!("Task is required: nothing was logged on project '{project_code}' last");
                Refusal::invalid("task", message).with_allowed(tasks)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo;
    use crate::entry::NewEntry;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_761_300_000 + minutes * 60, 0).unwrap()
    }

    fn today() -> Day {
        "2025-10-24".parse().unwrap()
    }

    fn entry(project_code: &str, task: &str) -> TimeEntry {
        let new = NewEntry::new(project_code, task, Hours::from_hundredths(100), today(), today());
        TimeEntry::from_new(EntryId::new(), new, at(0))
    }

    /// Returns a session that received calls at these minutes.
    fn session_with_calls(minutes: &[i64]) -> Session {
        let mut session = Session::default();
        for minutes in minutes {
            session.touch(at(*minutes));
        }
        session
    }

    #[test]
    fn a_quarter_of_an_hour_of_work_is_suggested_once() {
        let mut session = session_with_calls(&[0, 10]);
        assert_eq!(session.suggest(at(14), today()), None);
        session.record_task("INTERNAL", "Testing");
        session.add_description("tried the login");
        let suggestion = session.suggest(at(15), today()).unwrap();
        assert_eq!(suggestion.hours, "0.25".parse().unwrap());
        assert_eq!(suggestion.project_code.as_deref(), Some("INTERNAL"));
        assert_eq!(suggestion.description.as_deref(), Some("tried the login"));
        session.touch(at(40));
        assert_eq!(session.suggest(at(40), today()), None, "a session gets one suggestion");
    }

    #[test]
    fn a_break_of_more_than_half_an_hour_begins_a_new_session() {
        let mut session = session_with_calls(&[0, 20, 50]);
        assert_eq!(session.started_at(), Some(at(0)), "half an hour is not a break");
        session.add_description("before");
        assert!(session.suggest(at(50), today()).is_some());
        session.record_task("INTERNAL", "Testing");
        session.touch(at(81));
        assert_eq!((session.started_at(), session.description()), (Some(at(81)), None));
        assert_eq!(session.last_task(), Some(("INTERNAL", "Testing")), "the last task is kept");
        assert_eq!(session.suggest(at(95), today()), None);
        assert!(session.suggest(at(96), today()).is_some(), "the new session has its own suggestion");
    }

    #[test]
    fn work_done_has_logged_entries_and_ends_with_the_session() {
        let mut session = session_with_calls(&[0]);
        session.add_description("processed a note");
        let logged = TimeEntry { description: Some("implemented login".to_owned()), ..entry("CLIENT-A", "Support") };
        session.record_entry(&logged, at(10));
        assert_eq!(session.work_done().collect::<Vec<_>>(), ["processed a note", "implemented login"]);
        assert_eq!(session.description(), None, "an entry contains all descriptions");
        session.touch(at(60));
        assert_eq!(session.work_done().count(), 0);
    }

    #[test]
    fn logged_work_is_not_suggested_again() {
        let mut session = session_with_calls(&[0, 20]);
        session.add_description("implemented login");
        assert!(session.suggest(at(20), today()).is_some());
        session.record_entry(&entry("CLIENT-A", "Support"), at(20));
        assert_eq!((session.started_at(), session.description()), (Some(at(20)), None));
        assert_eq!(session.last_task(), Some(("CLIENT-A", "Support")));
        assert_eq!(session.suggest(at(34), today()), None);
        session.touch(at(44));
        let suggestion = session.suggest(at(44), today()).unwrap();
        assert_eq!(suggestion.hours, "0.5".parse().unwrap(), "24 minutes since the entry");
    }

    #[test]
    fn clock_set_back_counts_no_work() {
        let mut session = session_with_calls(&[60, 0]);
        assert_eq!(session.suggest(at(0), today()), None);
    }

    #[test]
    fn recent_entries_are_newest_first_without_deleted_ones() {
        let mut session = Session::default();
        let entries: Vec<_> = (0..25).map(|_| entry("INTERNAL", "Testing")).collect();
        for entry in &entries {
            session.record_entry(entry, at(0));
        }
        let recent: Vec<_> = session.recent_entries().collect();
        let expected: Vec<_> = entries.iter().rev().take(20).map(|entry| entry.id).collect();
        assert_eq!(recent, expected);
        session.forget_entry(expected[0]);
        assert_eq!(session.recent_entries().next(), Some(expected[1]));
        session.record_entry(&entries[20], at(1));
        assert_eq!(session.recent_entries().filter(|id| *id == entries[20].id).count(), 1);
    }

    #[test]
    fn repeated_descriptions_are_kept_once() {
        let mut session = session_with_calls(&[0]);
        assert_eq!(session.description(), None);
        for text in ["implemented login", " fixed a bug ", "", "implemented login"] {
            session.add_description(text);
        }
        assert_eq!(session.description().as_deref(), Some("implemented login, fixed a bug"));
        (0..100).for_each(|number| session.add_description(&format!("step {number}")));
        let description = session.description().unwrap();
        assert!(description.starts_with("step 80, ") && description.ends_with("step 99"), "{description}");
    }

    #[test]
    fn omitted_project_and_task_default_to_the_last_used() {
        let mut session = Session::default();
        assert_eq!(session.resolve_task(None, Some("Testing")), Err(MissingTarget::Project));
        let missing = MissingTarget::Task("INTERNAL".to_owned());
        assert_eq!(session.resolve_task(Some("INTERNAL"), None), Err(missing.clone()));
        session.record_task("CLIENT-A", "Support");
        assert_eq!(session.resolve_task(Some("INTERNAL"), None), Err(missing), "a task of another project");
        for project in [None, Some("CLIENT-A")] {
            for task in [None, Some("Support")] {
                assert_eq!(session.resolve_task(project, task), Ok(("CLIENT-A".to_owned(), "Support".to_owned())));
            }
        }
    }

    #[test]
    fn hours_are_rounded_to_the_quarter_with_ties_to_the_even_one() {
        for (seconds, hours) in [
            (37 * 60, "0.5"),
            (45 * 60, "0.75"),
            (52 * 60 + 30, "1"),
            (37 * 60 + 30, "0.5"),
            (37 * 60 + 31, "0.75"),
            (22 * 60 + 30, "0.5"),
            (5 * 60, "0.25"),
            (120 * 60, "2"),
            (8 * 3600 + 1000, "8"),
            (10 * 3600, "8"),
            (i64::from(u32::MAX), "8"),
        ] {
            assert_eq!(round_to_quarters(TimeDelta::seconds(seconds)), hours.parse().unwrap(), "{seconds} s");
        }
    }

    #[test]
    fn handle_parses_from_its_text_and_is_not_logged() {
        let handle = SessionHandle::new();
        assert_ne!(SessionHandle::new(), handle);
        let actual = handle.to_string();
        assert_eq!(actual.parse(), Ok(handle));
        assert!(!format!("{handle:?}").contains(&actual));
        let error = format!("{actual}0").parse::<SessionHandle>().unwrap_err();
        assert!(!format!("{error} {error:?}").contains(&actual));
    }

    #[test]
    fn error_lists_the_projects_and_tasks_to_choose_from() {
        let refusal = MissingTarget::Project.to_refusal(&demo::projects());
        assert_eq!((refusal.field.as_deref(), refusal.allowed_values.len()), (Some("projectCode"), 3));
        let refusal = MissingTarget::Task("MAINT".to_owned()).to_refusal(&demo::projects());
        assert_eq!(refusal.field.as_deref(), Some("task"));
        let tasks = ["Bug Fixing", "Security Patches", "Performance Optimization", "Monitoring"];
        assert_eq!(refusal.allowed_values, tasks);
    }
}
