//! Rules for entries. If an entry breaks several rules, the rule that the API checks first is reported.

use std::collections::BTreeSet;

use crate::day::Day;
use crate::entry::{Changes, Evidence, NewEntry, TimeEntry};
use crate::hours::Hours;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::rules::MaxLength;
use crate::tag::Tag;

/// The maximum number of days of an entry: the length of a leap year.
const MAX_DAYS: i64 = 366;

/// The hours of a day, in hundredths.
const DAY: i64 = 24_00;

/// Rejects an entry that breaks a rule. `project` is the project with the entry's code, if it exists.
///
/// # Errors
///
/// `VALIDATION_ERROR` with the first invalid field, in this order: project, task, tags, days, hours, length of the
/// entry, ticket, duplicate tags, evidence.
pub fn check_new(project: Option<&Project>, entry: &NewEntry) -> Result<(), Refusal> {
    let project = check_project(&entry.project_code, project)?;
    check_task(project, &entry.task)?;
    check_tags(project, &entry.tags)?;
    check_days(entry.start_date, entry.completion_date)?;
    check_hours(entry.standard_hours, entry.overtime_hours)?;
    check_size((entry.start_date, entry.completion_date), entry.standard_hours + entry.overtime_hours)?;
    check_issue(entry.issue_id.as_deref())?;
    check_distinct(&entry.tags)?;
    check_evidence(&entry.evidence)
}

/// Rejects changes that break a rule. Unchanged fields aren't checked, so that an entry can stay on a task or project
/// that has become inactive.
///
/// # Errors
///
/// `VALIDATION_ERROR` with the first invalid field, in the order of [`check_new`].
pub fn check_changes(project: &Project, entry: &TimeEntry, changes: &Changes) -> Result<(), Refusal> {
    if let Some(task) = &changes.task {
        check_task(project, task)?;
    }
    let tags = changes.tags.as_deref().unwrap_or_default();
    check_tags(project, tags)?;
    let start = changes.start_date.unwrap_or(entry.start_date);
    check_days(start, changes.completion_date.unwrap_or(entry.completion_date))?;
    check_hours(changes.standard_hours.unwrap_or_default(), changes.overtime_hours.unwrap_or_default())?;
    check_issue(changes.issue_id.as_deref())?;
    check_distinct(tags)
}

/// Rejects a move to a task of the project with the code `code`. `target` is that project, if it exists.
///
/// # Errors
///
/// `VALIDATION_ERROR` with the field `projectCode` if the project is invalid, otherwise with the field `task`.
pub fn check_move(target: Option<&Project>, code: &str, task: &str) -> Result<(), Refusal> {
    check_task(check_project(code, target)?, task)
}

fn check_project<'p>(code: &str, project: Option<&'p Project>) -> Result<&'p Project, Refusal> {
    let refusal = |why| Refusal::invalid("projectCode", format_args!("Project '{code}' {why}"));
    let project = project.ok_or_else(|| refusal("does not exist"))?;
    if project.is_active { Ok(project) } else { Err(refusal("is inactive")) }
}

fn check_task(project: &Project, task: &str) -> Result<(), Refusal> {
    if project.active_tasks().any(|active| active == task) {
        return Ok(());
    }
    let message = format_args!("Task '{task}' is not available for project '{}'", project.code);
    Err(Refusal::invalid("task", message).with_allowed(project.active_tasks()))
}

fn check_tags(project: &Project, tags: &[Tag]) -> Result<(), Refusal> {
    tags.iter().try_for_each(|Tag { name, value }| {
        let Some(tag) = project.active_tags().find(|tag| tag.name == *name) else {
            let message = format_args!("Tag '{name}' is not configured for project '{}'", project.code);
            return Err(Refusal::invalid("tags", message).with_allowed(project.active_tags().map(|tag| &*tag.name)));
        };
        if tag.allowed_values.contains(value) {
            return Ok(());
        }
        let allowed = tag.allowed_values.join(", ");
        let message = format_args!("Value '{value}' is not allowed for tag '{name}'. Allowed values: {allowed}");
        Err(Refusal::invalid("tags", message).with_allowed(tag.allowed_values.iter().map(String::as_str)))
    })
}

fn check_days(start: Day, completion: Day) -> Result<(), Refusal> {
    if start <= completion {
        return Ok(());
    }
    Err(Refusal::invalid("startDate", "StartDate must be less than or equal to CompletionDate"))
}

fn check_hours(standard: Hours, overtime: Hours) -> Result<(), Refusal> {
    let fields = [("standardHours", "StandardHours", standard), ("overtimeHours", "OvertimeHours", overtime)];
    fields.into_iter().try_for_each(|(field, name, hours)| {
        if hours.is_negative() {
            return Err(Refusal::invalid(field, format_args!("{name} must be greater than or equal to 0")));
        }
        Ok(())
    })
}

/// Rejects an entry of more than 366 days, or with more than 24 hours per day. The API doesn't have this rule. If the
/// last day is before the first, the result is `Ok`, because [`check_days`] rejects such an entry.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `completionDate` or `standardHours`.
pub(crate) fn check_size((start, completion): (Day, Day), total: Hours) -> Result<(), Refusal> {
    let days = (completion.date() - start.date()).num_days() + 1;
    if days > MAX_DAYS {
        let message =
            format_args!("an entry can cover at most {MAX_DAYS} days, but {start} to {completion} are {days}");
        return Err(Refusal::invalid("completionDate", message));
    }
    let most = Hours::from_hundredths(days * DAY);
    if days > 0 && total > most {
        let days = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
        let message = format_args!("{total} hours are too many for {days}: at most {most} hours, including overtime");
        return Err(Refusal::invalid("standardHours", message));
    }
    Ok(())
}

/// Applies [`check_size`] to an entry after a change of its days or hours. The check is skipped if days and hours stay
/// the same, so that an entry that already breaks the rule can be changed in other fields.
///
/// # Errors
///
/// See [`check_size`].
pub(crate) fn check_resize(before: &TimeEntry, after: &TimeEntry) -> Result<(), Refusal> {
    let days = |entry: &TimeEntry| (entry.start_date, entry.completion_date);
    if days(before) == days(after) && before.total_hours() == after.total_hours() {
        return Ok(());
    }
    check_size(days(after), after.total_hours())
}

fn check_issue(issue_id: Option<&str>) -> Result<(), Refusal> {
    issue_id.map_or(Ok(()), |issue| MaxLength::ISSUE_ID.check("issueId", "IssueId", issue))
}

/// Rejects two identical tags, because the API would fail with an internal error. Two tags with the same name but
/// different values are allowed.
pub(crate) fn check_distinct(tags: &[Tag]) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    match tags.iter().find(|tag| !seen.insert(*tag)) {
        None => Ok(()),
        Some(Tag { name, value }) => {
            Err(Refusal::invalid("tags", format_args!("Tag '{name}' is given twice with the value '{value}'")))
        }
    }
}

/// Rejects evidence that doesn't end after it starts.
pub(crate) fn check_evidence(evidence: &[Evidence]) -> Result<(), Refusal> {
    if evidence.iter().all(|interval| interval.start_utc < interval.end_utc) {
        return Ok(());
    }
    Err(Refusal::invalid("evidence", "Evidence must end after it starts"))
}
