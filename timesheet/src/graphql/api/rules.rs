//! The operations of the API, with its rules and in its words (sections 2 to 5 of the facts).

use serde_json::{Map, Value, json};

use super::filters::{holds, ordered};
use super::store::{Caller, Store, now, object, owner};
use crate::entry::{Changes, NewEntry, TimeEntry, User};
use crate::hours::Hours;
use crate::id::EntryId;
use crate::status::Status;
use crate::tag::Tag;

/// Why the API does not do something.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) code: Option<&'static str>,
    pub(super) field: Option<&'static str>,
}

impl Fault {
    pub(super) fn coded(code: &'static str, message: impl Into<String>) -> Self {
        Self { message: message.into(), code: Some(code), field: None }
    }

    fn invalid(field: &'static str, message: impl Into<String>) -> Self {
        Self { field: Some(field), ..Self::coded("VALIDATION_ERROR", message) }
    }

    fn uncoded(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: None, field: None }
    }

    pub(super) fn internal() -> Self {
        Self::coded("INTERNAL_ERROR", "An unexpected error occurred")
    }

    fn not_found(id: EntryId) -> Self {
        Self::invalid("id", format!("Time entry with ID '{id}' not found"))
    }
}

/// The arguments of a field.
pub(super) struct Arguments(pub(super) Map<String, Value>);

impl Arguments {
    fn read<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, Fault> {
        let value = self.0.get(name).cloned().unwrap_or_default();
        serde_json::from_value(value).map_err(|_| Fault::internal())
    }

    /// An object without what is null, which means the same as what is absent.
    fn object(&self, name: &str) -> Map<String, Value> {
        let given = self.0.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
        given.into_iter().filter(|(_, value)| !value.is_null()).collect()
    }
}

/// What a field of the roots answers with.
pub(super) fn resolve(
    store: &mut Store,
    caller: Option<&Caller>,
    field: &str,
    arguments: &Arguments,
) -> Result<Value, Fault> {
    match field {
        "hello" => return Ok(json!("Hello, GraphQL!")),
        "projects" => return Ok(projects(store, arguments)),
        "project" => {
            let code: String = arguments.read("code")?;
            return Ok(store.projects.iter().find(|project| project.code == code).map(object).into());
        }
        _ => {}
    }
    let Some(caller) = caller else {
        let message = "The current user is not authorized to access this resource.";
        return Err(Fault::coded("AUTH_NOT_AUTHENTICATED", message));
    };
    match field {
        "timeEntries" => entries(store, caller, arguments),
        "timeEntry" => {
            let id: EntryId = arguments.read("id")?;
            let found = store.entries.iter().find(|entry| entry.id == id && Store::is_visible(caller, entry));
            Ok(found.map(|entry| store.entry(entry)).into())
        }
        "debugAcl" => Ok(json!({"userId": caller.id, "email": caller.email, "aclEntries": caller.acl})),
        "logTime" => log(store, caller, arguments),
        "updateTimeEntry" => update(store, caller, arguments),
        "updateTags" => update_tags(store, caller, arguments),
        "moveTaskToProject" => move_to(store, caller, arguments),
        "deleteTimeEntry" => delete(store, caller, arguments),
        "submitTimeEntry" => submit(store, caller, arguments),
        "approveTimeEntry" => decide(store, caller, arguments, Status::Approved, None),
        "declineTimeEntry" => {
            let comment: String = arguments.read("comment")?;
            if comment.trim().is_empty() {
                return Err(Fault::uncoded("Comment is required"));
            }
            decide(store, caller, arguments, Status::Declined, Some(comment))
        }
        _ => Err(Fault::internal()),
    }
}

fn projects(store: &Store, arguments: &Arguments) -> Value {
    let filter = arguments.object("where");
    let mut found: Vec<Value> = store.projects.iter().map(object).filter(|object| holds(&filter, object)).collect();
    found.sort_by(|one, other| ordered(&order(arguments), one, other));
    found.into()
}

fn order(arguments: &Arguments) -> Vec<Value> {
    arguments.0.get("order").and_then(Value::as_array).cloned().unwrap_or_default()
}

fn entries(store: &Store, caller: &Caller, arguments: &Arguments) -> Result<Value, Fault> {
    let number = |name, otherwise| arguments.0.get(name).and_then(Value::as_u64).unwrap_or(otherwise);
    let (skip, take) = (number("skip", 0), number("take", 50));
    if take > 200 {
        return Err(Fault::coded("HC0051", "The maximum allowed items per page were exceeded."));
    }
    let filter = arguments.object("where");
    let visible = store.entries.iter().filter(|entry| Store::is_visible(caller, entry) && has_days(&filter, entry));
    let mut found: Vec<Value> =
        visible.map(|entry| store.entry(entry)).filter(|object| holds(&filter, object)).collect();
    found.sort_by(|one, other| ordered(&order(arguments), one, other));
    let (skip, take) = (usize::try_from(skip).unwrap_or(usize::MAX), usize::try_from(take).unwrap_or_default());
    let page_info = json!({"hasNextPage": found.len() > skip.saturating_add(take), "hasPreviousPage": skip > 0});
    let items: Vec<Value> = found.into_iter().skip(skip).take(take).collect();
    Ok(json!({"pageInfo": page_info, "items": items}))
}

