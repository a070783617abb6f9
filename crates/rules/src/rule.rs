//! A rule of the configuration file.

use serde::{Deserialize, Serialize};

use super::condition::{Condition, Pattern, Word};

/// A rule: its conditions, and the values that the rule sets if all conditions are met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    name: String,
    conditions: Vec<Condition>,
    /// The category that the rule sets.
    pub category: Option<String>,
    /// The project that the rule sets.
    pub project: Option<String>,
    /// The task of the project that the rule sets.
    pub task: Option<String>,
    /// `true` if the rule recognises calls, `false` if it excludes matching windows from calls, and `None` otherwise.
    /// Calls can count as active time while the user is away from the device.
    pub call: Option<bool>,
}

/// The reason why a rule is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRule {
    /// The rule has no condition, so it would match everything.
    #[error("a rule needs a condition: app, title, site, url, path, tag or device")]
    WithoutCondition,
    /// The rule doesn't set a category, a project or `call`.
    #[error("a rule needs something to set: category, project or call")]
    SetsNothing,
    /// The rule sets a task without a project.
    #[error("a task is part of a project: set `project` too")]
    TaskWithoutProject,
    /// The value of this key is empty.
    #[error("`{0}` is empty")]
    Empty(&'static str),
}

/// A rule as written in the configuration file, before it is checked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a rule")]
pub struct RuleConfig {
    name: Option<String>,
    app: Option<Pattern>,
    title: Option<Pattern>,
    site: Option<Pattern>,
    url: Option<Pattern>,
    path: Option<Pattern>,
    tag: Option<Pattern>,
    device: Option<Pattern>,
    category: Option<String>,
    project: Option<String>,
    task: Option<String>,
    call: Option<bool>,
}

impl Rule {
    /// Creates a rule that only concerns calls. If `is_call` is true, the rule recognises calls. Otherwise, it excludes
    /// windows from calls.
    pub(super) fn new_call_rule(name: &str, is_call: bool, conditions: Vec<Condition>) -> Self {
        Self { name: name.to_owned(), conditions, category: None, project: None, task: None, call: Some(is_call) }
    }

    /// Creates a rule of an export, which has no patterns. `sets` contains the category, the project and the task.
    pub(super) fn from_record(name: String, sets: [Option<String>; 3], call: Option<bool>) -> Self {
        let [category, project, task] = sets;
        Self { name, conditions: Vec::new(), category, project, task, call }
    }

    /// Whether the rule sets a category or a project. Otherwise, it only recognises calls or excludes windows from
    /// calls.
    pub fn assigns_work(&self) -> bool {
        self.category.is_some() || self.project.is_some()
    }

    /// Returns the configured name of the rule. A rule without a configured name is named after a value that it sets.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the conditions, which must all be met. A rule of an export has no conditions here.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }
}

impl TryFrom<RuleConfig> for Rule {
    type Error = InvalidRule;

    fn try_from(written: RuleConfig) -> Result<Self, InvalidRule> {
        let RuleConfig { name, app, title, site, url, path, tag, device, category, project, task, call } = written;
        let patterns = [
            (Word::App, app),
            (Word::Title, title),
            (Word::Site, site),
            (Word::Url, url),
            (Word::Path, path),
            (Word::Tag, tag),
            (Word::Device, device),
        ];
        let conditions = patterns.into_iter().filter_map(|(word, pattern)| Some(Condition::new(word, pattern?)));
        let conditions: Vec<_> = conditions.collect();
        for (key, text) in [("name", &name), ("category", &category), ("project", &project), ("task", &task)] {
            if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
                return Err(InvalidRule::Empty(key));
            }
        }
        if conditions.is_empty() {
            return Err(InvalidRule::WithoutCondition);
        }
        if task.is_some() && project.is_none() {
            return Err(InvalidRule::TaskWithoutProject);
        }
        let set: Vec<_> = [&project, &task].into_iter().flatten().map(String::as_str).collect();
        let set = if set.is_empty() { category.clone() } else { Some(set.join(", ")) };
        let decides = call.map(|call| if call { "call" } else { "no call" }.to_owned());
        let set = set.or(decides).ok_or(InvalidRule::SetsNothing)?;
        Ok(Self { name: name.unwrap_or(set), conditions, category, project, task, call })
    }
}
