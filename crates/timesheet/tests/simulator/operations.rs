//! The operations of the simulated API, with the rules and messages of the real API (docs/spec/timesheet.md).

use chrono::{DateTime, SubsecRound, Utc};
use dayledger_timesheet::{Changes, EntryId, Hours, NewEntry, Status, Tag, TimeEntry, User};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::caller::Caller;
use super::filter::{compare_entries, matches};
use super::store::{Store, entry_json, is_visible, owner, project_json};

/// The error with which the API rejects an operation.
pub(super) struct ApiError {
    pub(super) code: &'static str,
    pub(super) field: Option<&'static str>,
    pub(super) message: String,
}

impl ApiError {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, field: None, message: message.into() }
    }

    fn invalid(field: &'static str, message: impl Into<String>) -> Self {
        Self { field: Some(field), ..Self::new("VALIDATION_ERROR", message) }
    }
}

/// Executes an operation and returns the data of its response.
pub(super) fn carry_out(
    store: &mut Store,
    caller: Option<&Caller>,
    operation: &str,
    variables: &Value,
) -> Result<Value, ApiError> {
    match operation {
        "Projects" => return Ok(json!({"projects": projects(store, variables)})),
        "ActiveTasks" => {
            let project = store.project(&read::<String>(variables, "code"));
            return Ok(json!({"project": project.map(project_json)}));
        }
        _ => {}
    }
    let unknown =
        || ApiError::new("AUTH_NOT_AUTHENTICATED", "The current user is not authorized to access this resource.");
    let caller = caller.ok_or_else(unknown)?;
    Ok(match operation {
        "TimeEntries" => json!({"timeEntries": entries(store, caller, variables)}),
        "TimeEntryById" => {
            let entry = store.entry(read(variables, "id")).filter(|entry| is_visible(caller, entry));
            json!({"timeEntry": entry.map(entry_json)})
        }
        "LogTime" => json!({"logTime": log(store, caller, read(variables, "input"))?}),
        "UpdateTimeEntry" => json!({"updateTimeEntry": update(store, caller, variables)?}),
        "MoveTaskToProject" => json!({"moveTaskToProject": move_to(store, caller, variables)?}),
        "DeleteTimeEntry" => {
            let entry = editable(store, caller, read(variables, "id"), "delete")?;
            store.entries.retain(|other| other.id != entry.id);
            json!({"deleteTimeEntry": true})
        }
        "SubmitTimeEntry" => json!({"submitTimeEntry": submit(store, caller, read(variables, "id"))?}),
        _ => panic!("the simulator has no operation {operation}"),
    })
}

fn read<T: DeserializeOwned>(variables: &Value, name: &str) -> T {
    serde_json::from_value(variables[name].clone()).unwrap()
}

fn projects(store: &Store, variables: &Value) -> Vec<Value> {
    let is_active = variables["where"]["isActive"]["eq"].as_bool();
    let mut projects: Vec<_> =
        store.projects.iter().filter(|project| is_active.is_none_or(|is| project.is_active == is)).collect();
    projects.sort_by_key(|project| &project.code);
    projects.into_iter().map(project_json).collect()
}

fn entries(store: &Store, caller: &Caller, variables: &Value) -> Value {
    let (skip, take): (usize, usize) = (read(variables, "skip"), read(variables, "take"));
    assert!(take <= 200, "the API has no page of {take} entries");
    let mut found: Vec<_> = store.entries.iter().filter(|entry| is_visible(caller, entry)).collect();
    found.retain(|entry| matches(&variables["where"], entry));
    found.sort_by(|one, other| compare_entries(&variables["order"], one, other));
    let items: Vec<_> = found.iter().skip(skip).take(take).map(|entry| entry_json(entry)).collect();
    json!({"pageInfo": {"hasNextPage": found.len() > skip + take}, "items": items})
}

fn log(store: &mut Store, caller: &Caller, new: NewEntry) -> Result<Value, ApiError> {
    permit(caller, "T", &new.project_code)?;
    check_task(store, &new.project_code, &new.task)?;
    check_tags(store, &new.project_code, &new.tags)?;
    let id = caller.id.clone();
    let user = User { email: Some(format!("{id}@example.com")), name: Some(id.clone()), id: Some(id) };
    let entry = TimeEntry { user: Some(user), ..TimeEntry::from_new(EntryId::new(), new, now()) };
    check_fields(&entry)?;
    let answer = entry_json(&entry);
    store.entries.push(entry);
    Ok(answer)
}

fn update(store: &mut Store, caller: &Caller, variables: &Value) -> Result<Value, ApiError> {
    let changes: Changes = read(variables, "input");
    let before = editable(store, caller, read(variables, "id"), "update")?;
    if let Some(task) = &changes.task {
        check_task_of(store, &before.project_code, task)?;
    }
    check_tags(store, &before.project_code, changes.tags.as_deref().unwrap_or_default())?;
    let after = changes.apply_to(before);
    check_fields(&after)?;
    Ok(replace(store, TimeEntry { status: Status::NotReported, decline_comment: None, ..after }))
}

