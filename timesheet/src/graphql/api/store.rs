//! What the API keeps, and who may do what with it (section 4 of the facts).

use chrono::{DateTime, SubsecRound, Utc};
use serde_json::{Value, json};

use crate::entry::TimeEntry;
use crate::project::{Project, ProjectTag, ProjectTask};

/// A user as the token tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The id in the directory.
    pub id: String,
    /// The address.
    pub email: String,
    /// The name.
    pub name: String,
    /// What the user may do, as `Path=Letter,Letter`.
    pub acl: Vec<String>,
}

impl Caller {
    /// A user with those rights.
    pub fn new(id: &str, acl: &[&str]) -> Self {
        Self {
            id: id.to_owned(),
            email: format!("{id}@example.com"),
            name: id.to_owned(),
            acl: acl.iter().map(|entry| (*entry).to_owned()).collect(),
        }
    }

    /// Whether the user has a letter on a path or on one above it. At each level the first entry with that path counts
    /// alone; one that lacks the letter does not end the walk.
    pub(super) fn has(&self, letter: &str, path: &str) -> bool {
        let mut level = Some(path);
        while let Some(path) = level {
            let entries = self.acl.iter().filter_map(|entry| entry.split_once('='));
            let first = entries.into_iter().find(|(of, _)| of.trim().eq_ignore_ascii_case(path));
            if first.is_some_and(|(_, letters)| letters.split(',').any(|has| has.trim() == letter)) {
                return true;
            }
            level = path.rsplit_once('/').map(|(above, _)| above);
        }
        false
    }

    /// Whether the user sees everybody's entries of a project: from an entry for exactly that project, no other.
    fn oversees(&self, code: &str) -> bool {
        self.acl.iter().filter_map(|entry| entry.split_once('=')).any(|(path, letters)| {
            path.strip_prefix("Project/") == Some(code)
                && letters.split(',').any(|has| ["A", "M"].contains(&has.trim()))
        })
    }
}

/// The entries and the projects.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) entries: Vec<TimeEntry>,
    pub(super) projects: Vec<Project>,
}

impl Store {
    /// Whether the entry is there for that user.
    pub(super) fn is_visible(caller: &Caller, entry: &TimeEntry) -> bool {
        owner(entry) == Some(&caller.id) || caller.oversees(&entry.project_code)
    }

    /// An entry as an object of the schema.
    pub(super) fn entry(&self, entry: &TimeEntry) -> Value {
        let project = self.projects.iter().find(|project| project.code == entry.project_code);
        let user = entry.user.clone().unwrap_or_default();
        let tags: Vec<Value> = (0..)
            .zip(&entry.tags)
            .map(|(id, tag): (i32, _)| {
                let kind = json!({"id": id, "tagName": tag.name, "isRequired": false, "isActive": true});
                json!({"id": id, "tagValue": {"id": id, "value": tag.value, "projectTag": kind}})
            })
            .collect();
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
            "createdAt": instant(entry.created_at),
            "updatedAt": instant(entry.updated_at),
            "userId": user.id,
            "userEmail": user.email,
            "userName": user.name,
            "project": project.map(plain),
            "projectTask": {"id": 1, "taskName": entry.task, "isActive": true},
            "tags": tags,
        })
    }
}

/// Whose entry it is.
pub(super) fn owner(entry: &TimeEntry) -> Option<&String> {
    entry.user.as_ref().and_then(|user| user.id.as_ref())
}

/// To the microsecond, as `PostgreSQL` keeps it.
pub(super) fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

/// A project as an entry has it, without what it offers.
fn plain(project: &Project) -> Value {
    let Project { code, name, is_active, .. } = project;
    let at = "2025-10-01T08:00:00Z";
    let none: [Value; 0] = [];
    json!({
        "code": code,
        "name": name,
        "isActive": is_active,
        "createdAt": at,
        "updatedAt": at,
        "availableTasks": none,
        "tags": none,
        "timeEntries": none,
    })
}

/// A project as an object of the schema.
pub(super) fn object(project: &Project) -> Value {
    let task = |(id, task): (i32, &ProjectTask)| json!({"id": id, "taskName": task.name, "isActive": task.is_active});
    let tag = |(id, tag): (i32, &ProjectTag)| {
        let values: Vec<Value> = tag.allowed_values.iter().map(|value| json!({"id": 1, "value": value})).collect();
        json!({
            "id": id,
            "tagName": tag.name,
            "isRequired": tag.is_required,
            "isActive": tag.is_active,
            "allowedValues": values,
        })
    };
    json!({
        "code": project.code,
        "name": project.name,
        "isActive": project.is_active,
        "createdAt": "2025-10-01T08:00:00Z",
        "updatedAt": "2025-10-01T08:00:00Z",
        "availableTasks": (1..).zip(&project.tasks).map(task).collect::<Vec<_>>(),
        "tags": (1..).zip(&project.tags).map(tag).collect::<Vec<_>>(),
        "timeEntries": [],
    })
}

fn instant(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(chrono::SecondsFormat::Micros, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case 25.
    #[test]
    fn the_first_entry_of_a_level_counts_and_lets_the_walk_go_on() {
        let above = Caller::new("u", &["Project/INTERNAL=V", "Project=T"]);
        assert!(above.has("T", "Project/INTERNAL") && above.has("V", "project/internal"));
        let twice = Caller::new("u", &["Project/INTERNAL=V", "Project/INTERNAL=T", "Project/INTERNAL"]);
        assert!(!twice.has("T", "Project/INTERNAL"));
    }

    #[test]
    fn only_an_entry_for_the_project_itself_shows_what_others_booked() {
        assert!(Caller::new("u", &["Project/X=V,M"]).oversees("X"));
        for acl in ["Project=M", "Project/X/Task/1=A", "project/X=M", "Project/X=V,E,T"] {
            assert!(!Caller::new("u", &[acl]).oversees("X"), "{acl}");
        }
    }
}
