//! The state of a source's files, for `doctor` and the resource `health`.

use std::sync::Arc;

use chrono::NaiveDateTime;
use serde::Serialize;

use super::{Capability, Contents};

/// The state of a source's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceHealth {
    /// The version of the file's schema, such as `2.2.0.0`, if the file contains one.
    pub schema_version: Option<String>,
    /// `SQLite`'s journal mode of the file: `delete` or `wal`. `none` if the history isn't a database.
    pub journal_mode: String,
    /// The tables that this version of dayledger knows.
    pub tables: Vec<ManifestTable>,
    /// The missing kinds of data, with the consequences.
    pub missing: Vec<MissingData>,
    /// The local time after which the tracker recorded activities that the files don't contain. `None` if
    /// none are known to be missing.
    pub missing_from: Option<NaiveDateTime>,
    /// Advice for the user if the hourly totals of single days are missing. Not shown if the tracker
    /// never stores hourly totals.
    pub hourly_totals_remedy: &'static str,
    /// Data in the files that isn't read.
    pub unread: UnreadData,
    /// The contents of the files, from the same read.
    pub contents: Arc<Contents>,
}

/// A table that this version of dayledger knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManifestTable {
    /// Its name in the file.
    pub name: &'static str,
    /// How important it is.
    pub tier: Tier,
    /// Whether the file contains it with all needed columns.
    pub is_present: bool,
}

/// The importance of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Without it, requests fail.
    Core,
    /// Without it, some responses are degraded.
    Supplemental,
    /// Its presence is only reported.
    Informational,
}

/// Data that is missing, although most files of this tracker contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingData {
    /// The missing kind of data.
    pub capability: Capability,
    /// The consequence for the user.
    pub effect: &'static str,
    /// Advice for the user.
    pub remedy: &'static str,
}

/// Data in the files that isn't read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnreadData {
    /// The number of texts that are truncated.
    pub truncated_texts: i64,
    /// The maximum number of characters that are read: first of a name, then of any other text.
    pub max_lengths: [usize; 2],
    /// The number of hourly totals that are impossible for an hour.
    pub wrong_totals: i64,
}

/// Whether the time tracker runs on this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tracker {
    /// One of its processes is running.
    Running,
    /// None of its processes is running.
    NotRunning,
    /// The operating system doesn't list processes, or the source doesn't know the tracker's
    /// processes.
    Unknown,
}
