//! A rule of the configuration.

use serde::{Deserialize, Serialize};

use super::condition::{Condition, Pattern, Word};

/// A rule: conditions that must all be met, and the values that it sets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    name: String,
    conditions: Vec<Condition>,
    /// The category that it sets.
    pub category: Option<String>,
    /// The project that it sets.
    pub project: Option<String>,
    /// The task of the project.
    pub task: Option<String>,
    /// Whether it marks a call, which can count while the device is away, or excludes one.
    pub call: Option<bool>,
}

/// The reason why a rule is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRule {
    /// It has no condition, so it would match everything.
    #[error("a rule needs a condition: app, title, site, url, path, tag or device")]
    WithoutCondition,
    /// It sets nothing.
    #[error("a rule needs something to set: category, project or call")]
    SetsNothing,
    /// It sets a task without a project.
    #[error("a task is part of a project: set `project` too")]
    TaskWithoutProject,
    /// A value is empty.
    #[error("`{0}` is empty")]
    Empty(&'static str),
}

/// The keys of a rule in the configuration, before they are checked.
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
    /// Creates a rule that only marks calls or excludes them.
    pub(super) fn new_call_rule(name: &str, is_call: bool, conditions: Vec<Condition>) -> Self {
        Self { name: name.to_owned(), conditions, category: None, project: None, task: None, call: Some(is_call) }
    }

    /// Creates a rule of an export, which has no patterns.
    pub(super) fn from_record(name: String, sets: [Option<String>; 3], call: Option<bool>) -> Self {
        let [category, project, task] = sets;
        Self { name, conditions: Vec::new(), category, project, task, call }
    }

    /// Whether it sets a category or project, rather than only marking calls.
    pub fn assigns_work(&self) -> bool {
        self.category.is_some() || self.project.is_some()
    }

    /// Returns its configured name, or otherwise the value that it sets.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the conditions, which must all be met.
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
