//! The table `projects`. Each row is a task of a project, or a project without tasks.

use dayledger_timesheet::{Project, ProjectFilter, ProjectTask};

use super::super::service::TimesheetService;
use super::day_ranges::TableError;
use dayledger_engine::columns::{Column, flags, optional_text, record_batch, schema, text};
use dayledger_engine::{VirtualTable, rows_from_future};
use dayledger_request::Error;

pub(super) const NAME: &str = "projects";

/// Creates the table of projects.
pub(super) fn project_table(service: TimesheetService) -> VirtualTable {
    VirtualTable::whole(NAME, schema(columns(&[])), move || {
        let service = service.clone();
        rows_from_future(async move {
            let timesheet = service.timesheet().await.map_err(TableError::from)?;
            let projects = timesheet.projects(ProjectFilter::All).await.map_err(Error::from)?;
            Ok(record_batch(columns(&projects))?)
        })
    })
}

fn columns(projects: &[Project]) -> [Column; 5] {
    let each = || projects.iter().flat_map(tasks);
    [
        text("code", each().map(|(project, _)| project.code.as_str())),
        text("name", each().map(|(project, _)| project.name.as_str())),
        flags("is_active", each().map(|(project, _)| Some(project.is_active)), false),
        optional_text("task", each().map(|(_, task)| Some(&task?.name))),
        flags("is_task_active", each().map(|(_, task)| Some(task?.is_active)), true),
    ]
}

/// Returns the project with each of its tasks. A project without tasks is returned once, with `None`.
fn tasks(project: &Project) -> impl Iterator<Item = (&Project, Option<&ProjectTask>)> {
    let alone = project.tasks.is_empty().then_some(None);
    project.tasks.iter().map(Some).chain(alone).map(move |task| (project, task))
}
