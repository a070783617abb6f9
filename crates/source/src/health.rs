//! The state of a source's files, for `doctor` and the resource `health`.

use serde::Serialize;

use super::Capability;

/// The state of a source's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceHealth {
    /// The version of the file's schema, such as `2.2.0.0`, if the file contains one.
    pub schema_version: Option<String>,
    /// `SQLite`'s journal mode of the file: `delete` or `wal`.
    pub journal_mode: String,
    /// The tables that this version of the program knows.
    pub tables: Vec<ManifestTable>,
    /// What the files lack, with the consequences.
    pub missing: Vec<MissingData>,
    /// What the user can do if hourly totals of single days are missing.
    pub hourly_totals_remedy: &'static str,
    /// What the files contain and is not read.
    pub unread: UnreadData,
}

/// A table that this version of the program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManifestTable {
    /// Its name in the file.
    pub name: &'static str,
    /// How important it is.
    pub tier: Tier,
    /// Whether the file contains it, with all columns that are needed.
    pub is_present: bool,
}

/// How important a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Without it, no request can be answered.
    Core,
    /// Without it, some responses are degraded.
    Supplemental,
    /// It is only reported.
    Informational,
}

/// Data that the files lack although most files of this tracker contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingData {
    /// What is missing.
    pub capability: Capability,
    /// The consequence for the user.
    pub effect: &'static str,
    /// What the user can do.
    pub remedy: &'static str,
}

/// Data that the files contain and that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnreadData {
    /// The number of texts that are longer than what is read of them.
    pub truncated_texts: i64,
    /// The maximum number of characters that are read of a name, and of any other text.
    pub max_lengths: [usize; 2],
    /// The number of hourly totals that can't be the seconds of an hour.
    pub wrong_totals: i64,
}

/// Whether the time tracker runs on this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tracker {
    /// One of its processes runs.
    Running,
    /// None of its processes runs.
    NotRunning,
    /// The operating system doesn't list processes.
    Unknown,
}
