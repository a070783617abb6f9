//! `manifest.json`: what a folder of an export holds.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

use super::encode::FileFormat;
use super::error::Error;
use super::file::write_whole;
use super::folder::Folder;
use crate::files::{self, Place};

/// The file's name in the folder.
pub(super) const MANIFEST: &str = "manifest.json";
/// The version of layout and columns; one that a program does not know is not read.
const SCHEMA_VERSION: u32 = 1;

/// What a folder holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The version of layout and columns.
    pub schema_version: u32,
    /// The version of the program that wrote last.
    pub program: String,
    /// What the files are.
    pub format: FileFormat,
    /// Whether window titles, notes, addresses and paths are in the files.
    pub includes_titles: bool,
    /// The history, as it was when it was read last.
    pub source: SourceRange,
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
    /// When it was written.
    pub written_utc: DateTime<Utc>,
}

impl MonthFile {
    /// Its local range.
    pub fn range(&self) -> Range<NaiveDateTime> {
        self.start_local..self.end_local
    }
}

impl Manifest {
    /// The manifest of a folder with nothing in it yet.
    pub(super) fn new(format: FileFormat, includes_titles: bool) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            format,
            includes_titles,
            source: SourceRange::default(),
            tables: BTreeMap::new(),
        }
    }

    /// Reads the manifest of `folder`; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Refused`], and [`Error::Manifest`] for one of another version or of something else.
    pub fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join(MANIFEST);
        let Some(text) = text(&path).map_err(|error| Error::of(&path, error))? else { return Ok(None) };
        let wrong = |reason: String| Error::Manifest { path: path.clone(), reason };
        let version: SchemaVersion = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if version.schema_version != SCHEMA_VERSION {
            return Err(wrong(format!("it has version {}, not {SCHEMA_VERSION}", version.schema_version)));
        }
        serde_json::from_slice(&text).map(Some).map_err(|error| wrong(error.to_string()))
    }

    /// Replaces the manifest of `folder`.
    pub(super) fn write(&self, folder: &Folder) -> Result<(), Error> {
        let written = write_whole(&folder.place(MANIFEST)?, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        });
        written.map(|_| ()).map_err(|error| Error::of(&folder.path(MANIFEST), error))
    }

    /// The local ranges that the files of `table` hold together, in order; those that touch are one.
    pub fn ranges(&self, table: &str) -> Vec<Range<NaiveDateTime>> {
        let mut ranges: Vec<Range<NaiveDateTime>> = Vec::new();
        for range in self.tables.get(table).into_iter().flat_map(BTreeMap::values).map(MonthFile::range) {
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        ranges
    }
}

/// What a manifest says; `None` where there is none.
fn text(path: &Path) -> Result<Option<Vec<u8>>, files::Error> {
    if fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(None);
    }
    let Some(mut file) = Place::at(path)?.open()? else { return Ok(None) };
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok(Some(text))
}

/// What every version of a manifest has.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SchemaVersion {
    schema_version: u32,
}
