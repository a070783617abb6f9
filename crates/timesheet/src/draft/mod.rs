//! A draft converts recorded activity to hours. The user then only has to check these hours.
//!
//! The caller passes the history, rules, tags and entries. This module doesn't read a clock, a file or the environment.
//! The result contains rows with their hours, descriptions, evidence and confidence, and an account of all seconds.
//!
//! [`draft`] has five steps:
//! - Each interval gets a project and a task from tags, rules ([`ProjectNames`]) or earlier entries ([`Memory`]).
//! - Overlaps are resolved, so that each second is counted once (module `work`).
//! - Existing entries cover their share of the time (`cover`).
//! - The remaining time becomes rows, which are rounded once (`row`).
//! - The sums of each day are calculated ([`Account`]).
//!
//! [`unlogged_time`] returns the time that entries don't cover. [`recorded_times`] returns the evidence for work whose
//! start and end the user stated. [`find_unchanged`] checks a row before it is logged. [`text`] formats a draft as an
//! editable text. [`corrections`] finds logged time for which a rule can be proposed.
//!
//! Invariants: each second is covered, drafted or skipped. The rows of a day add up to the day's rounded sum. The order
//! of the input doesn't affect the result. The caller doesn't pass redacted texts, so a draft can't contain them. If n
//! is the number of intervals and pieces of evidence, the running time is O(n log n). It is linear in the number of
//! other entries.

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
pub(crate) use version::digest;
pub use version::{RowId, RowVersion};
pub use work::{ActivePeriod, Origin, RowSource, WorkLabel};

/// The input of a draft.
#[derive(Debug, Clone, Copy)]
pub struct DraftInput<'m> {
    /// The first day of the range.
    pub first: Day,
    /// The last day of the range, inclusive.
    pub last: Day,
    /// The active time of the range, and the tagged time away from the computer.
    pub periods: &'m [ActivePeriod],
    /// Time away from the computer that may have been work: meetings without a tag, and tags for hours in which the
    /// computer was off. This time becomes rows that the user must confirm. Totals don't include these rows.
    pub unconfirmed: &'m [ActivePeriod],
    /// The entries on the days of the range, and the entries of other days if their evidence overlaps the active time.
    /// Additional entries are allowed.
    pub entries: &'m [LoggedEntry<'m>],
    /// The active and tagged seconds of days outside the range. They are needed for entries without evidence, if these
    /// entries also have days outside the range. With these seconds, a draft of one day and a draft of its week assign
    /// the same share of an entry's hours to this day.
    pub other_days: &'m BTreeMap<Day, i64>,
    /// The projects and their names.
    pub names: &'m ProjectNames<'m>,
    /// The files, sites and applications of earlier entries, with the projects on which their time was logged.
    pub memory: &'m Memory,
}

impl DraftInput<'_> {
    /// Returns the days that the entry and the range have in common, or `None` if there are none.
    fn days_in_range(&self, logged: &LoggedEntry<'_>) -> Option<RangeInclusive<Day>> {
        let first = logged.entry.start_date.max(self.first);
        let last = logged.entry.completion_date.min(self.last);
        (first <= last).then_some(first..=last)
    }
}

/// The hours of a range that aren't logged yet, as rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The rows, ordered by day. Within a day the longest rows come first, and rows to confirm come last.
    pub rows: Vec<Row>,
    /// The skipped time, with the reason for each part.
    pub left_out: Vec<SkippedTime>,
    /// The time that each entry already covers.
    pub covered: Vec<EntryCoverage>,
    /// The account of each day. A day without active time has one only if it has tagged time or rows to confirm.
    pub days: BTreeMap<Day, Account>,
}

impl Draft {
    /// Returns the sum of the accounts of all days.
    pub fn account(&self) -> Account {
        self.days.values().fold(Account::default(), |sum, day| sum + *day)
    }
}

/// Creates a draft of the hours of a range.
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

/// The seconds of a day or a range, split by their use in the draft. `covered`, `drafted`, `too_short` and
/// `rounded_away` add up to `active` plus `away`. Rows to confirm aren't included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Active seconds. Each second is counted once.
    pub active: i64,
    /// Seconds away from the computer that have a tag. Each second is counted once.
    #[serde(default)]
    pub away: i64,
    /// Seconds that existing entries cover.
    pub covered: i64,
    /// Seconds that became rows.
    pub drafted: i64,
    /// Seconds that were skipped because they are fewer than the minimum for a row.
    pub too_short: i64,
    /// Seconds that were skipped because they round to zero hours.
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

/// Returns the account of each day. Each figure is counted independently of the other figures, so that tests can
/// compare their sums.
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

/// An interval that no entry covers. It is active time, or tagged time away from the computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnloggedTime {
    /// The local date of the interval.
    pub day: Day,
    /// The start in seconds since 1970, UTC.
    pub start_utc: i64,
    /// The exclusive end in seconds since 1970, UTC.
    pub end_utc: i64,
    /// The project and task that a draft would suggest, if any.
    pub target: Option<Target>,
    /// The application in the foreground. `None` if it is redacted or unknown.
    pub application: Option<String>,
    /// The device that recorded the interval.
    pub device: Option<String>,
    /// Whether the computer wasn't used. In this case, only a tag shows the work.
    pub is_away: bool,
}

/// Returns the active time, and the tagged time away from the computer, that no entry covers in a range. A draft from
/// the same input drafts or skips exactly this time. Each second is counted once. The intervals are in time order.
/// Adjacent intervals are merged if they differ only in their times.
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
    /// Whether `next` begins at the end of this interval and has the same day, target, application and device.
    fn is_continued_by(&self, next: &Self) -> bool {
        self.end_utc == next.start_utc
            && self.day == next.day
            && self.target == next.target
            && self.application == next.application
            && self.device == next.device
            && self.is_away == next.is_away
    }
}