fn move_to(store: &mut Store, caller: &Caller, variables: &Value) -> Result<Value, ApiError> {
    let (code, task): (String, String) = (read(variables, "newProjectCode"), read(variables, "newTask"));
    let before = editable(store, caller, read(variables, "entryId"), "move")?;
    permit(caller, "E", &code)?;
    check_task(store, &code, &task)?;
    let after = before.with_task(code, task);
    Ok(replace(store, TimeEntry { status: Status::NotReported, decline_comment: None, ..after }))
}

fn submit(store: &mut Store, caller: &Caller, id: EntryId) -> Result<Value, ApiError> {
    let entry = find(store, id)?;
    if owner(&entry) != Some(&caller.id) {
        return Err(ApiError::new("AUTH_FORBIDDEN", "You can only submit your own time entries"));
    }
    check_status(&entry, "submit")?;
    Ok(replace(store, TimeEntry { status: Status::Submitted, ..entry }))
}

/// Returns an entry that the caller may change and whose status allows changes.
fn editable(store: &Store, caller: &Caller, id: EntryId, verb: &str) -> Result<TimeEntry, ApiError> {
    let entry = find(store, id)?;
    permit(caller, "E", &entry.project_code)?;
    if owner(&entry) != Some(&caller.id) {
        permit(caller, "M", &entry.project_code)?;
    }
    check_status(&entry, verb)?;
    Ok(entry)
}

fn find(store: &Store, id: EntryId) -> Result<TimeEntry, ApiError> {
    let missing = || ApiError::invalid("id", format!("Time entry with ID '{id}' not found"));
    store.entry(id).cloned().ok_or_else(missing)
}

fn permit(caller: &Caller, letter: &str, code: &str) -> Result<(), ApiError> {
    if caller.has(letter, code) {
        return Ok(());
    }
    let message = format!("User does not have permission '{letter}' on project '{code}'");
    Err(ApiError::new("AUTH_FORBIDDEN", message))
}

fn check_status(entry: &TimeEntry, verb: &str) -> Result<(), ApiError> {
    match entry.status {
        Status::NotReported | Status::Declined => Ok(()),
        status => Err(ApiError::new("BUSINESS_RULE_VIOLATION", format!("Cannot {verb} time entry in {status} status"))),
    }
}

fn check_task(store: &Store, code: &str, task: &str) -> Result<(), ApiError> {
    let refusal = |why| Err(ApiError::invalid("projectCode", format!("Project '{code}' {why}")));
    match store.project(code) {
        None => refusal("does not exist"),
        Some(project) if !project.is_active => refusal("is inactive"),
        Some(_) => check_task_of(store, code, task),
    }
}

fn check_task_of(store: &Store, code: &str, task: &str) -> Result<(), ApiError> {
    let mut tasks = store.project(code).into_iter().flat_map(|project| &project.tasks);
    if tasks.any(|known| known.is_active && known.name == task) {
        return Ok(());
    }
    Err(ApiError::invalid("task", format!("Task '{task}' is not available for project '{code}'")))
}

fn check_tags(store: &Store, code: &str, tags: &[Tag]) -> Result<(), ApiError> {
    for Tag { name, value } in tags {
        let mut known = store.project(code).into_iter().flat_map(|project| &project.tags);
        let Some(tag) = known.find(|tag| tag.is_active && tag.name == *name) else {
            return Err(ApiError::invalid("tags", format!("Tag '{name}' is not configured for project '{code}'")));
        };
        if !tag.allowed_values.contains(value) {
            let allowed = tag.allowed_values.join(", ");
            let message = format!("Value '{value}' is not allowed for tag '{name}'. Allowed values: {allowed}");
            return Err(ApiError::invalid("tags", message));
        }
    }
    Ok(())
}

fn check_fields(entry: &TimeEntry) -> Result<(), ApiError> {
    if entry.start_date > entry.completion_date {
        return Err(ApiError::invalid("startDate", "StartDate must be less than or equal to CompletionDate"));
    }
    for (field, name, hours) in [
        ("standardHours", "StandardHours", entry.standard_hours),
        ("overtimeHours", "OvertimeHours", entry.overtime_hours),
    ] {
        if hours < Hours::ZERO {
            return Err(ApiError::invalid(field, format!("{name} must be greater than or equal to 0")));
        }
    }
    Ok(())
}

fn replace(store: &mut Store, entry: TimeEntry) -> Value {
    let entry = TimeEntry { updated_at: now().max(entry.updated_at), ..entry };
    let answer = entry_json(&entry);
    let place = store.entries.iter().position(|other| other.id == entry.id).unwrap();
    store.entries[place] = entry;
    answer
}

/// Returns the current time, truncated to microseconds as `PostgreSQL` stores it.
fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}
