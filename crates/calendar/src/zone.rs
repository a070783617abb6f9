//! Finds time zones by name, and converts between their local time and UTC.

use chrono::{Local, NaiveDateTime, Offset as _, TimeDelta, TimeZone as _};
use jiff::Timestamp;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};

use dayledger_core::zone_data::ZoneData;

/// If a clock change skips a local time, the offset before the change applies. To find this offset, this duration is
/// subtracted from the local time.
const BEFORE_A_GAP: TimeDelta = TimeDelta::hours(4);
/// The largest offset from UTC of any zone, in hours (`Pacific/Kiritimati`).
const MAX_OFFSET_HOURS: i32 = 14;

/// A time zone.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Zone {
    /// The zone of this computer, according to the operating system. The tracker uses the same clock for its local
    /// times.
    #[default]
    Computer,
    /// A zone from the time zone database, or a zone that a calendar defines.
    Known(TimeZone),
}

impl Zone {
    /// The zone UTC.
    pub(super) const UTC: Self = Self::Known(TimeZone::UTC);

    /// Returns a zone that is always `seconds` ahead of UTC, or `None` if the offset exceeds a day.
    pub(super) fn fixed(seconds: i32) -> Option<Self> {
        Some(Self::Known(TimeZone::fixed(Offset::from_seconds(seconds).ok()?)))
    }

    /// Returns the IANA name of the zone, or `None` for the zone of this computer.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::Computer => None,
            Self::Known(zone) => zone.iana_name().map(str::to_owned),
        }
    }

    /// Converts a local time to UTC. If a clock change repeats the local time, the first of the two times counts. If a
    /// clock change skips the local time, the offset before the change applies (RFC 5545, 3.3.5).
    pub(super) fn to_utc(&self, wall: NaiveDateTime) -> NaiveDateTime {
        let seconds = match self {
            Self::Computer => local_offset(wall).or_else(|| local_offset(wall.checked_sub_signed(BEFORE_A_GAP)?)),
            Self::Known(zone) => {
                timestamp(wall).map(|wall| match zone.to_ambiguous_timestamp(Offset::UTC.to_datetime(wall)).offset() {
                    AmbiguousOffset::Unambiguous { offset } => offset.seconds(),
                    AmbiguousOffset::Gap { before, .. } | AmbiguousOffset::Fold { before, .. } => before.seconds(),
                })
            }
        };
        wall.checked_sub_signed(TimeDelta::seconds(seconds.unwrap_or(0).into())).unwrap_or(wall)
    }

    /// Converts a UTC time to the local time in this zone.
    pub(super) fn to_wall(&self, utc: NaiveDateTime) -> NaiveDateTime {
        let seconds = match self {
            Self::Computer => Local.offset_from_utc_datetime(&utc).fix().local_minus_utc(),
            Self::Known(zone) => timestamp(utc).map_or(0, |utc| zone.to_offset(utc).seconds()),
        };
        utc.checked_add_signed(TimeDelta::seconds(seconds.into())).unwrap_or(utc)
    }
}

/// Returns the offset of this computer's clock, in seconds, when the clock shows `wall` for the first time. If a clock
/// change repeats `wall`, the first time has the larger offset. The function compares the two offsets, because the
/// system doesn't reliably report which time is the first.
fn local_offset(wall: NaiveDateTime) -> Option<i32> {
    let shown = Local.from_local_datetime(&wall);
    let shown = [shown.earliest(), shown.latest()].into_iter().flatten();
    shown.map(|shown| shown.offset().fix().local_minus_utc()).max()
}

/// Returns the `jiff` timestamp at which a clock in UTC shows `time`.
fn timestamp(time: NaiveDateTime) -> Option<Timestamp> {
    Timestamp::from_second(time.and_utc().timestamp()).ok()
}

