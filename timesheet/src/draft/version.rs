//! The id of a row, and its version, which is another one if the row has changed.
//!
//! All of it is SHA-256, written in hexadecimal and cut off: 12 digits for the id, 16 for the version. What is hashed
//! is the JSON of an array without blanks, whose first element says what it is for; there is no object in it, whose keys
//! could stand in another order:
//!
//! - id of a row: `["row", day, project or null, task or null]`;
//! - version of a row: `["content", project, task, [[what named it, its words, seconds], ...], [[start, end, device],
//!   ...]]`, where what named it is `tag`, `rule` or `block` with the name, `learned` with `document`, `site` or `application` and
//!   the share, or `nothing` with `null`. Neither hours are in it, which may move by a step because of other rows of the day, nor
//!   descriptions, which follow settings, nor the ids of activities, which a history may give anew.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::work::{Origin, RowSource};
use crate::day::Day;
use crate::evidence::Evidence;

/// What a row is known by: the same day, project and task have the same one in every draft.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RowId(String);

/// What a row is made of: another one where that has changed.
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
    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn new(day: Day, project: Option<&str>, task: Option<&str>) -> Self {
        Self(digest(&json!(["row", day, project, task]), 12))
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
