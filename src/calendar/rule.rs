//! How an event recurs.
//!
//! `rrule` counts a rule out on a wall clock that never changes, which it has in UTC, so that no result depends on the
//! time zone data of `rrule`. The event's zone then says which UTC time each wall clock means. An end in UTC is compared
//! with that.
//!
//! Against files that are made to take time: rules of less than an hour are no meetings; a period may hold so many times
//! of day, a rule so many instances, and a search for the next one ends inside of `rrule`.

use chrono::{NaiveDateTime, NaiveTime};
use rrule::{Frequency, RRule, RRuleSet, Tz, Unvalidated};

use super::event_time::{EventTime, ParsedTime};
use super::zone::Zone;

/// How many instances of a rule are counted out: one for each day of 137 years.
const MAX_INSTANCES: usize = 50_000;
/// How many times of day a rule may name.
const MAX_TIMES_OF_DAY: usize = 24;

/// How an event recurs.
#[derive(Debug)]
pub(super) struct Rule {
    set: RRuleSet,
    /// The last time at which it may begin.
    until: Option<Until>,
}

/// The end of a rule, inclusive.
#[derive(Debug, Clone, Copy)]
enum Until {
    Utc(NaiveDateTime),
    /// By the event's own clock.
    Wall(NaiveDateTime),
}

impl Rule {
    /// Reads a rule such as `FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T225959Z` of an event that first begins when its clock
    /// shows `start`; nothing if it cannot be read, or recurs more often than meetings do.
    pub(super) fn parse(text: &str, start: NaiveDateTime) -> Option<Self> {
        let is_end = |part: &&str| part.get(..6).is_some_and(|key| key.eq_ignore_ascii_case("UNTIL="));
        let parts: Vec<_> = text.trim().split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
        let until = match parts.iter().copied().find(is_end) {
            Some(part) => Some(parse_until(part.get(6..)?)?),
            None => None,
        };
        let rest: Vec<_> = parts.into_iter().filter(|part| !is_end(part)).collect();
        let rule: RRule<Unvalidated> = rest.join(";").to_ascii_uppercase().parse().ok()?;
        let times = [rule.get_by_hour(), rule.get_by_minute(), rule.get_by_second()].map(|times| times.len().max(1));
        let is_hasty = matches!(rule.get_freq(), Frequency::Minutely | Frequency::Secondly);
        if is_hasty || times.iter().product::<usize>() > MAX_TIMES_OF_DAY {
            return None;
        }
        let first = start.and_utc().with_timezone(&Tz::UTC);
        let rule = rule.validate(first).ok()?;
        Some(Self { set: RRuleSet::new(first).rrule(rule).limit(), until })
    }

    /// When it begins before a UTC time, by the clock of `start`.
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

/// Whether `when` is a date up to the one of `last`, for files that end whole days at midnight in UTC instead of on a date.
/// West of UTC the last day starts later than that.
fn is_on_date(when: &EventTime, last: NaiveDateTime) -> bool {
    matches!(when, EventTime::Date(date) if last.time() == NaiveTime::MIN && *date <= last.date())
}

/// The end of a rule. A date includes its whole day.
fn parse_until(text: &str) -> Option<Until> {
    Some(match ParsedTime::parse(text)? {
        ParsedTime::Date(date) => Until::Wall(date.and_time(NaiveTime::from_hms_opt(23, 59, 59)?)),
        ParsedTime::Utc(utc) => Until::Utc(utc),
        ParsedTime::Local(wall) => Until::Wall(wall),
    })
}
