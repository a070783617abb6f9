//! Entries as comma-separated values.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serializer;

use crate::entry::TimeEntry;
use crate::project::Project;
use crate::tag::Tag;

const COLUMNS: [&str; 16] = [
    "id",
    "start_date",
    "completion_date",
    "project_code",
    "project_name",
    "task",
    "issue_id",
    "standard_hours",
    "overtime_hours",
    "total_hours",
    "description",
    "tags",
    "status",
    "decline_comment",
    "created_at",
    "updated_at",
];
/// What makes a spreadsheet take the text of a cell for a formula, in any of its languages.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

pub(super) fn write(entries: &[TimeEntry], projects: &[Project], out: &mut dyn Write) -> io::Result<()> {
    let names: HashMap<_, _> = projects.iter().map(|project| (&*project.code, &*project.name)).collect();
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(COLUMNS)?;
    for entry in entries {
        let name = names.get(&*entry.project_code).copied().unwrap_or_default();
        rows.write_record(cells(entry, name)?.iter().map(|cell| cell.as_bytes()))?;
    }
    rows.flush()
}

/// What stands in the columns, in their order.
fn cells<'e>(entry: &'e TimeEntry, project: &'e str) -> io::Result<[Cow<'e, str>; 16]> {
    let optional = |text: &'e Option<String>| harmless(text.as_deref().unwrap_or_default());
    Ok([
        entry.id.to_string().into(),
        entry.start_date.to_string().into(),
        entry.completion_date.to_string().into(),
        harmless(&entry.project_code),
        harmless(project),
        harmless(&entry.task),
        optional(&entry.issue_id),
        entry.standard_hours.to_string().into(),
        entry.overtime_hours.to_string().into(),
        entry.total_hours().to_string().into(),
        optional(&entry.description),
        tags(&entry.tags)?.into(),
        entry.status.as_str().into(),
        optional(&entry.decline_comment),
        instant(entry.created_at).into(),
        instant(entry.updated_at).into(),
    ])
}

/// The text as it can stand in a cell. It is found again by taking one `'` away from what starts with one or more of them
/// and goes on like a formula. Control characters other than tabs and ends of lines become spaces: they are for the
/// terminals that show the file.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_unsafe = |character: char| character.is_control() && !matches!(character, '\t' | '\r' | '\n');
    let text = if text.contains(is_unsafe) { text.replace(is_unsafe, " ").into() } else { Cow::Borrowed(text) };
    if text.trim_start_matches('\'').starts_with(FORMULA) { format!("'{text}").into() } else { text }
}

/// An object of values by name; a name that has two values is there twice. Nothing where there are none.
fn tags(tags: &[Tag]) -> io::Result<String> {
    if tags.is_empty() {
        return Ok(String::new());
    }
    let mut json = Vec::new();
    serde_json::Serializer::new(&mut json).collect_map(tags.iter().map(|tag| (&tag.name, &tag.value)))?;
    String::from_utf8(json).map_err(io::Error::other)
}

fn instant(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}
