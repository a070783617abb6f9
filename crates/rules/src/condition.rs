//! A condition of a rule: a pattern for one kind of text.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde::{Deserialize, Serialize};

/// The maximum size of a pattern in parts (see `pattern_size`). A compiled part takes about 50 bytes of memory, so a
/// compiled pattern takes up to 1 MiB.
const MAX_PARTS: usize = 16 << 10;
/// A character class with characters beyond ASCII has at least this many parts. The class is large, because such a
/// character has up to four bytes.
const PARTS_PER_LETTER_CLASS: usize = 16;

/// The prefix of a regular expression. Other patterns are globs.
pub(super) const REGEX: &str = "regex:";

/// The kind of text that a condition applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// The name or the key of the application in front.
    App,
    /// The title of the application's window.
    Title,
    /// The site of the web page in the application.
    Site,
    /// The URL of the web page in the application, as the tracker recorded it.
    Url,
    /// The path of the document in the application. A pattern with `/` also matches paths with `\`.
    Path,
    /// The full name of a tag at the same time.
    Tag,
    /// The name of the device.
    Device,
}

impl Word {
    /// Returns the key of a condition for this kind of text in the configuration file.
    pub fn key(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Title => "title",
            Self::Site => "site",
            Self::Url => "url",
            Self::Path => "path",
            Self::Tag => "tag",
            Self::Device => "device",
        }
    }
}

/// A pattern for one kind of text.
///
/// A glob matches the whole text and ignores case. `*` matches any text, `?` matches one character, and every other
/// character matches itself. A pattern that starts with `regex:` is a regular expression. A regular expression can
/// match anywhere in the text. It also ignores case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Condition {
    word: Word,
    pattern: String,
    /// The size of the pattern in parts, at most `MAX_PARTS`.
    pub(super) parts: usize,
}

/// A valid pattern. It isn't empty, it isn't too large, and its syntax is correct.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Pattern {
    text: String,
    parts: usize,
}

/// The reason why a pattern is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCondition {
    /// The pattern is empty.
    #[error("an empty pattern matches nothing: remove the condition, or use `*`")]
    Empty,
    /// The pattern has more than `MAX_PARTS` parts.
    #[error("the pattern is too large: use fewer or shorter repetitions")]
    TooLarge,
    /// The regular expression is invalid.
    #[error("invalid regular expression: {0}")]
    Regex(String),
}

impl Condition {
    pub(super) fn new(word: Word, Pattern { text, parts }: Pattern) -> Self {
        Self { word, pattern: text, parts }
    }

    /// Returns the kind of text that the condition applies to.
    pub fn word(&self) -> Word {
        self.word
    }

    /// Returns the pattern as the user wrote it.
    pub fn text(&self) -> &str {
        &self.pattern
    }

    /// Returns the regular expression that is equivalent to the pattern.
    pub(super) fn regex(&self) -> String {
        if let Some(regex) = self.pattern.strip_prefix(REGEX) {
            return regex.to_owned();
        }
        let mut glob = String::new();
        let mut before = None;
        for c in self.pattern.chars() {
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
}

impl TryFrom<String> for Pattern {
    type Error = InvalidCondition;

    /// Checks the pattern without compiling it, because compiling takes longer than many requests.
    fn try_from(text: String) -> Result<Self, InvalidCondition> {
        if text.trim_start_matches(REGEX).is_empty() {
            return Err(InvalidCondition::Empty);
        }
        let parts = match text.strip_prefix(REGEX) {
            Some(regex) => match ParserBuilder::new().case_insensitive(true).build().parse(regex) {
                Ok(read) => pattern_size(&read),
                Err(error) => return Err(InvalidCondition::Regex(error_reason(&error.to_string()))),
            },
            // Each character of a glob counts as a character class.
            None => text.chars().count().saturating_mul(PARTS_PER_LETTER_CLASS),
        };
        if parts > MAX_PARTS { Err(InvalidCondition::TooLarge) } else { Ok(Self { text, parts }) }
    }
}

/// Returns the reason from the text of an error. The reason is the last line, and the lines before it show the
/// expression.
fn error_reason(error: &str) -> String {
    error.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// Returns the estimated size of a compiled expression in parts. A part is, for example, a byte of a literal text, or a
/// character range such as `a-z`. A repeated part counts once for every repetition.
fn pattern_size(regex: &Hir) -> usize {
    let all = |regexes: &[Hir]| regexes.iter().map(pattern_size).fold(1, usize::saturating_add);
    match regex.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(class) => {
            let (ranges, is_ascii) = match class {
                Class::Unicode(class) => (class.ranges().len(), class.is_ascii()),
                Class::Bytes(class) => (class.ranges().len(), true),
            };
            if is_ascii { ranges } else { ranges.max(PARTS_PER_LETTER_CLASS) }
        }
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            let once = pattern_size(&repetition.sub).saturating_add(1);
            once.saturating_mul(usize::try_from(times).unwrap_or(usize::MAX))
        }
        HirKind::Capture(capture) => pattern_size(&capture.sub).saturating_add(2),
        HirKind::Concat(regexes) | HirKind::Alternation(regexes) => all(regexes),
    }
}

#[cfg(test)]
mod tests {
    use crate::{RuleConfig, Rules, Word};

