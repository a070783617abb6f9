//! Conversion of the words in tags and rules to project codes and task names of the timesheet.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::project::Project;

/// Finds projects by code, name or alias.
#[derive(Debug)]
pub struct ProjectNames<'p> {
    projects: HashMap<&'p str, &'p Project>,
    /// Maps lower-case codes and names to project codes. If two projects have the same name, the first one is stored.
    codes: HashMap<String, &'p str>,
    aliases: HashMap<String, &'p Alias>,
}

/// The user's own word for a project or a task, from the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The word. Case is ignored. For a tag with several levels, the word is the whole tag (`Client A, Development`) or
    /// one of its levels.
    pub name: String,
    /// The code of the project that the word means.
    pub project: String,
    /// The task, if the word means a task of the project.
    pub task: Option<String>,
}

/// The project and task that a row is logged on.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The project's code. If no project matches, the code is the word in the tag or rule.
    pub project: String,
    /// The name of the task, if known. The name may be a word that matches no task.
    pub task: Option<String>,
}

/// A reason why a row can't be logged yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RowNote {
    /// No project has this code, name or alias.
    NoSuchProject,
    /// The project doesn't accept hours.
    InactiveProject,
    /// The project doesn't have this task, or the task is no longer active.
    NoSuchTask,
    /// The row has no task.
    NoTask,
    /// The user has to confirm that the time was work. Totals don't include this time.
    Unconfirmed,
}

impl<'p> ProjectNames<'p> {
    /// Creates the lookup tables for these projects and aliases.
    ///
    /// A word is compared with these texts, in this order: the codes in their exact case, the codes ignoring case,
    /// project names, and aliases. Names and aliases ignore case. If two projects have the same name, the project with
    /// the alphabetically first code is used.
    pub fn new(projects: &'p [Project], aliases: &'p [Alias]) -> Self {
        let mut sorted: Vec<_> = projects.iter().collect();
        sorted.sort_by(|one, other| one.code.cmp(&other.code));
        let mut codes = HashMap::new();
        let by_code = sorted.iter().map(|project| (&project.code, &project.code));
        for (name, code) in by_code.chain(sorted.iter().map(|project| (&project.name, &project.code))) {
            codes.entry(fold(name)).or_insert(code.as_str());
        }
        let projects = sorted.into_iter().map(|project| (project.code.as_str(), project)).collect();
        let mut by_name = HashMap::new();
        for alias in aliases {
            by_name.entry(fold(&alias.name)).or_insert(alias);
        }
        Self { projects, codes, aliases: by_name }
    }

    /// Returns the target for the project and the task that a rule sets.
    pub fn resolve_rule(&self, project: &str, task: Option<&str>) -> Target {
        match self.find(project) {
            Some((code, its_task)) => self.target(code, task.or(its_task)),
            None => self.target(project, task),
        }
    }

    /// Returns the target for a tag. If an alias matches the whole tag, the alias is used. Otherwise the first level
    /// that matches a project gives the project, and the levels after it give the task. If these levels joined together
    /// match a task, this task is used. Otherwise the first of these levels that matches a task is used. If none of
    /// them matches a task, the joined levels are used as the task. If no level matches a project, the first level is
    /// used as the project and the other levels as the task.
    pub fn resolve_tag(&self, parts: &[String]) -> Target {
        if let Some((code, task)) = self.find(&parts.join(", ")) {
            return self.target(code, task);
        }
        for (place, part) in parts.iter().enumerate() {
            if let Some((code, its_task)) = self.find(part) {
                let rest = join_levels(&parts[place + 1..]);
                let words = rest.iter().chain(&parts[place + 1..]);
                let task = words.map(String::as_str).find(|word| self.task(code, word).is_some());
                return self.target(code, task.or(rest.as_deref()).or(its_task));
            }
        }
        match parts {
            [] => Target::default(),
            [client, rest @ ..] => self.target(client, join_levels(rest).as_deref()),
        }
    }

    /// Whether a project with the target's code exists.
    pub(super) fn is_known(&self, target: &Target) -> bool {
        self.projects.contains_key(target.project.as_str())
    }

    /// Returns the reasons why hours can't be logged on this target yet.
    pub fn notes(&self, target: &Target) -> Vec<RowNote> {
        let Some(project) = self.projects.get(target.project.as_str()) else {
            return vec![RowNote::NoSuchProject];
        };
        let task = match &target.task {
            None => Some(RowNote::NoTask),
            Some(task) => (!project.active_tasks().any(|active| active == task)).then_some(RowNote::NoSuchTask),
        };
        let inactive = (!project.is_active).then_some(RowNote::InactiveProject);
        inactive.into_iter().chain(task).collect()
    }

    /// Returns the project code for a code, name or alias, and the task if the alias sets a task.
    pub fn find(&self, word: &str) -> Option<(&'p str, Option<&'p str>)> {
        if let Some((code, _)) = self.projects.get_key_value(word) {
            return Some((code, None));
        }
        let folded = fold(word);
        let code = self.codes.get(&folded).map(|code| (*code, None));
        code.or_else(|| self.aliases.get(&folded).map(|alias| (alias.project.as_str(), alias.task.as_deref())))
    }

