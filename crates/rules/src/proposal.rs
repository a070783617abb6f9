//! A proposed rule, and its text in the configuration file.

use serde::{Serialize, Serializer};

use super::condition::{REGEX, Word};

/// A proposed rule with one condition. It is serialised as TOML for the configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The kind of text that the condition applies to.
    pub word: Word,
    /// The pattern that the text must match.
    pub pattern: String,
    /// The name of the rule. `None` if the rule is named after the value that it sets.
    pub name: Option<String>,
    /// The category that the rule sets.
    pub category: Option<String>,
    /// The project that the rule sets.
    pub project: Option<String>,
    /// The task that the rule sets.
    pub task: Option<String>,
}

impl Proposal {
    /// Creates a rule that sets `category` for texts that match `pattern`.
    pub fn new(word: Word, pattern: &str, category: &str) -> Self {
        // A pattern that starts with `regex:` would be read as a regular expression. `?egex:` matches the same text.
        let pattern = pattern.strip_prefix(REGEX).map_or_else(|| pattern.to_owned(), |rest| format!("?egex:{rest}"));
        Self { word, pattern, name: None, category: Some(category.to_owned()), project: None, task: None }
    }

    /// Returns an id of eight hexadecimal digits. The id depends only on the condition. It stays the same if the
    /// proposal moves in a list, or if it suggests another project.
    pub fn id(&self) -> String {
        format!("{:08x}", crc32fast::hash(format!("{} = {}", self.word.key(), self.pattern).as_bytes()))
    }

    /// Returns the rule as a TOML table for the configuration file, with a line break after each line.
    pub fn toml(&self) -> String {
        let keys = [
            ("name", &self.name),
            (self.word.key(), &Some(self.pattern.clone())),
            ("category", &self.category),
            ("project", &self.project),
            ("task", &self.task),
        ];
        let lines =
            keys.into_iter().filter_map(|(key, text)| Some(format!("{key} = {}\n", quote_toml(text.as_ref()?))));
        format!("[[rules]]\n{}", lines.collect::<String>())
    }
}

impl Serialize for Proposal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.toml())
    }
}

/// Returns `text` as a quoted string in TOML, with invisible characters escaped.
fn quote_toml(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() || is_unseen(c) => {
                quoted.push_str("\\U");
                quoted.extend(format!("{:08X}", u32::from(c)).chars());
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a character is invisible and can reorder or hide text. Returns false for the joiners U+200C and U+200D,
/// because Persian words and emoji need these characters.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RuleConfig, Rules};

    #[derive(serde::Deserialize)]
    struct ParsedConfig {
        rules: Vec<RuleConfig>,
    }

    #[test]
    fn a_proposed_rule_matches_its_name_with_any_characters() {
        for name in ["Code", "C:\\ \"quoted\" 'too'", "regex:(", "\u{1b}[2J\u{202e}", "日本語 (Beta)", "# no comment\n"]
        {
            let written = Proposal { project: Some(name.to_owned()), ..Proposal::new(Word::App, name, name) }.toml();
            assert!(!written.contains('\u{1b}') && !written.contains('\u{202e}'), "{written:?}");
            let read: ParsedConfig = toml::from_str(&written).unwrap();
            let rules = Rules::new(read.rules.into_iter().map(|rule| rule.try_into().unwrap()).collect()).unwrap();
            assert_eq!(rules.fulfilled_conditions(Word::App, name).unwrap(), [1], "{written}");
            assert_eq!(rules.rules()[0].project.as_deref(), Some(name));
        }
    }
}
