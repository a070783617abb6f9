//! Rules in the form that an export contains: the values that they set and the conditions that they need, without
//! patterns.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::condition::Word;

/// The rules that an export was computed with.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedRules {
    /// The rules for work.
    pub work: RecordedSet,
    /// The rules for calls. Absent if calls did not count.
    pub calls: Option<RecordedSet>,
}

/// Rules with conditions that are numbered from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedSet {
    /// The kind of text that each condition applies to.
    pub conditions: Vec<Word>,
    /// A checksum of the patterns, which shows that a pattern has changed although patterns are not recorded.
    #[serde(default)]
    pub checksum: u32,
    /// The rules, in order of precedence.
    pub rules: Vec<RecordedRule>,
}

/// A rule without its patterns.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedRule {
    /// Its name.
    pub name: String,
    /// The category that it sets.
    pub category: Option<String>,
    /// The project that it sets.
    pub project: Option<String>,
    /// The task that it sets.
    pub task: Option<String>,
    /// Whether it marks calls, or excludes them.
    pub call: Option<bool>,
    /// The numbers of the conditions that it needs.
    pub needs: Vec<u32>,
}