    /// Returns the active task with this name in the project. An exact match is preferred to a match that ignores case.
    pub(crate) fn task(&self, code: &str, word: &str) -> Option<&'p str> {
        let project = self.projects.get(code)?;
        let exact = project.active_tasks().find(|task| *task == word);
        exact.or_else(|| project.active_tasks().find(|task| fold(task) == fold(word)))
    }

    /// Creates a target. If `task` is `None` and the project has only one active task, this task is used.
    fn target(&self, code: &str, task: Option<&str>) -> Target {
        let only = || {
            let mut tasks = self.projects.get(code)?.active_tasks();
            tasks.next().filter(|_| tasks.next().is_none())
        };
        let task = task.map_or_else(only, |word| Some(self.task(code, word).unwrap_or(word)));
        Target { project: code.to_owned(), task: task.map(str::to_owned) }
    }
}

/// Joins the levels of a tag, such as `Billing, Code review`. Returns `None` if there are no levels.
fn join_levels(levels: &[String]) -> Option<String> {
    (!levels.is_empty()).then(|| levels.join(", "))
}

/// Trims a word and converts it to lower case.
fn fold(word: &str) -> String {
    word.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo;

    fn target(project: &str, task: Option<&str>) -> Target {
        Target { project: project.to_owned(), task: task.map(str::to_owned) }
    }

    fn alias(name: &str, project: &str, task: Option<&str>) -> Alias {
        Alias { name: name.to_owned(), project: project.to_owned(), task: task.map(str::to_owned) }
    }

    #[test]
    fn a_word_is_a_code_a_name_or_an_alias() {
        let projects = demo::projects();
        let aliases = [alias("Acme", "CLIENT-A", None), alias("on call", "MAINT", Some("Monitoring"))];
        let names = ProjectNames::new(&projects, &aliases);
        for (project, task, expected) in [
            ("INTERNAL", Some("testing"), target("INTERNAL", Some("Testing"))),
            ("internal", Some("DevOps"), target("INTERNAL", Some("DevOps"))),
            (" client a project ", None, target("CLIENT-A", None)),
            ("ACME", Some("support"), target("CLIENT-A", Some("Support"))),
            ("On Call", None, target("MAINT", Some("Monitoring"))),
            ("On Call", Some("Bug Fixing"), target("MAINT", Some("Bug Fixing"))),
            ("Moonshot", Some("Rocket"), target("Moonshot", Some("Rocket"))),
            ("INTERNAL", Some("Lunch"), target("INTERNAL", Some("Lunch"))),
        ] {
            assert_eq!(names.resolve_rule(project, task), expected);
        }
    }

    #[test]
    fn any_part_of_a_tag_can_match_a_project() {
        let projects = demo::projects();
        let aliases = [alias("Acme, Care", "CLIENT-A", Some("Support")), alias("Acme", "CLIENT-A", None)];
        let names = ProjectNames::new(&projects, &aliases);
        for (parts, expected) in [
            (&["Acme", "Care"][..], target("CLIENT-A", Some("Support"))),
            (&["Acme", "Web", "code review"], target("CLIENT-A", Some("Code Review"))),
            (&["Globex", "internal", "Testing"], target("INTERNAL", Some("Testing"))),
            (&["Acme", "Web"], target("CLIENT-A", Some("Web"))),
            (&["Acme", "Web", "Design"], target("CLIENT-A", Some("Web, Design"))),
            (&["Globex", "Moonshot", "Rocket"], target("Globex", Some("Moonshot, Rocket"))),
            (&["Moonshot"], target("Moonshot", None)),
        ] {
            let parts: Vec<_> = parts.iter().map(|part| (*part).to_owned()).collect();
            assert_eq!(names.resolve_tag(&parts), expected, "{parts:?}");
        }
    }

    #[test]
    fn levels_below_the_project_are_one_task_if_such_a_task_exists() {
        let mut projects = demo::projects();
        projects[1].tasks[0].name = "Web, Support".to_owned();
        let names = ProjectNames::new(&projects, &[]);
        let parts = ["client-a", "web", "Support"].map(str::to_owned);
        assert_eq!(names.resolve_tag(&parts), target("CLIENT-A", Some("Web, Support")));
        assert_eq!(names.resolve_tag(&parts[..2]), target("CLIENT-A", Some("web")));
    }

    #[test]
    fn notes_explain_why_a_row_cannot_be_logged() {
        let mut projects = demo::projects();
        projects[2].is_active = false;
        projects[1].tasks.truncate(1);
        let names = ProjectNames::new(&projects, &[]);
        assert_eq!(
            names.resolve_rule("client-a", None),
            target("CLIENT-A", Some("Feature Development")),
            "the project's only task"
        );
        for (project, task, notes) in [
            ("INTERNAL", Some("Testing"), vec![]),
            ("INTERNAL", None, vec![RowNote::NoTask]),
            ("INTERNAL", Some("Lunch"), vec![RowNote::NoSuchTask]),
            ("Moonshot", None, vec![RowNote::NoSuchProject]),
            ("MAINT", Some("Monitoring"), vec![RowNote::InactiveProject]),
        ] {
            assert_eq!(names.notes(&target(project, task)), notes, "{project}");
        }
    }
}
