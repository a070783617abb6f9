//! The JSON format of the tools.

use serde::Deserialize;

use super::refusal;
use crate::project::{Project, ProjectTag, ProjectTask};
use crate::refusal::Refusal;

/// The contents of a file.
#[derive(Deserialize)]
struct ProjectsFile {
    projects: Vec<ProjectJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProjectJson {
    code: String,
    name: Option<String>,
    #[serde(default = "yes")]
    is_active: bool,
    #[serde(default)]
    tasks: Vec<String>,
    #[serde(default)]
    tags: Vec<TagJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TagJson {
    name: String,
    #[serde(default)]
    is_required: bool,
    #[serde(default)]
    allowed_values: Vec<String>,
}

const fn yes() -> bool {
    true
}

pub(super) fn read(text: &str) -> Result<Vec<Project>, Refusal> {
    let written = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
    } else {
        serde_json::from_str(text).map(|answer: ProjectsFile| answer.projects)
    };
    Ok(written.map_err(refusal)?.into_iter().map(Project::from).collect())
}

impl From<ProjectJson> for Project {
    fn from(ProjectJson { code, name, is_active, tasks, tags }: ProjectJson) -> Self {
        let tags = tags.into_iter().map(|TagJson { name, is_required, allowed_values }| ProjectTag {
            name,
            is_required,
            is_active: true,
            allowed_values,
        });
        Self {
            name: name.unwrap_or_else(|| code.clone()),
            code,
            is_active,
            tasks: tasks.into_iter().map(|name| ProjectTask { name, is_active: true }).collect(),
            tags: tags.collect(),
        }
    }
}