/// Returns the zone of a place, which takes precedence over a definition in the calendar. `name` can be an IANA name
/// with a place, such as `Europe/Berlin`, or a Windows name such as `W. Europe Standard Time`. Case is ignored. A
/// prefix is ignored too, as in `/citadel.org/20250101_1/Europe/Berlin`.
pub(super) fn place_zone(name: &str) -> Option<TimeZone> {
    let name = bare(name);
    let data = ZoneData::current();
    let after_slashes = name.match_indices('/').filter_map(|(at, _)| name.get(at + 1..));
    let is_place = |name: &&str| name.trim_start_matches('/').contains('/');
    let by_place = || std::iter::once(name).chain(after_slashes).filter(is_place).find_map(|name| data.get(name));
    iana_name(name).and_then(|name| data.get(name)).or_else(by_place)
}

/// Returns the zone of a name that has a meaning even if the calendar doesn't define it. The name can be a
/// [place](place_zone), an IANA name such as `EST` or `UTC`, a name that Windows shows to users, or an offset such as
/// `UTC+01:00`.
pub(super) fn named_zone(name: &str) -> Option<TimeZone> {
    let place = place_zone(name);
    let name = bare(name);
    let last = name.rsplit('/').next().filter(|last| !last.is_empty());
    place
        .or_else(|| ZoneData::current().get(last?))
        .or_else(|| windows_display_zone(name))
        .or_else(|| Some(TimeZone::fixed(Offset::from_seconds(parse_offset(name.trim_matches(['(', ')']))?).ok()?)))
}

fn bare(name: &str) -> &str {
    name.trim().trim_matches('"').trim()
}

/// Returns the zone of a name that Windows shows to users, such as `(UTC+01:00) Amsterdam, Berlin, Bern` or
/// `(UTC-05:00) Eastern Time (US & Canada)`. The list of cities is searched for the first city with this offset. The
/// result is the zone of this city.
fn windows_display_zone(name: &str) -> Option<TimeZone> {
    let (ahead, cities) = name.strip_prefix('(')?.split_once(')')?;
    let data = ZoneData::current();
    if let Some(america) = cities.trim().strip_suffix(" Time (US & Canada)") {
        return data.get(iana_name(&format!("{america} Standard Time"))?);
    }
    let ahead = parse_offset(ahead)?;
    // Windows shows `Norfolk Island`, but its internal name for the zone is `Norfolk Standard Time`.
    let place = cities.trim().trim_end_matches(" Island");
    cities
        .split([',', '/'])
        .find_map(|city| data.city(city, ahead))
        .or_else(|| data.get(iana_name(&format!("{place} Standard Time"))?))
}

/// Returns the Windows names of time zones, which Outlook uses too. Each name comes with the IANA name of a place in
/// that zone (Unicode's table, territory 001).
pub(super) fn windows_zone_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("windows.csv").lines().filter_map(|line| line.split_once(','))
}

/// Returns the IANA name for a Windows name of a zone.
fn iana_name(windows_name: &str) -> Option<&'static str> {
    windows_zone_names().find(|(name, _)| name.eq_ignore_ascii_case(windows_name)).map(|(_, name)| name)
}

/// Parses an offset such as `UTC+01:00`, `GMT-3`, `+0530` or `UTC`. Returns seconds.
fn parse_offset(text: &str) -> Option<i32> {
    let is_prefix = |start: &&str| start.eq_ignore_ascii_case("UTC") || start.eq_ignore_ascii_case("GMT");
    let prefix = text.get(..3).filter(is_prefix);
    let text = text.get(prefix.map_or(0, str::len)..)?.trim();
    if text.is_empty() {
        return prefix.map(|_| 0);
    }
    let (sign, digits) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+')?),
    };
    let (hours, minutes) = match digits.split_once([':', '.']) {
        Some(parts) => parts,
        None if digits.len() > 2 => digits.split_at_checked(digits.len() - 2)?,
        None => (digits, "00"),
    };
    let is_number =
        |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(hours, 2) || !is_number(minutes, 2) {
        return None;
    }
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= MAX_OFFSET_HOURS && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}
