//! Determines which active time existing entries already cover.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::DraftInput;
use super::names::Target;
use super::work::ActiveTime;
use crate::apportion::{distribute_by_weight, divide_evenly};
use crate::day::Day;
use crate::entry::{Evidence, TimeEntry};
use crate::id::EntryId;
use crate::logged::{LoggedEntry, evidence_spans};
use crate::span::{Span, resolve_overlaps, split_by_covers};

/// The active time that one existing entry covers in the range of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryCoverage {
    /// The id of the entry.
    pub entry: EntryId,
    /// The number of active seconds that the entry covers in the range.
    pub seconds: i64,
    /// Seconds of the entry's hours that aren't backed by activity. For an entry with evidence, this is the excess of
    /// its hours over its evidence. For an entry without evidence, it is the time for which no uncovered activity was
    /// found on the days of the range.
    pub beyond_evidence: i64,
    /// The covered intervals, in time order.
    pub evidence: Vec<Evidence>,
}

/// The active time, divided into covered and uncovered time.
#[derive(Debug)]
pub(super) struct Coverage {
    /// The coverage of each entry that has a day or evidence in the range, in the order of logging.
    pub(super) covered: Vec<EntryCoverage>,
    /// The covered time, in time order. `of` is an index of `ActiveTime::work`.
    pub(super) covered_spans: Vec<Span>,
    /// The uncovered time, in time order. `of` is an index of `ActiveTime::work`.
    pub(super) free: Vec<Span>,
}

/// Determines which seconds the entries cover.
///
/// An entry with evidence covers exactly the active seconds of its evidence. If a second is evidence of two entries,
/// the entry that was logged first covers it.
///
/// Each entry without evidence then covers uncovered seconds of its project, in the order of logging. In a first pass,
/// these entries take only seconds of their own tasks. In a second pass, they take seconds of other tasks of their
/// project. An entry therefore takes seconds of another task only after the entries for that task have taken theirs.
///
/// The hours of an entry without evidence are spread over its days in proportion to the active seconds of each day.
/// `input.other_days` contains the active seconds of days outside the range. If none of the entry's days has active
/// seconds, the hours are spread evenly over all of its days.
pub(super) fn compute_coverage(active: &ActiveTime<'_>, input: &DraftInput<'_>) -> Coverage {
    let mut entries = input.entries.to_vec();
    entries.sort_by(LoggedEntry::compare_creation);
    let start = active.spans.first().map_or(0, |span| span.start);
    let end = active.spans.last().map_or(0, |span| span.end);
    let (under, free) = split_by_covers(&active.spans, &evidence_spans(&entries, start, end));
    let mut days = input.other_days.clone();
    days.extend(&active.by_day);
    let mut claims = claims(&entries, &days, input);
    let mut taken: Vec<Vec<Span>> = vec![Vec::new(); entries.len()];
    for (span, of) in under {
        taken[of].push(span);
    }
    let free = apply_claims(active, free, &mut claims, &mut taken, ClaimScope::Task);
    let free = apply_claims(active, free, &mut claims, &mut taken, ClaimScope::Project);
    let mut left = vec![0; entries.len()];
    for claim in &claims {
        left[claim.entry_index] += claim.seconds;
    }
    let is_of_range =
        |(of, logged): &(usize, &LoggedEntry<'_>)| !taken[*of].is_empty() || input.days_in_range(logged).is_some();
    let covered = entries.iter().enumerate().filter(is_of_range).map(|(of, logged)| {
        let mut spans = taken[of].clone();
        spans.sort_by_key(|span| span.start);
        EntryCoverage {
            entry: logged.entry.id,
            seconds: spans.iter().map(|span| span.seconds()).sum(),
            beyond_evidence: left[of] + seconds_beyond_evidence(logged),
            evidence: active.evidence(&spans),
        }
    });
    let covered = covered.collect();
    let mut covered_spans = taken.concat();
    covered_spans.sort_by_key(|span| span.start);
    Coverage { covered, covered_spans, free }
}

/// The seconds that an entry without evidence may cover on one day.
struct Claim<'e> {
    entry_index: usize,
    entry: &'e TimeEntry,
    day: Day,
    seconds: i64,
}

