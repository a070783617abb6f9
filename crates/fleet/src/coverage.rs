//! Which people and days are counted in the hours of a team.
//!
//! A person is counted on the days that their export covers completely. A day is counted if the exports of at least half of the
//! people, and of at least as many as hours need, cover it. A person with a damaged, unfinished or outdated export isn't counted.
//!
//! Whether a person is counted on a day must not depend on the other days of the query. Otherwise two overlapping ranges, one of
//! which begins before a person's export does, would differ by the hours of that person.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroU16;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use dayledger_request::DateRange;

use crate::exports::{Export, Problem, without_control_characters};
use crate::hours::{CoveredDays, GroupBy, statement};
use crate::members::Titles;

/// Whether hours are shown if an export doesn't cover all of the days, or can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gaps {
    /// Hours are shown without the missing people and days, and the response says so.
    LeftOut,
    /// Hours aren't shown.
    Refused,
}

/// How many people an error names.
const MAX_LISTED_PEOPLE: usize = 3;

/// The local ranges that the exports of a team cover. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Coverage {
    people: Vec<PersonCoverage>,
    titles: Titles,
}

/// A person and the ranges of their export.
#[derive(Debug, Clone)]
struct PersonCoverage {
    name: Arc<str>,
    path: PathBuf,
    ranges: Result<Arc<[Range<NaiveDateTime>]>, (Problem, String)>,
    is_reopened: bool,
}

/// The people and days of a query.
#[derive(Debug)]
pub(crate) struct QueryScope {
    requested_days: Range<NaiveDate>,
    /// The counted days, as ranges in order; at least one.
    days: Vec<Range<NaiveDate>>,
    /// The people of each range of days.
    parts: BTreeMap<(NaiveDate, NaiveDate), Vec<Arc<str>>>,
    pub(crate) left_out: ExcludedPeople,
}

/// The people that aren't counted.
#[derive(Debug, Default)]
pub(crate) struct ExcludedPeople {
    /// How many people have an export.
    all: usize,
    /// People that aren't counted on any day, with the reason in words.
    excluded: BTreeMap<Problem, Vec<(Arc<str>, String)>>,
    /// People that aren't counted on some of the days.
    partial: Vec<Arc<str>>,
}

/// Why hours aren't shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CoverageError {
    /// Too few exports cover any of the days.
    #[error("too few exports cover these days: a total needs {needed}, but at most {people} cover the same day")]
    TooFew {
        /// How many exports must cover a day.
        needed: usize,
        /// The largest number of exports that cover one day.
        people: usize,
        /// The people that can't be counted.
        left_out: ExcludedPeople,
    },
    /// An export doesn't cover all days, and all have to.
    #[error("the exports of {people} of {all} people do not cover all of these days, such as {named}")]
    Incomplete {
        /// How many don't.
        people: usize,
        /// How many people have an export.
        all: usize,
        /// Some of them.
        named: String,
    },
}

impl CoverageError {
    /// Returns a hint for the user, on one line.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::TooFew { .. } => {
                "run `dayledger-fleet status` to see the range of each export, or lower the minimum with `--at-least`"
            }
            Self::Incomplete { .. } => {
                "run `dayledger-fleet status` to see each export, or omit `--strict` to leave these people out"
            }
        }
    }

    /// Returns the people that can't be counted, if that is the reason.
    pub(crate) fn excluded_people(&self) -> Option<&ExcludedPeople> {
        match self {
            Self::TooFew { left_out, .. } => Some(left_out),
            Self::Incomplete { .. } => None,
        }
    }
}

impl Coverage {
    pub(crate) fn new(exports: &[Export], titles: Titles) -> Self {
        Self { people: exports.iter().map(|export| PersonCoverage::new(export, titles)).collect(), titles }
    }

    /// Returns the people and days that are counted in `range`, a range of whole days, if at least `least` people are on each.
    ///
    /// # Errors
    /// [`CoverageError::TooFew`], and [`CoverageError::Incomplete`] if gaps are refused.
    pub(crate) fn scope(&self, range: &DateRange, least: NonZeroU16, gaps: Gaps) -> Result<QueryScope, CoverageError> {
        let counted = self.compute_scope(range, least)?;
        if gaps == Gaps::Refused { counted.require_complete() } else { Ok(counted) }
    }

