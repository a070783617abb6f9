//! Reads the time zones that a calendar file defines (`VTIMEZONE`, RFC 5545, 3.6.5).
//!
//! A definition lists the clock changes of a zone, usually as rules without an end. The rules are expanded until
//! [`LAST_YEAR`]. The resulting clock changes are then passed to `jiff` in the format `TZif` (RFC 9636). In this way,
//! `jiff` can convert times in defined zones too.
//!
//! From each file, only a limited number of definition lines is read. Otherwise, a hostile file could take unlimited
//! time. The lines of equal definitions count once.

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike, NaiveDateTime};
use icalendar::parser::Property;
use jiff::tz::TimeZone;

use super::content::{find_property, has_prefix_ignoring_case};
use super::event_time::{EventTime, ParsedTime, parse_wall_clock};
use super::rule::Rule;
use super::zone::{Zone, named_zone, place_zone};

/// The year until which clock changes are expanded.
const LAST_YEAR: i32 = 2100;
/// The year from which rules are expanded. Some rules begin earlier, for example Outlook's rules in 1601.
const FIRST_YEAR: i32 = 1970;
/// The maximum number of clock changes of a rule. A usual rule has one clock change per year.
const MAX_ONSETS: usize = 1000;
/// The maximum number of definition lines that are read from a file. A rule counts as [`LINES_PER_RULE`] lines.
const MAX_LINES: usize = 20_000;
/// A rule counts as this many lines, because expanding a rule takes more time than reading a line.
const LINES_PER_RULE: usize = 100;
/// The names of the properties that are read from a part of a definition.
const OBSERVANCE_PROPERTIES: [&str; 5] = ["DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "RRULE", "RDATE"];

/// The time zones to which the times in a calendar can refer.
#[derive(Debug, Default)]
pub(super) struct Zones {
    /// The user's zone, which applies to times without a zone.
    pub(super) home: Zone,
    /// The zones that the calendar defines, by [`zone_key`]. A definition whose name is a place is left out.
    defined: HashMap<String, TimeZone>,
}

impl Zones {
    /// Returns the zone with a name. If the calendar defines the name, this definition takes precedence. Otherwise, the
    /// name could be, for example, an offset.
    pub(super) fn find(&self, name: &str) -> Option<Zone> {
        self.defined.get(&zone_key(name)).cloned().or_else(|| named_zone(name)).map(Zone::Known)
    }
}

/// Returns the name of a zone without quotes and in lower case, for comparison.
fn zone_key(name: &str) -> String {
    name.trim().trim_matches('"').trim().to_lowercase()
}

/// The time zone definitions of a file. A file can contain many calendars with equal definitions.
#[derive(Debug)]
pub(super) struct Definitions<'t> {
    /// The key is the lines of a definition, without its name. The value is the zone, or `None` if the definition can't
    /// be used.
    zones: HashMap<Vec<&'t str>, Option<TimeZone>>,
    /// The number of definition lines that may still be read.
    remaining: usize,
}

impl<'t> Definitions<'t> {
    pub(super) fn new() -> Self {
        Self { zones: HashMap::new(), remaining: MAX_LINES }
    }

    /// Returns the zones of a calendar in the file. `calendar` is a text with joined lines.
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

    /// Parses the name and the zone of a definition. Returns `None` if the name is a place. For places, the time zone
    /// database is used, because it has newer rules than the file.
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
        // The lines are subtracted before the definition is expanded. The lines of unusable definitions therefore count
        // too.
        self.remaining = self.remaining.checked_sub(rules.iter().map(work).sum())?;
        let parts: Option<Vec<_>> = parts.iter().map(|part| Observance::from_properties(part)).collect();
        let zone = parts.and_then(|parts| build_zone(&parts));
        // An unusable definition is also stored, because a file can repeat it in each of its calendars.
        self.zones.insert(rules, zone.clone());
        Some((name, zone?))
    }
}

/// Returns the properties of each part of a definition. A part is standard time or daylight saving time.
fn split_parts<'t>(lines: &[&'t str]) -> Vec<Vec<Property<'t>>> {
    let is_part = |line: &str| {
        has_prefix_ignoring_case(line, "BEGIN:STANDARD") || has_prefix_ignoring_case(line, "BEGIN:DAYLIGHT")
    };
    // The lines before the first part don't contain clock changes.
    let parts = lines.split(|line| is_part(line)).skip(1);
    parts.map(|part| part.iter().filter_map(|line| find_property(line, &OBSERVANCE_PROPERTIES)).collect()).collect()
}

/// A part of a definition: an offset, and the times at which this offset begins.
#[derive(Debug)]
struct Observance {
    from: i32,
    to: i32,
    /// The times at which the offset `to` begins, in UTC.
    onsets: Vec<NaiveDateTime>,
}

