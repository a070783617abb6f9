//! Builds an event of a calendar from its properties.

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use icalendar::parser::Property;

use super::definition::Zones;
use super::event_time::{EventTime, Length, ParsedTime, parse_length};
use super::problem::Problem;
use super::rule::Rule;
use super::zone::Zone;

/// The maximum length of an event's name in characters.
const MAX_NAME_LENGTH: usize = 4096;

/// An event of a calendar.
#[derive(Debug)]
pub(super) struct Event {
    /// The ID of the event. All versions of an event have the same ID. If a single occurrence of a recurring event was
    /// changed, it has this ID too.
    pub(super) uid: Option<String>,
    /// The name of the event, on one line.
    pub(super) name: Option<String>,
    /// The start of the event. For a recurring event, the start of the first occurrence.
    pub(super) start: EventTime,
    /// The duration of the event.
    pub(super) length: Length,
    /// The recurrence rule, if the event recurs by a rule.
    pub(super) rule: Option<Rule>,
    /// Additional dates of the event. An additional date can have its own duration.
    pub(super) additions: Vec<(EventTime, Option<Length>)>,
    /// The dates that the rule includes, but on which the event doesn't take place.
    pub(super) exceptions: Exceptions,
    /// If this event replaces an occurrence of a recurring event: the original start of that occurrence.
    pub(super) replaces: Option<EventTime>,
    /// The version of the event. The greatest version counts.
    pub(super) revision: Revision,
    /// Whether the event takes the user's time.
    pub(super) status: Status,
}

/// Whether an event takes the user's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Busy,
    /// The user is free during the event.
    Free,
    /// The time of the event can't be read.
    Unknown,
    Cancelled,
}

/// The version of an event. A later version is greater (RFC 5546, 2.1.5). `LAST-MODIFIED` is compared before `DTSTAMP`,
/// because `DTSTAMP` can be the time of the export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Revision {
    pub(super) sequence: i64,
    modified: Option<NaiveDateTime>,
    stamp: Option<NaiveDateTime>,
}

/// Times at which an event doesn't take place.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    /// Start times in UTC. The occurrence that begins at such a time is excluded.
    times: BTreeSet<NaiveDateTime>,
    /// Dates in the event's own zone. All occurrences on such a date are excluded.
    dates: BTreeSet<NaiveDate>,
    /// Times in an unknown zone. Such a time excludes the occurrence with the same local time. Without such an
    /// occurrence, the time excludes all occurrences on its day.
    pub(super) unclear: Vec<NaiveDateTime>,
}

impl Exceptions {
    /// Excludes the occurrence that begins at `when`. `start` is the start of the event. Some programs write an
    /// excluded date of an all-day event as a time at midnight.
    pub(super) fn insert(&mut self, when: &EventTime, start: &EventTime, home: &Zone) {
        match (when, start) {
            (EventTime::Date(date), _) => self.dates.insert(*date),
            (EventTime::Time(wall, _), EventTime::Date(_)) if wall.time() == NaiveTime::MIN => {
                self.dates.insert(wall.date())
            }
            (EventTime::Time(..), EventTime::Date(_)) => self.dates.insert(home.to_wall(when.utc(home)).date()),
            (EventTime::Time(..), EventTime::Time(..)) => self.times.insert(when.utc(home)),
        };
    }

    /// Whether the occurrence at `when` is excluded. Times in an unknown zone are ignored.
    pub(super) fn contains(&self, when: &EventTime, home: &Zone) -> bool {
        self.dates.contains(&when.date()) || (!self.times.is_empty() && self.times.contains(&when.utc(home)))
    }
}

/// The properties of an event, and the zones of its calendar.
#[derive(Clone, Copy)]
struct Properties<'p> {
    all: &'p [Property<'p>],
    zones: &'p Zones,
}

impl Event {
    /// Builds an event from its properties. `zones.home` is the user's zone. Calls `report` with each problem. If the
    /// time of an event can't be read, the event is still returned, because it replaces its older versions.
    pub(super) fn from_properties(all: &[Property<'_>], zones: &Zones, mut report: impl FnMut(Problem)) -> Self {
        let properties = Properties { all, zones };
        let status = properties.status();
        properties.to_event(status, &mut report).unwrap_or_else(|problem| {
            // If the event doesn't take the user's time, its unreadable time isn't a problem.
            if status == Status::Busy {
                report(problem);
            }
            properties.without_time(if status == Status::Busy { Status::Unknown } else { status })
        })
    }
}

impl<'p> Properties<'p> {
    fn find_all(self, name: &'static str) -> impl Iterator<Item = &'p Property<'p>> {
        self.all.iter().filter(move |property| property.name.as_str().eq_ignore_ascii_case(name))
    }

