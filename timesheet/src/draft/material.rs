//! All that a draft is made of, handed in.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::memory::Memory;
use super::names::Names;
use super::stretch::Stretch;
use crate::day::Day;
use crate::logged::Logged;

/// What a draft is made of.
#[derive(Debug, Clone, Copy)]
pub struct Material<'m> {
    /// The first day of the range.
    pub first: Day,
    /// The last day of the range, which is part of it.
    pub last: Day,
    /// The active time of the range.
    pub stretches: &'m [Stretch],
    /// Entries of its days, and those whose evidence has a second of it; others may be among them.
    pub entries: &'m [Logged<'m>],
    /// The active seconds of days outside of the range that an entry without evidence is of too, so that a day has the
    /// same part of its hours whether it is drafted alone or in its week.
    pub elsewhere: &'m BTreeMap<Day, i64>,
    /// The projects and what they are called.
    pub names: &'m Names<'m>,
    /// What was logged before.
    pub memory: &'m Memory,
}

impl Material<'_> {
    /// Those days of an entry that are in the range.
    pub(super) fn days_of(&self, logged: &Logged<'_>) -> Option<RangeInclusive<Day>> {
        let first = logged.entry.start_date.max(self.first);
        let last = logged.entry.completion_date.min(self.last);
        (first <= last).then_some(first..=last)
    }
}
