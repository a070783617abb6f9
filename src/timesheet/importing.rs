//! Projects that are put into the ledger from a file.

use dayledger_timesheet::Others;
use dayledger_timesheet::import::{self, Imported};
use schemars::JsonSchema;
use serde::Serialize;

use super::codes;
use super::projects::ProjectAnswer;
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks to put the projects of a file into the ledger, in the place of those with the same codes. No tool asks it.
#[derive(Debug, Clone)]
pub struct ImportProjectsRequest {
    /// The content of the file; see [`import::projects`].
    pub file: Vec<u8>,
}

/// What was put in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportedProjects {
    /// The projects, in the order of the file.
    pub projects: Vec<ProjectAnswer>,
    /// What the user should know about how the file was read.
    pub notes: Vec<String>,
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
        let Imported { projects, notes } = import::projects(&self.file)?;
        ledger.put_projects(projects.clone(), Others::Keep).await?;
        Ok(ImportedProjects { projects: projects.into_iter().map(ProjectAnswer::from).collect(), notes })
    }
}

impl Answer for ImportedProjects {}