    fn value(self, name: &'static str) -> Option<&'p str> {
        self.find_all(name).next().map(|property| property.val.as_str())
    }

    fn to_event(self, status: Status, report: &mut impl FnMut(Problem)) -> Result<Event, Problem> {
        let home = &self.zones.home;
        let start = self.time("DTSTART", home)?.ok_or(Problem::InvalidTime("DTSTART"))?;
        // Times without a zone, such as the end, are in the zone of the event's start.
        let clock = start.zone(home).clone();
        let length = self.length(&start, &clock)?;
        let rule =
            self.value("RRULE").map(|rule| Rule::parse(rule, start.wall()).ok_or(Problem::InvalidRule)).transpose()?;
        let replaces = self.replaced_occurrence(&clock);
        // Without its original start, the changed occurrence would be taken for a new version of the whole series.
        if replaces.is_none() && self.value("RECURRENCE-ID").is_some() {
            return Err(Problem::InvalidTime("RECURRENCE-ID"));
        }
        if self.changes_following_dates() {
            report(Problem::FollowingChange);
        }
        Ok(Event {
            uid: self.uid(),
            name: self.value("SUMMARY").and_then(to_single_line),
            length,
            rule,
            additions: self.additions(&clock, report),
            exceptions: self.exceptions(&start, &clock, report),
            replaces,
            revision: self.revision(),
            status,
            start,
        })
    }

    /// Returns an event that never takes place, but still replaces its older versions.
    fn without_time(self, status: Status) -> Event {
        let replaces = self.replaced_occurrence(&self.zones.home);
        Event {
            uid: self.uid(),
            name: None,
            start: replaces.clone().unwrap_or(EventTime::Date(NaiveDate::default())),
            replaces,
            length: Length::from_time(TimeDelta::zero()),
            rule: None,
            additions: Vec::new(),
            exceptions: Exceptions::default(),
            revision: self.revision(),
            status,
        }
    }

    fn uid(self) -> Option<String> {
        self.value("UID").map(|uid| uid.trim().to_owned()).filter(|uid| !uid.is_empty())
    }

    fn status(self) -> Status {
        let says = |name, value: &str| self.value(name).is_some_and(|said| said.trim().eq_ignore_ascii_case(value));
        if says("STATUS", "CANCELLED") {
            Status::Cancelled
        } else if says("TRANSP", "TRANSPARENT") {
            Status::Free
        } else {
            Status::Busy
        }
    }

    fn revision(self) -> Revision {
        let utc = |name| Some(ParsedTime::parse(self.value(name)?)?.in_zone(&Zone::UTC).wall());
        let stamp = utc("DTSTAMP");
        let sequence = self.value("SEQUENCE").and_then(|number| number.trim().parse().ok()).unwrap_or_default();
        Revision { sequence, modified: utc("LAST-MODIFIED").or(stamp), stamp }
    }

    /// Parses the first time in a property, or returns `None` if the event doesn't have the property.
    fn time(self, name: &'static str, clock: &Zone) -> Result<Option<EventTime>, Problem> {
        let Some(property) = self.find_all(name).next() else { return Ok(None) };
        let first = property.val.as_str().split([',', '/']).next().unwrap_or_default();
        self.parse_time(name, first, property, clock).map(Some)
    }

    /// Parses a time in a property. If the property has no zone, the time is in `clock`.
    fn parse_time(
        self,
        name: &'static str,
        text: &str,
        property: &Property<'_>,
        clock: &Zone,
    ) -> Result<EventTime, Problem> {
        let written = ParsedTime::parse(text).ok_or(Problem::InvalidTime(name))?;
        // The zone of a property applies only to local times. It doesn't apply to UTC times and dates.
        let zone = zone_name(property).filter(|_| matches!(written, ParsedTime::Local(_)));
        match zone {
            Some(name) => Ok(written.in_zone(&self.zones.find(name).ok_or_else(|| Problem::unknown_zone(name))?)),
            None => Ok(written.in_zone(clock)),
        }
    }

    /// Returns the original start of the occurrence that this event replaces. If the zone is unknown, the time is in
    /// `clock`.
    fn replaced_occurrence(self, clock: &Zone) -> Option<EventTime> {
        let written = || Some(ParsedTime::parse(self.value("RECURRENCE-ID")?)?.in_zone(clock));
        self.time("RECURRENCE-ID", clock).ok().flatten().or_else(written)
    }

    fn changes_following_dates(self) -> bool {
        let mut parameters = self.find_all("RECURRENCE-ID").flat_map(|property| &property.params);
        parameters.any(|parameter| parameter.key.as_str().eq_ignore_ascii_case("RANGE"))
    }

    fn length(self, start: &EventTime, clock: &Zone) -> Result<Length, Problem> {
        let home = &self.zones.home;
        let end = self.time("DTEND", clock)?;
        let lasting =
            self.value("DURATION").map(|text| parse_length(text).ok_or(Problem::InvalidLength)).transpose()?;
        let length = match (end, lasting, start) {
            // This all-day event ends on its first date. According to RFC 5545, it would have to end on the next date,
            // so it lasts one day.
            (Some(end), _, EventTime::Date(first)) if end.date() == *first => Length::from_days(TimeDelta::days(1)),
            (Some(end), _, EventTime::Date(first)) => Length::from_days(end.date() - *first),
            (Some(end), ..) => Length::from_time(end.utc(home) - start.utc(home)),
            (None, Some(lasting), _) => lasting,
            (None, None, EventTime::Date(_)) => Length::from_days(TimeDelta::days(1)),
            // An event with a start, but without an end or a duration, is a reminder and takes no time.
            (None, None, EventTime::Time(..)) => Length::from_time(TimeDelta::zero()),
        };
        if length.approximate() < TimeDelta::zero() { Err(Problem::EndsBeforeStart) } else { Ok(length) }
    }

    /// Returns the additional dates of the event. An additional date in the form of a period has its own duration.
    fn additions(self, clock: &Zone, report: &mut impl FnMut(Problem)) -> Vec<(EventTime, Option<Length>)> {
        let home = &self.zones.home;
        let mut additions = Vec::new();
        for property in self.find_all("RDATE") {
            let read = |text: &str| self.parse_time("RDATE", text, property, clock);
            for text in text_values(property) {
                let (start, end) = text.split_once('/').map_or((text, None), |(start, end)| (start, Some(end)));
                let Ok(start) = read(start) else {
                    report(Problem::InvalidAddition);
                    continue;
                };
                let until = |end: &str| Some(Length::from_time(read(end).ok()?.utc(home) - start.utc(home)));
                let length = end.and_then(|end| parse_length(end).or_else(|| until(end)));
                additions.push((start, length));
            }
        }
        additions
    }

    /// Returns the excluded dates. If the zone of an excluded date is unknown or its time is unreadable, it can exclude
    /// the whole day. A cancelled meeting must never be listed.
    fn exceptions(self, start: &EventTime, clock: &Zone, report: &mut impl FnMut(Problem)) -> Exceptions {
        let mut exceptions = Exceptions::default();
        for property in self.find_all("EXDATE") {
            for text in text_values(property) {
                if let Ok(when) = self.parse_time("EXDATE", text, property, clock) {
                    exceptions.insert(&when, start, &self.zones.home);
                } else if let Some(wall) = parse_approximate_time(text) {
                    exceptions.unclear.push(wall);
                    report(Problem::UnclearException);
                } else {
                    report(Problem::InvalidException);
                }
            }
        }
        exceptions
    }
}

/// Returns the values of a property, which are separated by commas.
fn text_values<'p>(property: &'p Property<'p>) -> impl Iterator<Item = &'p str> {
    property.val.as_str().split(',').map(str::trim).filter(|text| !text.is_empty())
}

fn zone_name<'p>(property: &'p Property<'p>) -> Option<&'p str> {
    let zone = property.params.iter().find(|parameter| parameter.key.as_str().eq_ignore_ascii_case("TZID"))?;
    zone.val.as_ref().map(icalendar::parser::ParseString::as_str)
}

/// Parses a local time in an unknown zone. Returns midnight of the day if only the date can be read.
fn parse_approximate_time(text: &str) -> Option<NaiveDateTime> {
    let written = ParsedTime::parse(text).or_else(|| ParsedTime::parse(text.replace('-', "").get(..8)?))?;
    Some(written.in_zone(&Zone::UTC).wall())
}

/// Returns a name on one line, shortened to [`MAX_NAME_LENGTH`] characters. Returns `None` if the name is empty.
fn to_single_line(text: &str) -> Option<String> {
    let short: String = text.chars().take(MAX_NAME_LENGTH).collect();
    let name = short.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}
