//! One condition of a rule: a pattern, and the kind of word that it is about.

use regex::RegexBuilder;
use serde::{Deserialize, Serialize};

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
        // In a group of its own, so that flags that it sets end with it.
        return format!("(?i:{regex})");
    }
    let glob: String = pattern
        .chars()
        .map(|c| match c {
            '*' => ".*".to_owned(),
            '?' => ".".to_owned(),
            c => regex::escape(c.encode_utf8(&mut [0; 4])),
        })
        .collect();
    format!(r"(?is:\A{glob}\z)")
}

impl TryFrom<String> for Pattern {
    type Error = InvalidCondition;

    fn try_from(pattern: String) -> Result<Self, InvalidCondition> {
        if pattern.trim_start_matches(REGEX).is_empty() {
            return Err(InvalidCondition::Empty);
        }
        let built = RegexBuilder::new(&regex_of(&pattern)).build();
        built.map_err(|error| {
            // The last line says what is wrong, those before it draw the expression as it is compiled.
            let what = error.to_string();
            let what = what.lines().last().unwrap_or_default().trim_start_matches("error: ");
            InvalidCondition::Regex(what.to_owned())
        })?;
        Ok(Self(pattern))
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0
    }
}
