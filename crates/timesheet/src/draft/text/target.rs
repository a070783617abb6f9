//! Finds the project and task for a text `project / task` that the user wrote.

use super::columns::{UNKNOWN, target_text};
use crate::draft::names::{ProjectNames, RowNote, Target};
use crate::project::Project;

/// The separator between a project and its task.
const SLASH: char = '/';
/// The maximum number of names that a message suggests.
const MAX_SUGGESTIONS: usize = 3;

/// Finds projects and tasks for the words of the user.
pub(super) struct Targets<'p> {
    projects: &'p [Project],
    names: ProjectNames<'p>,
}

/// The reason that is written before a row that the user must confirm.
pub(super) const UNCONFIRMED: &str = "away from the computer and in no total, to be confirmed";

impl<'p> Targets<'p> {
    pub(super) fn new(projects: &'p [Project]) -> Self {
        Self { projects, names: ProjectNames::new(projects, &[]) }
    }

    /// Returns the reason why hours can't be logged on the target, as a message to the user. Returns `None` if hours
    /// can be logged.
    pub(super) fn obstacle(&self, project: Option<&str>, task: Option<&str>) -> Option<String> {
        let Some(project) = project else {
            return Some("no project and task".to_owned());
        };
        let target = Target { project: project.to_owned(), task: task.map(str::to_owned) };
        Some(match self.names.notes(&target).first()? {
            RowNote::NoSuchProject => format!("unknown project `{project}`"),
            RowNote::InactiveProject => format!("project `{project}` no longer accepts hours"),
            RowNote::NoSuchTask => format!("project `{project}` does not have the task `{}`", task.unwrap_or_default()),
            RowNote::NoTask => format!("no task of project `{project}`"),
            RowNote::Unconfirmed => UNCONFIRMED.to_owned(),
        })
    }

    /// Returns the project code and the task for a text. The text can have the exact form of [`target_text`]. Otherwise
    /// it consists of a project code or name, a slash, and a task. In this second form, case is ignored, and the task
    /// may be missing if the project has only one task. Project and task may contain slashes.
    ///
    /// # Errors
    ///
    /// A message to the user with the unknown project or task, and the nearest names.
    pub(super) fn find(&self, text: &str) -> Result<(String, String), String> {
        if let Some(found) = self.find_exact(text) {
            return Ok(found);
        }
        let slashes = text.match_indices(SLASH).map(|(place, slash)| (&text[..place], &text[place + slash.len()..]));
        let parts: Vec<_> = slashes.map(|(project, task)| (project.trim(), Some(task.trim()))).collect();
        let whole = [(text.trim(), None)];
        let parts = parts.iter().chain(&whole).map(|(project, task)| (*project, task.filter(|task| !task.is_empty())));
        let targets: Vec<_> = parts.map(|(project, task)| self.names.resolve_rule(project, task)).collect();
        let fits = targets.iter().find(|target| self.names.notes(target).is_empty());
        if let Some(Target { project, task: Some(task) }) = fits {
            return Ok((project.clone(), task.clone()));
        }
        let known = targets.iter().find(|target| !self.names.notes(target).contains(&RowNote::NoSuchProject));
        Err(self.unknown_target(known.or(targets.first())))
    }

    fn find_exact(&self, text: &str) -> Option<(String, String)> {
        let active = self.projects.iter().filter(|project| project.is_active);
        let mut tasks = active.flat_map(|project| project.active_tasks().map(move |task| (&*project.code, task)));
        let (code, task) = tasks.find(|(code, task)| target_text(Some(code), Some(task)) == text)?;
        Some((code.to_owned(), task.to_owned()))
    }

    fn unknown_target(&self, target: Option<&Target>) -> String {
        let (project, task) = target.map_or(("", None), |target| (&*target.project, target.task.as_deref()));
        let is_said = |name: &&str| !name.is_empty() && *name != UNKNOWN;
        let (said, task) = (Some(project).filter(is_said), task.filter(is_said));
        let found = self.projects.iter().find(|known| known.code == project && known.is_active);
        let obstacle = self.obstacle(said, task).unwrap_or_default();
        let nearest = match (found, said) {
            (Some(found), _) => nearest_names(task.unwrap_or_default(), found.active_tasks()),
            (None, said) => {
                let active = self.projects.iter().filter(|project| project.is_active);
                nearest_names(said.unwrap_or_default(), active.map(|project| &*project.code))
            }
        };
        if nearest.is_empty() { obstacle } else { format!("{obstacle}; did you mean {nearest}?") }
    }
}

/// Formats the names that are most similar to the text, in quotes. Equally similar names keep their order.
fn nearest_names<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> String {
    let folded = text.to_lowercase();
    let mut ranked: Vec<_> = names.map(|name| (strsim::jaro_winkler(&folded, &name.to_lowercase()), name)).collect();
    ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let quoted: Vec<_> = ranked.iter().take(MAX_SUGGESTIONS).map(|(_, name)| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
