//! An event, read from its properties.

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use icalendar::parser::Property;

use super::instant::{Length, When, length};
use super::rule::Rule;
use super::zone::{self, Zone};

/// How many characters of a name are told.
const LONGEST_NAME: usize = 4096;

/// An event of a calendar.
#[derive(Debug)]
pub(super) struct Event {
    /// Says which events are one, of which some take place otherwise.
    pub(super) uid: String,
    /// Its name, in one line.
    pub(super) name: Option<String>,
    /// When it takes place first.
    pub(super) start: When,
    /// How long it takes.
    pub(super) length: Length,
    /// How it recurs.
    pub(super) rule: Option<Rule>,
    /// When it takes place besides, and how long where that is told.
    pub(super) additions: Vec<(When, Option<Length>)>,
    /// When it does not take place though its rule says so.
    pub(super) exceptions: Exceptions,
    /// When the one would have taken place that takes place as this event says.
    pub(super) replaces: Option<When>,
    /// Which of several that replace the same one counts: the greatest.
    pub(super) sequence: i64,
    /// Whether it takes time: it is not cancelled, and the person is not free meanwhile.
    pub(super) takes_time: bool,
}

/// Some of the times at which an event would take place.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    /// In UTC.
    pub(super) times: BTreeSet<NaiveDateTime>,
    /// By the event's own clock.
    pub(super) dates: BTreeSet<NaiveDate>,
}

impl Exceptions {
    /// Leaves out what begins then.
    pub(super) fn insert(&mut self, when: When, home: Zone) {
        match when {
            When::Date(date) => self.dates.insert(date),
            When::Time(..) => self.times.insert(when.utc(home)),
        };
    }

    /// Whether what begins then is left out.
    pub(super) fn hold(&self, when: When, home: Zone) -> bool {
        self.dates.contains(&when.date()) || self.times.contains(&when.utc(home))
    }
}

impl Event {
    /// The event with these properties, for a person whose clocks are those of `home`; nothing where it does not say when
    /// it is.
    pub(super) fn read(properties: &[Property<'_>], home: Zone) -> Option<Self> {
        let of = |name: &'static str| properties.iter().filter(move |property| is(property, name));
        let first = |name: &'static str| of(name).next();
        let one = |name: &'static str| first(name).map(|property| times(property, home));
        let start = one("DTSTART")?.into_iter().next()?;
        let end = match one("DTEND") {
            // An end that cannot be read is not taken for none.
            Some(end) => Some(end.into_iter().next()?),
            None => None,
        };
        let lasting = match first("DURATION") {
            Some(written) => Some(length(written.val.as_str())?),
            None => None,
        };
        let length = match (end, lasting, start) {
            (Some(end), _, When::Date(first)) => Length::of_days(end.date() - first),
            (Some(end), ..) => Length::of_time(end.utc(home) - start.utc(home)),
            (None, Some(lasting), _) => lasting,
            (None, None, When::Date(_)) => Length::of_days(TimeDelta::days(1)),
            // It has a beginning only, as a reminder has.
            (None, None, When::Time(..)) => Length::of_time(TimeDelta::zero()),
        };
        let rule = match first("RRULE") {
            Some(rule) => Some(Rule::read(rule.val.as_str(), start)?),
            None => None,
        };
        let mut exceptions = Exceptions::default();
        of("EXDATE").flat_map(|property| times(property, home)).for_each(|when| exceptions.insert(when, home));
        let says =
            |name, value: &str| first(name).is_some_and(|said| said.val.as_str().trim().eq_ignore_ascii_case(value));
        let replaces = match one("RECURRENCE-ID") {
            Some(replaced) => Some(replaced.into_iter().next()?),
            None => None,
        };
        Some(Self {
            uid: first("UID").map(|uid| uid.val.as_str().trim().to_owned()).unwrap_or_default(),
            name: first("SUMMARY").and_then(|summary| in_one_line(summary.val.as_str())),
            start,
            length,
            rule,
            additions: of("RDATE").flat_map(|property| periods(property, home)).collect(),
            exceptions,
            replaces,
            sequence: first("SEQUENCE").and_then(|number| number.val.as_str().trim().parse().ok()).unwrap_or_default(),
            takes_time: !says("STATUS", "CANCELLED") && !says("TRANSP", "TRANSPARENT"),
        })
    }
}

fn is(property: &Property<'_>, name: &str) -> bool {
    property.name.as_str().eq_ignore_ascii_case(name)
}

/// The times of a property that can be read; of periods, their beginnings.
fn times(property: &Property<'_>, home: Zone) -> Vec<When> {
    periods(property, home).into_iter().map(|(when, _)| when).collect()
}

/// The times of a property that can be read, with the lengths of those that are periods. A time in a zone that nobody
/// knows cannot.
fn periods(property: &Property<'_>, home: Zone) -> Vec<(When, Option<Length>)> {
    let named = property.params.iter().find(|parameter| parameter.key.as_str().eq_ignore_ascii_case("TZID"));
    let zone = match named.and_then(|parameter| parameter.val.as_ref()) {
        Some(name) => zone::named(name.as_str()).map(Zone),
        // What floats is by the person's own clocks.
        None => Some(home),
    };
    let read = |text: &str| {
        let when = When::read(text, zone.unwrap_or(Zone::UTC))?;
        // In UTC or on a date, a zone says nothing.
        let needs_zone = matches!(when, When::Time(_, read) if !text.contains('Z') && read == Zone::UTC);
        (zone.is_some() || !needs_zone).then_some(when)
    };
    let read_period = |text: &str| {
        let (start, end) = text.split_once('/').map_or((text, None), |(start, end)| (start, Some(end)));
        let start = read(start)?;
        let until = |end: &str| Some(Length::of_time(read(end)?.utc(home) - start.utc(home)));
        Some((start, end.and_then(|end| length(end).or_else(|| until(end)))))
    };
    property.val.as_str().split(',').filter_map(read_period).collect()
}

/// A name without breaks, of a bearable length; nothing where nothing is left.
fn in_one_line(text: &str) -> Option<String> {
    let short: String = text.chars().take(LONGEST_NAME).collect();
    let name = short.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}