    fn compute_scope(&self, range: &DateRange, least: NonZeroU16) -> Result<QueryScope, CoverageError> {
        let requested_days = range.start().date()..range.end().date();
        let mut left_out = ExcludedPeople { all: self.people.len(), ..ExcludedPeople::default() };
        let mut covered: Vec<(&PersonCoverage, Vec<Range<NaiveDate>>)> = Vec::new();
        for person in &self.people {
            match &person.ranges {
                Err((problem, reason)) => left_out.add(*problem, person, reason.clone()),
                Ok(ranges) => match whole_days(ranges, &requested_days) {
                    days if days.is_empty() => left_out.add(Problem::DaysNotCovered, person, String::new()),
                    days => covered.push((person, days)),
                },
            }
        }
        let needed = usize::from(least.get()).max(covered.len().div_ceil(2));
        let (days, people) = days_covered_by(needed, &covered);
        if days.is_empty() {
            return Err(CoverageError::TooFew { needed, people, left_out });
        }
        let all_days = count_days(&days);
        let mut parts: BTreeMap<_, Vec<Arc<str>>> = BTreeMap::new();
        for (person, own) in covered {
            let own = intersection(&own, &days);
            match count_days(&own) {
                0 => left_out.add(Problem::DaysNotCovered, person, String::new()),
                length if length < all_days => left_out.partial.push(Arc::clone(&person.name)),
                _ => {}
            }
            for part in own {
                parts.entry((part.start, part.end)).or_default().push(Arc::clone(&person.name));
            }
        }
        Ok(QueryScope { requested_days, days, parts, left_out })
    }

    /// Handles a failed query. Returns whether the reason is one person's export, so that the query can run again:
    /// with the current export, or without this export if it failed before.
    pub(crate) fn handle_failure(&mut self, message: &str) -> bool {
        // `rows` puts the person's name before each error about one export.
        let Some((name, reason)) = message.split_once(": ") else { return false };
        let Some(person) = self.people.iter_mut().find(|person| *person.name == *name && person.ranges.is_ok()) else {
            return false;
        };
        if person.is_reopened {
            person.ranges = Err((Problem::Damaged, reason.to_owned()));
        } else {
            let reopened = PersonCoverage::new(&Export::open(name, person.path.clone()), self.titles);
            *person = PersonCoverage { is_reopened: true, ..reopened };
        }
        true
    }
}

impl PersonCoverage {
    fn new(export: &Export, titles: Titles) -> Self {
        let (name, path) = (export.name.as_str().into(), export.path.clone());
        Self { name, path, ranges: export.ranges(titles), is_reopened: false }
    }
}

impl QueryScope {
    /// Returns the statement for the hours of these people on these days.
    pub(crate) fn statement(&self, by: GroupBy, least: NonZeroU16) -> String {
        let covered = |((start, end), people): (&(NaiveDate, NaiveDate), &Vec<Arc<str>>)| CoveredDays {
            days: *start..*end,
            people: people.iter().map(ToString::to_string).collect(),
        };
        statement(&self.parts.iter().map(covered).collect::<Vec<_>>(), by, least)
    }

    /// Checks that everyone is counted on all days.
    ///
    /// # Errors
    /// [`CoverageError::Incomplete`].
    fn require_complete(self) -> Result<Self, CoverageError> {
        let ExcludedPeople { all, excluded, partial } = &self.left_out;
        let people = self.left_out.people() + partial.len();
        if people == 0 && self.days == [self.requested_days.clone()] {
            return Ok(self);
        }
        if people == 0 {
            // All exports end before the range does.
            return Err(CoverageError::Incomplete {
                people: *all,
                all: *all,
                named: "the last of these days".to_owned(),
            });
        }
        let named: Vec<_> =
            excluded.values().flatten().map(|(name, _)| name).chain(partial).take(MAX_LISTED_PEOPLE).collect();
        let named =
            named.iter().map(|name| format!("`{}`", without_control_characters(name))).collect::<Vec<_>>().join(", ");
        Err(CoverageError::Incomplete { people, all: *all, named })
    }

    /// Returns the range from the first counted day to the day after the last one.
    pub(crate) fn range(&self) -> Range<NaiveDate> {
        let (first, last) = (self.days.first(), self.days.last());
        first.map_or(self.requested_days.start, |days| days.start)
            ..last.map_or(self.requested_days.end, |days| days.end)
    }

    /// Returns how many days between the first and the last one aren't counted.
    pub(crate) fn gaps(&self) -> i64 {
        count_days(&[self.range()]) - count_days(&self.days)
    }