/// Whether an entry holds what is asked of its days. That is quickly told, so that a test with thousands of entries does
/// not make an object of each to ask it the rest.
fn has_days(filter: &Map<String, Value>, entry: &TimeEntry) -> bool {
    let days = json!({"startDate": entry.start_date, "completionDate": entry.completion_date});
    let members = filter.get("and").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    let is_of_days = |member: &&Map<String, Value>| {
        member.iter().all(|(name, operand)| operand.is_null() || days.get(name).is_some())
    };
    members.filter(is_of_days).all(|member| holds(member, &days))
}

fn log(store: &mut Store, caller: &Caller, arguments: &Arguments) -> Result<Value, Fault> {
    let mut new: NewEntry = serde_json::from_value(arguments.object("input").into()).map_err(|_| Fault::internal())?;
    permit(caller, &["T"], &new.project_code)?;
    check_task(store, &new.project_code, &new.task)?;
    check_tags(store, &new.project_code, &new.tags)?;
    new.evidence.clear();
    let mut entry = TimeEntry::booked(EntryId::from(uuid::Uuid::new_v4()), new, now());
    check_fields(&entry)?;
    entry.user =
        Some(User { id: Some(caller.id.clone()), email: Some(caller.email.clone()), name: Some(caller.name.clone()) });
    let answer = store.entry(&entry);
    store.entries.push(entry);
    Ok(answer)
}

fn update(store: &mut Store, caller: &Caller, arguments: &Arguments) -> Result<Value, Fault> {
    let changes: Changes = serde_json::from_value(arguments.object("input").into()).map_err(|_| Fault::internal())?;
    let before = editable(store, caller, arguments.read("id")?, "E", "update")?;
    if let Some(task) = &changes.task {
        check_task_of(store, &before.project_code, task)?;
    }
    check_tags(store, &before.project_code, changes.tags.as_deref().unwrap_or_default())?;
    let after = TimeEntry { status: Status::NotReported, decline_comment: None, ..changes.applied_to(before) };
    check_fields(&after)?;
    Ok(replace(store, after))
}

fn update_tags(store: &mut Store, caller: &Caller, arguments: &Arguments) -> Result<Value, Fault> {
    let before = editable(store, caller, arguments.read("entryId")?, "E", "update tags of")?;
    let tags: Vec<Tag> = arguments.read("tags")?;
    check_tags(store, &before.project_code, &tags)?;
    Ok(replace(store, TimeEntry { tags, ..before }))
}

fn move_to(store: &mut Store, caller: &Caller, arguments: &Arguments) -> Result<Value, Fault> {
    let (code, task): (String, String) = (arguments.read("newProjectCode")?, arguments.read("newTask")?);
    let before = editable(store, caller, arguments.read("entryId")?, "E", "move")?;
    permit(caller, &["E"], &code)?;
    check_task(store, &code, &task)?;
    let after = before.moved_to(code, task);
    Ok(replace(store, TimeEntry { status: Status::NotReported, decline_comment: None, ..after }))
}

fn delete(store: &mut Store, caller: &Caller, arguments: &Arguments) -> Result<Value, Fault> {
    let entry = editable(store, caller, arguments.read("id")?, "E", "delete")?;
    store.entries.retain(|other| other.id != entry.id);
    Ok(json!(true))
}

fn submit(store: &mut Store, caller: &Caller, arguments: &Arguments) -> Result<Value, Fault> {
    let entry = found(store, arguments.read("id")?)?;
    permit(caller, &["T", "E"], &entry.project_code)?;
    if owner(&entry) != Some(&caller.id) {
        return Err(Fault::coded("AUTH_FORBIDDEN", "You can only submit your own time entries"));
    }
    check_status(&entry, "submit")?;
    Ok(replace(store, TimeEntry { status: Status::Submitted, ..entry }))
}

fn decide(
    store: &mut Store,
    caller: &Caller,
    arguments: &Arguments,
    status: Status,
    comment: Option<String>,
) -> Result<Value, Fault> {
    let id: EntryId = arguments.read("id")?;
    let entry = store.entries.iter().find(|entry| entry.id == id).cloned();
    let entry = entry.ok_or_else(|| Fault::uncoded(format!("Time entry {id} not found")))?;
    permit(caller, &["A"], &entry.project_code)?;
    if entry.status != Status::Submitted {
        let verb = if status == Status::Approved { "approve" } else { "decline" };
        let is = match entry.status {
            Status::NotReported => "NotReported",
            Status::Submitted => "Submitted",
            Status::Approved => "Approved",
            Status::Declined => "Declined",
        };
        return Err(Fault::uncoded(format!("Cannot {verb} time entry in status {is}")));
    }
    Ok(replace(store, TimeEntry { status, decline_comment: comment.or(entry.decline_comment.clone()), ..entry }))
}

