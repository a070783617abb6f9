//! One condition of a rule: a pattern, and the kind of word that it is about.

use regex::RegexBuilder;
use serde::{Deserialize, Serialize};

/// What a pattern may take, compiled.
const MOST_BYTES: usize = 1 << 20;

/// What begins a regular expression; anything else is a glob.
const REGEX: &str = "regex:";

/// The kinds of words that a condition can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// The name or the key of the application in front.
    App,
    /// The title of its window.
    Title,
    /// The site that belongs to it.
    Site,
    /// The address that belongs to it, as recorded.
    Url,
    /// The path of the document that belongs to it; also with `/` where it has `\`.
    Path,
    /// The full list of a tag that overlaps.
    Tag,
    /// The name of the device.
    Device,
}

/// A pattern for one kind of word.
///
/// A glob is for the whole text, whatever the case: `*` is any text, `?` any character, everything else itself. After
/// `regex:` stands a regular expression, which is found anywhere, whatever the case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    word: Word,
    pattern: Pattern,
}

/// A pattern that can be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Pattern(String);

/// A pattern that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCondition {
    /// Nothing to look for.
    #[error("an empty pattern fits nothing: leave the condition out, or write `*`")]
    Empty,
    /// A pattern that takes too long to look for.
    #[error("the pattern is too large: repeat less of it")]
    TooLarge,
    /// A regular expression that is none.
    #[error("the regular expression cannot be read: {0}")]
    Regex(String),
}

impl Condition {
    pub(super) fn new(word: Word, pattern: Pattern) -> Self {
        Self { word, pattern }
    }

    /// What it is about.
    pub fn word(&self) -> Word {
        self.word
    }

    /// The pattern as the user wrote it.
    pub fn text(&self) -> &str {
        &self.pattern.0
    }

    pub(super) fn into_pattern(self) -> Pattern {
        self.pattern
    }

    /// The regular expression that fits what the pattern fits.
    pub(super) fn regex(&self) -> String {
        regex_of(&self.pattern.0)
    }
}

fn regex_of(pattern: &str) -> String {
    if let Some(regex) = pattern.strip_prefix(REGEX) {
        return regex.to_owned();
    }
    let mut glob = String::new();
    let mut before = None;
    for c in pattern.chars() {
        match c {
            '*' if before == Some('*') => {}
            '*' => glob.push_str("(?s:.*)"),
            '?' => glob.push_str("(?s:.)"),
            c => glob.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        before = Some(c);
    }
    format!(r"\A{glob}\z")
}

impl TryFrom<String> for Pattern {
    type Error = InvalidCondition;

    fn try_from(pattern: String) -> Result<Self, InvalidCondition> {
        if pattern.trim_start_matches(REGEX).is_empty() {
            return Err(InvalidCondition::Empty);
        }
        let built = RegexBuilder::new(&regex_of(&pattern)).case_insensitive(true).size_limit(MOST_BYTES).build();
        match built {
            Ok(_) => Ok(Self(pattern)),
            Err(regex::Error::CompiledTooBig(_)) => Err(InvalidCondition::TooLarge),
            Err(error) => {
                // The last line says what is wrong, those before it draw the expression.
                let what = error.to_string();
                let what = what.lines().last().unwrap_or_default().trim_start_matches("error: ");
                Err(InvalidCondition::Regex(what.to_owned()))
            }
        }
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{Rules, Word};

    fn fits(pattern: &str, text: &str) -> bool {
        let rules = serde_json::json!([{"path": pattern, "category": "Work"}]);
        let rules: Rules = serde_json::from_value(rules).unwrap();
        rules.fulfilled(Word::Path, text) == [1]
    }

    #[test]
    fn a_glob_is_for_the_whole_text_and_a_regular_expression_for_a_part_of_it() {
        for (pattern, text) in [
            ("*.rs", "MAIN.RS"),
            ("straße ?.txt", "STRAßE ü.txt"),
            ("a(b)[c]{d}.+", "a(b)[c]{d}.+"),
            ("*", ""),
            ("first*second", "first\nsecond"),
            ("*/northwind/*", r"C:\Work\Northwind\plan.md"),
            (r"c:\work\*", r"C:\Work\plan.md"),
            ("regex:^c:.work", r"C:\Work\plan.md"),
            ("regex:(?-i)Work", r"C:\Work\plan.md"),
            ("regex:a|work", r"C:\Work\plan.md"),
            ("regex:(?x)work # where", r"C:\Work\plan.md"),
            ("**.**rs", "main.rs"),
        ] {
            assert!(fits(pattern, text), "{pattern} should fit {text}");
        }
        for (pattern, text) in [
            ("main", "main.rs"),
            ("?.rs", "main.rs"),
            ("a.c", "abc"),
            ("regex:(?-i)work", r"C:\Work\plan.md"),
            ("regex:^work", r"C:\Work\plan.md"),
        ] {
            assert!(!fits(pattern, text), "{pattern} should not fit {text}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for pattern in ["", "regex:", "regex:)(", "regex:a)|(b", "regex:(", r"regex:\", r"regex:(\w{20}){6}"] {
            let rules = serde_json::json!([{"path": pattern, "category": "Work"}]);
            assert!(serde_json::from_value::<Rules>(rules).is_err(), "{pattern}");
        }
    }

    #[test]
    fn equal_conditions_are_looked_for_once() {
        let rules = serde_json::json!([
            {"app": "Code", "site": "docs.*", "project": "Docs"},
            {"app": "Code", "category": "Work"},
        ]);
        let rules: Rules = serde_json::from_value(rules).unwrap();
        assert_eq!(rules.needs(), [vec![1, 2], vec![1]]);
        assert_eq!((rules.fulfilled(Word::App, "code"), rules.fulfilled(Word::Title, "code")), (vec![1], vec![]));
    }
}
