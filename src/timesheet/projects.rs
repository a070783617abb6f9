//! What hours can be booked on.

use dayledger_timesheet::{Project, ProjectsAsked};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::asker::{Aside, Asker};
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks for the projects.
#[derive(Debug, Clone)]
pub struct ProjectsRequest {
    /// Whether only those that hours can be booked on.
    pub asked: ProjectsAsked,
    /// Who asks.
    pub asker: Asker,
}

/// The projects, by code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectsAnswer {
    /// Each of them.
    pub projects: Vec<ProjectAnswer>,
    /// What the session has to say.
    #[serde(flatten)]
    pub aside: Aside,
}

/// A project.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectAnswer {
    /// What it is known by.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// False where no hours can be booked on it; absent elsewhere.
    pub is_active: Option<bool>,
    /// The tasks that hours can be booked on.
    pub tasks: Vec<String>,
    /// The tags that entries can have.
    pub tags: Vec<ProjectTagAnswer>,
}

/// A tag of a project.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectTagAnswer {
    /// What it is known by.
    pub name: String,
    /// True where the project asks for it, which no rule enforces; absent elsewhere.
    pub is_required: Option<bool>,
    /// Its values.
    pub allowed_values: Vec<String>,
}

impl From<Project> for ProjectAnswer {
    fn from(project: Project) -> Self {
        let tags = project.active_tags().map(|tag| ProjectTagAnswer {
            name: tag.name.clone(),
            is_required: tag.is_required.then_some(true),
            allowed_values: tag.allowed_values.clone(),
        });
        Self {
            tags: tags.collect(),
            tasks: project.active_tasks().map(str::to_owned).collect(),
            is_active: (!project.is_active).then_some(false),
            code: project.code,
            name: project.name,
        }
    }
}

impl Question for ProjectsRequest {
    type Of = Sheet;
    type Answer = ProjectsAnswer;

    async fn answer(self, sheet: &Sheet) -> Result<ProjectsAnswer, Error> {
        let ((), aside) = self.asker.begin(sheet, |_| ()).await?;
        let projects = sheet.timesheet().await?.projects(self.asked).await?;
        let aside = self.asker.end(sheet, aside, |_, _| ()).await?;
        Ok(ProjectsAnswer { projects: projects.into_iter().map(ProjectAnswer::from).collect(), aside })
    }
}

impl Answer for ProjectsAnswer {}
