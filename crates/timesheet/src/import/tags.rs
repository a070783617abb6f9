//! Projects created from the user's tags. The first level of a tag becomes the project, and the other levels the task.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::ImportedProjects;
use crate::draft::{Alias, ProjectNames, RowNote};
use crate::project::{Project, ProjectTask};
use crate::rules::MaxLength;

/// The name of the task that a project gets if its tags have only one level. Hours can only be logged on a task, so
/// every project needs a task.
pub(super) const ONLY_TASK: &str = "General";
/// The code of a project whose name contains neither letters nor digits.
const UNNAMED: &str = "PROJECT";

/// Returns the projects, ordered by code, that are needed to log the time of these tags. The result contains new
/// projects, and projects of `projects` to which a task was added. A tag is skipped if `projects` and `aliases` already
/// assign it to a task. A tag that is too long for the name of a project or task is skipped with a note.
pub fn projects_from_tags(tags: &BTreeSet<Vec<String>>, projects: &[Project], aliases: &[Alias]) -> ImportedProjects {
    let (mut all, mut changed, mut notes) = (projects.to_vec(), BTreeSet::new(), Vec::new());
    let mut tags: Vec<_> = tags.iter().collect();
    // Start with the longest tags. Otherwise a task created for the first levels of a tag would also match the longer
    // tag.
    tags.sort_by_key(|tag| Reverse(tag.len()));
    for tag in tags {
        let names = ProjectNames::new(&all, aliases);
        let target = names.resolve_tag(tag);
        let is_new = names.notes(&target).contains(&RowNote::NoSuchProject);
        let lacks_task = names.notes(&target).contains(&RowNote::NoSuchTask);
        if !is_new && !lacks_task {
            continue;
        }
        let is_short = |text: &str, most: MaxLength| !text.trim().is_empty() && text.chars().count() <= most.get();
        let task = target.task.as_deref();
        if !is_short(&target.project, MaxLength::PROJECT_NAME)
            || task.is_some_and(|task| !is_short(task, MaxLength::TASK))
        {
            notes.push(format!("skipped the tag `{}`, because its text is too long or empty", tag.join(", ")));
            continue;
        }
        let code = if is_new { unused_code(&target.project, &names) } else { target.project.clone() };
        if is_new {
            let (code, name) = (code.clone(), target.project.trim().to_owned());
            all.push(Project { code, name, is_active: true, tasks: Vec::new(), tags: Vec::new() });
        }
        let project = all.iter_mut().find(|project| project.code == code);
        for (project, name) in project.into_iter().zip(target.task) {
            if !project.tasks.iter().any(|task| task.name == name) {
                project.tasks.push(ProjectTask { name, is_active: true });
            }
        }
        changed.insert(code);
    }
    let mut projects: Vec<_> = all.into_iter().filter(|project| changed.contains(&project.code)).collect();
    for project in projects.iter_mut().filter(|project| project.tasks.is_empty()) {
        project.tasks.push(ProjectTask { name: ONLY_TASK.to_owned(), is_active: true });
    }
    projects.sort_by(|one, other| one.code.cmp(&other.code));
    ImportedProjects { projects, notes }
}

/// Creates a project code from a name: the first word in capitals, at most 10 characters.
pub fn project_code(name: &str) -> String {
    let capitals = name.to_uppercase();
    let word = capitals.split(|letter: char| !letter.is_alphanumeric()).find(|word| !word.is_empty());
    word.unwrap_or(UNNAMED).chars().take(MaxLength::PROJECT_CODE.get()).collect()
}

/// Creates a code from a name. A number is appended if the code is already the code, name or alias of a project.
fn unused_code(name: &str, names: &ProjectNames<'_>) -> String {
    let first = project_code(name);
    let mut number = 1;
    let mut code = first.clone();
    while names.find(&code).is_some() {
        number += 1;
        let suffix = number.to_string();
        code = first.chars().take(MaxLength::PROJECT_CODE.get() - suffix.len()).chain(suffix.chars()).collect();
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo;
    use crate::rules::check_projects;

    fn tags(tags: &[&[&str]]) -> BTreeSet<Vec<String>> {
        tags.iter().map(|tag| tag.iter().map(|level| (*level).to_owned()).collect()).collect()
    }

    /// Imports the tags, and formats the code, the name and the tasks of each project.
    fn import_tags(tags: &BTreeSet<Vec<String>>, projects: &[Project], aliases: &[Alias]) -> Vec<String> {
        let imported = projects_from_tags(tags, projects, aliases);
        check_projects(&imported.projects).unwrap();
        assert_eq!(imported.notes, [""; 0]);
        let tasks =
            |project: &Project| project.tasks.iter().map(|task| task.name.clone()).collect::<Vec<_>>().join("; ");
        imported
            .projects
            .iter()
            .map(|project| format!("{}: {}: {}", project.code, project.name, tasks(project)))
            .collect()
    }

    #[test]
    fn first_level_is_the_project_and_the_rest_the_task() {
        let tags = tags(&[
            &["Northwind Ltd", "Billing", "Code review"],
            &["Northwind Ltd", "Billing"],
            &["northwind ltd", "Portal"],
            &["Northwind Trust", "Audit"],
            &["Lindqvist & Partners"],
            &["\u{2014}", "Private"],
        ]);
        let expected = [
            "LINDQVIST: Lindqvist & Partners: General",
            "NORTHWIND: Northwind Ltd: Billing, Code review; Billing; Portal",
            "NORTHWIND2: Northwind Trust: Audit",
            "PROJECT: \u{2014}: Private",
        ];
        assert_eq!(import_tags(&tags, &[], &[]), expected);
        let projects = projects_from_tags(&tags, &[], &[]).projects;
        assert_eq!(import_tags(&tags, &projects, &[]), [""; 0], "a second import changes nothing");
        let names = ProjectNames::new(&projects, &[]);
        assert!(tags.iter().all(|tag| names.notes(&names.resolve_tag(tag)).is_empty()), "each tag can be logged");
    }

    #[test]
    fn existing_projects_only_get_missing_tasks() {
        let alias = Alias { name: "Acme".to_owned(), project: "CLIENT-A".to_owned(), task: None };
        let tags = tags(&[&["Acme", "Support"], &["Acme", "Workshop"], &["Ada", "INTERNAL", "Testing"], &["MAINT"]]);
        let mut client = demo::projects().remove(1);
        client.tasks.push(ProjectTask { name: "Workshop".to_owned(), is_active: true });
        let imported = projects_from_tags(&tags, &demo::projects(), &[alias]);
        assert_eq!(imported.projects, [client]);
    }

    #[test]
    fn tag_that_is_too_long_is_skipped_with_a_note() {
        let imported = projects_from_tags(&tags(&[&["Acme", &"x".repeat(101)]]), &[], &[]);
        assert_eq!((imported.projects.len(), imported.notes.len()), (0, 1));
    }
}
