//! The breakdown of the active time of a range.

use std::collections::BTreeMap;
use std::ops::Add;

use serde::{Deserialize, Serialize};

use super::row::{Row, SkipReason, SkippedTime};
use super::work::ActiveTime;
use crate::day::Day;
use crate::hours::Hours;
use crate::span::Span;

/// The active seconds of a day or a range, split by their use in the draft. The parts add up to `active`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// All active seconds, each counted once.
    pub active: i64,
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
pub(super) fn accounts_by_day(
    active: &ActiveTime<'_>,
    covered: &[Span],
    rows: &[Row],
    left_out: &[SkippedTime],
) -> BTreeMap<Day, Account> {
    let mut days: BTreeMap<Day, Account> = BTreeMap::new();
    for (day, seconds) in &active.by_day {
        days.entry(*day).or_default().active = *seconds;
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
