//! When an event takes place: by its rule, on additional dates, and without excluded ones.

use std::collections::BTreeSet;

use chrono::NaiveDateTime;

use super::event::{Event, Exceptions};
use super::event_time::{EventTime, Length};
use super::zone::Zone;

/// When an event begins before a UTC time, and how long it takes then, in no order, without its own exceptions and
/// `others`.
pub(super) fn occurrences(
    event: &Event,
    others: &Exceptions,
    before: NaiveDateTime,
    home: &Zone,
) -> Vec<(EventTime, Length)> {
    let by_rule: Vec<_> = match &event.rule {
        Some(rule) => rule.occurrences(&event.start, before, home).collect(),
        None => vec![event.start.clone()],
    };
    let additions = event.additions.iter().map(|(when, length)| (when.clone(), length.unwrap_or(event.length)));
    // An additional date can repeat one of the rule. It comes first because its own length counts.
    let all = additions.chain(by_rule.into_iter().map(|when| (when, event.length)));
    let is_excluded = |when: &EventTime| [&event.exceptions, others].iter().any(|dates| dates.contains(when, home));
    let mut known = BTreeSet::new();
    let counts = |(when, _): &(EventTime, Length)| {
        let utc = when.utc(home);
        utc < before && !is_excluded(when) && known.insert(utc)
    };
    let mut begins: Vec<_> = all.filter(counts).collect();
    for wall in &event.exceptions.unclear {
        let is_known = begins.iter().any(|(when, _)| when.wall() == *wall);
        begins.retain(|(when, _)| if is_known { when.wall() != *wall } else { when.date() != wall.date() });
    }
    begins
}
