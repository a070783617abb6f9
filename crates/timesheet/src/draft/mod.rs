//! The draft: turns recorded activity into hours that a person only has to check.
//!
//! Owns: which work a second belongs to, which seconds are already logged, the rows with their hours, descriptions,
//! evidence and confidence, the account of all seconds, and the attributes from which later drafts learn. Does not
//! own: the history, rules, tags and entries, which are passed in. Nothing here reads a clock, a file or the
//! environment.
//!
//! [`draft`] has five steps, with one module each. Intervals get a project and task from tags, rules
//! ([`ProjectNames`]) and earlier entries ([`Memory`]). Each second is counted once (`work`). Entries cover their
//! share (`cover`). The rest becomes rows, which are rounded once (`row`). The sums are reported ([`Account`]).
//! [`unlogged_time`] returns the uncovered time before it becomes rows. [`find_unchanged`] checks a row before it is
//! logged, [`text`] is the draft as an editable text, and [`corrections`] propose rules from logged entries.
//!
//! Invariants: each active second is either covered, drafted or skipped; the rows of a day add up to its rounded sum;
//! the result doesn't depend on the order of the input; redacted texts never reach a draft, because they aren't passed
//! in. The run time is n log n in the intervals and the evidence of their time, and linear in the other entries.

mod account;
mod active_period;
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

pub use crate::entry::{ItemKind, UsedItem};
pub use crate::logged::LoggedEntry;
pub use account::Account;
pub use active_period::{ActivePeriod, WorkLabel};
pub use cover::EntryCoverage;
pub use memory::{Correction, corrections};
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

/// The input of a draft.
#[derive(Debug, Clone, Copy)]
pub struct DraftInput<'m> {
    /// The first day of the range.
    pub first: Day,
    /// The last day of the range (included).
    pub last: Day,
    /// The active time of the range.
    pub periods: &'m [ActivePeriod],
    /// The entries on these days, and those with evidence in the active time. Further entries are allowed.
    pub entries: &'m [LoggedEntry<'m>],
    /// The active seconds of days outside of the range that belong to entries without evidence. With these, a day gets
    /// the same share of an entry's hours whether it is drafted alone or as part of its week.
    pub other_days: &'m BTreeMap<Day, i64>,
    /// The projects and their names.
    pub names: &'m ProjectNames<'m>,
    /// Earlier entries.
    pub memory: &'m Memory,
}

impl DraftInput<'_> {
    /// Returns the days of an entry that are in the range.
    fn days_in_range(&self, logged: &LoggedEntry<'_>) -> Option<RangeInclusive<Day>> {
        let first = logged.entry.start_date.max(self.first);
        let last = logged.entry.completion_date.min(self.last);
        (first <= last).then_some(first..=last)
    }
}

/// The hours of a range that aren't logged yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Rows by day; within a day, longest first.
    pub rows: Vec<Row>,
    /// The skipped time, with reasons.
    pub left_out: Vec<SkippedTime>,
    /// The time that entries already cover.
    pub covered: Vec<EntryCoverage>,
    /// The account of each day with active time.
    pub days: BTreeMap<Day, Account>,
}

impl Draft {
    /// Returns the account of the whole range.
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
