//! Time zones by their names, and conversion between their wall clocks and UTC.

use chrono::{Local, NaiveDateTime, Offset as _, TimeDelta, TimeZone as _};
use jiff::Timestamp;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};

use super::windows_zones::iana_name;
use dayledger_core::zone_data::ZoneData;

/// How long before a time that a change of clocks skips the clocks surely did not change.
const BEFORE_A_GAP: TimeDelta = TimeDelta::hours(4);
/// No zone is further from UTC (`Pacific/Kiritimati`).
const MAX_OFFSET_HOURS: i32 = 14;

/// A time zone.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Zone {
    /// That of this computer. Its clock is the operating system's, by which `ManicTime` records local times, too.
    #[default]
    Computer,
    /// A zone of the time zone database, or one that a calendar defines.
    Known(TimeZone),
}

impl Zone {
    /// UTC.
    pub(super) const UTC: Self = Self::Known(TimeZone::UTC);

    /// A zone whose clocks are always `seconds` ahead of UTC; nothing beyond a day.
    pub(super) fn fixed(seconds: i32) -> Option<Self> {
        Some(Self::Known(TimeZone::fixed(Offset::from_seconds(seconds).ok()?)))
    }

    /// The IANA name, if it has one. This computer's zone has none.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::Computer => None,
            Self::Known(zone) => zone.iana_name().map(str::to_owned),
        }
    }

    /// The UTC time at which the clocks show `wall`: the first of two if clocks go back, and by the offset from before
    /// the change if they skip it (RFC 5545, 3.3.5).
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

    /// The wall clock at a UTC time.
    pub(super) fn to_wall(&self, utc: NaiveDateTime) -> NaiveDateTime {
        let seconds = match self {
            Self::Computer => Local.offset_from_utc_datetime(&utc).fix().local_minus_utc(),
            Self::Known(zone) => timestamp(utc).map_or(0, |utc| zone.to_offset(utc).seconds()),
        };
        utc.checked_add_signed(TimeDelta::seconds(seconds.into())).unwrap_or(utc)
    }
}

/// How many seconds this computer's clock is ahead of UTC when it first shows `wall`: the more, the earlier that is. The
/// system does not report reliably which of two times comes first.
fn local_offset(wall: NaiveDateTime) -> Option<i32> {
    let shown = Local.from_local_datetime(&wall);
    let shown = [shown.earliest(), shown.latest()].into_iter().flatten();
    shown.map(|shown| shown.offset().fix().local_minus_utc()).max()
}

/// The same digits as a UTC time of `jiff`.
fn timestamp(time: NaiveDateTime) -> Option<Timestamp> {
    Timestamp::from_second(time.and_utc().timestamp()).ok()
}

/// The zone that a calendar means by `name`, whatever it says about it: an IANA name with a place, such as
/// `Europe/Berlin`, also in another case or after a prefix as in `/citadel.org/20250101_1/Europe/Berlin`; or a Windows
/// name such as `W. Europe Standard Time`.
pub(super) fn place_zone(name: &str) -> Option<TimeZone> {
    let name = bare(name);
    let data = ZoneData::current();
    let after_slashes = name.match_indices('/').filter_map(|(at, _)| name.get(at + 1..));
    let is_place = |name: &&str| name.trim_start_matches('/').contains('/');
    let by_place = || std::iter::once(name).chain(after_slashes).filter(is_place).find_map(|name| data.get(name));
    iana_name(name).and_then(|name| data.get(name)).or_else(by_place)
}

/// The zone of any name that means one without a definition: a [`place`], a name such as `EST` or `UTC`, one that
/// Windows shows to people, or an offset such as `UTC+01:00`.
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

/// The zone of a name that Windows shows to people, such as `(UTC+01:00) Amsterdam, Berlin, Bern`, by the first city that
/// has that offset, or `(UTC-05:00) Eastern Time (US & Canada)`.
fn windows_display_zone(name: &str) -> Option<TimeZone> {
    let (ahead, cities) = name.strip_prefix('(')?.split_once(')')?;
    let data = ZoneData::current();
    if let Some(america) = cities.trim().strip_suffix(" Time (US & Canada)") {
        return data.get(iana_name(&format!("{america} Standard Time"))?);
    }
    let ahead = parse_offset(ahead)?;
    let place = cities.trim().trim_end_matches(" Island");
    cities
        .split([',', '/'])
        .find_map(|city| data.city(city, ahead))
        .or_else(|| data.get(iana_name(&format!("{place} Standard Time"))?))
}

/// The seconds of an offset such as `UTC+01:00`, `GMT-3`, `+0530` or `UTC`.
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
