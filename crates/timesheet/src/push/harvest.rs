//! Harvest's API, version 2. A row becomes an entry with a day and hours. The entry's external reference contains the
//! row's key, so that the entry can be found.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;

use super::api::{Api, Failure, Rejection};
use super::{CreatedEntry, PushRow, PushTarget, PushTracker, RemoteEntry, RemoteTask, Similarity, TaskIds, TaskNames};
use crate::hours::Hours;

/// The maximum number of records that Harvest returns in a page.
const PAGE: &str = "2000";

/// An account at Harvest.
#[derive(Debug)]
pub(super) struct Harvest {
    api: Api,
}

/// A record of which only the ID is used.
#[derive(Deserialize)]
struct Identified {
    id: i64,
}

#[derive(Deserialize)]
struct Company {
    wants_timestamp_timers: bool,
}

#[derive(Deserialize)]
struct Named {
    id: i64,
    name: String,
}

#[derive(Deserialize)]
struct Assignments {
    project_assignments: Vec<ProjectAssignment>,
    next_page: Option<u32>,
}

#[derive(Deserialize)]
struct ProjectAssignment {
    is_active: bool,
    client: Named,
    project: Named,
    task_assignments: Vec<TaskAssignment>,
}

#[derive(Deserialize)]
struct TaskAssignment {
    is_active: bool,
    billable: bool,
    task: Named,
}

#[derive(Deserialize)]
struct Entries {
    time_entries: Vec<FoundEntry>,
}

#[derive(Deserialize)]
struct FoundEntry {
    id: i64,
    user: Identified,
    external_reference: Option<Reference>,
}

#[derive(Deserialize)]
struct NewEntry {
    id: i64,
    hours: Hours,
}

#[derive(Deserialize)]
struct Reference {
    id: String,
}

impl Harvest {
    pub(super) fn new(api: Api) -> Self {
        Self { api }
    }
}

#[async_trait]
impl PushTarget for Harvest {
    fn tracker(&self) -> PushTracker {
        PushTracker::Harvest
    }

    async fn user(&self) -> Result<i64, Failure> {
        let user: Identified = self.api.get("v2/users/me", &[]).await?;
        Ok(user.id)
    }

    async fn tasks(&self) -> Result<Vec<RemoteTask>, Failure> {
        let company: Company = self.api.get("v2/company", &[]).await?;
        if company.wants_timestamp_timers {
            let message = "the account tracks time by start and end, and dayledger sends durations".to_owned();
            return Err(Failure::Refused(Rejection { status: None, message, forbidden_fields: Vec::new() }));
        }
        let (mut tasks, mut page) = (Vec::new(), Some(1));
        while let Some(number) = page {
            let query = [("per_page", PAGE), ("page", &number.to_string())];
            let found: Assignments = self.api.get("v2/users/me/project_assignments", &query).await?;
            for project in found.project_assignments.into_iter().filter(|project| project.is_active) {
                let active = project.task_assignments.into_iter().filter(|task| task.is_active);
                tasks.extend(active.map(|assignment| RemoteTask {
                    names: TaskNames {
                        client: project.client.name.clone(),
                        project: project.project.name.clone(),
                        task: assignment.task.name,
                    },
                    ids: TaskIds { project: project.project.id, task: assignment.task.id },
                    first_day: None,
                    last_day: None,
                    is_billable: assignment.billable,
                }));
            }
            // Accept only a greater page number. Otherwise, a wrong number could repeat pages forever.
            page = found.next_page.filter(|next| *next > number);
        }
        Ok(tasks)
    }

    async fn find(&self, row: &PushRow, user: i64, _task: TaskIds) -> Result<Vec<RemoteEntry>, Failure> {
        let key = row.key().to_string();
        // An administrator of the account can read the entries of all users.
        let query = [("user_id", &*user.to_string()), ("external_reference_id", &key)];
        let found: Entries = self.api.get("v2/time_entries", &query).await?;
        let has_key = |reference: &Reference| reference.id == key;
        let is_row =
            |entry: &FoundEntry| entry.user.id == user && entry.external_reference.as_ref().is_some_and(has_key);
        let entries = found.time_entries.into_iter().filter(is_row);
        Ok(entries.map(|entry| RemoteEntry { id: entry.id.to_string(), similarity: Similarity::Equal }).collect())
    }

    async fn create(&self, row: &PushRow, task: &RemoteTask) -> Result<CreatedEntry, Failure> {
        // Without `hours`, Harvest would start a timer.
        let body = json!({
            "project_id": task.ids.project,
            "task_id": task.ids.task,
            "spent_date": row.day,
            "hours": row.hours,
            "notes": row.description,
            "external_reference": {"id": row.key().to_string(), "group_id": "dayledger"},
        });
        let entry: NewEntry = self.api.post("v2/time_entries", &body).await?;
        Ok(CreatedEntry { id: entry.id.to_string(), is_altered: entry.hours != row.hours })
    }
}
