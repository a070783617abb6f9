//! Lists the times of an event: by its rule and on additional dates, without excluded ones.

use std::collections::BTreeSet;

use chrono::NaiveDateTime;

use super::event::{Event, Exceptions};
use super::event_time::{EventTime, Length};
use super::zone::Zone;

/// Returns the starts of an event before a UTC time with their durations, in no particular order. Its own exceptions
/// and `others` are excluded.
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
    // An additional date can repeat a date of the rule. Additional dates come first, because their own durations take
    // precedence.
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
