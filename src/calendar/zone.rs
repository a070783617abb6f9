//! Zones by their names, and what their wall clocks show.

use chrono::{NaiveDateTime, Offset, TimeDelta, TimeZone};
use rrule::Tz;

use super::windows::iana_name;

/// How long before a time that a change of clocks leaves out the clocks surely did not change.
const BEFORE_A_GAP: TimeDelta = TimeDelta::hours(4);

/// A zone, by default that of this computer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Zone(pub(super) Tz);

impl Default for Zone {
    fn default() -> Self {
        Self(Tz::LOCAL)
    }
}

impl Zone {
    /// UTC.
    pub(super) const UTC: Self = Self(Tz::UTC);

    /// Its IANA name; none of the zone of this computer.
    pub(super) fn name(self) -> Option<String> {
        (!self.0.is_local()).then(|| self.0.name().to_owned())
    }

    /// The UTC time at which its clocks show `wall`: the first of two, and where a change of clocks leaves it out, the
    /// time at which a clock would show it that was not changed (RFC 5545, 3.3.5).
    pub(super) fn utc(self, wall: NaiveDateTime) -> NaiveDateTime {
        let shown = self.0.from_local_datetime(&wall).earliest();
        let offset = shown.map(|shown| shown.offset().fix()).or_else(|| {
            let before = wall.checked_sub_signed(BEFORE_A_GAP)?;
            Some(self.0.from_local_datetime(&before).earliest()?.offset().fix())
        });
        let seconds = offset.map_or(0, |offset| offset.local_minus_utc());
        wall.checked_sub_signed(TimeDelta::seconds(seconds.into())).unwrap_or(wall)
    }

    /// What its clocks show at a UTC time.
    pub(super) fn wall(self, utc: NaiveDateTime) -> NaiveDateTime {
        let seconds = self.0.offset_from_utc_datetime(&utc).fix().local_minus_utc();
        utc.checked_add_signed(TimeDelta::seconds(seconds.into())).unwrap_or(utc)
    }
}

/// The zone of an IANA name, a Windows name such as `W. Europe Standard Time`, or either behind a prefix with slashes, as
/// in `/citadel.org/20250101_1/Europe/Berlin`.
pub(super) fn named(name: &str) -> Option<Tz> {
    let name = name.trim().trim_matches('"');
    let known = |name: &str| -> Option<Tz> { name.parse::<chrono_tz::Tz>().ok().map(Tz::from) };
    let behind_slashes = name.match_indices('/').filter_map(|(at, _)| name.get(at + 1..));
    known(name)
        .or_else(|| known(iana_name(name)?))
        .or_else(|| behind_slashes.filter(|rest| !rest.is_empty()).find_map(known))
}
