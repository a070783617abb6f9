//! The refusal of a call that omits the project or the task when its session doesn't have a previous one.

use crate::project::Project;
use crate::refusal::Refusal;

/// The part of the target that neither the call nor the session provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingTarget {
    /// The project.
    Project,
    /// The task of this project.
    Task {
        /// The project's code.
        project_code: String,
    },
}

impl MissingTarget {
    /// Returns the refusal of the call, with the allowed values. `projects` are those that accept hours.
    pub fn to_refusal(&self, projects: &[Project]) -> Refusal {
        match self {
            Self::Project => {
                let message = "ProjectCode is required: nothing was logged in this session yet";
                Refusal::invalid("projectCode", message).with_allowed(projects.iter().map(|project| &*project.code))
            }
            Self::Task { project_code } => {
                let project = projects.iter().find(|project| project.code == *project_code);
                let tasks = project.into_iter().flat_map(Project::active_tasks);
                let message = format_args!("Task is required: nothing was logged on project '{project_code}' last");
                Refusal::invalid("task", message).with_allowed(tasks)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo;

    #[test]
    fn error_lists_the_projects_and_tasks_to_choose_from() {
        let refusal = MissingTarget::Project.to_refusal(&demo::projects());
        assert_eq!((refusal.field.as_deref(), refusal.allowed_values.len()), (Some("projectCode"), 3));
        let refusal = MissingTarget::Task { project_code: "MAINT".to_owned() }.to_refusal(&demo::projects());
        assert_eq!(refusal.field.as_deref(), Some("task"));
        let tasks = ["Bug Fixing", "Security Patches", "Performance Optimization", "Monitoring"];
        assert_eq!(refusal.allowed_values, tasks);
    }
}
