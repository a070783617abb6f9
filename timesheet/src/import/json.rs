//! Projects as the tools give them.

use serde::Deserialize;

use super::refusal;
use crate::project::{Project, ProjectTag, ProjectTask};
use crate::refusal::Refusal;

/// What a file may be.
#[derive(Deserialize)]
struct Answer {
    projects: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    code: String,
    name: Option<String>,
    #[serde(default = "yes")]
    is_active: bool,
    #[serde(default)]
    tasks: Vec<String>,
    #[serde(default)]
    tags: Vec<WrittenTag>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenTag {
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
        serde_json::from_str(text).map(|answer: Answer| answer.projects)
    };
    Ok(written.map_err(refusal)?.into_iter().map(Project::from).collect())
}

impl From<Written> for Project {
    fn from(Written { code, name, is_active, tasks, tags }: Written) -> Self {
        let tags = tags.into_iter().map(|WrittenTag { name, is_required, allowed_values }| ProjectTag {
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
