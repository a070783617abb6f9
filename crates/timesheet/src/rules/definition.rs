//! Rules for projects.

use std::collections::BTreeSet;

use crate::project::Project;
use crate::refusal::Refusal;
use crate::rules::MaxLength;

/// Rejects projects of which one wouldn't be accepted by the API, or two have the same code.
///
/// # Errors
///
/// `VALIDATION_ERROR` with the project and the reason.
pub fn check_projects(projects: &[Project]) -> Result<(), Refusal> {
    check_distinct("projects", "Project", projects.iter().map(|project| &*project.code))?;
    projects.iter().try_for_each(|project| {
        check_project(project).map_err(|refusal| {
            let message = format!("project '{}': {}", project.code, refusal.message);
            Refusal { message, ..refusal }
        })
    })
}

fn check_project(project: &Project) -> Result<(), Refusal> {
    check_text(MaxLength::PROJECT_CODE, "code", "Code", &project.code)?;
    check_text(MaxLength::PROJECT_NAME, "name", "Name", &project.name)?;
    check_distinct("tasks", "Task", project.tasks.iter().map(|task| &*task.name))?;
    project.tasks.iter().try_for_each(|task| check_text(MaxLength::TASK, "tasks", "Task", &task.name))?;
    check_distinct("tags", "Tag", project.tags.iter().map(|tag| &*tag.name))?;
    project.tags.iter().try_for_each(|tag| {
        check_text(MaxLength::TAG_NAME, "tags", "Tag", &tag.name)?;
        check_distinct("tags", "Value", tag.allowed_values.iter().map(String::as_str))?;
        tag.allowed_values.iter().try_for_each(|value| check_text(MaxLength::TAG_VALUE, "tags", "Value", value))
    })
}

fn check_text(length: MaxLength, field: &str, name: &str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::invalid(field, format_args!("{name} must not be empty")));
    }
    length.check(field, name, text)
}

fn check_distinct<'n>(field: &str, name: &str, mut names: impl Iterator<Item = &'n str>) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    match names.find(|named| !seen.insert(*named)) {
        None => Ok(()),
        Some(twice) => Err(Refusal::invalid(field, format_args!("{name} '{twice}' is given twice"))),
    }
}
