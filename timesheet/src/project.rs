//! What hours are logged on: projects with their tasks and tags.

use serde::{Deserialize, Serialize};

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// What it is known by, such as `INTERNAL`.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// Whether hours can be logged on it.
    pub is_active: bool,
    /// Its tasks, in the order in which they are shown.
    pub tasks: Vec<ProjectTask>,
    /// The tags that its entries can have, in the order in which they are shown.
    pub tags: Vec<ProjectTag>,
}

/// A part of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectTask {
    /// What it is known by within the project.
    pub name: String,
    /// Whether hours can be logged on it.
    pub is_active: bool,
}

/// A tag that the entries of a project can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectTag {
    /// What it is known by within the project.
    pub name: String,
    /// Whether the project asks for it. No rule enforces that, at the API either.
    pub is_required: bool,
    /// Whether entries can get it.
    pub is_active: bool,
    /// Its values, in the order in which they are shown.
    pub allowed_values: Vec<String>,
}

impl Project {
    /// The names of the tasks that hours can be logged on.
    pub fn active_tasks(&self) -> impl Iterator<Item = &str> {
        self.tasks.iter().filter(|task| task.is_active).map(|task| task.name.as_str())
    }

    /// The tags that entries can get.
    pub fn active_tags(&self) -> impl Iterator<Item = &ProjectTag> {
        self.tags.iter().filter(|tag| tag.is_active)
    }
}

/// Which projects are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProjectFilter {
    /// Those that hours can be logged on.
    #[default]
    Active,
    /// Also those of former times.
    All,
}
