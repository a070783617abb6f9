//! The entries and projects of the simulated API, and their JSON.

use dayledger_timesheet::{EntryId, Project, TimeEntry};
use serde_json::{Value, json};

use super::caller::Caller;

#[derive(Default)]
pub(super) struct Store {
    pub(super) entries: Vec<TimeEntry>,
    pub(super) projects: Vec<Project>,
}

impl Store {
    pub(super) fn entry(&self, id: EntryId) -> Option<&TimeEntry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    pub(super) fn project(&self, code: &str) -> Option<&Project> {
        self.projects.iter().find(|project| project.code == code)
    }
}

/// Returns the id of the user to whom the entry belongs.
pub(super) fn owner(entry: &TimeEntry) -> Option<&str> {
    entry.user.as_ref()?.id.as_deref()
}

/// Whether the user can see the entry.
pub(super) fn is_visible(caller: &Caller, entry: &TimeEntry) -> bool {
    owner(entry) == Some(&caller.id) || caller.manages(&entry.project_code)
}

/// Converts an entry to an object of the GraphQL schema.
pub(super) fn entry_json(entry: &TimeEntry) -> Value {
    let user = entry.user.clone().unwrap_or_default();
    let tag = |tag: &dayledger_timesheet::Tag| json!({"value": tag.value, "projectTag": {"tagName": tag.name}});
    json!({
        "id": entry.id,
        "issueId": entry.issue_id,
        "standardHours": entry.standard_hours,
        "overtimeHours": entry.overtime_hours,
        "description": entry.description,
        "startDate": entry.start_date,
        "completionDate": entry.completion_date,
        "status": entry.status,
        "declineComment": entry.decline_comment,
        "createdAt": entry.created_at,
        "updatedAt": entry.updated_at,
        "userId": user.id,
        "userEmail": user.email,
        "userName": user.name,
        "project": {"code": entry.project_code},
        "projectTask": {"taskName": entry.task},
        "tags": entry.tags.iter().map(|each| json!({"tagValue": tag(each)})).collect::<Vec<_>>(),
    })
}

/// Converts a project to an object of the GraphQL schema.
pub(super) fn project_json(project: &Project) -> Value {
    let tasks = project.tasks.iter().map(|task| json!({"taskName": task.name, "isActive": task.is_active}));
    let tags = project.tags.iter().map(|tag| {
        json!({
            "tagName": tag.name,
            "isRequired": tag.is_required,
            "isActive": tag.is_active,
            "allowedValues": tag.allowed_values.iter().map(|value| json!({"value": value})).collect::<Vec<_>>(),
        })
    });
    json!({
        "code": project.code,
        "name": project.name,
        "isActive": project.is_active,
        "availableTasks": tasks.collect::<Vec<_>>(),
        "tags": tags.collect::<Vec<_>>(),
    })
}