    /// Writes which days and people aren't counted; nothing if all are.
    pub(crate) fn write_note(&self, out: &mut dyn Write) -> io::Result<()> {
        let Range { start, end } = self.range();
        if (start..end) != self.requested_days {
            let last = end.pred_opt().unwrap_or(end);
            writeln!(out, "note: the hours are from {start} to {last}, because too few exports cover the other days")?;
        }
        match self.gaps() {
            0 => {}
            gaps => writeln!(out, "note: {gaps} of these days are not counted, because too few exports cover them")?,
        }
        self.left_out.write_note(out)
    }
}

impl ExcludedPeople {
    fn add(&mut self, problem: Problem, person: &PersonCoverage, reason: String) {
        self.excluded.entry(problem).or_default().push((Arc::clone(&person.name), reason));
    }

    /// Returns how many people aren't counted on any day.
    pub(crate) fn people(&self) -> usize {
        self.excluded.values().map(Vec::len).sum()
    }

    /// Returns how many people aren't counted on some of the days.
    pub(crate) fn partly(&self) -> usize {
        self.partial.len()
    }

    /// Returns the kinds of reasons.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let partly = (!self.partial.is_empty()).then_some(Problem::DaysNotCovered);
        let mut problems: Vec<_> = self.excluded.keys().copied().chain(partly).collect();
        problems.sort_unstable();
        problems.dedup();
        problems
    }

    /// Writes which people aren't counted, and why; nothing if all are.
    pub(crate) fn write_note(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.people() > 0 {
            writeln!(out, "not counted: {} of {} people", self.people(), self.all)?;
        }
        for (problem, people) in &self.excluded {
            writeln!(out, "  {problem}: {}", join_names(people.iter().map(|(name, _)| name)))?;
            // `status` doesn't find this damage, because it only reads the manifest.
            for (name, reason) in people.iter().filter(|_| *problem == Problem::Damaged) {
                writeln!(out, "    {}: {}", without_control_characters(name), without_control_characters(reason))?;
            }
        }
        if !self.partial.is_empty() {
            writeln!(out, "not counted on days that their export does not cover: {}", join_names(self.partial.iter()))?;
        }
        Ok(())
    }
}

fn join_names<'n>(names: impl Iterator<Item = &'n Arc<str>>) -> String {
    names.map(|name| without_control_characters(name)).collect::<Vec<_>>().join(", ")
}

/// Returns the days of `wanted` that one of `ranges` covers completely.
fn whole_days(ranges: &[Range<NaiveDateTime>], wanted: &Range<NaiveDate>) -> Vec<Range<NaiveDate>> {
    let midnight = |date: NaiveDate| date.and_time(NaiveTime::MIN);
    let days = ranges.iter().map(|range| {
        let start = range.start.max(midnight(wanted.start));
        let end = range.end.min(midnight(wanted.end));
        let first = if start.time() == NaiveTime::MIN { Some(start.date()) } else { start.date().succ_opt() };
        first.unwrap_or(NaiveDate::MAX)..end.date()
    });
    days.filter(|days| days.start < days.end).collect()
}

/// Returns the days that at least `needed` people cover, as ranges in order, and the most people who cover the same
/// day.
fn days_covered_by(
    needed: usize,
    covered: &[(&PersonCoverage, Vec<Range<NaiveDate>>)],
) -> (Vec<Range<NaiveDate>>, usize) {
    // The change in the number of people at each day.
    let mut changes: BTreeMap<NaiveDate, (usize, usize)> = BTreeMap::new();
    for days in covered.iter().flat_map(|(_, days)| days) {
        changes.entry(days.start).or_default().0 += 1;
        changes.entry(days.end).or_default().1 += 1;
    }
    let (mut people, mut most, mut start) = (0_usize, 0, None);
    let mut days = Vec::new();
    for (date, (begin, end)) in changes {
        people = (people + begin).saturating_sub(end);
        most = most.max(people);
        match start {
            None if people >= needed => start = Some(date),
            Some(first) if people < needed => {
                days.push(first..date);
                start = None;
            }
            _ => {}
        }
    }
    (days, most)
}

/// Returns the days in both lists.
fn intersection(some: &[Range<NaiveDate>], others: &[Range<NaiveDate>]) -> Vec<Range<NaiveDate>> {
    let pairs = some.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
    let common = pairs.map(|(one, other)| one.start.max(other.start)..one.end.min(other.end));
    common.filter(|days| days.start < days.end).collect()
}

fn count_days(days: &[Range<NaiveDate>]) -> i64 {
    days.iter().map(|days| (days.end - days.start).num_days()).sum()
}
