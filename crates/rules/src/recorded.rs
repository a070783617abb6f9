//! Rules in the form that an export contains. For each rule, the export contains the values that it sets and the
//! numbers of the conditions that it needs, but not the patterns.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::condition::Word;

/// The rules that an export was computed with.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedRules {
    /// The user's rules, which set categories and projects.
    pub work: RecordedSet,
    /// The rules that recognise calls. `None` if calls did not count.
    pub calls: Option<RecordedSet>,
}

/// Rules whose conditions are numbered from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedSet {
    /// The kind of text that each condition applies to, in order of the conditions' numbers.
    pub conditions: Vec<Word>,
    /// A checksum of the patterns. The export doesn't contain the patterns, so the checksum shows whether a pattern has
    /// changed.
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
    /// The name of the rule.
    pub name: String,
    /// The category that the rule sets.
    pub category: Option<String>,
    /// The project that the rule sets.
    pub project: Option<String>,
    /// The task that the rule sets.
    pub task: Option<String>,
    /// `true` if the rule recognises calls, `false` if it excludes matching windows from calls, and `None` otherwise.
    pub call: Option<bool>,
    /// The numbers of the conditions that the rule needs.
    pub needs: Vec<u32>,
}
