//! Projects as lines of comma-separated values: a line for each task and each value of a tag.

use csv::{ReaderBuilder, StringRecord, Trim};

use super::unread::refusal;
use crate::project::{Project, ProjectTag, ProjectTask};
use crate::refusal::Refusal;

const NEEDED: [&str; 3] = ["code", "name", "task"];
const POSSIBLE: [&str; 5] = ["code", "name", "task", "tag", "value"];

pub(super) fn read(text: &str) -> Result<Vec<Project>, Refusal> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(refusal)?.clone();
    if header.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(unknown) = header.iter().find(|column| !POSSIBLE.contains(column) && !column.contains(';')) {
        return Err(refusal(format_args!("its header has a column `{unknown}`: it can have {}", POSSIBLE.join(", "))));
    }
    if let Some(missing) = NEEDED.into_iter().find(|column| !header.iter().any(|known| known == *column)) {
        return Err(refusal(format_args!("the header lacks `{missing}`: it is `{}`, with commas", POSSIBLE.join(","))));
    }
    let mut projects: Vec<Project> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(refusal)?;
        let line = record.position().map_or(0, csv::Position::line);
        let wrong = |why: String| refusal(format_args!("line {line}: {why}"));
        if record.len() != header.len() {
            return Err(wrong(format!("it has {} fields and the header {}", record.len(), header.len())));
        }
        add(&mut projects, &header, &record).map_err(wrong)?;
    }
    projects
        .iter_mut()
        .filter(|project| project.name.is_empty())
        .for_each(|project| project.name.clone_from(&project.code));
    Ok(projects)
}

/// Adds what a line says to its project.
fn add(projects: &mut Vec<Project>, header: &StringRecord, record: &StringRecord) -> Result<(), String> {
    let of = |column: &str| header.iter().zip(record).find(|(name, _)| *name == column).map_or("", |(_, value)| value);
    let [code, name, task, tag, value] = POSSIBLE.map(of);
    if code.is_empty() {
        return Err("it has no code".to_owned());
    }
    if tag.is_empty() && !value.is_empty() {
        return Err("a value needs a tag".to_owned());
    }
    let place = projects.iter().position(|project| project.code == code).unwrap_or_else(|| {
        let (code, name) = (code.to_owned(), String::new());
        projects.push(Project { code, name, is_active: true, tasks: Vec::new(), tags: Vec::new() });
        projects.len() - 1
    });
    let project = &mut projects[place];
    if project.name.is_empty() {
        name.clone_into(&mut project.name);
    } else if !name.is_empty() && project.name != name {
        return Err(format!("`{code}` is named `{}` before, and `{name}` here", project.name));
    }
    if !task.is_empty() && !project.tasks.iter().any(|known| known.name == task) {
        project.tasks.push(ProjectTask { name: task.to_owned(), is_active: true });
    }
    if !tag.is_empty() {
        add_value(&mut project.tags, tag, value);
    }
    Ok(())
}

fn add_value(tags: &mut Vec<ProjectTag>, name: &str, value: &str) {
    let place = tags.iter().position(|tag| tag.name == name).unwrap_or_else(|| {
        let (name, allowed_values) = (name.to_owned(), Vec::new());
        tags.push(ProjectTag { name, is_required: false, is_active: true, allowed_values });
        tags.len() - 1
    });
    let values = &mut tags[place].allowed_values;
    if !value.is_empty() && !values.iter().any(|known| known == value) {
        values.push(value.to_owned());
    }
}
