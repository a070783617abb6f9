//! Decides which people and days are counted in the hours of a team.
//!
//! A person is counted on the days that their export covers completely. A person with a damaged, unfinished or outdated
//! export isn't counted. A day is counted if the exports of enough people cover the day. The number of these people
//! must be at least the minimum for a total. The number must also be at least half of the number of people whose
//! exports cover any requested day.
//!
//! A person is counted on each of their covered days, even if their export doesn't cover other days of the query.
//! Otherwise, the difference between two overlapping ranges could be the hours of a single person. For example, take a
//! range whose second day is the first day of a person's export. The person would not be counted in this range, but
//! would be counted in the range without the first day.

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

/// The handling of exports that can't be used or don't cover all of the requested days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gaps {
    /// Hours are computed without the missing people and days, and the response reports the gaps.
    LeftOut,
    /// The query fails.
    Refused,
}

/// The maximum number of people that an error names.
const MAX_LISTED_PEOPLE: usize = 3;

/// The local time ranges that each export of a team covers. Cloning is cheap.
#[derive(Debug, Clone)]
pub(crate) struct Coverage {
    people: Vec<PersonCoverage>,
    titles: Titles,
}

/// A person and the local time ranges that their export covers, or the reason why the export can't be used.
#[derive(Debug, Clone)]
struct PersonCoverage {
    name: Arc<str>,
    path: PathBuf,
    ranges: Result<Arc<[Range<NaiveDateTime>]>, (Problem, String)>,
    is_reopened: bool,
}

/// The people and days that a query counts.
#[derive(Debug)]
pub(crate) struct QueryScope {
    requested_days: Range<NaiveDate>,
    /// The counted days, as ranges in order. There is at least one range.
    days: Vec<Range<NaiveDate>>,
    /// For each range of days, the people who are counted on these days.
    parts: BTreeMap<(NaiveDate, NaiveDate), Vec<Arc<str>>>,
    pub(crate) left_out: ExcludedPeople,
}

/// The people who aren't counted.
#[derive(Debug, Default)]
pub(crate) struct ExcludedPeople {
    /// The number of people who have an export.
    all: usize,
    /// The people who aren't counted on any day, grouped by problem. The text is the reason in words.
    excluded: BTreeMap<Problem, Vec<(Arc<str>, String)>>,
    /// The people who are counted on only some of the days.
    partial: Vec<Arc<str>>,
}

/// The reason why hours aren't shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CoverageError {
    /// None of the requested days is covered by enough exports.
    #[error("too few exports cover these days: a total needs {needed}, but at most {people} cover the same day")]
    TooFew {
        /// The number of exports that must cover a day.
        needed: usize,
        /// The largest number of exports that cover the same day.
        people: usize,
        /// The people who can't be counted.
        left_out: ExcludedPeople,
    },
    /// An export doesn't cover all days, but [`Gaps::Refused`] requires exports that cover all days.
    #[error("the exports of {people} of {all} people do not cover all of these days, such as {named}")]
    Incomplete {
        /// The number of people whose exports don't cover all days.
        people: usize,
        /// The number of people who have an export.
        all: usize,
        /// The names of some of these people.
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

    /// Returns the people who can't be counted, if they are the reason for the error.
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

    /// Returns the people and days that are counted in `range`. `range` consists of whole days. At least `least` people
    /// are counted on each day.
    ///
    /// # Errors
    /// [`CoverageError::TooFew`] if no day is covered by enough exports. [`CoverageError::Incomplete`] if there are
    /// gaps and `gaps` refuses them.
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

    /// Handles the error of a query. Returns true if the error is about one person's export. In that case, the query
    /// can run again. The first time, the person's export is opened again. The second time, the person is left out.
    pub(crate) fn handle_failure(&mut self, message: &str) -> bool {
        // The module `rows` puts the person's name at the start of each error about an export.
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
    /// Returns the SQL statement for the hours of the counted people on the counted days.
    pub(crate) fn statement(&self, by: GroupBy, least: NonZeroU16) -> String {
        let covered = |((start, end), people): (&(NaiveDate, NaiveDate), &Vec<Arc<str>>)| CoveredDays {
            days: *start..*end,
            people: people.iter().map(ToString::to_string).collect(),
        };
        statement(&self.parts.iter().map(covered).collect::<Vec<_>>(), by, least)
    }

    /// Checks that all people are counted on all requested days.
    ///
    /// # Errors
    /// [`CoverageError::Incomplete`] if a person or a day isn't counted.
    fn require_complete(self) -> Result<Self, CoverageError> {
        let ExcludedPeople { all, excluded, partial } = &self.left_out;
        let people = self.left_out.people() + partial.len();
        if people == 0 && self.days == [self.requested_days.clone()] {
            return Ok(self);
        }
        if people == 0 {
            // Everyone is counted on the same days, but not on all requested days, for example because the last day has
            // not ended.
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

    /// Returns the range from the first counted day to the day after the last counted day.
    pub(crate) fn range(&self) -> Range<NaiveDate> {
        let (first, last) = (self.days.first(), self.days.last());
        first.map_or(self.requested_days.start, |days| days.start)
            ..last.map_or(self.requested_days.end, |days| days.end)
    }

    /// Returns the number of uncounted days between the first and the last counted day.
    pub(crate) fn gaps(&self) -> i64 {
        count_days(&[self.range()]) - count_days(&self.days)
    }

    /// Writes which days and people aren't counted. Writes nothing if all people are counted on all days.
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

    /// Returns the number of people who aren't counted on any day.
    pub(crate) fn people(&self) -> usize {
        self.excluded.values().map(Vec::len).sum()
    }

    /// Returns the number of people who are counted on only some of the days.
    pub(crate) fn partly(&self) -> usize {
        self.partial.len()
    }

    /// Returns the kinds of problems that exclude people from the hours, sorted and without duplicates.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let partly = (!self.partial.is_empty()).then_some(Problem::DaysNotCovered);
        let mut problems: Vec<_> = self.excluded.keys().copied().chain(partly).collect();
        problems.sort_unstable();
        problems.dedup();
        problems
    }

    /// Writes the people who aren't counted, with the reasons. Writes nothing if all people are counted.
    pub(crate) fn write_note(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.people() > 0 {
            writeln!(out, "not counted: {} of {} people", self.people(), self.all)?;
        }
        for (problem, people) in &self.excluded {
            writeln!(out, "  {problem}: {}", join_names(people.iter().map(|(name, _)| name)))?;
            // The details are written here, because the command `status` reads only the manifest and doesn't find this
            // damage.
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

/// Returns the days of `wanted` that a range in `ranges` covers completely.
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

/// Returns the days that the exports of at least `needed` people cover, as ranges in order. Also returns the largest
/// number of people who cover the same day.
fn days_covered_by(
    needed: usize,
    covered: &[(&PersonCoverage, Vec<Range<NaiveDate>>)],
) -> (Vec<Range<NaiveDate>>, usize) {
    // For each day, the number of covered ranges that begin on this day, and the number that end with the previous day.
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

/// Returns the days that are in both lists.
fn intersection(some: &[Range<NaiveDate>], others: &[Range<NaiveDate>]) -> Vec<Range<NaiveDate>> {
    let pairs = some.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
    let common = pairs.map(|(one, other)| one.start.max(other.start)..one.end.min(other.end));
    common.filter(|days| days.start < days.end).collect()
}

fn count_days(days: &[Range<NaiveDate>]) -> i64 {
    days.iter().map(|days| (days.end - days.start).num_days()).sum()
}