/// An entry that the caller may change, and that is open to changes.
fn editable(store: &Store, caller: &Caller, id: EntryId, letter: &'static str, verb: &str) -> Result<TimeEntry, Fault> {
    let entry = found(store, id)?;
    permit(caller, &[letter], &entry.project_code)?;
    if owner(&entry) != Some(&caller.id) {
        permit(caller, &["M"], &entry.project_code)?;
    }
    check_status(&entry, verb)?;
    Ok(entry)
}

fn found(store: &Store, id: EntryId) -> Result<TimeEntry, Fault> {
    store.entries.iter().find(|entry| entry.id == id).cloned().ok_or_else(|| Fault::not_found(id))
}

fn permit(caller: &Caller, letters: &[&str], code: &str) -> Result<(), Fault> {
    if letters.iter().any(|letter| caller.has(letter, &format!("Project/{code}"))) {
        return Ok(());
    }
    let message = format!("User does not have permission '{}' on project '{code}'", letters.join("' or '"));
    Err(Fault::coded("AUTH_FORBIDDEN", message))
}

fn check_status(entry: &TimeEntry, verb: &str) -> Result<(), Fault> {
    match entry.status {
        Status::NotReported | Status::Declined => Ok(()),
        status => {
            let message = format!("Cannot {verb} time entry in {status} status");
            Err(Fault::coded("BUSINESS_RULE_VIOLATION", message))
        }
    }
}

fn check_task(store: &Store, code: &str, task: &str) -> Result<(), Fault> {
    match store.projects.iter().find(|project| project.code == code) {
        None => Err(Fault::invalid("projectCode", format!("Project '{code}' does not exist"))),
        Some(project) if !project.is_active => {
            Err(Fault::invalid("projectCode", format!("Project '{code}' is inactive")))
        }
        Some(_) => check_task_of(store, code, task),
    }
}

fn check_task_of(store: &Store, code: &str, task: &str) -> Result<(), Fault> {
    let mut tasks = store.projects.iter().filter(|project| project.code == code).flat_map(|project| &project.tasks);
    if tasks.any(|known| known.is_active && known.name == task) {
        return Ok(());
    }
    Err(Fault::invalid("task", format!("Task '{task}' is not available for project '{code}'")))
}

fn check_tags(store: &Store, code: &str, tags: &[Tag]) -> Result<(), Fault> {
    for Tag { name, value } in tags {
        let mut known = store.projects.iter().filter(|project| project.code == code).flat_map(|project| &project.tags);
        let Some(tag) = known.find(|tag| tag.is_active && tag.name == *name) else {
            return Err(Fault::invalid("tags", format!("Tag '{name}' is not configured for project '{code}'")));
        };
        if !tag.allowed_values.contains(value) {
            let allowed = tag.allowed_values.join(", ");
            let message = format!("Value '{value}' is not allowed for tag '{name}'. Allowed values: {allowed}");
            return Err(Fault::invalid("tags", message));
        }
    }
    Ok(())
}

/// Days and hours, then what only the database refuses, with an error that nobody expected.
fn check_fields(entry: &TimeEntry) -> Result<(), Fault> {
    if entry.start_date > entry.completion_date {
        return Err(Fault::invalid("startDate", "StartDate must be less than or equal to CompletionDate"));
    }
    for (field, name, hours) in [
        ("standardHours", "StandardHours", entry.standard_hours),
        ("overtimeHours", "OvertimeHours", entry.overtime_hours),
    ] {
        if hours < Hours::ZERO {
            return Err(Fault::invalid(field, format!("{name} must be greater than or equal to 0")));
        }
    }
    let is_twice = (1..).zip(&entry.tags).any(|(next, tag)| entry.tags[next..].contains(tag));
    let is_too_long = entry.issue_id.as_ref().is_some_and(|issue| issue.chars().count() > 30);
    let has_nul = [&entry.issue_id, &entry.description].into_iter().flatten().any(|text| text.contains('\0'));
    if is_twice || is_too_long || has_nul { Err(Fault::internal()) } else { Ok(()) }
}

fn replace(store: &mut Store, entry: TimeEntry) -> Value {
    let entry = TimeEntry { updated_at: now().max(entry.updated_at), ..entry };
    let answer = store.entry(&entry);
    if let Some(place) = store.entries.iter_mut().find(|other| other.id == entry.id) {
        *place = entry;
    }
    answer
}
