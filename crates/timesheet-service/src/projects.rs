//! Lists projects and their tasks, and imports projects from a file or from tags.

use std::collections::BTreeSet;

use dayledger_timesheet::import::{self, ImportedProjects};
use dayledger_timesheet::{Ledger, Project, ProjectFilter};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::call_session::{CallSession, SessionInfo};
use super::codes;
use super::service::TimesheetService;
use super::work::is_shown;
use dayledger_engine::{Arguments, Statement, statement};
use dayledger_request::{Error, Request, Truncate, run_statements};

static TAG_PATHS: Statement = statement!(queries / "tag_paths");

/// A request for projects.
#[derive(Debug, Clone)]
pub struct ProjectsRequest {
    /// Whether inactive projects are included.
    pub filter: ProjectFilter,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// The projects, ordered by code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectsAnswer {
    /// The projects.
    pub projects: Vec<ProjectAnswer>,
    /// Fields about the session.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

/// A project with its tasks and tags.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectAnswer {
    /// The project's unique code.
    pub code: String,
    /// The display name.
    pub name: String,
    /// False if hours can't be logged on the project, otherwise absent.
    pub is_active: Option<bool>,
    /// The tasks on which hours can be logged.
    pub tasks: Vec<String>,
    /// The tags that can be added to entries of the project.
    pub tags: Vec<ProjectTagAnswer>,
}

/// A tag that can be added to entries of a project.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectTagAnswer {
    /// The tag's name.
    pub name: String,
    /// True if the project requires the tag, otherwise absent. Entries without the tag are accepted too.
    pub is_required: Option<bool>,
    /// The allowed values of the tag.
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
    /// Imports the projects of a file into the ledger, and replaces projects with the same codes. See
    /// [`import::projects`]. MCP tools can't do this.
    ///
    /// # Errors
    /// Fails if the file doesn't contain valid projects, or if the entries are stored by an API.
    pub async fn import_projects(&self, file: &[u8]) -> Result<ImportedProjects, Error> {
        let ledger = self.importing_ledger().await?;
        let imported = import::projects(file)?;
        ledger.put_projects(imported.projects.clone()).await?;
        Ok(imported)
    }

    /// Adds projects and tasks to the ledger for all tags in the history. See [`import::projects_from_tags`]. Projects
    /// of the configuration file aren't changed. If these projects lack tasks, a note lists the missing tasks. MCP
    /// tools can't do this.
    ///
    /// # Errors
    /// Fails if the history can't be read, or if the entries are stored by an API.
    pub async fn import_tags(&self) -> Result<ImportedProjects, Error> {
        let (setup, ledger) = (self.setup()?, self.importing_ledger().await?);
        let known = self.timesheet().await?.projects(ProjectFilter::All).await?;
        let [rows] = run_statements(self.engine(), [(&TAG_PATHS, Arguments::new())]).await?;
        let mut tags = BTreeSet::new();
        for row in rows.iter() {
            let path = row.get_optional::<Vec<String>>("path")?.unwrap_or_default();
            if !path.is_empty() && path.iter().all(|level| is_shown(level)) {
                tags.insert(path);
            }
        }
        let ImportedProjects { projects, mut notes } = import::projects_from_tags(&tags, &known, &setup.aliases);
        let (configured, projects): (Vec<_>, Vec<_>) =
            projects.into_iter().partition(|project| setup.projects.iter().any(|set| set.code == project.code));
        for project in configured {
            let has = |name: &str| {
                known.iter().any(|old| old.code == project.code && old.active_tasks().any(|task| task == name))
            };
            let lacking: Vec<_> = project.active_tasks().filter(|task| !has(task)).collect();
            notes.push(format!(
                "`{}` is in the configuration file; add its tasks there: {}",
                project.code,
                lacking.join("; ")
            ));
        }
        if !projects.is_empty() {
            ledger.put_projects(projects.clone()).await?;
        }
        Ok(ImportedProjects { projects, notes })
    }

    /// Returns the ledger into which projects are imported. Fails if the entries are stored by an API.
    async fn importing_ledger(&self) -> Result<&Ledger, Error> {
        self.ledger().await?.ok_or_else(|| {
            Error::new(
                codes::FORBIDDEN,
                "cannot import projects: the projects are managed on the timesheet server",
                "list them with `dayledger timesheet projects list`",
            )
        })
    }
}

impl Truncate for ProjectsAnswer {}
