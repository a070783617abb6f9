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
        let seconds = self.ahead(wall).or_else(|| self.ahead(wall.checked_sub_signed(BEFORE_A_GAP)?)).unwrap_or(0);
        wall.checked_sub_signed(TimeDelta::seconds(seconds.into())).unwrap_or(wall)
    }

    /// How many seconds its clocks are ahead of UTC when they first show `wall`: the more, the earlier that is. Which of
    /// two the clocks of this computer show first, its system does not tell reliably.
    fn ahead(self, wall: NaiveDateTime) -> Option<i32> {
        let shown = self.0.from_local_datetime(&wall);
        let ahead = [shown.earliest(), shown.latest()].into_iter().flatten();
        ahead.map(|shown| shown.offset().fix().local_minus_utc()).max()
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
