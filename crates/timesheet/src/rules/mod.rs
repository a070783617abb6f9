//! The rules for entries and projects, independent of the storage. This module doesn't access a store or the network.
//!
//! The rules are checked in the order of the API and have the messages of the API, so that the ledger reports the same
//! errors. [`entry`] checks an entry, and [`overlap`] compares an entry with other entries. [`Operation`] checks the
//! status of an entry, and [`check_projects`] checks projects.

pub mod entry;
pub mod overlap;

use std::collections::BTreeSet;

use crate::project::Project;
use crate::refusal::{Code, Refusal};
use crate::status::Status;

pub use overlap::OverlapPolicy;

/// The maximum number of characters of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxLength(usize);

impl MaxLength {
    /// The limit for the code of a project.
    pub const PROJECT_CODE: Self = Self(10);
    /// The limit for the name of a project.
    pub const PROJECT_NAME: Self = Self(200);
    /// The limit for the name of a task.
    pub const TASK: Self = Self(100);
    /// The limit for the id of a ticket.
    pub const ISSUE_ID: Self = Self(30);
    /// The limit for the name of a tag.
    pub const TAG_NAME: Self = Self(20);
    /// The limit for the value of a tag.
    pub const TAG_VALUE: Self = Self(100);

    /// Returns the limit in characters, for the schemas of the tools.
    pub const fn get(self) -> usize {
        self.0
    }

    /// Rejects a text that exceeds the limit. `field` is the field of the refusal, and `name` is the field's name in
    /// the message.
    pub(crate) fn check(self, field: &str, name: &str, text: &str) -> Result<(), Refusal> {
        if text.chars().count() <= self.0 {
            return Ok(());
        }
        Err(Refusal::invalid(field, format_args!("{name} must be at most {} characters long", self.0)))
    }
}

/// An operation that changes an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Changes fields of the entry, including tags.
    Update,
    /// Moves the entry to another task.
    Move,
    /// Deletes the entry.
    Delete,
    /// Submits the entry for approval.
    Submit,
}

impl Operation {
    /// Rejects the operation if the status doesn't allow it.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN`, with the statuses that allow the operation and advice on what to do instead.
    pub fn check(self, status: Status) -> Result<(), Refusal> {
        if self.is_allowed(status) {
            return Ok(());
        }
        let allowing = Status::ALL.into_iter().filter(|status| self.is_allowed(*status)).map(Status::as_str);
        let (verb, needed) = (self.verb(), allowing.collect::<Vec<_>>().join(" or "));
        let message = format!("Cannot {verb} a time entry with status {status}: it must be {needed}");
        Err(Refusal::new(Code::Forbidden, format!("{message}. {}", hint(status))))
    }

    fn is_allowed(self, status: Status) -> bool {
        match self {
            // A declined entry is kept, so that its decline comment can be read.
            Self::Delete => status == Status::NotReported,
            Self::Update | Self::Move | Self::Submit => matches!(status, Status::NotReported | Status::Declined),
        }
    }

    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Move => "move",
            Self::Delete => "delete",
            Self::Submit => "submit",
        }
    }
}

fn hint(status: Status) -> &'static str {
    match status {
        Status::NotReported => "It has not been submitted yet",
        Status::Submitted => "It is waiting for approval, and can be changed again if it is declined",
        Status::Approved => "It is final",
        Status::Declined => "It can be changed and submitted again",
    }
}

/// Rejects projects that the API wouldn't accept, and two projects with the same code.
///
/// # Errors
///
/// `VALIDATION_ERROR` with the code of the project and the reason.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_suggests_the_next_step() {
        let refusal = Operation::Update.check(Status::Submitted).unwrap_err();
        assert_eq!(
            refusal.message,
            "Cannot update a time entry with status SUBMITTED: it must be NOT_REPORTED or DECLINED. \
             It is waiting for approval, and can be changed again if it is declined"
        );
        let refusal = Operation::Delete.check(Status::Declined).unwrap_err();
        assert!(refusal.message.contains("must be NOT_REPORTED. It can be changed"), "{refusal}");
    }
}
