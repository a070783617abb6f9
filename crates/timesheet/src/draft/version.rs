//! The id of a row, and its version, which changes when the row changes.
//!
//! Both are truncated SHA-256 hashes in hexadecimal: 12 digits for the id, 16 for the version. The input of the hash
//! is a JSON array without spaces, and its first element is the type. It contains no objects, because the order of
//! their keys could vary:
//!
//! - id of a row: `["row", day, project or null, task or null]`, and for a row to confirm
//!   `["unconfirmed", day, project or null, task or null, meeting or null]`;
//! - version of a row: `["content", project, task, [[source, its words, seconds], ...], [[start, end, device], ...]]`,
//!   where `source` is `tag`, `rule` or `block` with the name, `learned` with `document`, `site` or `application` and
//!   the share, or `nothing` with `null`. The hash excludes hours, because other rows of the day can move them by a
//!   step. It also excludes descriptions, which depend on settings, and the ids of activities, which a history may
//!   reassign.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::work::{Origin, RowSource};
use crate::day::Day;
use crate::entry::Evidence;

/// Identifies a row: the same day, project and task have the same id in every draft.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RowId(String);

/// Changes whenever the sources or the evidence of a row change.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RowVersion(String);

impl From<&str> for RowId {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl std::fmt::Display for RowId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl RowId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn new(day: Day, project: Option<&str>, task: Option<&str>) -> Self {
        Self(digest(&json!(["row", day, project, task]), 12))
    }

    /// Returns the id of a row to confirm, for a tag or for the meeting with this name.
    pub(super) fn for_unconfirmed(day: Day, project: Option<&str>, task: Option<&str>, meeting: Option<&str>) -> Self {
        Self(digest(&json!(["unconfirmed", day, project, task, meeting]), 12))
    }
}

impl RowVersion {
    pub(super) fn from_row(
        project: Option<&str>,
        task: Option<&str>,
        named_by: &[RowSource],
        evidence: &[Evidence],
    ) -> Self {
        let named: Vec<_> = named_by.iter().map(source_to_json).collect();
        let evidence = evidence.iter().map(|interval| json!([interval.start_utc, interval.end_utc, interval.device]));
        let evidence: Vec<_> = evidence.collect();
        Self(digest(&json!(["content", project, task, named, evidence]), 16))
    }
}

fn source_to_json(RowSource { origin, seconds }: &RowSource) -> Value {
    match origin {
        Origin::Tag { name } => json!(["tag", name, seconds]),
        Origin::Rule { name } => json!(["rule", name, seconds]),
        Origin::Block { name } => json!(["block", name, seconds]),
        Origin::Learned { from, share } => json!(["learned", [from, share], seconds]),
        Origin::Nothing => json!(["nothing", null, seconds]),
    }
}

fn digest(value: &Value, digits: usize) -> String {
    let bytes = Sha256::digest(value.to_string());
    let hex = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    hex.take(digits).filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}
