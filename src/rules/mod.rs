//! The user's rules, which assign a project, task or category to work (docs/spec/time.md#rules).
//!
//! It defines the conditions of a rule, the words that they match, and the values that a rule sets. The function
//! `ruled` of the crate `dayledger-udfs` decides which rule applies to a period of work. It receives only the numbers
//! of matching conditions.
//!
//! Invariants: a rule that exists has conditions and sets a value. Equal conditions share one number, counted from 1.

mod calls;
mod condition;
mod folder;
mod proposal;
mod recorded;
mod rule;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use regex::{RegexSet, RegexSetBuilder};
use serde::{Deserialize, Serialize};

pub use condition::{Condition, InvalidCondition, Word};
pub use folder::{Folder, common_folder};
pub use proposal::Proposal;
pub use recorded::{RecordedRule, RecordedRules, RecordedSet};
pub use rule::{InvalidRule, Rule, RuleConfig};

/// How large all patterns together may be. Compiled they take up to 16 mebibytes.
const MAX_PARTS: usize = 256 << 10;
/// What the patterns on one kind of word may take, compiled: more than those that were let through do.
const MAX_BYTES: usize = 64 << 20;

/// The rules of a user, in the order in which they decide, and whether calls count. They can be written down for
/// another process, which need not look again whether they are rules.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "RulesSpec", into = "RulesSpec")]
pub struct Rules {
    numbered: Arc<NumberedRules>,
    count_calls: bool,
    /// The rules about calls of an export.
    recorded_calls: Option<Arc<NumberedRules>>,
}

/// Rules as another process is told them.
#[derive(Serialize, Deserialize)]
struct RulesSpec {
    rules: Vec<Rule>,
    count_calls: bool,
}

/// Rules whose conditions have numbers.
#[derive(Debug, Default)]
struct NumberedRules {
    rules: Vec<Rule>,
    /// The conditions of each rule, by number.
    needs: Vec<Vec<u32>>,
    /// The kind of word that each condition is about, in the order of their numbers.
    words: Vec<Word>,
    patterns: BTreeMap<Word, Patterns>,
    /// Whether they come from an export, which says of each row which conditions it fulfils.
    are_recorded: bool,
}

/// All conditions on one kind of word. They are compiled when the first text is asked about: most commands ask about
/// none.
#[derive(Debug, Default)]
struct Patterns {
    regexes: Vec<String>,
    numbers: Vec<u32>,
    compiled: OnceLock<Result<RegexSet, TooManyPatterns>>,
}

/// What no condition is: what needs it fits nothing.
const UNMATCHED_CONDITION: u32 = 0;

/// More patterns than can be looked for at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the patterns of all rules are too large together: use shorter regular expressions")]
pub struct TooManyPatterns;

impl Rules {
    /// These rules, ready to be asked.
    ///
    /// # Errors
    /// More patterns than can be looked for at once.
    pub fn new(rules: Vec<Rule>) -> Result<Self, TooManyPatterns> {
        let conditions: BTreeSet<_> = rules.iter().flat_map(Rule::conditions).collect();
        let parts = conditions.into_iter().map(Condition::size).fold(0, usize::saturating_add);
        if parts > MAX_PARTS { Err(TooManyPatterns) } else { Ok(rules.into()) }
    }

    /// The same rules, of a user for whom calls count or do not.
    #[must_use]
    pub fn with_calls_counted(self, count_calls: bool) -> Self {
        Self { count_calls, ..self }
    }

    /// Whether what is a call counts while the device is away.
    pub fn count_calls(&self) -> bool {
        self.count_calls
    }

    /// The rules that decide what a call is, those of the user first; none where calls do not count.
    #[must_use]
    pub fn call_rules(&self) -> Self {
        if !self.count_calls {
            return Self::default();
        }
        if let Some(calls) = &self.recorded_calls {
            return Self { numbered: Arc::clone(calls), ..Self::default() };
        }
        let own = self.rules().iter().filter(|rule| rule.call.is_some()).cloned();
        let rules = own.chain(calls::known_call_rules()).collect();
        Self { numbered: Arc::new(NumberedRules::from_rules(rules, |rule| rule.call.is_some())), ..Self::default() }
    }

    /// Returns what an export records of these rules: everything but the patterns.
    pub fn to_record(&self) -> RecordedRules {
        let calls = self.count_calls.then(|| self.call_rules().numbered.to_record());
        RecordedRules { work: self.numbered.to_record(), calls }
    }

    /// Returns the rules that an export was computed with.
    pub fn from_record(record: &RecordedRules) -> Self {
        let calls = record.calls.as_ref().map(|calls| Arc::new(NumberedRules::from_record(calls)));
        let numbered = Arc::new(NumberedRules::from_record(&record.work));
        Self { numbered, count_calls: calls.is_some(), recorded_calls: calls }
    }

    /// Whether they come from an export: then they have no patterns, and each row says which conditions it fulfils.
    pub fn are_recorded(&self) -> bool {
        self.numbered.are_recorded
    }

