//! Work that begins.

use chrono::{SubsecRound, Utc};
use dayledger_timesheet::book::Running;
use dayledger_timesheet::draft::Names;
use dayledger_timesheet::rules::entry::check_new;
use dayledger_timesheet::{Day, Hours, NewEntry, ProjectsAsked, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;

use super::running::{RunningWork, book, check_length};
use super::sheet::Sheet;
use crate::engine::{self, local_now};
use crate::question::{Answer, Error, Question};

/// Asks to begin work on a task; what goes on stops and is booked first.
#[derive(Debug, Clone)]
pub struct StartRequest {
    /// The project: its code, its name or an alias of the configuration, whatever their case.
    pub project: String,
    /// The task, whatever its case; a project that has one only needs none.
    pub task: Option<String>,
    /// What is done.
    pub description: Option<String>,
}

/// Work has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// What goes on now.
    pub running: RunningWork,
    /// Entries of what went on before.
    pub booked: Vec<TimeEntry>,
}

impl Question for StartRequest {
    type Of = Sheet;
    type Answer = Started;

    async fn answer(self, sheet: &Sheet) -> Result<Started, Error> {
        let (project_code, task) = named(sheet, &self.project, self.task.as_deref()).await?;
        let since = Utc::now().trunc_subsecs(3);
        let before = sheet.book().await?.running().await?;
        let mut booked = match &before {
            Some(before) => {
                check_length(before, since)?;
                book(sheet, before, since).await?
            }
            None => Vec::new(),
        };
        let work = Running { project_code, task, description: self.description, issue_id: None, since };
        let stopped = sheet.book().await?.start(work.clone()).await?;
        // Another program began it in between.
        if let Some(stopped) = stopped.filter(|stopped| before.as_ref() != Some(&stopped.work)) {
            booked.extend(book(sheet, &stopped.work, stopped.until).await?);
        }
        Ok(Started { running: RunningWork::at(&work, since), booked })
    }
}

/// The code and the task that are meant, once hours can be booked on them.
async fn named(sheet: &Sheet, project: &str, task: Option<&str>) -> Result<(String, String), Error> {
    let projects = sheet.timesheet().await?.projects(ProjectsAsked::All).await?;
    let target = Names::new(&projects, &sheet.setup()?.aliases).of_rule(project, task);
    let known = projects.iter().find(|known| known.code == target.project);
    let task = target.task.unwrap_or_default();
    let today = Day::try_from(local_now().date()).map_err(|_| engine::Error::Internal)?;
    let entry = NewEntry::new(&target.project, &task, Hours::ZERO, today, today);
    check_new(known, &entry).map_err(|refusal| {
        let allowed: Vec<_> = match refusal.field.as_deref() {
            Some("projectCode") => {
                projects.iter().filter(|project| project.is_active).map(|known| &*known.code).collect()
            }
            _ => known.iter().flat_map(|known| known.active_tasks()).collect(),
        };
        let hint = match allowed[..] {
            [] => "`dayledger timesheet projects import` takes projects from a file".to_owned(),
            _ => format!("there are `{}`", allowed.join("`, `")),
        };
        let mut error = Error::from(refusal);
        error.hint = hint;
        error
    })?;
    Ok((target.project, task))
}

impl Answer for Started {}
