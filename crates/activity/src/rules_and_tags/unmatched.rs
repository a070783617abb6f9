//! Work without a rule or a tag, and rules that would match it (docs/spec/time.md#rules).

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use crate::devices::RANGE;
use dayledger_engine as engine;
use dayledger_engine::{Rows, Statement, statement};
use dayledger_request::{Minutes, minutes};
use dayledger_rules::{Proposal, Word, common_folder};
use dayledger_source::Privacy;

/// The work without a rule or a tag.
pub(super) static UNMATCHED: Statement = statement!(queries / "unmatched", RANGE);
/// The names, sites and paths of that work.
pub(super) static WORDS: Statement = statement!(queries / "unmatched_words", RANGE);

/// The maximum number of applications in a response.
const MAX_APPLICATIONS: usize = 50;

/// Time of an application without a rule and a tag, and a rule that would match it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmatchedWork {
    /// The application.
    pub application: String,
    /// Its active minutes without a rule and a tag.
    pub total_minutes: Minutes,
    /// The titles with the most time, at most 3.
    pub titles: Vec<String>,
    /// A rule in the form of the configuration. Its category is the name of the site, folder or application.
    #[schemars(with = "String")]
    pub rule: Proposal,
}

/// The names of an application, and its linked sites and paths, each with its seconds, most first.
#[derive(Debug, Default)]
struct Words {
    names: Vec<String>,
    sites: Vec<(String, i64)>,
    paths: Vec<(String, i64)>,
}

/// Whether an application or its site is hidden.
pub(super) fn is_hidden(hidden: &Privacy, application: &str, key: Option<&str>, site: Option<&str>) -> bool {
    hidden.is_hidden_application(&[application, key.unwrap_or_default()])
        || site.is_some_and(|site| hidden.is_hidden_site(&[site]))
}

impl UnmatchedWork {
    /// Reads the unmatched work from the rows of [`UNMATCHED`] and [`WORDS`], without hidden names.
    pub(super) fn from_rows(applications: &Rows, words: &Rows, hidden: &Privacy) -> Result<Vec<Self>, engine::Error> {
        let words = Words::read_by_key(words, hidden)?;
        let (none, mut proposed) = (Words::default(), HashSet::new());
        let mut unmatched = Vec::new();
        // A window title can contain the name of a hidden site.
        let hides_sites = hidden.summary().site_rules > 0;
        for row in applications.iter() {
            let key = row.get_optional::<String>("key")?;
            let Some(application) = row.get_optional::<String>("application")?.filter(|name| !name.is_empty()) else {
                continue;
            };
            if unmatched.len() == MAX_APPLICATIONS || is_hidden(hidden, &application, key.as_deref(), None) {
                continue;
            }
            let (seconds, key) = (row.get("seconds")?, key.unwrap_or_default());
            let words = words.get(&key).unwrap_or(&none);
            let by_name = words.proposal_by_name(&application, &key);
            let rule = words.proposal(seconds).filter(|rule| proposed.insert((rule.word, rule.pattern.clone())));
            unmatched.push(Self {
                application,
                total_minutes: minutes(seconds),
                titles: if hides_sites { Vec::new() } else { row.get_optional("titles")?.unwrap_or_default() },
                rule: rule.unwrap_or(by_name),
            });
        }
        Ok(unmatched)
    }
}

impl Words {
    /// Reads the words of each application, by its key.
    fn read_by_key(rows: &Rows, hidden: &Privacy) -> Result<HashMap<String, Self>, engine::Error> {
        let mut by_key: HashMap<String, Self> = HashMap::new();
        for row in rows.iter() {
            let words = by_key.entry(row.get_optional("key")?.unwrap_or_default()).or_default();
            let (word, text, seconds) = (row.get::<String>("word")?, row.get::<String>("text")?, row.get("seconds")?);
            match word.as_str() {
                "site" if hidden.is_hidden_site(&[&text]) => {}
                "site" => words.sites.push((text, seconds)),
                "path" => words.paths.push((text, seconds)),
                _ => words.names.push(text),
            }
        }
        Ok(by_key)
    }

