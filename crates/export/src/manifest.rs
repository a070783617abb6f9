//! `manifest.json`: the content and options of an export.

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
use dayledger_core::files::{self, read_up_to};
use dayledger_core::local_days::{DayStart, LocalDays};
use dayledger_rows::Separator;
use dayledger_rules::RecordedRules;
use dayledger_source::{Privacy, PrivacySummary, Redaction};

/// The name of the manifest. The manifest changes whenever another file of the export changes.
pub const MANIFEST: &str = "manifest.json";
/// The maximum size of a manifest in bytes. The manifest of a thousand months with all tables is smaller.
const MAX_BYTES: u64 = 16 << 20;
/// The version of the layout and the columns. Manifests of other versions are rejected.
const SCHEMA_VERSION: u32 = 2;

/// The content and options of an export.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The version of the layout and the columns.
    pub schema_version: u32,
    /// The version of dayledger that last wrote to the export.
    pub program: String,
    /// The format of the files.
    pub format: FileFormat,
    /// The separator of CSV, if it isn't a comma.
    pub separator: Option<Separator>,
    /// The start of the days of the tables. It is only written if it isn't midnight.
    #[serde(default, skip_serializing_if = "DayStart::is_midnight")]
    pub day_start: DayStart,
    /// Whether the files contain window titles, notes, URLs and paths.
    pub includes_titles: bool,
    /// The privacy settings of the history. `None` if nothing is hidden and `includes_titles` decides the redactions.
    /// In this case, an export with titles redacts no texts, and an export without titles redacts all texts.
    pub privacy: Option<PrivacySummary>,
    /// The person whose history was exported, if the export is for a team.
    pub person: Option<Person>,
    /// The bounds and devices of the history at the last export. `first_local` is the earliest time of all exports to
    /// the folder.
    pub source: SourceRange,
    /// The rules that the files were computed with. Exports by older versions don't contain rules.
    pub rules: Option<RecordedRules>,
    /// The tables by name, each with its files by month (`2025-01`).
    pub tables: BTreeMap<String, BTreeMap<String, MonthFile>>,
}

/// The bounds and devices of the exported history.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceRange {
    /// The first local time of any activity.
    pub first_local: Option<NaiveDateTime>,
    /// The last local time of any activity, but at most the time of the export.
    pub last_local: Option<NaiveDateTime>,
    /// The names of the recorded devices.
    pub devices: Vec<String>,
    /// The time zone of local times at the last export. Absent if the tracker records local times itself.
    pub time_zone: Option<String>,
}

/// A file of one month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MonthFile {
    /// The path of the file, relative to the folder, with `/`.
    pub file: String,
    /// The local start of the range that the file covers.
    pub start_local: NaiveDateTime,
    /// The exclusive local end of the range that the file covers. Time after this end wasn't requested, or was in the
    /// future when the file was exported.
    pub end_local: NaiveDateTime,
    /// The number of rows.
    pub rows: usize,
    /// The size in bytes.
    pub bytes: u64,
    /// When the content of the file last changed.
    pub written_utc: DateTime<Utc>,
    /// Whether the file was computed with rules about work that differ from the rules in the manifest.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub has_other_rules: bool,
    /// Whether the file was computed with rules about calls that differ from the rules in the manifest.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub has_other_calls: bool,
}

impl MonthFile {
    /// Returns the local range that the file covers.
    pub fn range(&self) -> Range<NaiveDateTime> {
        self.start_local..self.end_local
    }
}

impl Manifest {
    /// Creates the manifest of an empty export. `privacy` contains the privacy settings of the exported history.
    pub(super) fn new(format: FileFormat, privacy: &Privacy, person: Option<Person>) -> Self {
        let mut manifest = Self {
            schema_version: SCHEMA_VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            format,
            separator: None,
            day_start: LocalDays::current().day_start,
            includes_titles: privacy.is_empty(),
            privacy: None,
            person,
            source: SourceRange::default(),
            rules: None,
            tables: BTreeMap::new(),
        };
        manifest.privacy = Some(privacy.summary()).filter(|privacy| *privacy != manifest.privacy());
        manifest
    }

