//! Parses and expands the recurrence rules of events.
//!
//! The crate `rrule` expands a rule to local times. The local times are passed to `rrule` as UTC times, so its own time
//! zone data doesn't affect the result. Each resulting local time is then converted from the event's zone to UTC. If
//! the file contains the end of the rule in UTC, the end is compared with the converted times.
//!
//! Some limits protect against hostile files. A rule that recurs more often than once an hour is rejected. Each rule
//! can have only a limited number of times per day and of occurrences. `rrule` also limits its search for the next
//! occurrence.

use chrono::{NaiveDateTime, NaiveTime};
use rrule::{Frequency, RRule, RRuleSet, Tz, Unvalidated};

use super::event_time::{EventTime, ParsedTime};
use super::zone::Zone;

/// The maximum number of occurrences of a rule. This is enough for a meeting on every day of 136 years.
const MAX_INSTANCES: usize = 50_000;
/// The maximum number of times per day in a rule.
const MAX_TIMES_OF_DAY: usize = 24;

/// The recurrence rule of an event.
#[derive(Debug)]
pub(super) struct Rule {
    set: RRuleSet,
    /// The last possible start of an occurrence, if the rule has an end.
    until: Option<Until>,
}

/// The end of a rule. An occurrence that starts exactly at the end is included.
#[derive(Debug, Clone, Copy)]
enum Until {
    Utc(NaiveDateTime),
    /// A local time in the event's own zone.
    Wall(NaiveDateTime),
}

impl Rule {
    /// Parses a rule such as `FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T225959Z`. `start` is the local start of the event.
    /// Returns `None` if the rule is invalid or recurs too often for a meeting.
    pub(super) fn parse(text: &str, start: NaiveDateTime) -> Option<Self> {
        let is_end = |part: &&str| part.get(..6).is_some_and(|key| key.eq_ignore_ascii_case("UNTIL="));
        let parts: Vec<_> = text.trim().split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
        let until = match parts.iter().copied().find(is_end) {
            Some(part) => Some(parse_until(part.get(6..)?)?),
            None => None,
        };
        // The end isn't passed to `rrule`. It gets local times as UTC times, so it would compare an end in UTC with the
        // wrong times. The function `occurrences` applies the end instead.
        let rest: Vec<_> = parts.into_iter().filter(|part| !is_end(part)).collect();
        let rule: RRule<Unvalidated> = rest.join(";").to_ascii_uppercase().parse().ok()?;
        let times = [rule.get_by_hour(), rule.get_by_minute(), rule.get_by_second()].map(|times| times.len().max(1));
        let is_hasty = matches!(rule.get_freq(), Frequency::Minutely | Frequency::Secondly);
        if is_hasty || times.iter().product::<usize>() > MAX_TIMES_OF_DAY {
            return None;
        }
        let first = start.and_utc().with_timezone(&Tz::UTC);
        let rule = rule.validate(first).ok()?;
        // Without `limit`, the search for the next occurrence could be endless, for example for a rule that recurs on
        // each 30 February.
        Some(Self { set: RRuleSet::new(first).rrule(rule).limit(), until })
    }

    /// Returns the starts of the occurrences before the UTC time `before`. The starts are in the zone of `start`.
    pub(super) fn occurrences<'r>(
        &'r self,
        start: &'r EventTime,
        before: NaiveDateTime,
        home: &'r Zone,
    ) -> impl Iterator<Item = EventTime> + 'r {
        let begins = self.set.into_iter().map(|instance| start.with_wall(instance.naive_utc())).take(MAX_INSTANCES);
        begins.take_while(move |when| {
            let utc = when.utc(home);
            let goes_on = match self.until {
                Some(Until::Utc(last)) => utc <= last || is_on_date(when, last),
                Some(Until::Wall(last)) => when.wall() <= last,
                None => true,
            };
            goes_on && utc < before
        })
    }
}

/// Whether the date `when` is at most the date of `last`. Some programs write the end of an all-day series as midnight
/// in UTC. In zones west of UTC, the last day starts after this midnight, but it must be included.
fn is_on_date(when: &EventTime, last: NaiveDateTime) -> bool {
    matches!(when, EventTime::Date(date) if last.time() == NaiveTime::MIN && *date <= last.date())
}

/// Parses the end of a rule. If the end is a date, the whole day is included.
fn parse_until(text: &str) -> Option<Until> {
    Some(match ParsedTime::parse(text)? {
        ParsedTime::Date(date) => Until::Wall(date.and_time(NaiveTime::from_hms_opt(23, 59, 59)?)),
        ParsedTime::Utc(utc) => Until::Utc(utc),
        ParsedTime::Local(wall) => Until::Wall(wall),
    })
}