    fn rules(written: serde_json::Value) -> Rules {
        let written: Vec<RuleConfig> = serde_json::from_value(written).unwrap();
        Rules::new(written.into_iter().map(|rule| rule.try_into().unwrap()).collect()).unwrap()
    }

    fn fulfilled_conditions(rules: &Rules, word: Word, text: &str) -> Vec<u32> {
        rules.fulfilled_conditions(word, text).unwrap()
    }

    fn fits(pattern: &str, text: &str) -> bool {
        let rules = rules(serde_json::json!([{"path": pattern, "category": "Work"}]));
        fulfilled_conditions(&rules, Word::Path, text) == [1]
    }

    #[test]
    fn a_glob_matches_the_whole_text_and_a_regular_expression_any_part() {
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
    fn invalid_patterns_are_rejected() {
        for pattern in ["", "regex:", "regex:)(", "regex:a)|(b", "regex:(", r"regex:\", r"regex:(\w{20}){6}"] {
            let rule = serde_json::json!({"path": pattern, "category": "Work"});
            assert!(serde_json::from_value::<RuleConfig>(rule).is_err(), "{pattern}");
        }
    }

    #[test]
    fn equal_conditions_share_one_number() {
        let rules = rules(serde_json::json!([
            {"app": "Code", "site": "docs.*", "project": "Docs"},
            {"app": "Code", "category": "Work"},
        ]));
        assert_eq!(rules.needs(), [vec![1, 2], vec![1]]);
        assert_eq!(
            (fulfilled_conditions(&rules, Word::App, "code"), fulfilled_conditions(&rules, Word::Title, "code")),
            (vec![1], vec![])
        );
    }

    /// An error in a pattern must be found when the pattern is parsed. Later, while texts are matched, the error can't
    /// be reported to the user.
    #[test]
    fn accepted_patterns_can_be_matched() {
        for pattern in
            [r"regex:\w{19}", r"regex:.{800}", r"regex:(\pL|\d){18}", "regex:(|a){1500}", r"regex:(\b[^a]){700}"]
        {
            let rules = rules(serde_json::json!([{"path": pattern, "category": "Work"}]));
            assert!(rules.fulfilled_conditions(Word::Path, "x").is_ok(), "{pattern}");
        }
        let most: Vec<_> =
            (0..15).map(|n| serde_json::json!({"path": format!(r"regex:\w{{19}}{n}"), "category": "Work"})).collect();
        assert!(rules(most.clone().into()).fulfilled_conditions(Word::Path, "x").is_ok());
        let more: Vec<RuleConfig> = serde_json::from_value([most.clone(), most].concat().into()).unwrap();
        let distinct = more.into_iter().map(|rule| rule.try_into().unwrap());
        assert!(Rules::new(distinct.collect()).is_ok(), "equal patterns are compiled once");
        let more = (0..30).map(|n| serde_json::json!({"path": format!(r"regex:\w{{19}}{n}"), "category": "Work"}));
        let more: Vec<RuleConfig> = serde_json::from_value(more.collect()).unwrap();
        assert!(Rules::new(more.into_iter().map(|rule| rule.try_into().unwrap()).collect()).is_err());
    }

    #[test]
    fn rules_are_unchanged_by_serialization() {
        let rules =
            rules(serde_json::json!([{"name": "Docs", "app": "Code", "path": r"regex:\.md$", "project": "Docs"}]));
        let restored: Rules = serde_json::from_str(&serde_json::to_string(&rules).unwrap()).unwrap();
        assert_eq!(restored.rules(), rules.rules());
        assert_eq!(
            fulfilled_conditions(&restored, Word::Path, "plan.md"),
            fulfilled_conditions(&rules, Word::Path, "plan.md")
        );
    }
}
