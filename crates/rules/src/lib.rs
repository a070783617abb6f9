//! The user's rules, which assign a project, task or category to work (docs/spec/time.md#rules).
//!
//! This crate defines the conditions of rules and the values that rules set, and decides which texts match a condition.
//! The functions `split_by_rule` and `main_rule` of the crate `dayledger-udfs` decide which rule applies at a time.
//! These functions receive only the numbers of the matching conditions.
//!
//! Start reading at [`Rules`], which numbers the conditions of each [`Rule`].
//!
//! Invariants: every rule of a user has a condition and sets a value. Conditions are numbered from 1, and equal
//! conditions have the same number.

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
pub use folder::{Folder, common_folder, project_folder};
pub use proposal::Proposal;
pub use recorded::{RecordedRule, RecordedRules, RecordedSet};
pub use rule::{InvalidRule, Rule, RuleConfig};

/// The maximum size of all patterns together, in parts. The compiled patterns then take at most 16 MiB.
const MAX_PARTS: usize = 256 << 10;
/// The memory limit of the compiled patterns for one kind of text, in bytes. Patterns that [`Rules::new`] accepts stay
/// below the limit.
const MAX_BYTES: usize = 64 << 20;

/// The rules of a user in order of precedence, and the setting whether calls count. `Rules` can be serialised for
/// another process. That process doesn't check the rules again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "RulesSpec", into = "RulesSpec")]
pub struct Rules {
    numbered: Arc<NumberedRules>,
    count_calls: bool,
    /// The rules for calls, if the rules come from an export.
    recorded_calls: Option<Arc<NumberedRules>>,
}

/// The serialised form of rules for another process.
#[derive(Default, Serialize, Deserialize)]
struct RulesSpec {
    rules: Vec<Rule>,
    count_calls: bool,
    /// The rules of an export. If they are present, the other fields are ignored.
    recorded: Option<RecordedRules>,
}

/// Rules in order of precedence, with numbered conditions.
#[derive(Debug, Default)]
struct NumberedRules {
    rules: Vec<Rule>,
    /// The numbers of the conditions of each rule.
    needs: Vec<Vec<u32>>,
    /// The kind of text that each condition applies to, in order of the conditions' numbers.
    words: Vec<Word>,
    patterns: BTreeMap<Word, Patterns>,
    /// Whether the rules come from an export. Each row of an export contains the numbers of the conditions that it
    /// meets.
    are_recorded: bool,
}

/// All patterns for one kind of text. They are compiled when the first text is matched, because most commands don't
/// match texts.
#[derive(Debug, Default)]
struct Patterns {
    regexes: Vec<String>,
    numbers: Vec<u32>,
    compiled: OnceLock<Result<RegexSet, TooManyPatterns>>,
}

/// No condition has this number. Therefore, a rule that needs this number never matches.
const UNMATCHED_CONDITION: u32 = 0;

/// The error for patterns that are too large together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the patterns of all rules are too large together: use shorter regular expressions")]
pub struct TooManyPatterns;

impl Rules {
    /// Creates a set of rules.
    ///
    /// # Errors
    /// Fails if all patterns together have more than `MAX_PARTS` parts.
    pub fn new(rules: Vec<Rule>) -> Result<Self, TooManyPatterns> {
        let conditions: BTreeSet<_> = rules.iter().flat_map(Rule::conditions).collect();
        let parts = conditions.into_iter().map(|condition| condition.parts).fold(0, usize::saturating_add);
        if parts > MAX_PARTS { Err(TooManyPatterns) } else { Ok(rules.into()) }
    }

    /// Returns the rules with another value for [`Self::count_calls`].
    #[must_use]
    pub fn with_calls_counted(self, count_calls: bool) -> Self {
        Self { count_calls, ..self }
    }

    /// Whether calls count as active time while the user is away from the device.
    pub fn count_calls(&self) -> bool {
        self.count_calls
    }

    /// Returns the rules that recognise calls: first the user's rules, then the built-in rules. Returns an empty set if
    /// calls do not count.
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

    /// Returns these rules without their patterns, for an export.
    pub fn to_record(&self) -> RecordedRules {
        let calls = self.count_calls.then(|| self.call_rules().numbered.to_record());
        RecordedRules { work: self.numbered.to_record(), calls }
    }

    /// Creates rules from the record in an export. These are the rules that the export was computed with.
    pub fn from_record(record: &RecordedRules) -> Self {
        let calls = record.calls.as_ref().map(|calls| Arc::new(NumberedRules::from_record(calls)));
        let numbered = Arc::new(NumberedRules::from_record(&record.work));
        Self { numbered, count_calls: calls.is_some(), recorded_calls: calls }
    }

    /// Whether the rules come from an export. Such rules have no patterns, because each row contains the numbers of
    /// the conditions that it meets.
    pub fn are_recorded(&self) -> bool {
        self.numbered.are_recorded
    }

    /// Returns the kind of text that the condition with this number applies to.
    pub fn word(&self, number: u32) -> Option<Word> {
        self.numbered.words.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
    }

    /// Returns the kind of text that each condition applies to, in order of the conditions' numbers.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.numbered.words.iter().copied()
    }

    /// Whether the set contains no rules.
    pub fn is_empty(&self) -> bool {
        self.numbered.rules.is_empty()
    }

    /// Returns the rules, in order of precedence.
    pub fn rules(&self) -> &[Rule] {
        &self.numbered.rules
    }

    /// Returns the numbers of the conditions of each rule, in order of the rules. A rule that only marks calls can't
    /// match here. Such a rule needs only the number 0, which is never the number of a condition.
    pub fn needs(&self) -> &[Vec<u32>] {
        &self.numbered.needs
    }

    /// Returns the numbers of all conditions on `word` that `text` meets.
    ///
    /// # Errors
    /// Fails if the patterns are too large together. This can't happen for rules from [`Rules::new`].
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
    /// Creates rules with numbered conditions. `decides` selects the rules that can match.
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

    /// Returns a checksum of all conditions: their patterns, kinds of text and numbers.
    fn checksum(&self) -> u32 {
        let mut checksum = crc32fast::Hasher::new();
        for (word, patterns) in &self.patterns {
            for (number, regex) in patterns.numbers.iter().zip(&patterns.regexes) {
                // Different conditions can't result in the same text: keys don't contain line breaks, and the length
                // comes before each pattern.
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
    fn from(RulesSpec { rules, count_calls, recorded }: RulesSpec) -> Self {
        match recorded {
            Some(recorded) => Self::from_record(&recorded),
            None => Self::from(rules).with_calls_counted(count_calls),
        }
    }
}

impl From<Rules> for RulesSpec {
    fn from(rules: Rules) -> Self {
        if rules.are_recorded() {
            return Self { recorded: Some(rules.to_record()), ..Self::default() };
        }
        Self { rules: rules.rules().to_vec(), count_calls: rules.count_calls, recorded: None }
    }
}
