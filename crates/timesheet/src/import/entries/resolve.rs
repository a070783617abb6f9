//! Assigns a project and a task to each imported entry.

use std::collections::BTreeSet;

use super::TrackedEntry;
use crate::draft::{Alias, ProjectNames, RowNote, Target};
use crate::import::refusal;
use crate::import::tags::{ONLY_TASK, projects_from_tags};
use crate::project::Project;
use crate::refusal::Refusal;

/// The maximum number of positions that the note about entries without a project lists.
const MAX_PLACES: usize = 5;

/// Imported entries with their projects and tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedEntries {
    /// The entries that have a project.
    pub entries: Vec<ResolvedEntry>,
    /// The projects to create, and existing projects that get a new task.
    pub projects: Vec<Project>,
    /// Messages to the user. Each is one sentence without a full stop.
    pub notes: Vec<String>,
}

/// An imported entry with its project and task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedEntry {
    /// The imported entry.
    pub entry: TrackedEntry,
    /// The project's code.
    pub project_code: String,
    /// The name of the task.
    pub task: String,
}

/// Finds the project and the task of each entry.
///
/// The client, project and task of an entry are interpreted like the levels of a tag, see
/// [`ProjectNames::resolve_tag`]. If an entry has none of these levels, its project is the first tag that matches a
/// project. If no tag matches and the entry has only one tag, this tag is the project. If an entry has only a project,
/// its task is the first tag that matches one of the project's tasks. Projects and tasks that don't exist are created,
/// see [`projects_from_tags`]. Entries without a project are left out, and a note lists them.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `file`, with the line, if the project or task of an entry can't be created or doesn't accept
/// hours.
pub fn resolve(entries: Vec<TrackedEntry>, known: &[Project], aliases: &[Alias]) -> Result<ResolvedEntries, Refusal> {
    let names = ProjectNames::new(known, aliases);
    let (mut found, mut without) = (Vec::new(), Vec::new());
    for entry in entries {
        match project_path(&entry, &names) {
            Some((path, tags)) => {
                let description = entry.description.or_else(|| (!tags.is_empty()).then(|| tags.join(", ")));
                found.push((TrackedEntry { description, ..entry }, path));
            }
            None => without.push(entry.place),
        }
    }
    let mut all = add_projects(known.to_vec(), found.iter().map(|(_, path)| path), aliases);
    // If a project has several tasks, an entry without a task gets the task `General`.
    {
        let names = ProjectNames::new(&all, aliases);
        for (_, path) in &mut found {
            if names.notes(&names.resolve_tag(path)).contains(&RowNote::NoTask) {
                path.push(ONLY_TASK.to_owned());
            }
        }
    }
    all = add_projects(all, found.iter().map(|(_, path)| path), aliases);
    let names = ProjectNames::new(&all, aliases);
    let resolved = found.into_iter().map(|(entry, path)| match names.resolve_tag(&path) {
        target if !names.notes(&target).is_empty() => Err(refuse_target(&entry, &target, &names)),
        Target { project, task } => Ok(ResolvedEntry { entry, project_code: project, task: task.unwrap_or_default() }),
    });
    let entries = resolved.collect::<Result<_, _>>()?;
    let projects = all.iter().filter(|project| !known.contains(project)).cloned().collect();
    Ok(ResolvedEntries { entries, projects, notes: note_without_project(&without).into_iter().collect() })
}

/// Returns the levels from which the project and task of an entry are found, and the remaining tags. Returns `None` if
/// the entry has no project.
fn project_path(entry: &TrackedEntry, names: &ProjectNames<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let (mut path, mut tags) = (entry.path.clone(), entry.tags.clone());
    if path.is_empty() {
        let known = tags.iter().position(|tag| names.find(tag).is_some());
        path.push(tags.remove(known.or((tags.len() == 1).then_some(0))?));
    }
    if let [project] = &path[..]
        && let Some((code, None)) = names.find(project)
        && let Some(place) = tags.iter().position(|tag| names.task(code, tag).is_some())
    {
        path.push(tags.remove(place));
    }
    Some((path, tags))
}

/// Returns the projects, after adding the projects and tasks that the paths need.
fn add_projects<'p>(
    projects: Vec<Project>,
    paths: impl Iterator<Item = &'p Vec<String>>,
    aliases: &[Alias],
) -> Vec<Project> {
    let paths: BTreeSet<_> = paths.cloned().collect();
    let added = projects_from_tags(&paths, &projects, aliases).projects;
    let others = projects.into_iter().filter(|project| added.iter().all(|added| added.code != project.code));
    let mut all: Vec<_> = others.collect();
    all.extend(added);
    all
}

fn refuse_target(entry: &TrackedEntry, target: &Target, names: &ProjectNames<'_>) -> Refusal {
    let project = &target.project;
    let why = match &target.task {
        _ if names.notes(target).contains(&RowNote::InactiveProject) => format!("project `{project}` accepts no hours"),
        _ if names.notes(target).contains(&RowNote::NoSuchProject) => format!("`{project}` can't be a project"),
        Some(task) => format!("task `{task}` of project `{project}` accepts no hours, or its name is too long"),
        None => format!("project `{project}` has no task"),
    };
    refusal(format_args!("{}: {why}", entry.place))
}

fn note_without_project(places: &[String]) -> Option<String> {
    let first = places.iter().take(MAX_PLACES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if places.len() > MAX_PLACES { ", …" } else { "" };
    match places.len() {
        0 => None,
        1 => Some(format!("1 entry without a project was left out: {first}")),
        count => Some(format!("{count} entries without a project were left out: {first}{more}")),
    }
}
