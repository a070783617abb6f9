//! The draft: from what was done to hours that a person only has to look at.
//!
//! Owns: which work a second belongs to, which seconds are logged already, rows with hours, words, evidence and
//! confidence, the account of each second, and what a row is known by. Does not own: the history, rules and tags
//! themselves, and the entries; they are handed in. Nothing here reads a clock, a file or the environment.
//!
//! [`draft`] goes these steps, a module each: stretches get a project and task from tags, rules ([`ProjectNames`]) and what was
//! logged before ([`Memory`]); each second counts once (`work`); entries cover what is theirs (`cover`); the rest becomes
//! rows, rounded once (`row`); the sum is shown ([`Account`]). [`unlogged_time`] is the rest itself, before it becomes rows.
//! [`find_unchanged`] is asked before a row is logged, [`text`] is the draft as a person edits it, and [`corrections`] are what
//! rules could learn from what was logged.
//!
//! Invariants: each active second is covered, drafted or left out, and one of these only; the rows of a day add up to its
//! rounded sum; the order of what is handed in changes nothing; no text that was withheld is in a draft, as none is
//! handed in. All is n log n in the stretches and the evidence of their time, and linear in entries of other times.

mod account;
mod active_period;
mod correction;
mod cover;
mod description;
mod memory;
mod names;
mod row;
mod settings;
pub mod text;
mod unlogged;
mod version;
mod work;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use crate::logged::LoggedEntry;
pub use crate::used_item::{ItemKind, UsedItem};
pub use account::Account;
pub use active_period::{ActivePeriod, WorkLabel};
pub use correction::{Correction, corrections};
pub use cover::EntryCoverage;
pub use memory::{HistoryMatch, MIN_SECONDS, MIN_SHARE, Memory};
pub use names::{Alias, ProjectNames, RowNote, Target};
pub use row::{MAX_ITEMS, Row, SkipReason, SkippedTime, find_unchanged};
pub use settings::{BRANCH, MinimumLength, Patterns, RoundingStep, Settings, TICKET};
pub use unlogged::{UnloggedTime, unlogged_time};
pub use version::{RowId, RowVersion};
pub use work::{Origin, RowSource};

use self::cover::compute_coverage;
use self::work::ActiveTime;
use crate::day::Day;

/// What a draft is made of.
#[derive(Debug, Clone, Copy)]
pub struct DraftInput<'m> {
    /// The first day of the range.
    pub first: Day,
    /// The last day of the range, which is part of it.
    pub last: Day,
    /// The active time of the range.
    pub periods: &'m [ActivePeriod],
    /// Entries of its days, and those whose evidence has a second of it; others may be among them.
    pub entries: &'m [LoggedEntry<'m>],
    /// The active seconds of days outside of the range that an entry without evidence is of too, so that a day has the
    /// same part of its hours whether it is drafted alone or in its week.
    pub other_days: &'m BTreeMap<Day, i64>,
    /// The projects and what they are called.
    pub names: &'m ProjectNames<'m>,
    /// What was logged before.
    pub memory: &'m Memory,
}

impl DraftInput<'_> {
    /// Those days of an entry that are in the range.
    fn days_in_range(&self, logged: &LoggedEntry<'_>) -> Option<RangeInclusive<Day>> {
        let first = logged.entry.start_date.max(self.first);
        let last = logged.entry.completion_date.min(self.last);
        (first <= last).then_some(first..=last)
    }
}

/// Hours of a range that are not logged yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// By day; in a day, most seconds first.
    pub rows: Vec<Row>,
    /// What is no row, and why.
    pub left_out: Vec<SkippedTime>,
    /// What entries cover of the range already.
    pub covered: Vec<EntryCoverage>,
    /// Where each second has gone, for each day with an active one.
    pub days: BTreeMap<Day, Account>,
}

impl Draft {
    /// Where each second of the range has gone.
    pub fn account(&self) -> Account {
        self.days.values().fold(Account::default(), |sum, day| sum + *day)
    }
}

/// Drafts the hours of a range.
pub fn draft(input: &DraftInput<'_>, settings: &Settings) -> Draft {
    let active = ActiveTime::new(input.periods, input.names, input.memory);
    let coverage = compute_coverage(&active, input);
    let (rows, left_out) = row::rows(&active, &coverage.free, &coverage.covered_spans, input.names, settings);
    let days = account::accounts_by_day(&active, &coverage.covered_spans, &rows, &left_out);
    Draft { rows, left_out, covered: coverage.covered, days }
}
