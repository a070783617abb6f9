//! When an event takes place: by its rule, besides and except.

use chrono::{NaiveDateTime, TimeDelta};

use super::event::Event;
use super::instant::{Length, When};
use super::zone::Zone;

/// When an event begins before a UTC time, and how long it takes then, in no order; what is left out is left out.
pub(super) fn begins(event: &Event, before: NaiveDateTime, home: Zone) -> Vec<(When, Length)> {
    let at = |wall: NaiveDateTime| match event.start {
        When::Date(_) => When::Date(wall.date()),
        When::Time(_, zone) => When::Time(wall, zone),
    };
    // No clock is further from UTC.
    let wall_before = before.checked_add_signed(TimeDelta::days(1)).unwrap_or(before);
    let by_rule: Vec<_> = match &event.rule {
        Some(rule) => rule.walls(wall_before).map(at).collect(),
        None => vec![event.start],
    };
    let additions = event.additions.iter().map(|(when, length)| (*when, length.unwrap_or(event.length)));
    let all = by_rule.into_iter().map(|when| (when, event.length)).chain(additions);
    all.filter(|(when, _)| when.utc(home) < before && !event.exceptions.hold(*when, home)).collect()
}