    /// Proposes a rule for the site or folder that at least half of `seconds` belong to.
    fn proposal(&self, seconds: i64) -> Option<Proposal> {
        let is_most = |covered: i64| covered.saturating_mul(2) >= seconds;
        if let Some((site, _)) = self.sites.first().filter(|(_, seconds)| is_most(*seconds)) {
            return Some(Proposal::new(Word::Site, site, site));
        }
        let paths = self.paths.iter().map(|(path, seconds)| (path.as_str(), *seconds));
        let folder = common_folder(paths, is_most)?;
        Some(Proposal::new(Word::Path, &folder.pattern(), folder.name()))
    }

    /// Proposes a rule for the name of the application, or for its key if devices have different names for it.
    fn proposal_by_name(&self, application: &str, key: &str) -> Proposal {
        let pattern = if self.names.len() > 1 && !key.is_empty() { key } else { application };
        Proposal::new(Word::App, pattern, application)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn propose(names: &[&str], sites: &[(&str, i64)], paths: &[(&str, i64)], seconds: i64) -> (Word, String, String) {
        let owned = |of: &[(&str, i64)]| of.iter().map(|(text, seconds)| ((*text).to_owned(), *seconds)).collect();
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let words = Words { names, sites: owned(sites), paths: owned(paths) };
        let rule = words.proposal(seconds).unwrap_or_else(|| words.proposal_by_name("Editor", "editor.exe"));
        (rule.word, rule.pattern, rule.category.unwrap())
    }

    #[test]
    fn a_proposed_rule_uses_the_site_or_folder_with_most_of_the_time() {
        let rule = |word, pattern: &str, category: &str| (word, pattern.to_owned(), category.to_owned());
        let by_app = rule(Word::App, "Editor", "Editor");
        assert_eq!(propose(&["Editor"], &[], &[], 10), by_app);
        assert_eq!(propose(&["Editor", "Bearbeiter"], &[], &[], 10), rule(Word::App, "editor.exe", "Editor"));
        assert_eq!(
            propose(&[], &[("a.example", 5), ("b.example", 4)], &[], 10),
            rule(Word::Site, "a.example", "a.example")
        );
        assert_eq!(propose(&[], &[("a.example", 4), ("b.example", 4)], &[], 10), by_app);
        for (paths, pattern) in [
            (&[(r"C:\Work\Acme\plan\a.md", 3), (r"C:\Work\Acme\plan\b.md", 3)][..], "*/Acme/plan/*"),
            (&[(r"C:\Work\Acme\x\a.md", 3), (r"C:\Work\Acme\y\b.md", 3)], "*/Work/Acme/*"),
            (&[(r"\\server\share\Acme\a.md", 6)], "*/Acme/*"),
            (&[("/home/alex/acme/a.md", 6)], "*/acme/*"),
            (&[("/home/alex/acme/a.md", 6), ("/home/alex/acme/docs/b.md", 4)], "*/acme/*"),
            (&[(r"C:\Users\alex\Documents\Acme\a.md", 6)], "*/Acme/*"),
        ] {
            let category = pattern.trim_end_matches("/*").rsplit('/').next().unwrap();
            assert_eq!(propose(&[], &[], paths, 10), rule(Word::Path, pattern, category));
        }
        for path in [
            "C:\\a.md",
            "/home/alex/a.md",
            r"\\server\share\a.md",
            r"C:\Users\alex\Downloads\a.md",
            "a.md",
            "https://a/b/c",
        ] {
            assert_eq!(propose(&["Editor"], &[], &[(path, 10)], 10), by_app, "{path}");
        }
        let of_two_clients = [(r"C:\Work\Acme\a.md", 4), (r"C:\Work\Umbra\b.md", 4)];
        assert_eq!(propose(&["Editor"], &[], &of_two_clients, 10), by_app);
    }
}