impl Observance {
    /// Parses a part of a definition. Returns `None` if a property is missing or can't be read.
    fn from_properties(properties: &[Property<'_>]) -> Option<Self> {
        let all = |name: &'static str| {
            properties.iter().filter(move |property| property.name.as_str().eq_ignore_ascii_case(name))
        };
        let value = |name: &'static str| all(name).next().map(|property| property.val.as_str());
        let (from, to) = (parse_offset(value("TZOFFSETFROM")?)?, parse_offset(value("TZOFFSETTO")?)?);
        // Onsets are written in the local time before the clock change.
        let clock = Zone::fixed(from)?;
        let start = EventTime::Time(parse_wall_clock(value("DTSTART")?)?, clock.clone());
        let mut onsets = vec![start.clone()];
        if let Some(rule) = value("RRULE") {
            // The first onset stays in the year that the file contains. Only the rule is expanded from a later year.
            let start = start.with_wall(clamp_start(start.wall(), rule));
            let end = start.wall().with_year(LAST_YEAR)?;
            onsets.extend(Rule::parse(rule, start.wall())?.occurrences(&start, end, &clock).take(MAX_ONSETS));
        }
        for date in all("RDATE").flat_map(|property| property.val.as_str().split(',')) {
            // An additional date can have the form of a period, with a start and an end. Only the start is needed.
            onsets.push(ParsedTime::parse(date.split('/').next()?)?.in_zone(&clock));
        }
        Some(Self { from, to, onsets: onsets.iter().map(|onset| onset.utc(&clock)).collect() })
    }
}

/// Returns the start from which a rule is expanded. A yearly rule that begins before [`FIRST_YEAR`] is moved to this
/// year.
fn clamp_start(start: NaiveDateTime, rule: &str) -> NaiveDateTime {
    let rule = rule.to_ascii_uppercase();
    // A rule with an interval or a count isn't moved, because a later start would change the years in which it recurs.
    let is_yearly = rule.contains("FREQ=YEARLY") && !rule.contains("INTERVAL=") && !rule.contains("COUNT=");
    let later = start.with_year(FIRST_YEAR).filter(|later| is_yearly && start < *later);
    later.unwrap_or(start)
}

/// Parses an offset such as `+0100` or `-053015`. Returns seconds.
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

/// Builds the zone from the clock changes in all parts. Before the first clock change, the zone has the offset from
/// which this change starts.
fn build_zone(parts: &[Observance]) -> Option<TimeZone> {
    // TZif requires ascending times without duplicates. The parts of a definition can have any order, and their times
    // can overlap.
    let mut changes = BTreeMap::new();
    for part in parts {
        changes.extend(part.onsets.iter().map(|onset| (*onset, (part.from, part.to))));
    }
    let (_, (before, _)) = changes.first_key_value()?;
    let changes: Vec<_> = changes.iter().map(|(onset, (_, to))| (onset.and_utc().timestamp(), *to)).collect();
    TimeZone::tzif("", &encode_tzif(*before, &changes)?).ok()
}

/// Encodes clock changes in the format `TZif`. `before` is the offset before the first clock change, in seconds.
fn encode_tzif(before: i32, changes: &[(i64, i32)]) -> Option<Vec<u8>> {
    let mut offsets = vec![before];
    let mut types = Vec::new();
    for (_, offset) in changes {
        let known = offsets.iter().position(|known| known == offset);
        let place = known.unwrap_or_else(|| {
            offsets.push(*offset);
            offsets.len() - 1
        });
        // TZif stores the index of an offset in one byte. A definition with more than 256 different offsets is
        // therefore unusable.
        types.push(u8::try_from(place).ok()?);
    }
    let mut bytes = Vec::new();
    let header = |bytes: &mut Vec<u8>, changes: u32, types: u32| {
        bytes.extend(b"TZif2");
        bytes.extend([0; 15 + 3 * 4]);
        bytes.extend([changes, types, 1].iter().flat_map(|count| count.to_be_bytes()));
    };
    // This block is for 32-bit times, which `jiff` doesn't use.
    header(&mut bytes, 0, 1);
    bytes.extend([0; 6 + 1]);
    header(&mut bytes, u32::try_from(changes.len()).ok()?, u32::try_from(offsets.len()).ok()?);
    bytes.extend(changes.iter().flat_map(|(time, _)| time.to_be_bytes()));
    bytes.extend(types);
    // Each entry consists of the offset, a flag for daylight saving time, and the index of the abbreviation. The
    // abbreviation is empty.
    bytes.extend(offsets.iter().flat_map(|offset| offset.to_be_bytes().into_iter().chain([0, 0])));
    // The footer contains no rule for later years, so the last offset applies forever. This is why the clock changes
    // are listed until `LAST_YEAR`.
    bytes.extend(b"\0\n\n");
    Some(bytes)
}
