//! Rules as an export records them: what they set and which conditions they need, without the patterns.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::condition::Word;

/// The rules that an export was computed with.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedRules {
    /// The rules about work.
    pub work: RecordedSet,
    /// The rules about calls; absent if calls didn't count.
    pub calls: Option<RecordedSet>,
}

/// Rules whose conditions have numbers, from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedSet {
    /// The kind of word that each condition is about.
    pub conditions: Vec<Word>,
    /// A checksum of the patterns, so that a changed pattern is noticed although no pattern is recorded.
    #[serde(default)]
    pub checksum: u32,
    /// The rules, in the order in which they decide.
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
    /// Whether it says that something is a call.
    pub call: Option<bool>,
    /// The numbers of the conditions that it needs.
    pub needs: Vec<u32>,
}
