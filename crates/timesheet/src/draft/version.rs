//! The id and the version of a row. The version changes when the row changes.
//!
//! Both values are truncated SHA-256 hashes in hexadecimal. The id has 12 digits and the version has 16. The hashed
//! text is a JSON array without spaces, whose first element is the type of the value. The array contains no objects,
//! because the order of their keys could vary:
//!
//! - The id of a row is the hash of `["row", day, project or null, task or null]`. For a row to confirm, the array is
//!   `["unconfirmed", day, project or null, task or null, meeting or null]`.
//! - The version of a row is the hash of
//!   `["content", project, task, [[source, details, seconds], ...], [[start, end, device], ...]]`. If the `source` is
//!   `tag`, `rule` or `block`, the `details` are the name of that tag, rule or block. If the `source` is `learned`,
//!   they are a list with two elements: `document`, `site` or `application`, and the share. If the `source` is
//!   `nothing`, they are `null`.
//!
//! The version doesn't depend on the hours, because other rows of the day can change them by a rounding step. It
//! doesn't depend on descriptions, because settings can change them. It doesn't depend on the ids of activities,
//! because a history may reassign these ids.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::work::{Origin, RowSource};
use crate::day::Day;
use crate::entry::Evidence;

/// Identifies a row. The same day, project and task have the same id in every draft.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RowId(String);

/// The version of a row. It changes whenever the sources or the evidence of the row change.
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

    /// Returns the id of a row to confirm. Time with a project or task has no `meeting`.
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

/// Returns the first `digits` hexadecimal digits of the hash of a JSON value.
pub(crate) fn digest(value: &Value, digits: usize) -> String {
    let bytes = Sha256::digest(value.to_string());
    let hex = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    hex.take(digits).filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}
