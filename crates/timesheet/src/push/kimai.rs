//! Kimai's API, version 2. A row becomes an entry with a start and an end in the user's local time.
//!
//! Kimai doesn't have a field for a key, and it can round times. If the response to a row was lost, the row is
//! therefore found by its task, its text, its times, and the tag `dayledger`. Kimai ignores this tag if it doesn't
//! exist there.

use async_trait::async_trait;
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use serde::Deserialize;
use serde_json::json;

use super::api::{Api, Failure};
use super::{CreatedEntry, PushRow, PushTarget, PushTracker, RemoteEntry, RemoteTask, Similarity, TaskIds, TaskNames};

/// The permission without which Kimai refuses an entry that has the field `billable`.
pub(super) const BILLABLE_PERMISSION: &str = "edit_billable_own_timesheet";

/// The tag of entries that dayledger creates.
const TAG: &str = "dayledger";
/// Times in Kimai's local format, without the offset.
const TIME: &str = "%Y-%m-%dT%H:%M:%S";
/// The length of a time in that format.
const TIME_LENGTH: usize = 19;
/// The length of a day at the start of a time or alone, such as `2025-10-20`.
const DAY_LENGTH: usize = 10;
/// The maximum number of entries that Kimai returns in a page.
const PAGE: &str = "500";
/// The maximum time by which the server may round the start and the end.
const MAX_ROUNDING: TimeDelta = TimeDelta::hours(1);

/// A user's account at a Kimai server.
#[derive(Debug)]
pub(super) struct Kimai {
    api: Api,
}

#[derive(Deserialize)]
struct User {
    id: i64,
}

#[derive(Deserialize)]
struct Project {
    id: i64,
    name: String,
    /// The name of the customer.
    #[serde(rename = "parentTitle")]
    customer: String,
    #[serde(default = "yes")]
    billable: bool,
    #[serde(rename = "globalActivities", default = "yes")]
    has_global_activities: bool,
    /// The first day of the project.
    start: Option<String>,
    /// The last day of the project.
    end: Option<String>,
}

#[derive(Deserialize)]
struct Activity {
    id: i64,
    name: String,
    /// `None` if the activity belongs to all projects.
    project: Option<i64>,
    #[serde(default = "yes")]
    billable: bool,
}

#[derive(Deserialize)]
struct Entry {
    id: i64,
    project: i64,
    activity: i64,
    begin: String,
    end: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

/// The default value of fields that earlier versions of Kimai don't send.
fn yes() -> bool {
    true
}

impl Kimai {
    pub(super) fn new(api: Api) -> Self {
        Self { api }
    }
}

impl Entry {
    /// Returns the start and the end in the user's local time.
    fn times(&self) -> Option<(NaiveDateTime, NaiveDateTime)> {
        let read = |text: &str| NaiveDateTime::parse_from_str(text.get(..TIME_LENGTH)?, TIME).ok();
        Some((read(&self.begin)?, read(self.end.as_deref()?)?))
    }

    /// Returns the similarity of this entry and a row on the same task. Returns `None` if the entry can't be that row.
    fn similarity(&self, row: &PushRow) -> Option<Similarity> {
        let ((begin, end), (sent_begin, sent_end)) = (self.times()?, row.times?);
        let is_near = (begin - sent_begin).abs() <= MAX_ROUNDING && (end - sent_end).abs() <= MAX_ROUNDING;
        if !is_near || self.description.as_deref().unwrap_or_default() != row.description {
            return None;
        }
        Some(if (begin, end) == (sent_begin, sent_end) {
            Similarity::Equal
        } else if self.tags.iter().any(|tag| tag == TAG) {
            Similarity::Own
        } else {
            Similarity::Similar
        })
    }
}

/// Reads the day at the start of a text. Returns `None` if the text doesn't start with a day.
fn read_day(text: Option<&String>) -> Option<NaiveDate> {
    text?.get(..DAY_LENGTH)?.parse().ok()
}

#[async_trait]
impl PushTarget for Kimai {
    fn tracker(&self) -> PushTracker {
        PushTracker::Kimai
    }

    async fn user(&self) -> Result<i64, Failure> {
        let user: User = self.api.get("api/users/me", &[]).await?;
        Ok(user.id)
    }

    async fn tasks(&self) -> Result<Vec<RemoteTask>, Failure> {
        // By default, Kimai leaves out projects that have ended or have not started yet, although they accept hours on
        // their own days. It also leaves out hidden projects and activities, which don't accept hours.
        let projects: Vec<Project> = self.api.get("api/projects", &[("ignoreDates", "1")]).await?;
        let activities: Vec<Activity> = self.api.get("api/activities", &[]).await?;
        let mut tasks: Vec<RemoteTask> = Vec::new();
        for project in &projects {
            let own = activities.iter().filter(|activity| activity.project == Some(project.id));
            let global =
                activities.iter().filter(|activity| activity.project.is_none() && project.has_global_activities);
            let first = tasks.len();
            // An activity of the project takes precedence over an activity with the same name that belongs to all
            // projects.
            let own_count = own.clone().count();
            for (place, activity) in own.chain(global).enumerate() {
                if place >= own_count && tasks[first..].iter().any(|task| task.names.task == activity.name) {
                    continue;
                }
                tasks.push(RemoteTask {
                    names: TaskNames {
                        client: project.customer.clone(),
                        project: project.name.clone(),
                        task: activity.name.clone(),
                    },
                    ids: TaskIds { project: project.id, task: activity.id },
                    first_day: read_day(project.start.as_ref()),
                    last_day: read_day(project.end.as_ref()),
                    is_billable: project.billable && activity.billable,
                });
            }
        }
        Ok(tasks)
    }

    async fn find(&self, row: &PushRow, _user: i64, task: TaskIds) -> Result<Vec<RemoteEntry>, Failure> {
        let Some((begin, end)) = row.times else { return Ok(Vec::new()) };
        // By default, Kimai returns the entries of the token's user. The query doesn't contain the project, because
        // Kimai refuses a query with a project that the user can't access any more.
        let query = [
            ("begin", (begin - MAX_ROUNDING).format(TIME).to_string()),
            ("end", (end + MAX_ROUNDING).format(TIME).to_string()),
            ("size", PAGE.to_owned()),
        ];
        let query = query.each_ref().map(|(name, value)| (*name, value.as_str()));
        let found: Vec<Entry> = self.api.get("api/timesheets", &query).await?;
        let of_task = found.iter().filter(|entry| TaskIds { project: entry.project, task: entry.activity } == task);
        let similar =
            |entry: &Entry| Some(RemoteEntry { id: entry.id.to_string(), similarity: entry.similarity(row)? });
        Ok(of_task.filter_map(similar).collect())
    }

    async fn create(&self, row: &PushRow, task: &RemoteTask) -> Result<CreatedEntry, Failure> {
        let Some((begin, end)) = row.times else { return Err(Failure::NotSent("the row has no times".to_owned())) };
        // If `billable` is missing, Kimai assumes false.
        let body = json!({
            "begin": begin.format(TIME).to_string(),
            "end": end.format(TIME).to_string(),
            "project": task.ids.project,
            "activity": task.ids.task,
            "description": row.description,
            "tags": TAG,
            "billable": row.is_billable.unwrap_or(task.is_billable),
        });
        let entry: Entry = self.api.post("api/timesheets", &body).await?;
        Ok(CreatedEntry { id: entry.id.to_string(), is_altered: entry.times() != row.times })
    }
}
