//! Proposes rules for time that has neither a rule nor a tag. A proposed rule matches a folder, a site or the beginning
//! of a title. The proposed project comes from other times with the same folder, site or title
//! (docs/spec/time.md#proposed-rules).

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::unmatched::is_hidden;
use crate::devices::RANGE;
use dayledger_engine as engine;
use dayledger_engine::{Row, Rows, Statement, statement};
use dayledger_request::{Minutes, minutes};
use dayledger_rules::{Folder, Proposal, Word, project_folder};
use dayledger_source::Privacy;

/// The statement for the names, sites, paths and titles that conditions of rules could match.
pub(super) static WORDS: Statement = statement!(queries / "rule_words", RANGE);

/// The maximum number of proposals.
const MAX_PROPOSALS: usize = 20;
/// The minimum time that a proposed rule matches. A rule for less time isn't worth a line in the configuration.
const MIN_SECONDS: i64 = 5 * 60;
/// The maximum number of applications of a proposal.
const MAX_APPLICATIONS: usize = 3;

/// A proposed rule, which would match time that has neither a rule nor a tag.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleProposal {
    /// Id of the proposal for `dayledger rules --add`. It depends only on the condition of the rule.
    pub id: String,
    /// Active minutes that the rule would match and that have neither a rule nor a tag.
    pub total_minutes: Minutes,
    /// The applications with the most of this time, at most 3.
    pub applications: Vec<String>,
    /// If the rule sets a project: that project's percentage of the time with this folder, site or title that already
    /// has a project.
    pub project_share: Option<i64>,
    /// The rule in the syntax of the configuration. The rule sets a project if tags or rules assign one to other time
    /// with this folder, site or title. Otherwise, it sets the folder, site or title as the category.
    #[schemars(with = "String")]
    pub rule: Proposal,
}

/// The time of one text in one application. The text is, for example, a site or a path.
pub(super) struct WordTime {
    pub(super) word: String,
    pub(super) text: String,
    pub(super) application: String,
    pub(super) key: String,
    /// The project that tags or rules assign, or `None` if neither a tag nor a rule matches.
    pub(super) project: Option<String>,
    pub(super) seconds: i64,
}

impl WordTime {
    /// Reads the rows of [`WORDS`], without hidden applications and sites. If sites are hidden, titles are left out
    /// too, because a title can contain the name of a hidden site.
    pub(super) fn read(rows: &Rows, hidden: &Privacy) -> Result<Vec<Self>, engine::Error> {
        let hides_sites = hidden.summary().site_rules > 0;
        let mut words = rows.read(Self::from_row)?;
        words.retain(|time| {
            let site = (time.word == "site").then_some(time.text.as_str());
            let is_withheld_title = time.word == "title" && hides_sites;
            !is_withheld_title && !is_hidden(hidden, &time.application, Some(&time.key), site)
        });
        Ok(words)
    }

    fn from_row(row: Row<'_>) -> Result<Self, engine::Error> {
        Ok(Self {
            word: row.get("word")?,
            text: row.get("text")?,
            application: row.get_optional("application")?.unwrap_or_default(),
            key: row.get_optional("key")?.unwrap_or_default(),
            project: row.get_optional("project")?,
            seconds: row.get("seconds")?,
        })
    }
}

/// A possible condition of a rule, with the time that the condition matches.
#[derive(Default)]
struct Candidate<'w> {
    /// The name of the folder or site, or the beginning of the title.
    name: &'w str,
    /// Seconds that have neither a rule nor a tag, by application.
    unmatched: BTreeMap<&'w str, i64>,
    /// Seconds that already have a project, by project.
    projects: BTreeMap<&'w str, i64>,
}

impl RuleProposal {
    /// Proposes rules. The rule that matches the most time comes first.
    pub(super) fn from_words(words: &[WordTime]) -> Vec<Self> {
        let folders: HashSet<_> = words.iter().filter(|time| time.word == "path").filter_map(folder).collect();
        let mut candidates: BTreeMap<(Word, String), Candidate<'_>> = BTreeMap::new();
        for time in words {
            let (word, pattern, name) = match time.word.as_str() {
                "site" => (Word::Site, time.text.clone(), time.text.as_str()),
                // In a pattern, `*` matches any text. Each `*` of the title is therefore replaced by `?`, which matches
                // one character.
                "title" => (Word::Title, format!("{}*", time.text.replace('*', "?")), time.text.as_str()),
                "path" => match folder(time).filter(|folder| !folders.iter().any(|other| folder.contains(other))) {
                    Some(folder) => (Word::Path, folder.pattern(), folder.name()),
                    None => continue,
                },
                _ => continue,
            };
            let candidate = candidates.entry((word, pattern)).or_default();
            candidate.name = name;
            let (times, of) = match &time.project {
                Some(project) => (&mut candidate.projects, project),
                None => (&mut candidate.unmatched, &time.application),
            };
            *times.entry(of).or_default() += time.seconds;
        }
        let applications: HashSet<_> = words.iter().map(|time| time.application.to_lowercase()).collect();
        let proposed = candidates.into_iter().filter_map(|((word, pattern), candidate)| {
            let repeats_an_application = applications.contains(&candidate.name.to_lowercase());
            candidate.proposal(word, &pattern).filter(|_| !repeats_an_application)
        });
        let mut proposed: Vec<_> = proposed.collect();
        // The sort is stable, so proposals with equal times stay in the order of their conditions.
        proposed.sort_by_key(|proposal| std::cmp::Reverse(proposal.total_minutes));
        proposed.truncate(MAX_PROPOSALS);
        proposed
    }
}

