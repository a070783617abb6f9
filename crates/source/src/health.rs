//! The state of a source's files, for `doctor` and the resource `health`.

use std::sync::Arc;

use chrono::NaiveDateTime;
use serde::Serialize;

use super::{Capability, Contents};

/// The state of a source's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceHealth {
    /// The version of the file's schema, such as `2.2.0.0`. `None` if the file doesn't contain a version.
    pub schema_version: Option<String>,
    /// `SQLite`'s journal mode of the file: `delete` or `wal`. Contains `none` if the history isn't a database.
    pub journal_mode: String,
    /// The tables that this version of dayledger knows.
    pub tables: Vec<ManifestTable>,
    /// The missing kinds of data, each with the consequence for the user.
    pub missing: Vec<MissingData>,
    /// From this local time on, the tracker recorded activities that the files don't contain. `None` if no activities
    /// are known to be missing.
    pub missing_from: Option<NaiveDateTime>,
    /// Advice for the user if the hourly totals of some days are missing. It isn't shown for a tracker that never
    /// stores hourly totals.
    pub hourly_totals_remedy: &'static str,
    /// The amount of data in the files that dayledger doesn't read.
    pub unread: UnreadData,
    /// The contents of the files. They were read together with the other fields.
    pub contents: Arc<Contents>,
}

/// A table that this version of dayledger knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManifestTable {
    /// The table's name in the file.
    pub name: &'static str,
    /// The importance of the table.
    pub tier: Tier,
    /// Whether the file contains the table with all needed columns.
    pub is_present: bool,
}

/// The importance of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A table without which requests fail.
    Core,
    /// A table that improves responses. Requests also work without it.
    Supplemental,
    /// A table that isn't needed. Only its presence is reported.
    Informational,
}

/// A kind of data that is missing, although most files of this tracker contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingData {
    /// The missing kind of data.
    pub capability: Capability,
    /// The consequence for the user.
    pub effect: &'static str,
    /// Advice for the user.
    pub remedy: &'static str,
}

/// The amount of data in the files that dayledger doesn't read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnreadData {
    /// The number of texts that are truncated, because they exceed [`Self::max_lengths`].
    pub truncated_texts: i64,
    /// The maximum numbers of characters that are read. The first number is for names, and the second number is for all
    /// other texts.
    pub max_lengths: [usize; 2],
    /// The number of hourly totals that aren't read, because they are negative or too large for an hour.
    pub wrong_totals: i64,
}

/// Whether the time tracker runs on this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tracker {
    /// A process of the tracker is running.
    Running,
    /// The tracker isn't running.
    NotRunning,
    /// It isn't known whether the tracker runs. For example, the operating system doesn't list processes, or the source
    /// doesn't know the tracker's processes.
    Unknown,
}
