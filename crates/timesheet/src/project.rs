//! Projects, with their tasks and tags.

use serde::{Deserialize, Serialize};

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its unique code, such as `INTERNAL`.
    pub code: String,
    /// Its display name.
    pub name: String,
    /// Whether hours can be logged on it.
    pub is_active: bool,
    /// Its tasks, in display order.
    pub tasks: Vec<ProjectTask>,
    /// The tags that its entries can have, in display order.
    pub tags: Vec<ProjectTag>,
}

/// A task of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectTask {
    /// Its name, unique within the project.
    pub name: String,
    /// Whether hours can be logged on it.
    pub is_active: bool,
}

/// A tag that the entries of a project can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectTag {
    /// Its name, unique within the project.
    pub name: String,
    /// Whether the project requires it. Neither a rule here nor the API enforces it.
    pub is_required: bool,
    /// Whether entries can get it.
    pub is_active: bool,
    /// Its allowed values, in display order.
    pub allowed_values: Vec<String>,
}

impl Project {
    /// Returns the names of the tasks that accept hours.
    pub fn active_tasks(&self) -> impl Iterator<Item = &str> {
        self.tasks.iter().filter(|task| task.is_active).map(|task| task.name.as_str())
    }

    /// Returns the tags that entries can get.
    pub fn active_tags(&self) -> impl Iterator<Item = &ProjectTag> {
        self.tags.iter().filter(|tag| tag.is_active)
    }
}

/// A selection of projects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProjectFilter {
    /// Projects that accept hours.
    #[default]
    Active,
    /// All projects, including inactive ones.
    All,
}
