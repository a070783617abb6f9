//! Projects, with their tasks and tags.

use serde::{Deserialize, Serialize};

/// A project on which hours are logged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// The project's unique code, such as `INTERNAL`.
    pub code: String,
    /// The display name.
    pub name: String,
    /// Whether hours can be logged on the project.
    pub is_active: bool,
    /// The tasks, in display order.
    pub tasks: Vec<ProjectTask>,
    /// The tags that entries of the project can have, in display order.
    pub tags: Vec<ProjectTag>,
}

/// A task of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectTask {
    /// The task's name, unique within the project.
    pub name: String,
    /// Whether hours can be logged on the task.
    pub is_active: bool,
}

/// A tag that the entries of a project can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectTag {
    /// The tag's name, unique within the project.
    pub name: String,
    /// Whether the project requires the tag. Neither this program nor the API rejects an entry without it.
    pub is_required: bool,
    /// Whether the tag can be added to entries.
    pub is_active: bool,
    /// The allowed values, in display order.
    pub allowed_values: Vec<String>,
}

impl Project {
    /// Returns the names of the tasks on which hours can be logged.
    pub fn active_tasks(&self) -> impl Iterator<Item = &str> {
        self.tasks.iter().filter(|task| task.is_active).map(|task| task.name.as_str())
    }

    /// Returns the tags that can be added to entries.
    pub fn active_tags(&self) -> impl Iterator<Item = &ProjectTag> {
        self.tags.iter().filter(|tag| tag.is_active)
    }
}

/// Selects projects by whether hours can be logged on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProjectFilter {
    /// Only projects on which hours can be logged.
    #[default]
    Active,
    /// All projects, including inactive ones.
    All,
}
