//! Reads time zones that a calendar defines itself (`VTIMEZONE`, RFC 5545, 3.6.5).
//!
//! A definition lists clock changes, mostly as rules without an end. They are expanded until [`LAST_YEAR`] and passed
//! to `jiff` in its own format (`TZif`, RFC 9636), so that all zones convert times in the same way.
//!
//! The number of lines in definitions is limited, because a file can be made to consume time. Equal definitions count
//! once.

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike, NaiveDateTime};
use icalendar::parser::Property;
use jiff::tz::TimeZone;

use super::content::{find_property, has_prefix_ignoring_case};
use super::event_time::{EventTime, ParsedTime, parse_wall_clock};
use super::rule::Rule;
use super::zone::{Zone, named_zone, place_zone};

/// Clock changes are expanded up to this year.
const LAST_YEAR: i32 = 2100;
/// Earlier rules are expanded from this year. Outlook's rules begin in 1601.
const FIRST_YEAR: i32 = 1970;
/// The maximum number of clock changes of a rule. One per year is usual.
const MAX_ONSETS: usize = 1000;
/// The maximum number of lines of definitions in a file. A rule counts as [`LINES_PER_RULE`] lines.
const MAX_LINES: usize = 20_000;
/// The cost of a rule, in lines.
const LINES_PER_RULE: usize = 100;
/// The properties of a part of a definition that are read.
const OBSERVANCE_PROPERTIES: [&str; 5] = ["DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "RRULE", "RDATE"];

/// The zones that a calendar can refer to.
#[derive(Debug, Default)]
pub(super) struct Zones {
    /// The user's zone, for times without a zone.
    pub(super) home: Zone,
    /// Zones that are not named after places, by [`zone_key`].
    defined: HashMap<String, TimeZone>,
}

impl Zones {
    /// Returns the zone of a name. A definition in the calendar takes precedence over other meanings of the name,
    /// such as an offset.
    pub(super) fn find(&self, name: &str) -> Option<Zone> {
        self.defined.get(&zone_key(name)).cloned().or_else(|| named_zone(name)).map(Zone::Known)
    }
}

/// Returns the name of a zone in lower case and without quotes, for comparison.
fn zone_key(name: &str) -> String {
    name.trim().trim_matches('"').trim().to_lowercase()
}

/// The definitions of a file, which can contain many calendars with equal definitions.
#[derive(Debug)]
pub(super) struct Definitions<'t> {
    /// Zones by the lines of their definitions, without names.
    zones: HashMap<Vec<&'t str>, Option<TimeZone>>,
    /// The number of lines that can still be read.
    remaining: usize,
}

impl<'t> Definitions<'t> {
    pub(super) fn new() -> Self {
        Self { zones: HashMap::new(), remaining: MAX_LINES }
    }

    /// Returns the zones for a calendar of the file. `calendar` is an unfolded text.
    pub(super) fn zones(&mut self, calendar: &'t str, home: Zone) -> Zones {
        let mut zones = Zones { home, ..Zones::default() };
        let mut open: Option<Vec<&str>> = None;
        for line in calendar.lines() {
            if has_prefix_ignoring_case(line, "BEGIN:VTIMEZONE") {
                open = Some(Vec::new());
            } else if has_prefix_ignoring_case(line, "END:VTIMEZONE") {
                let lines = open.take().unwrap_or_default();
                if let Some((name, zone)) = self.parse_zone(lines) {
                    zones.defined.insert(zone_key(&name), zone);
                }
            } else if let Some(lines) = &mut open {
                lines.push(line);
            }
        }
        zones
    }

    /// Parses the name and zone of a definition. Returns `None` for a place, because the time zone data in use is
    /// newer than the file.
    fn parse_zone(&mut self, lines: Vec<&'t str>) -> Option<(String, TimeZone)> {
        let (names, rules): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| has_prefix_ignoring_case(line, "TZID"));
        let name = find_property(names.first()?, &["TZID"])?.val.as_str().to_owned();
        if place_zone(&name).is_some() {
            return None;
        }
        if let Some(known) = self.zones.get(&rules) {
            return Some((name, known.clone()?));
        }
        let parts = split_parts(&rules);
        let work = |line: &&str| if has_prefix_ignoring_case(line, "RRULE") { LINES_PER_RULE } else { 1 };
        // The work is counted before it is done, so that definitions that turn out to be unusable are limited too.
        self.remaining = self.remaining.checked_sub(rules.iter().map(work).sum())?;
        let parts: Option<Vec<_>> = parts.iter().map(|part| Observance::from_properties(part)).collect();
        let zone = parts.and_then(|parts| build_zone(&parts));
        // An unusable definition is remembered as well, because a file can repeat it in each of its calendars.
        self.zones.insert(rules, zone.clone());
        Some((name, zone?))
    }
}

/// Returns the properties of each part of a definition.
fn split_parts<'t>(lines: &[&'t str]) -> Vec<Vec<Property<'t>>> {
    let is_part = |line: &str| {
        has_prefix_ignoring_case(line, "BEGIN:STANDARD") || has_prefix_ignoring_case(line, "BEGIN:DAYLIGHT")
    };
    // The lines before the first part contain the name of the zone.
    let parts = lines.split(|line| is_part(line)).skip(1);
    parts.map(|part| part.iter().filter_map(|line| find_property(line, &OBSERVANCE_PROPERTIES)).collect()).collect()
}

