//! Projects that are put into the ledger from a file.

use dayledger_timesheet::{Others, import};
use schemars::JsonSchema;
use serde::Serialize;

use super::codes;
use super::projects::ProjectAnswer;
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks to put the projects of a file into the ledger, in the place of those with the same codes. No tool asks it.
#[derive(Debug, Clone)]
pub struct ImportProjectsRequest {
    /// What stands in the file; see [`import::projects`].
    pub text: String,
}

/// What was put in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportedProjects {
    /// The projects, in the order of the file.
    pub projects: Vec<ProjectAnswer>,
}

impl Question for ImportProjectsRequest {
    type Of = Sheet;
    type Answer = ImportedProjects;

    async fn answer(self, sheet: &Sheet) -> Result<ImportedProjects, Error> {
        let Some(ledger) = sheet.ledger().await? else {
            return Err(Error::new(
                codes::FORBIDDEN,
                "the projects are those of a company's timesheet, and kept there",
                "`dayledger timesheet projects list` shows them",
            ));
        };
        let projects = import::projects(&self.text)?;
        ledger.put_projects(projects.clone(), Others::Keep).await?;
        Ok(ImportedProjects { projects: projects.into_iter().map(ProjectAnswer::from).collect() })
    }
}

impl Answer for ImportedProjects {}