/// Returns the claims of entries without evidence, for the days of the range. `days` contains the active seconds of
/// each day, including days outside the range.
fn claims<'e>(entries: &[LoggedEntry<'e>], days: &BTreeMap<Day, i64>, input: &DraftInput<'_>) -> Vec<Claim<'e>> {
    let without = entries.iter().enumerate().filter(|(_, logged)| logged.evidence.is_empty());
    let by_day = without.flat_map(|(entry_index, logged)| {
        let entry = logged.entry;
        seconds_by_day(logged, days, input).into_iter().map(move |(day, seconds)| Claim {
            entry_index,
            entry,
            day,
            seconds,
        })
    });
    by_day.collect()
}

/// Spreads the hours of an entry over its days. Returns the seconds on each day of the range.
fn seconds_by_day(logged: &LoggedEntry<'_>, days: &BTreeMap<Day, i64>, input: &DraftInput<'_>) -> Vec<(Day, i64)> {
    let Some(within) = input.days_in_range(logged) else { return Vec::new() };
    let (first, last) = (logged.entry.start_date, logged.entry.completion_date);
    let (its_days, weights): (Vec<_>, Vec<_>) = days.range(first..=last).map(|(day, active)| (*day, *active)).unzip();
    if weights.iter().any(|active| *active > 0) {
        let parts = distribute_by_weight(logged.seconds(), &weights);
        return its_days.into_iter().zip(parts).filter(|(day, _)| within.contains(day)).collect();
    }
    let place = |day: Day| (day.date() - first.date()).num_days();
    let (part, more) = divide_evenly(logged.seconds(), place(last) + 1);
    within.start().days_through(*within.end()).map(|day| (day, part + i64::from(place(day) < more))).collect()
}

/// The uncovered seconds that an entry without evidence may cover.
#[derive(Clone, Copy)]
enum ClaimScope {
    /// Only seconds of the entry's task.
    Task,
    /// All seconds of the entry's project.
    Project,
}

/// The uncovered time by day, project and task, or by day and project only. Each queue is in time order.
type Queues<'a> = BTreeMap<(Day, (&'a str, Option<&'a str>)), VecDeque<Span>>;

/// Assigns uncovered seconds to each claim. Depending on the scope, these are seconds of the entry's task or of its
/// project. Returns the seconds that are still uncovered.
fn apply_claims<'a>(
    active: &'a ActiveTime<'_>,
    free: Vec<Span>,
    claims: &mut [Claim<'a>],
    taken: &mut [Vec<Span>],
    reach: ClaimScope,
) -> Vec<Span> {
    let key = |project, task| match reach {
        ClaimScope::Task => (project, task),
        ClaimScope::Project => (project, None),
    };
    let mut rest = Vec::new();
    let mut queues: Queues<'_> = BTreeMap::new();
    for span in free {
        match &active.work(span).target {
            Some(Target { project, task }) => {
                let key = (active.day(span), key(project.as_str(), task.as_deref()));
                queues.entry(key).or_default().push_back(span);
            }
            None => rest.push(span),
        }
    }
    for claim in claims.iter_mut().filter(|claim| claim.seconds > 0) {
        let key = (claim.day, key(claim.entry.project_code.as_str(), Some(claim.entry.task.as_str())));
        let Some(queue) = queues.get_mut(&key) else { continue };
        while let Some(span) = queue.pop_front_if(|_| claim.seconds > 0) {
            let end = span.end.min(span.start + claim.seconds);
            taken[claim.entry_index].push(Span { end, ..span });
            claim.seconds -= end - span.start;
            if end < span.end {
                queue.push_front(Span { start: end, ..span });
            }
        }
    }
    rest.extend(queues.into_values().flatten());
    rest.sort_unstable_by_key(|span| span.start);
    rest
}

/// Returns the number of seconds by which the hours of an entry exceed its evidence. Returns 0 for an entry without
/// evidence.
fn seconds_beyond_evidence(logged: &LoggedEntry<'_>) -> i64 {
    if logged.evidence.is_empty() {
        return 0;
    }
    let spans = logged.evidence.iter().map(|interval| Span { start: interval.start_utc, end: interval.end_utc, of: 0 });
    let covered: i64 = resolve_overlaps(spans).into_iter().map(Span::seconds).sum();
    (logged.seconds() - covered).max(0)
}
