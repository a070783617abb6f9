//! The CSV format for projects: one line for each task and for each value of a tag.

use csv::{ReaderBuilder, StringRecord, Trim};

use super::refusal;
use crate::project::{Project, ProjectTag, ProjectTask};
use crate::refusal::Refusal;

const REQUIRED_COLUMNS: [&str; 3] = ["code", "name", "task"];
const KNOWN_COLUMNS: [&str; 5] = ["code", "name", "task", "tag", "value"];
/// The separators that spreadsheets write. The country setting determines which one is used.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Returns the projects, and notes about ignored columns.
pub(super) fn read(text: &str) -> Result<(Vec<Project>, Vec<String>), Refusal> {
    let Layout { table, separator, lines_before } = Layout::detect(text, &KNOWN_COLUMNS);
    let mut reader = reader(table, separator);
    let header = names(reader.headers().map_err(refusal)?);
    if header.iter().all(String::is_empty) {
        return Ok(<_>::default());
    }
    if let Some(missing) = REQUIRED_COLUMNS.into_iter().find(|column| !header.iter().any(|known| known == *column)) {
        let needed = REQUIRED_COLUMNS.join(", ");
        return Err(refusal(format_args!("its header lacks the column `{missing}`, and needs {needed}")));
    }
    let mut projects: Vec<Project> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(refusal)?;
        let line = lines_before + record.position().map_or(0, csv::Position::line);
        let wrong = |why: String| refusal(format_args!("line {line}: {why}"));
        // Spreadsheets write rows that consist only of separators, and omit separators at the end of a row.
        if record.iter().all(str::is_empty) {
            continue;
        }
        if record.len() > header.len() {
            return Err(wrong(format!("it has {} fields, but the header has {}", record.len(), header.len())));
        }
        add(&mut projects, &header, &record).map_err(wrong)?;
    }
    projects
        .iter_mut()
        .filter(|project| project.name.is_empty())
        .for_each(|project| project.name.clone_from(&project.code));
    let ignored = header.iter().filter(|column| !column.is_empty() && !KNOWN_COLUMNS.contains(&column.as_str()));
    let notes = ignored.map(|column| format!("ignored the column `{column}`")).collect();
    Ok((projects, notes))
}

/// The layout of a CSV file.
pub(super) struct Layout<'t> {
    /// The text, starting with the header.
    pub(super) table: &'t str,
    pub(super) separator: u8,
    pub(super) lines_before: u64,
}

impl<'t> Layout<'t> {
    /// Detects the separator. A first line such as `sep=;`, as Excel writes it, sets the separator. Otherwise the
    /// separator is the one with which the header has the most known columns.
    pub(super) fn detect(text: &'t str, known: &[&str]) -> Self {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] = *first.trim_end_matches('\r').as_bytes()
            && SEPARATORS.contains(&separator)
        {
            return Self { table: rest, separator, lines_before: 1 };
        }
        let found = |separator: &u8| {
            let header = reader(text, *separator).headers().map(names).unwrap_or_default();
            known.iter().filter(|column| header.iter().any(|name| name == *column)).count()
        };
        // If several separators find the same number of columns, `max_by_key` takes the last one. After `rev`, this is
        // the first one of `SEPARATORS`.
        let separator = SEPARATORS.into_iter().rev().max_by_key(found).unwrap_or(b',');
        Self { table: text, separator, lines_before: 0 }
    }
}

pub(super) fn reader(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new().trim(Trim::All).flexible(true).delimiter(separator).from_reader(text.as_bytes())
}

/// Returns the names of the columns in lower case.
pub(super) fn names(header: &StringRecord) -> Vec<String> {
    header.iter().map(str::to_lowercase).collect()
}

/// Adds the values of a line to its project.
fn add(projects: &mut Vec<Project>, header: &[String], record: &StringRecord) -> Result<(), String> {
    let of = |column: &str| header.iter().zip(record).find(|(name, _)| *name == column).map_or("", |(_, value)| value);
    let [code, name, task, tag, value] = KNOWN_COLUMNS.map(of);
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
        return Err(format!("`{code}` has the name `{}` before, but `{name}` here", project.name));
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
