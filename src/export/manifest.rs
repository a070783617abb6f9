//! `manifest.json`: what a folder of an export holds.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::{Not, Range};
use std::path::Path;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::encode::FileFormat;
use super::error::Error;
use super::file::write_if_changed;
use super::month::Month;
use super::person::Person;
use crate::files::{self, read_up_to};
use crate::rows::Separator;
use crate::rules::RecordedRules;

/// The file's name in the folder. It changes whenever another file of the export does.
pub const MANIFEST: &str = "manifest.json";
/// How large a manifest may be: a thousand months of all tables need less, and it is read before any limit holds.
const MAX_BYTES: u64 = 16 << 20;
/// The version of layout and columns; one that a program does not know is not read.
const SCHEMA_VERSION: u32 = 1;

/// What a folder holds.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The version of layout and columns.
    pub schema_version: u32,
    /// The version of the program that wrote last.
    pub program: String,
    /// What the files are.
    pub format: FileFormat,
    /// The character between two values of CSV, if it is not a comma.
    pub separator: Option<Separator>,
    /// Whether window titles, notes, addresses and paths are in the files.
    pub includes_titles: bool,
    /// Whose history it is, where the exports of many lie side by side.
    pub person: Option<Person>,
    /// The history, as it was when it was read last; its first instant is the earliest that any export saw.
    pub source: SourceRange,
    /// The rules that the files were computed with; absent in an export of an older version.
    pub rules: Option<RecordedRules>,
    /// The tables by name, each with its files by month (`2025-01`).
    pub tables: BTreeMap<String, BTreeMap<String, MonthFile>>,
}

/// What the history held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceRange {
    /// The first local instant of any activity.
    pub first_local: Option<NaiveDateTime>,
    /// The last local instant of any activity.
    pub last_local: Option<NaiveDateTime>,
    /// The devices that recorded.
    pub devices: Vec<String>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MonthFile {
    /// Its path below the folder, with `/`.
    pub file: String,
    /// The first local instant of its range.
    pub start_local: NaiveDateTime,
    /// The end of its range, exclusive: what came after was not asked for, or had not happened yet.
    pub end_local: NaiveDateTime,
    /// How many rows it has.
    pub rows: usize,
    /// How many bytes it has.
    pub bytes: u64,
    /// When it was written last with other content than before.
    pub written_utc: DateTime<Utc>,
    /// Whether it was computed with other rules about work than the manifest has.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub has_other_rules: bool,
    /// Whether it was computed with other rules about calls than the manifest has.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub has_other_calls: bool,
}

impl MonthFile {
    /// Its local range.
    pub fn range(&self) -> Range<NaiveDateTime> {
        self.start_local..self.end_local
    }
}

impl Manifest {
    /// The manifest of a folder with nothing in it yet.
    pub(super) fn new(format: FileFormat, includes_titles: bool, person: Option<Person>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            format,
            separator: None,
            includes_titles,
            person,
            source: SourceRange::default(),
            rules: None,
            tables: BTreeMap::new(),
        }
    }

    /// Takes what is known of the history now. It began no later than any export saw, whatever was deleted since.
    pub(super) fn set_source(&mut self, source: SourceRange) {
        let first_local = self.source.first_local.into_iter().chain(source.first_local).min();
        self.source = SourceRange { first_local, ..source };
    }

    /// Sets the rules that files are computed with from now on, and marks the files that were computed with others. A changed
    /// pattern changes the checksum of the rules.
    pub(super) fn set_rules(&mut self, rules: RecordedRules) {
        let known = self.rules.as_ref();
        let other_rules = known.map(|known| &known.work) != Some(&rules.work);
        let other_calls = known.map(|known| &known.calls) != Some(&rules.calls);
        for file in self.tables.values_mut().flat_map(BTreeMap::values_mut) {
            file.has_other_rules |= other_rules;
            file.has_other_calls |= other_calls;
        }
        self.rules = Some(rules);
    }

    /// Whether files that `other` is for may lie beside those of this one.
    pub(super) fn is_compatible_with(&self, other: &Self) -> bool {
        (self.format, self.separator, self.includes_titles) == (other.format, other.separator, other.includes_titles)
            && self.person == other.person
    }

    /// Reads the manifest of the folder at `path`; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Unreadable`], [`Error::InTheWay`] for a link, and [`Error::Manifest`] for one of another version, of something
    /// else or with files of others.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Error> {
        let path = path.join(MANIFEST);
        let unread = |error| match error {
            files::Error::Refused(source) => Error::Unreadable(path.clone(), source),
            error => Error::from_file_error(&path, error),
        };
        let Some(text) = read_text(&path).map_err(unread)? else { return Ok(None) };
        let wrong = |reason: String| Error::Manifest(path.clone(), reason);
        let version: SchemaVersion = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if version.schema_version != SCHEMA_VERSION {
            return Err(wrong(format!("it has version {}, not {SCHEMA_VERSION}", version.schema_version)));
        }
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        match manifest.misplaced_file() {
            Some(file) => Err(wrong(format!("it lists `{file}`, which is not a file of an export"))),
            None => Ok(Some(manifest)),
        }
    }

    /// The file of a month, below the folder, with `/`.
    pub(super) fn file_path(&self, table: &str, month: Month, name: &str) -> String {
        format!("{table}/month={month}/{name}.{}", self.format.extension())
    }

    /// A file that is not where its table and month belong. Whoever wrote it there chose what else is read as a table.
    fn misplaced_file(&self) -> Option<&str> {
        let files = self.tables.iter().flat_map(|(table, files)| files.iter().map(move |entry| (table, entry)));
        let mut foreign = files.filter(|(table, (month, held))| {
            let own =
                month.parse().ok().filter(|_| is_plain_name(table)).map(|month| self.file_path(table, month, table));
            own.as_ref() != Some(&held.file)
        });
        foreign.next().map(|(_, (_, held))| held.file.as_str())
    }

    /// Replaces the manifest at `path`.
    pub(super) fn write(&self, path: &Path) -> Result<(), files::Error> {
        let written = write_if_changed(path, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        });
        written.map(drop)
    }

    /// The local ranges that those files of `table` that `holds` accepts hold together, in order; those that touch are one.
    /// A range that reaches back to the beginning of the history starts at [`NaiveDateTime::MIN`]: nothing came before it.
    pub fn ranges(&self, table: &str, holds: impl Fn(&MonthFile) -> bool) -> Vec<Range<NaiveDateTime>> {
        let mut ranges: Vec<Range<NaiveDateTime>> = Vec::new();
        let files = self.tables.get(table).into_iter().flat_map(BTreeMap::values);
        for range in files.filter(|file| holds(file)).map(MonthFile::range) {
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        if let (Some(first), Some(beginning)) = (ranges.first_mut(), self.source.first_local)
            && (first.start..first.end).contains(&beginning)
        {
            first.start = NaiveDateTime::MIN;
        }
        ranges
    }
}

/// Whether a table's name is a plain one, which leads nowhere else.
fn is_plain_name(table: &str) -> bool {
    !table.is_empty() && table.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// What a manifest says; `None` where there is none.
fn read_text(path: &Path) -> Result<Option<Vec<u8>>, files::Error> {
    let file = files::open(path)?;
    Ok(file.map(|file| read_up_to(file, MAX_BYTES)).transpose()?)
}

/// What every version of a manifest has.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SchemaVersion {
    schema_version: u32,
}
