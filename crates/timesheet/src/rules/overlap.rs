//! Rules against logging time twice. The backend that stores the entries must check these rules, because only the
//! backend knows all entries at the moment of logging.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::apportion::divide_evenly;
use crate::day::Day;
use crate::entry::{Evidence, NewEntry, TimeEntry};
use crate::hours::Hours;
use crate::logged::{LoggedEntry, seconds};
use crate::refusal::Refusal;
use crate::span::{Span, resolve_overlaps, split_by_covers};

/// The length of a day in seconds.
const DAY: i64 = 24 * 3600;

/// Whether an entry may log time that another entry already covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OverlapPolicy {
    /// Overlaps are rejected.
    #[default]
    Refused,
    /// Overlaps are allowed, because the caller explicitly requested it.
    Allowed,
}

/// Rejects an entry that logs time twice. An entry logs time twice if a second of its evidence is also evidence of
/// another entry, or if a day would have more than 24 hours.
///
/// The hours of an entry over several days are spread evenly, because their actual distribution is unknown. Remaining
/// seconds are added to the first days. `others` must contain the entries that share a day with this entry. It must
/// also contain the entries with evidence between the start and the end of this entry's evidence. Further entries are
/// allowed.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `evidence`, with the first overlapping entry and the duration of the overlap. Otherwise
/// `VALIDATION_ERROR` for `standardHours`, with the day.
pub fn check_overlaps(entry: &NewEntry, others: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    check_evidence(entry, others)?;
    let total = entry.standard_hours + entry.overtime_hours;
    check_days((entry.start_date, entry.completion_date), total, others)
}

/// Rejects a change that gives a day more than 24 hours. A change that only reduces hours on the same days is always
/// allowed. `others` must contain the entries that share a day with the changed entry, and may contain the changed
/// entry itself. Evidence isn't checked, because a change doesn't affect it.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `standardHours`, with the day.
pub fn check_change(before: &TimeEntry, after: &TimeEntry, others: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    if !claims_more_time(before, after) {
        return Ok(());
    }
    let others: Vec<_> = others.iter().filter(|other| other.entry.id != after.id).copied().collect();
    check_days((after.start_date, after.completion_date), after.total_hours(), &others)
}

/// Whether a change moves the entry to other days or increases its hours.
pub(crate) fn claims_more_time(before: &TimeEntry, after: &TimeEntry) -> bool {
    let days = |entry: &TimeEntry| (entry.start_date, entry.completion_date);
    days(before) != days(after) || after.total_hours() > before.total_hours()
}

/// Returns the range from the first second of the evidence to its exclusive end, or `None` if there is no evidence.
/// Evidence of another entry can overlap this evidence only in this range.
pub fn evidence_range(evidence: &[Evidence]) -> Option<Range<i64>> {
    let start = evidence.iter().map(|interval| interval.start_utc).min()?;
    let end = evidence.iter().map(|interval| interval.end_utc).max()?;
    Some(start..end)
}

fn check_evidence(entry: &NewEntry, others: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    let spans = |evidence: &[Evidence]| {
        resolve_overlaps(evidence.iter().map(|interval| Span {
            start: interval.start_utc,
            end: interval.end_utc,
            of: 0,
        }))
    };
    let Some(Range { start, end }) = evidence_range(&entry.evidence) else { return Ok(()) };
    let evidence = spans(&entry.evidence);
    let is_near = |logged: &&LoggedEntry<'_>| {
        logged.evidence.iter().any(|interval| interval.start_utc < end && interval.end_utc > start)
    };
    for logged in others.iter().filter(is_near) {
        let (twice, _) = split_by_covers(&evidence, &spans(logged.evidence));
        let twice: i64 = twice.iter().map(|(span, _)| span.seconds()).sum();
        if twice > 0 {
            let other = logged.entry;
            let message = format_args!(
                "{} of it are also evidence of time entry '{}' on {}, {}: change that entry, or allow overlaps",
                format_duration(twice),
                other.id,
                other.project_code,
                other.start_date
            );
            return Err(Refusal::invalid("evidence", message));
        }
    }
    Ok(())
}

fn check_days((first, last): (Day, Day), total: Hours, others: &[LoggedEntry<'_>]) -> Result<(), Refusal> {
    if first > last {
        return Ok(());
    }
    let mut changes: BTreeMap<i64, i64> = BTreeMap::new();
    let mut add = |start: Day, end: Day, total: i64| {
        let number = |day: Day| (day.date() - first.date()).num_days();
        let (from, until) = (number(start), number(end) + 1);
        let (part, more) = divide_evenly(total, until - from);
        for (at, change) in [(from, part + 1), (from + more, -1), (until, -part)] {
            *changes.entry(at.max(0)).or_default() += change;
        }
    };
    add(first, last, seconds(total));
    for LoggedEntry { entry, .. } in others {
        if entry.start_date <= entry.completion_date && entry.completion_date >= first && entry.start_date <= last {
            add(entry.start_date, entry.completion_date, seconds(entry.total_hours()));
        }
    }
    let days = (last.date() - first.date()).num_days();
    let mut on_day = 0;
    for (day, change) in changes.into_iter().take_while(|(day, _)| *day <= days) {
        on_day += change;
        if on_day > DAY {
            let day = first.date() + chrono::TimeDelta::days(day);
            let message = format_args!(
                "with it {day} would have {}, which is more than 24 hours: log less, or allow overlaps",
                format_duration(on_day)
            );
            return Err(Refusal::invalid("standardHours", message));
        }
    }
    Ok(())
}

/// Formats a duration, such as `1 h 29 min`. A duration shorter than a minute is formatted in seconds.
fn format_duration(seconds: i64) -> String {
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