/// A part of a definition: an offset and the times at which it begins.
#[derive(Debug)]
struct Observance {
    from: i32,
    to: i32,
    /// The times at which the offset begins, in UTC.
    onsets: Vec<NaiveDateTime>,
}

impl Observance {
    /// Parses a part of a definition. Returns `None` if anything in it is unclear.
    fn from_properties(properties: &[Property<'_>]) -> Option<Self> {
        let all = |name: &'static str| {
            properties.iter().filter(move |property| property.name.as_str().eq_ignore_ascii_case(name))
        };
        let value = |name: &'static str| all(name).next().map(|property| property.val.as_str());
        let (from, to) = (parse_offset(value("TZOFFSETFROM")?)?, parse_offset(value("TZOFFSETTO")?)?);
        // Onsets are local times before the change.
        let clock = Zone::fixed(from)?;
        let start = EventTime::Time(parse_wall_clock(value("DTSTART")?)?, clock.clone());
        let mut onsets = vec![start.clone()];
        if let Some(rule) = value("RRULE") {
            // The first onset above keeps the year that was written; only the rule begins later.
            let start = start.with_wall(clamp_start(start.wall(), rule));
            let end = start.wall().with_year(LAST_YEAR)?;
            onsets.extend(Rule::parse(rule, start.wall())?.occurrences(&start, end, &clock).take(MAX_ONSETS));
        }
        for date in all("RDATE").flat_map(|property| property.val.as_str().split(',')) {
            // An additional date can be written as a period, of which only the start matters here.
            onsets.push(ParsedTime::parse(date.split('/').next()?)?.in_zone(&clock));
        }
        Some(Self { from, to, onsets: onsets.iter().map(|onset| onset.utc(&clock)).collect() })
    }
}

/// Returns the start of a rule, moved to [`FIRST_YEAR`] if it is a yearly rule that begins earlier.
fn clamp_start(start: NaiveDateTime, rule: &str) -> NaiveDateTime {
    let rule = rule.to_ascii_uppercase();
    // With an interval or a count, another first year would result in other years.
    let is_yearly = rule.contains("FREQ=YEARLY") && !rule.contains("INTERVAL=") && !rule.contains("COUNT=");
    let later = start.with_year(FIRST_YEAR).filter(|later| is_yearly && start < *later);
    later.unwrap_or(start)
}

/// Parses an offset such as `+0100` or `-053015` as seconds.
fn parse_offset(offset: &str) -> Option<i32> {
    let offset = offset.trim().replace(':', "");
    let (sign, digits) = match offset.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, offset.trim_start_matches('+')),
    };
    let part = |at: usize| digits.get(at..at + 2)?.parse::<i32>().ok();
    let is_known = matches!(digits.len(), 4 | 6) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let last = if digits.len() == 6 { part(4)? } else { 0 };
    is_known.then_some(sign * (part(0)? * 3600 + part(2)? * 60 + last))
}

/// Builds the zone with these clock changes. Before the first one, it has the offset that the change ends.
fn build_zone(parts: &[Observance]) -> Option<TimeZone> {
    // TZif requires ascending times without repetitions, but the parts of a definition can be in any order and overlap.
    let mut changes = BTreeMap::new();
    for part in parts {
        changes.extend(part.onsets.iter().map(|onset| (*onset, (part.from, part.to))));
    }
    let (_, (before, _)) = changes.first_key_value()?;
    let changes: Vec<_> = changes.iter().map(|(onset, (_, to))| (onset.and_utc().timestamp(), *to)).collect();
    TimeZone::tzif("", &encode_tzif(*before, &changes)?).ok()
}

/// Encodes clock changes in the format of time zone files.
fn encode_tzif(before: i32, changes: &[(i64, i32)]) -> Option<Vec<u8>> {
    let mut offsets = vec![before];
    let mut types = Vec::new();
    for (_, offset) in changes {
        let known = offsets.iter().position(|known| known == offset);
        let place = known.unwrap_or_else(|| {
            offsets.push(*offset);
            offsets.len() - 1
        });
        // TZif has one byte for the number of an offset, so a definition with more than 256 different offsets is
        // unusable.
        types.push(u8::try_from(place).ok()?);
    }
    let mut bytes = Vec::new();
    let header = |bytes: &mut Vec<u8>, changes: u32, types: u32| {
        bytes.extend(b"TZif2");
        bytes.extend([0; 15 + 3 * 4]);
        bytes.extend([changes, types, 1].iter().flat_map(|count| count.to_be_bytes()));
    };
    // The block with 32-bit times, which `jiff` does not use.
    header(&mut bytes, 0, 1);
    bytes.extend([0; 6 + 1]);
    header(&mut bytes, u32::try_from(changes.len()).ok()?, u32::try_from(offsets.len()).ok()?);
    bytes.extend(changes.iter().flat_map(|(time, _)| time.to_be_bytes()));
    bytes.extend(types);
    // The offset, whether it is daylight saving time, and the abbreviation, which is empty.
    bytes.extend(offsets.iter().flat_map(|offset| offset.to_be_bytes().into_iter().chain([0, 0])));
    // The footer has no rule for later years, so the last offset applies forever. This is why the changes are listed
    // until `LAST_YEAR`.
    bytes.extend(b"\0\n\n");
    Some(bytes)
}