    /// Returns the privacy settings of the exported history.
    pub fn privacy(&self) -> PrivacySummary {
        let implied = || {
            let kinds: &[Redaction] = if self.includes_titles { &[] } else { &Redaction::ALL };
            Privacy::new(kinds.iter().copied(), [], []).summary()
        };
        self.privacy.clone().unwrap_or_else(implied)
    }

    /// Updates the bounds of the history. Keeps the earliest start of all exports, even if the beginning of the history
    /// has been deleted.
    pub(super) fn set_source(&mut self, source: SourceRange) {
        let first_local = self.source.first_local.into_iter().chain(source.first_local).min();
        self.source = SourceRange { first_local, ..source };
    }

    /// Sets the rules for files that are exported from now on. Marks all existing files that were computed with other
    /// rules. Rules are compared by a checksum of their patterns.
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

    /// Returns whether files with the options of `other` can be added to this export.
    pub(super) fn is_compatible_with(&self, other: &Self) -> bool {
        (self.format, self.separator, self.includes_titles) == (other.format, other.separator, other.includes_titles)
            && (&self.privacy, &self.person, self.day_start) == (&other.privacy, &other.person, other.day_start)
    }

    /// Reads the manifest of the folder at `path`. Returns `None` if the folder has no manifest.
    ///
    /// # Errors
    /// Fails with [`Error::Unreadable`] if the operating system refuses to read the manifest. Fails with
    /// [`Error::InTheWay`] if the manifest is a link. Fails with [`Error::Manifest`] if the manifest has another
    /// version, is invalid, or lists files that don't belong to an export.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Error> {
        let path = path.join(MANIFEST);
        let unread = |error| match error {
            files::Error::Refused(source) => Error::Unreadable(path.clone(), source),
            error => Error::from_file_error(&path, error),
        };
        let Some(text) = read_text(&path).map_err(unread)? else { return Ok(None) };
        let wrong = |reason: String| Error::Manifest(path.clone(), reason);
        // The version is checked first. A manifest of another version can have other fields, and the error about these
        // fields would be confusing.
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

    /// Returns the path of a month's file, relative to the folder, with `/`.
    pub(super) fn file_path(&self, table: &str, month: Month, name: &str) -> String {
        format!("{table}/month={month}/{name}.{}", self.format.extension())
    }

    /// Returns a file whose path doesn't match its table and month. Without this check, an edited manifest could make
    /// dayledger read any other file as a table.
    fn misplaced_file(&self) -> Option<&str> {
        let files = self.tables.iter().flat_map(|(table, files)| files.iter().map(move |entry| (table, entry)));
        let mut foreign = files.filter(|(table, (month, held))| {
            let own =
                month.parse().ok().filter(|_| is_plain_name(table)).map(|month| self.file_path(table, month, table));
            own.as_ref() != Some(&held.file)
        });
        foreign.next().map(|(_, (_, held))| held.file.as_str())
    }

    /// Replaces the manifest at `path`, if it changed.
    pub(super) fn write(&self, path: &Path) -> Result<(), files::Error> {
        let written = write_if_changed(path, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        });
        written.map(drop)
    }

    /// Returns the local ranges that the files of `table` cover, in order. Only files that `holds` accepts are
    /// included. Adjacent ranges are merged. If a range includes the start of the history, the range starts at
    /// [`NaiveDateTime::MIN`], because the history doesn't contain earlier time.
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

/// Returns whether a table's name is plain, so that a path with this name can't lead out of the folder.
fn is_plain_name(table: &str) -> bool {
    !table.is_empty() && table.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Reads the bytes of a manifest. Returns `None` if the file doesn't exist.
fn read_text(path: &Path) -> Result<Option<Vec<u8>>, files::Error> {
    let file = files::open(path)?;
    Ok(file.map(|file| read_up_to(file, MAX_BYTES)).transpose()?)
}

/// The field that manifests of all versions have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SchemaVersion {
    schema_version: u32,
}
