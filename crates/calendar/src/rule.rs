//! Reads and expands recurrence rules.
//!
//! `rrule` expands a rule on local times without clock changes, which it treats as UTC, so that results don't depend
//! on the time zone data of `rrule`. The event's zone then converts each local time to UTC. An end in UTC is compared
//! with that.
//!
//! Some limits protect against files that are made to consume time. Rules that recur more often than hourly are
//! rejected. The times of day and the instances of a rule are limited. `rrule` itself limits the search for the next
//! instance.

use chrono::{NaiveDateTime, NaiveTime};
use rrule::{Frequency, RRule, RRuleSet, Tz, Unvalidated};

use super::event_time::{EventTime, ParsedTime};
use super::zone::Zone;

/// The maximum number of instances of a rule: one per day for 137 years.
const MAX_INSTANCES: usize = 50_000;
/// The maximum number of times per day in a rule.
const MAX_TIMES_OF_DAY: usize = 24;

/// A recurrence rule.
#[derive(Debug)]
pub(super) struct Rule {
    set: RRuleSet,
    /// The last possible start.
    until: Option<Until>,
}

/// The end of a rule, inclusive.
#[derive(Debug, Clone, Copy)]
enum Until {
    Utc(NaiveDateTime),
    /// A local time by the event's own clock.
    Wall(NaiveDateTime),
}

impl Rule {
    /// Parses a rule such as `FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T225959Z` for an event with the local start
    /// `start`. Returns `None` if the rule is invalid or recurs too often for meetings.
    pub(super) fn parse(text: &str, start: NaiveDateTime) -> Option<Self> {
        let is_end = |part: &&str| part.get(..6).is_some_and(|key| key.eq_ignore_ascii_case("UNTIL="));
        let parts: Vec<_> = text.trim().split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
        let until = match parts.iter().copied().find(is_end) {
            Some(part) => Some(parse_until(part.get(6..)?)?),
            None => None,
        };
        // `rrule` sees local times as UTC, so it would compare an end in UTC with the wrong times. `occurrences`
        // applies the end instead.
        let rest: Vec<_> = parts.into_iter().filter(|part| !is_end(part)).collect();
        let rule: RRule<Unvalidated> = rest.join(";").to_ascii_uppercase().parse().ok()?;
        let times = [rule.get_by_hour(), rule.get_by_minute(), rule.get_by_second()].map(|times| times.len().max(1));
        let is_hasty = matches!(rule.get_freq(), Frequency::Minutely | Frequency::Secondly);
        if is_hasty || times.iter().product::<usize>() > MAX_TIMES_OF_DAY {
            return None;
        }
        let first = start.and_utc().with_timezone(&Tz::UTC);
        let rule = rule.validate(first).ok()?;
        // Without `limit`, the search for the next instance of a rule such as each 30 February would have no end.
        Some(Self { set: RRuleSet::new(first).rrule(rule).limit(), until })
    }

    /// Returns the starts before a UTC time, by the clock of `start`.
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

/// Whether `when` is a date up to the date of `last`. It is needed for files in which whole days end at midnight in
/// UTC instead of on a date: west of UTC, the last day starts after that time.
fn is_on_date(when: &EventTime, last: NaiveDateTime) -> bool {
    matches!(when, EventTime::Date(date) if last.time() == NaiveTime::MIN && *date <= last.date())
}

/// Parses the end of a rule. A date includes its whole day.
fn parse_until(text: &str) -> Option<Until> {
    Some(match ParsedTime::parse(text)? {
        ParsedTime::Date(date) => Until::Wall(date.and_time(NaiveTime::from_hms_opt(23, 59, 59)?)),
        ParsedTime::Utc(utc) => Until::Utc(utc),
        ParsedTime::Local(wall) => Until::Wall(wall),
    })
}
