//! Lists the projects and tasks that accept hours, and imports projects from a file.

use dayledger_timesheet::import::{self, ImportedProjects};
use dayledger_timesheet::{Project, ProjectFilter};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::call_session::{CallSession, SessionInfo};
use super::codes;
use super::service::TimesheetService;
use dayledger_request::{Error, Request, Truncate};

/// A request for projects.
#[derive(Debug, Clone)]
pub struct ProjectsRequest {
    /// Whether to return only projects that accept hours.
    pub filter: ProjectFilter,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// The projects, by code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectsAnswer {
    /// The projects.
    pub projects: Vec<ProjectAnswer>,
    /// Session data.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

/// A project.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectAnswer {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// False if hours can't be logged on it, otherwise absent.
    pub is_active: Option<bool>,
    /// The tasks on which hours can be logged.
    pub tasks: Vec<String>,
    /// The tags that entries can have.
    pub tags: Vec<ProjectTagAnswer>,
}

/// A tag of a project.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectTagAnswer {
    /// Its name.
    pub name: String,
    /// True if the project marks it as required, otherwise absent. Nothing enforces the mark.
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

impl Request for ProjectsRequest {
    type Service = TimesheetService;
    type Response = ProjectsAnswer;

    async fn execute(self, service: &TimesheetService) -> Result<ProjectsAnswer, Error> {
        let ((), aside) = self.call_session.begin(service, |_| ()).await?;
        let projects = service.timesheet().await?.projects(self.filter).await?;
        let aside = self.call_session.end(service, aside, |_, _| ()).await?;
        Ok(ProjectsAnswer { projects: projects.into_iter().map(ProjectAnswer::from).collect(), aside })
    }
}

impl TimesheetService {
    /// Writes the projects of a file to the ledger, and replaces projects that have the same codes; see
    /// [`import::projects`]. No MCP tool does this.
    ///
    /// # Errors
    /// Fails if the file doesn't contain valid projects, or if the entries are at an API.
    pub async fn import_projects(&self, file: &[u8]) -> Result<ImportedProjects, Error> {
        let Some(ledger) = self.ledger().await? else {
            return Err(Error::new(
                codes::FORBIDDEN,
                "cannot import projects: the projects are managed on the timesheet server",
                "list them with `dayledger timesheet projects list`",
            ));
        };
        let imported = import::projects(file)?;
        ledger.put_projects(imported.projects.clone()).await?;
        Ok(imported)
    }
}

impl Truncate for ProjectsAnswer {}
