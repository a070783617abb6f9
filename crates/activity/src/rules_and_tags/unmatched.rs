//! Active time that has neither a rule nor a tag, by application (docs/spec/time.md#rules).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::proposals::WordTime;
use crate::devices::RANGE;
use dayledger_engine as engine;
use dayledger_engine::{Rows, Statement, statement};
use dayledger_request::{Minutes, minutes};
use dayledger_rules::{Proposal, Word};
use dayledger_source::Privacy;

/// The statement for the time that has neither a rule nor a tag.
pub(super) static UNMATCHED: Statement = statement!(queries / "unmatched", RANGE);

/// The maximum number of applications in a response.
const MAX_APPLICATIONS: usize = 50;

/// An application, with its active time that has neither a rule nor a tag.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmatchedWork {
    /// The application.
    pub application: String,
    /// Active minutes that have neither a rule nor a tag.
    pub total_minutes: Minutes,
    /// The titles with the most time, at most 3.
    pub titles: Vec<String>,
    /// The pattern of a rule that matches the application.
    #[serde(skip)]
    pattern: String,
}

/// Returns whether an application or its site is hidden.
pub(super) fn is_hidden(hidden: &Privacy, application: &str, key: Option<&str>, site: Option<&str>) -> bool {
    hidden.is_hidden_application(&[application, key.unwrap_or_default()])
        || site.is_some_and(|site| hidden.is_hidden_site(&[site]))
}

impl UnmatchedWork {
    /// Reads the rows of [`UNMATCHED`], without hidden names. `words` contains the names of each application.
    pub(super) fn from_rows(
        applications: &Rows,
        words: &[WordTime],
        hidden: &Privacy,
    ) -> Result<Vec<Self>, engine::Error> {
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for time in words.iter().filter(|time| time.word == "app") {
            names.entry(&time.key).or_default().insert(&time.text);
        }
        let mut unmatched = Vec::new();
        // A window title can contain the name of a hidden site.
        let hides_sites = hidden.summary().site_rules > 0;
        for row in applications.iter() {
            let key = row.get_optional::<String>("key")?.unwrap_or_default();
            let Some(application) = row.get_optional::<String>("application")?.filter(|name| !name.is_empty()) else {
                continue;
            };
            if unmatched.len() == MAX_APPLICATIONS || is_hidden(hidden, &application, Some(&key), None) {
                continue;
            }
            // An application can have a different name on each device, but it has the same key on all devices.
            let has_several_names = names.get(key.as_str()).is_some_and(|names| names.len() > 1);
            let pattern = if has_several_names && !key.is_empty() { key } else { application.clone() };
            unmatched.push(Self {
                application,
                total_minutes: minutes(row.get("seconds")?),
                titles: if hides_sites { Vec::new() } else { row.get_optional("titles")?.unwrap_or_default() },
                pattern,
            });
        }
        Ok(unmatched)
    }

    /// Returns a rule for the application that sets `category`.
    pub fn rule(&self, category: &str) -> Proposal {
        Proposal::new(Word::App, &self.pattern, category)
    }
}
