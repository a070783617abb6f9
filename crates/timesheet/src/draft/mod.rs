//! The draft: turns recorded activity into hours that a person only has to check.
//!
//! The history, rules, tags and entries are passed in. Nothing here reads a clock, a file or the environment. The
//! result contains rows with their hours, descriptions, evidence and confidence, and an account of all seconds.
//!
//! [`draft`] has five steps, with one module each. Intervals get a project and task from tags, rules
//! ([`ProjectNames`]) and earlier entries ([`Memory`]). Each second is counted once (`work`). Entries cover their
//! share (`cover`). The rest becomes rows, which are rounded once (`row`). The sums are reported ([`Account`]).
//! [`unlogged_time`] returns the uncovered time before it becomes rows, and [`recorded_times`] the evidence of timed work.
//! [`find_unchanged`] checks a row before it is logged, [`text`] is the draft as an editable text, and [`corrections`]
//! propose rules from logged entries.
//!
//! Invariants: each second is either covered, drafted or skipped; the rows of a day add up to its rounded sum;
//! the result doesn't depend on the order of the input; redacted texts never reach a draft, because they aren't passed
//! in. The run time is n log n in the intervals and the evidence of their time, and linear in the other entries.

mod cover;
mod description;
mod memory;
mod names;
mod recorded;
mod row;
mod settings;
pub mod text;
mod version;
mod work;

use std::collections::BTreeMap;
use std::ops::{Add, RangeInclusive};

use serde::{Deserialize, Serialize};

use self::cover::compute_coverage;
use self::work::ActiveTime;
use crate::day::Day;
use crate::hours::Hours;
use crate::span::Span;

pub use crate::entry::{ItemKind, UsedItem};
pub use crate::logged::LoggedEntry;
pub use cover::EntryCoverage;
pub use memory::{Correction, HistoryMatch, MIN_SECONDS, MIN_SHARE, Memory, corrections};
pub use names::{Alias, ProjectNames, RowNote, Target};
pub use recorded::{RecordedTime, recorded_times};
pub use row::{MAX_ITEMS, Row, SkipReason, SkippedTime, find_unchanged};
pub use settings::{BRANCH, Patterns, Settings, TICKET};
pub use version::{RowId, RowVersion};
pub use work::{ActivePeriod, Origin, RowSource, WorkLabel};

/// The input of a draft.
#[derive(Debug, Clone, Copy)]
pub struct DraftInput<'m> {
    /// The first day of the range.
    pub first: Day,
    /// The last day of the range (included).
    pub last: Day,
    /// The active time of the range, and the tagged time away from the computer.
    pub periods: &'m [ActivePeriod],
    /// Time away from the computer that may have been work: meetings without a tag, and tags of hours in which the
    /// computer was off. It becomes rows to confirm, which are in no total.
    pub unconfirmed: &'m [ActivePeriod],
    /// The entries on these days, and entries of other days whose evidence is in the active time. Further entries are
    /// allowed.
    pub entries: &'m [LoggedEntry<'m>],
    /// The seconds of days outside of the range that belong to entries without evidence. With these, a day gets
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
    /// Rows by day; within a day, longest first, and rows to confirm last.
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
    let (mut rows, left_out) = row::rows(&active, &coverage.free, &coverage.covered_spans, input.names, settings);
    let mut days = accounts_by_day(&active, &coverage.covered_spans, &rows, &left_out);
    for row in row::unconfirmed_rows(input, settings) {
        days.entry(row.day).or_default();
        rows.push(row);
    }
    rows.sort_by_key(|row| row.day);
    Draft { rows, left_out, covered: coverage.covered, days }
}

/// The seconds of a day or a range, split by their use in the draft. The parts add up to `active` and `away`. Rows to
/// confirm are in none of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// All active seconds, each counted once.
    pub active: i64,
    /// All tagged seconds away from the computer, each counted once.
    #[serde(default)]
    pub away: i64,
    /// Seconds that entries cover.
    pub covered: i64,
    /// Seconds in rows.
    pub drafted: i64,
    /// Seconds not included because they are shorter than the shortest allowed row.
    pub too_short: i64,
    /// Seconds not included because they round to zero hours.
    pub rounded_away: i64,
    /// The sum of the hours of the rows.
    pub hours: Hours,
}

impl Add for Account {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            active: self.active + other.active,
            away: self.away + other.away,
            covered: self.covered + other.covered,
            drafted: self.drafted + other.drafted,
            too_short: self.too_short + other.too_short,
            rounded_away: self.rounded_away + other.rounded_away,
            hours: self.hours + other.hours,
        }
    }
}

/// Returns the account of each day with active time. Each figure is counted independently and never derived from the
/// others, so that tests can compare their sum.
fn accounts_by_day(
    active: &ActiveTime<'_>,
    covered: &[Span],
    rows: &[Row],
    left_out: &[SkippedTime],
) -> BTreeMap<Day, Account> {
    let mut days: BTreeMap<Day, Account> = BTreeMap::new();
    for span in &active.spans {
        let account = days.entry(active.day(*span)).or_default();
        *(if active.work(*span).period.is_away { &mut account.away } else { &mut account.active }) += span.seconds();
    }
    for span in covered {
        days.entry(active.day(*span)).or_default().covered += span.seconds();
    }
    for row in rows {
        let account = days.entry(row.day).or_default();
        account.drafted += row.seconds;
        account.hours = account.hours + row.hours;
    }
    for left_out in left_out {
        let account = days.entry(left_out.day).or_default();
        *match left_out.reason {
            SkipReason::TooShort => &mut account.too_short,
            SkipReason::RoundedAway => &mut account.rounded_away,
        } += left_out.seconds;
    }
    days
}

/// An active interval, or an interval of tagged time away, that no entry covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnloggedTime {
    /// The local date.
    pub day: Day,
    /// The start in seconds since 1970, UTC.
    pub start_utc: i64,
    /// The exclusive end in seconds since 1970, UTC.
    pub end_utc: i64,
    /// The target that a draft would suggest, if any.
    pub target: Option<Target>,
    /// The foreground application, unless it is redacted.
    pub application: Option<String>,
    /// The device that recorded the interval.
    pub device: Option<String>,
    /// Whether no device was active.
    pub is_away: bool,
}

/// Returns the active time and the tagged time away of a range that no entry covers. It is the time that a draft from
/// the same input drafts or skips, with each second counted once. Intervals are in time order, and adjacent intervals
/// that are otherwise equal are merged.
pub fn unlogged_time(input: &DraftInput<'_>) -> Vec<UnloggedTime> {
    let active = ActiveTime::new(input.periods, input.names, input.memory);
    let mut unlogged: Vec<UnloggedTime> = Vec::new();
    for span in compute_coverage(&active, input).free {
        let work = active.work(span);
        let next = UnloggedTime {
            day: work.period.day,
            start_utc: span.start,
            end_utc: span.end,
            target: work.target.clone(),
            application: work.period.application.clone(),
            device: work.period.device.clone(),
            is_away: work.period.is_away,
        };
        match unlogged.last_mut().filter(|last| last.is_continued_by(&next)) {
            Some(last) => last.end_utc = next.end_utc,
            None => unlogged.push(next),
        }
    }
    unlogged
}

impl UnloggedTime {
    /// Whether `next` begins at the end of this interval and is otherwise equal.
    fn is_continued_by(&self, next: &Self) -> bool {
        self.end_utc == next.start_utc
            && self.day == next.day
            && self.target == next.target
            && self.application == next.application
            && self.device == next.device
            && self.is_away == next.is_away
    }
}