fn folder(time: &WordTime) -> Option<Folder<'_>> {
    project_folder(&time.text)
}

impl Candidate<'_> {
    /// Returns the proposal for this condition. Returns `None` if the rule would match less than [`MIN_SECONDS`]. Also
    /// returns `None` if the matched time has several projects, and each project has at most half of it. In this case,
    /// a rule for one project would often be wrong.
    fn proposal(&self, word: Word, pattern: &str) -> Option<RuleProposal> {
        let seconds: i64 = self.unmatched.values().sum();
        let assigned: i64 = self.projects.values().sum();
        let likely = self.projects.iter().max_by_key(|(_, seconds)| **seconds);
        let likely = likely.filter(|(_, seconds)| seconds.saturating_mul(2) > assigned);
        if seconds < MIN_SECONDS || (assigned > 0 && likely.is_none()) {
            return None;
        }
        let by_category = Proposal::new(word, pattern, self.name);
        let rule = match likely {
            Some((project, _)) => Proposal { category: None, project: Some((*project).to_owned()), ..by_category },
            None => by_category,
        };
        let mut applications: Vec<_> = self.unmatched.iter().collect();
        applications.sort_by_key(|(_, seconds)| std::cmp::Reverse(**seconds));
        Some(RuleProposal {
            id: rule.id(),
            total_minutes: minutes(seconds),
            applications: applications.into_iter().take(MAX_APPLICATIONS).map(|(name, _)| (*name).to_owned()).collect(),
            project_share: likely.map(|(_, seconds)| seconds.saturating_mul(100) / assigned),
            rule,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(word: &str, text: &str, project: Option<&str>, minutes: i64) -> WordTime {
        WordTime {
            word: word.to_owned(),
            text: text.to_owned(),
            application: "Editor".to_owned(),
            key: String::new(),
            project: project.map(str::to_owned),
            seconds: minutes * 60,
        }
    }

    /// Returns the pattern, the project (or the category if there is no project), and the minutes of each proposal.
    fn propose(words: &[WordTime]) -> Vec<(String, String, f64)> {
        let proposed = RuleProposal::from_words(words).into_iter();
        let sets = |rule: Proposal| rule.project.map(|name| format!("project {name}")).or(rule.category).unwrap();
        proposed.map(|one| (one.rule.pattern.clone(), sets(one.rule), one.total_minutes.to_rounded())).collect()
    }

    fn row(pattern: &str, sets: &str, minutes: f64) -> (String, String, f64) {
        (pattern.to_owned(), sets.to_owned(), minutes)
    }

    #[test]
    fn files_of_one_project_are_one_proposal_with_its_project() {
        let words = [
            time("path", r"C:\Work\Acme\plan\a.md", None, 6),
            time("path", r"C:\Work\Acme\b.md", None, 4),
            time("path", r"C:\Work\Acme\c.md", Some("Acme Ltd"), 9),
            time("path", r"C:\Work\Acme\c.md", Some("Other"), 3),
            time("path", r"C:\Work\notes.md", None, 90),
        ];
        assert_eq!(propose(&words), [row("*/Work/Acme/*", "project Acme Ltd", 10.0)]);
        let [proposal] = &RuleProposal::from_words(&words)[..] else { panic!("one proposal") };
        assert_eq!((proposal.project_share, &proposal.applications[..]), (Some(75), &["Editor".to_owned()][..]));
    }

    #[test]
    fn a_site_without_a_project_becomes_a_category_and_a_shared_site_nothing() {
        let words = [
            time("site", "docs.example", None, 8),
            time("site", "mail.example", None, 30),
            time("site", "mail.example", Some("Acme"), 5),
            time("site", "mail.example", Some("Harbour"), 5),
            time("site", "short.example", None, 4),
        ];
        assert_eq!(propose(&words), [row("docs.example", "docs.example", 8.0)]);
    }

    #[test]
    fn no_proposal_repeats_the_name_of_an_application() {
        let words =
            [time("app", "Editor", None, 90), time("title", "editor", None, 60), time("title", "*Budget", None, 7)];
        assert_eq!(propose(&words), [row("?Budget*", "*Budget", 7.0)]);
    }

    #[test]
    fn an_id_stays_the_same_when_the_time_or_the_project_changes() {
        let ids = |words: &[WordTime]| -> Vec<_> {
            RuleProposal::from_words(words).into_iter().map(|proposal| (proposal.rule.pattern, proposal.id)).collect()
        };
        let of_one = ids(&[time("site", "docs.example", None, 8)]);
        let of_both = ids(&[
            time("site", "news.example", None, 60),
            time("site", "docs.example", None, 9),
            time("site", "docs.example", Some("Acme"), 9),
        ]);
        assert_eq!(of_both[1..], of_one);
        assert_ne!(of_both[0].1, of_both[1].1);
    }
}
