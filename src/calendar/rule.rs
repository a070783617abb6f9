//! How an event recurs.
//!
//! A rule is counted out on a wall clock that never changes, which `rrule` has in UTC; the event's zone says what UTC its
//! wall clock means then. So an end of the rule in UTC is first told by that wall clock, too.
//!
//! Against files that are made to take time: rules of less than an hour are no meetings; a period may hold so many times
//! of day, a rule so many instances, and a search for the next one ends inside of `rrule`.

use chrono::{NaiveDateTime, NaiveTime};
use rrule::{Frequency, RRule, RRuleSet, Tz, Unvalidated};

use super::instant::When;
use super::zone::Zone;

/// How many instances of a rule are counted out: one for each day of 137 years.
const MOST_INSTANCES: usize = 50_000;
/// How many times of day a rule may name.
const MOST_TIMES_OF_DAY: usize = 24;

/// How an event recurs.
#[derive(Debug)]
pub(super) struct Rule {
    set: RRuleSet,
    /// The last time at which it may begin, by the event's own wall clock.
    until: Option<NaiveDateTime>,
}

impl Rule {
    /// Reads a rule such as `FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T225959Z` of an event that first begins at `start`;
    /// nothing where it cannot be read, or recurs more often than meetings do.
    pub(super) fn read(text: &str, start: When) -> Option<Self> {
        let is_end = |part: &&str| part.get(..6).is_some_and(|key| key.eq_ignore_ascii_case("UNTIL="));
        let parts: Vec<_> = text.trim().split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
        let until = match parts.iter().copied().find(is_end) {
            Some(part) => Some(until(part.get(6..)?, start)?),
            None => None,
        };
        let rest: Vec<_> = parts.into_iter().filter(|part| !is_end(part)).collect();
        let rule: RRule<Unvalidated> = rest.join(";").to_ascii_uppercase().parse().ok()?;
        let times = [rule.get_by_hour(), rule.get_by_minute(), rule.get_by_second()].map(|times| times.len().max(1));
        let is_hasty = matches!(rule.get_freq(), Frequency::Minutely | Frequency::Secondly);
        if is_hasty || times.iter().product::<usize>() > MOST_TIMES_OF_DAY {
            return None;
        }
        let first = start.wall().and_utc().with_timezone(&Tz::UTC);
        let rule = rule.validate(first).ok()?;
        Some(Self { set: RRuleSet::new(first).rrule(rule).limit(), until })
    }

    /// When it begins, by the event's wall clock, up to a time there.
    pub(super) fn walls(&self, before: NaiveDateTime) -> impl Iterator<Item = NaiveDateTime> {
        let last = self.until;
        let walls = self.set.into_iter().map(|instance| instance.naive_utc()).take(MOST_INSTANCES);
        walls.take_while(move |wall| *wall < before && last.is_none_or(|last| *wall <= last))
    }
}

/// The end of a rule by the wall clock of what first begins at `start`. A date includes its whole day.
fn until(text: &str, start: When) -> Option<NaiveDateTime> {
    // A date has no zone; then both are by the same clock.
    let zone = start.zone(Zone::UTC);
    match When::read(text, zone)? {
        When::Date(date) => Some(date.and_time(NaiveTime::from_hms_opt(23, 59, 59)?)),
        When::Time(utc, clock) if clock == Zone::UTC => Some(zone.wall(utc)),
        When::Time(wall, _) => Some(wall),
    }
}