    /// The kind of word that the condition of that number is about.
    pub fn word(&self, number: u32) -> Option<Word> {
        self.numbered.words.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
    }

    /// The kinds of words that any condition is about.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.numbered.words.iter().copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbered.rules.is_empty()
    }

    /// The rules, in the order in which they decide.
    pub fn rules(&self) -> &[Rule] {
        &self.numbered.rules
    }

    /// The numbers of the conditions of each rule; of one that decides nothing here a number that no condition has.
    pub fn needs(&self) -> &[Vec<u32>] {
        &self.numbered.needs
    }

    /// The numbers of all conditions on `word` that `text` fulfils.
    ///
    /// # Errors
    /// More patterns than can be looked for at once, of rules that did not come from [`Rules::new`].
    pub fn fulfilled_conditions(&self, word: Word, text: &str) -> Result<Vec<u32>, TooManyPatterns> {
        let Some(patterns) = self.numbered.patterns.get(&word) else { return Ok(Vec::new()) };
        let set = patterns.compile()?;
        let of = |text: &str| set.matches(text).into_iter().collect::<BTreeSet<_>>();
        let mut places = of(text);
        if word == Word::Path && text.contains('\\') {
            places.extend(of(&text.replace('\\', "/")));
        }
        Ok(places.into_iter().filter_map(|place| patterns.numbers.get(place).copied()).collect())
    }
}

impl Patterns {
    fn compile(&self) -> Result<&RegexSet, TooManyPatterns> {
        let compile = || {
            let mut builder = RegexSetBuilder::new(&self.regexes);
            builder.case_insensitive(true).size_limit(MAX_BYTES).build().map_err(|_| TooManyPatterns)
        };
        self.compiled.get_or_init(compile).as_ref().map_err(|error| *error)
    }
}

impl NumberedRules {
    /// The rules with their conditions, as far as they decide.
    fn from_rules(rules: Vec<Rule>, decides: impl Fn(&Rule) -> bool) -> Self {
        let mut numbers: BTreeMap<&Condition, u32> = BTreeMap::new();
        let mut needs = Vec::with_capacity(rules.len());
        for rule in &rules {
            if !decides(rule) {
                needs.push(vec![UNMATCHED_CONDITION]);
                continue;
            }
            let of_rule = rule.conditions().iter().map(|condition| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX).saturating_add(1);
                *numbers.entry(condition).or_insert(next)
            });
            needs.push(of_rule.collect());
        }
        let mut words: Vec<_> = numbers.iter().map(|(condition, number)| (*number, condition.word())).collect();
        words.sort_unstable();
        let words = words.into_iter().map(|(_, word)| word).collect();
        let mut patterns: BTreeMap<Word, Patterns> = BTreeMap::new();
        for (condition, number) in numbers {
            let patterns = patterns.entry(condition.word()).or_default();
            patterns.regexes.push(condition.regex());
            patterns.numbers.push(number);
        }
        Self { rules, needs, words, patterns, are_recorded: false }
    }

    fn to_record(&self) -> RecordedSet {
        let rules = self.rules.iter().zip(&self.needs).map(|(rule, needs)| RecordedRule {
            name: rule.name().to_owned(),
            category: rule.category.clone(),
            project: rule.project.clone(),
            task: rule.task.clone(),
            call: rule.call,
            needs: needs.clone(),
        });
        RecordedSet { conditions: self.words.clone(), checksum: self.checksum(), rules: rules.collect() }
    }

    /// Returns a checksum of all patterns with the kind of text that each reads and its number.
    fn checksum(&self) -> u32 {
        let mut checksum = crc32fast::Hasher::new();
        for (word, patterns) in &self.patterns {
            for (number, regex) in patterns.numbers.iter().zip(&patterns.regexes) {
                // No key contains a line break. The length separates one pattern from the next.
                checksum.update(format!("{}\n{number}\n{}\n{regex}\n", word.key(), regex.len()).as_bytes());
            }
        }
        checksum.finalize()
    }

    fn from_record(set: &RecordedSet) -> Self {
        let rules = set
            .rules
            .iter()
            .cloned()
            .map(|rule| Rule::from_record(rule.name, [rule.category, rule.project, rule.task], rule.call));
        Self {
            rules: rules.collect(),
            needs: set.rules.iter().map(|rule| rule.needs.clone()).collect(),
            words: set.conditions.clone(),
            patterns: BTreeMap::new(),
            are_recorded: true,
        }
    }
}

impl From<Vec<Rule>> for Rules {
    fn from(rules: Vec<Rule>) -> Self {
        Self { numbered: Arc::new(NumberedRules::from_rules(rules, Rule::assigns_work)), ..Self::default() }
    }
}

impl From<RulesSpec> for Rules {
    fn from(RulesSpec { rules, count_calls }: RulesSpec) -> Self {
        Self::from(rules).with_calls_counted(count_calls)
    }
}

impl From<Rules> for RulesSpec {
    fn from(rules: Rules) -> Self {
        Self { rules: rules.rules().to_vec(), count_calls: rules.count_calls }
    }
}
