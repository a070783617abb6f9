//! The user's own rules: what a stretch of work was for (semantics, section 9).
//!
//! **Owns** what a rule is, which words fulfil its conditions, and what it sets. **Does not own** which words belong to a
//! stretch of work, nor which rule decides there: that is `ruled` of the functions crate, which is told the numbers of
//! conditions.
//!
//! Invariants: a rule that exists has conditions and sets something; equal conditions have one number, counted from 1.

mod condition;
mod rule;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regex::{RegexSet, RegexSetBuilder};
use serde::{Deserialize, Serialize};

pub use condition::{Condition, InvalidCondition, Word};
pub use rule::{InvalidRule, Rule, WrittenRule};

/// The rules of a user, in the order in which they decide.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Rule>", into = "Vec<Rule>")]
pub struct Rules(Arc<Compiled>);

#[derive(Debug, Default)]
struct Compiled {
    rules: Vec<Rule>,
    /// The conditions of each rule, by number.
    needs: Vec<Vec<u32>>,
    /// All conditions on one kind of word, and their numbers.
    of_words: BTreeMap<Word, (RegexSet, Vec<u32>)>,
}

impl Rules {
    /// These rules, ready to be asked.
    ///
    /// # Errors
    /// More patterns than can be looked for at once.
    pub fn new(rules: Vec<Rule>) -> Result<Self, TooManyPatterns> {
        let mut numbers: BTreeMap<Condition, u32> = BTreeMap::new();
        let mut needs = Vec::with_capacity(rules.len());
        for rule in &rules {
            let of_rule = rule.conditions().iter().map(|condition| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX).saturating_add(1);
                *numbers.entry(condition.clone()).or_insert(next)
            });
            needs.push(of_rule.collect());
        }
        let mut patterns: BTreeMap<Word, Vec<(String, u32)>> = BTreeMap::new();
        for (condition, number) in numbers {
            patterns.entry(condition.word()).or_default().push((condition.regex(), number));
        }
        let of_words = patterns.into_iter().map(|(word, patterns)| {
            let (patterns, numbers): (Vec<_>, Vec<_>) = patterns.into_iter().unzip();
            let set = RegexSetBuilder::new(patterns).case_insensitive(true).size_limit(MOST_BYTES).build();
            Ok((word, (set.map_err(|_| TooManyPatterns)?, numbers)))
        });
        let of_words = of_words.collect::<Result<_, TooManyPatterns>>()?;
        Ok(Self(Arc::new(Compiled { rules, needs, of_words })))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.rules.is_empty()
    }

    /// The rules, in the order in which they decide.
    pub fn rules(&self) -> &[Rule] {
        &self.0.rules
    }

    /// The numbers of the conditions of each rule.
    pub fn needs(&self) -> &[Vec<u32>] {
        &self.0.needs
    }

    /// The numbers of all conditions on `word` that `text` fulfils.
    pub fn fulfilled(&self, word: Word, text: &str) -> Vec<u32> {
        let Some((set, numbers)) = self.0.of_words.get(&word) else { return Vec::new() };
        let of = |text: &str| set.matches(text).into_iter().collect::<BTreeSet<_>>();
        let mut places = of(text);
        if word == Word::Path && text.contains('\\') {
            places.extend(of(&text.replace('\\', "/")));
        }
        places.into_iter().filter_map(|place| numbers.get(place).copied()).collect()
    }
}

/// What all patterns on one kind of word may take together, compiled.
const MOST_BYTES: usize = 16 << 20;

/// More patterns than can be looked for at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the patterns of all rules are too large together: make regular expressions shorter")]
pub struct TooManyPatterns;

impl TryFrom<Vec<Rule>> for Rules {
    type Error = TooManyPatterns;

    fn try_from(rules: Vec<Rule>) -> Result<Self, TooManyPatterns> {
        Self::new(rules)
    }
}

impl From<Rules> for Vec<Rule> {
    fn from(rules: Rules) -> Self {
        rules.rules().to_vec()
    }
}
