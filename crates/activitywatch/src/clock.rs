//! Computes local time from the configured time zone and the configured journeys.

use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use dayledger_core::zone_data::ZoneData;

use crate::settings::Settings;

/// An upper limit for offsets from UTC, in seconds. No time zone has an offset as large as this limit.
pub(crate) const MAX_OFFSET: i64 = 28 * 3600;

/// The time zone of a history, and the zones of journeys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clock {
    zone: TimeZone,
    journeys: Vec<Stay>,
}

/// A journey, with its time range in Unix seconds.
#[derive(Debug, Clone, PartialEq)]
struct Stay {
    span: Range<i64>,
    zone: TimeZone,
    device: Option<String>,
}

impl Clock {
    /// Creates a clock. If no zone is configured, the clock uses the current zone of this computer, which can change.
    pub(crate) fn new(settings: &Settings) -> Self {
        let named = |name: &String| ZoneData::current().get(name);
        let zone = settings.zone.as_ref().and_then(named).unwrap_or_else(|| {
            let system = TimeZone::system();
            // Prefer dayledger's zone data, because the data of the operating system can be old.
            system.iana_name().and_then(|name| ZoneData::current().get(name)).unwrap_or(system)
        });
        let journeys = settings.journeys.iter().filter_map(|journey| {
            let zone = named(&journey.zone)?;
            let midnight = |date: Date| Some(date.to_zoned(zone.clone()).ok()?.timestamp().as_second());
            let span = midnight(journey.from)?..midnight(journey.to.tomorrow().ok()?)?;
            Some(Stay { span, zone, device: journey.device.clone() })
        });
        let journeys = journeys.collect();
        Self { zone, journeys }
    }

    /// Returns the name of the time zone, or its current offset if the zone doesn't have a name.
    pub(crate) fn name(&self) -> String {
        let offset = || self.zone.to_offset(Timestamp::now()).to_string();
        self.zone.iana_name().map_or_else(offset, str::to_owned)
    }

    /// Whether the settings contain a journey that applies only to this device.
    pub(crate) fn has_journey_of(&self, device: &str) -> bool {
        self.journeys.iter().any(|stay| stay.device.as_deref() == Some(device))
    }

    /// Returns the offsets from UTC that apply on a device during `range`, which is in Unix seconds.
    pub(crate) fn offsets(&self, device: &str, range: Range<i64>) -> Offsets {
        let mut starts = vec![(range.start, self.zone.clone())];
        for stay in &self.journeys {
            if stay.device.as_ref().is_some_and(|name| name != device) {
                continue;
            }
            let after = zone_at(&starts, stay.span.end);
            starts.retain(|(start, _)| !stay.span.contains(start) && *start != stay.span.end);
            starts.push((stay.span.start.max(range.start), stay.zone.clone()));
            starts.push((stay.span.end.max(range.start), after));
            starts.sort_by_key(|(start, _)| *start);
        }
        let mut offsets: Vec<(i64, i64)> = Vec::new();
        let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([range.end]);
        for ((start, zone), end) in starts.iter().zip(ends) {
            add_offsets(&mut offsets, zone, *start..end.min(range.end));
        }
        Offsets(offsets)
    }
}

/// Returns the zone at the time `at`. `starts` contains zones, each with the time from which it applies, sorted by
/// time.
fn zone_at(starts: &[(i64, TimeZone)], at: i64) -> TimeZone {
    let after = starts.partition_point(|(start, _)| *start <= at);
    starts.get(after.saturating_sub(1)).map_or(TimeZone::UTC, |(_, zone)| zone.clone())
}

/// Adds the offsets from UTC that a zone has during `range`, which is in Unix seconds.
fn add_offsets(offsets: &mut Vec<(i64, i64)>, zone: &TimeZone, range: Range<i64>) {
    // This conversion can't fail, because the range is within the years -9999 to 9999, which Jiff supports.
    let Ok(first) = Timestamp::from_second(range.start) else { return };
    if range.is_empty() {
        return;
    }
    let mut add = |at: i64, offset: jiff::tz::Offset| {
        let offset = i64::from(offset.seconds());
        if offsets.last().is_none_or(|(_, before)| *before != offset) {
            offsets.push((at, offset));
        }
    };
    add(range.start, zone.to_offset(first));
    for change in zone.following(first) {
        let at = change.timestamp().as_second();
        if at >= range.end {
            return;
        }
        add(at, change.offset());
    }
}

/// The offsets from UTC on a device. Each item has the Unix time at which the offset starts, and the offset in seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offsets(Vec<(i64, i64)>);

impl Offsets {
    /// Splits a span, in Unix seconds, at each change of the offset. Returns the parts with their offsets. A span of
    /// length zero has one part.
    pub(crate) fn parts(&self, span: Range<i64>) -> impl Iterator<Item = (Range<i64>, i64)> {
        let after = self.0.partition_point(|(start, _)| *start <= span.start);
        let first = self.0.get(after.saturating_sub(1)).map_or(0, |(_, offset)| *offset);
        let changes = self.0[after..].iter().copied().take_while(move |(start, _)| *start < span.end);
        let starts = [(span.start, first)].into_iter().chain(changes.clone());
        let ends = changes.map(|(start, _)| start).chain([span.end]);
        starts.zip(ends).map(|((start, offset), end)| (start..end, offset))
    }

    /// Returns the offset at a time in Unix seconds.
    pub(crate) fn at(&self, second: i64) -> i64 {
        let after = self.0.partition_point(|(start, _)| *start <= second);
        self.0.get(after.saturating_sub(1)).map_or(0, |(_, offset)| *offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Journey, Locator};
    use dayledger_source::FoundBy;

    const HOUR: i64 = 3600;
    /// 2025-10-26 00:00 UTC. Clocks in Berlin change one hour later.
    const CHANGE_DAY: i64 = 1_761_436_800;

    fn clock(zone: &str, journeys: Vec<Journey>) -> Clock {
        let settings =
            Settings { zone: Some(zone.to_owned()), journeys, ..Settings::new(Locator::from_path("/", FoundBy::Flag)) };
        Clock::new(&settings)
    }

    #[test]
    fn span_is_split_when_clocks_change() {
        let offsets = clock("Europe/Berlin", Vec::new())
            .offsets("desk", CHANGE_DAY - 90 * 24 * HOUR..CHANGE_DAY + 90 * 24 * HOUR);
        let change = CHANGE_DAY + HOUR;
        let parts: Vec<_> = offsets.parts(change - 1800..change + 1800).collect();
        assert_eq!(parts, [(change - 1800..change, 2 * HOUR), (change..change + 1800, HOUR)]);
        assert_eq!(offsets.parts(change..change).collect::<Vec<_>>(), [(change..change, HOUR)]);
        assert_eq!(offsets.at(change - 1), 2 * HOUR);
    }

    #[test]
    fn journey_applies_to_its_device_and_days() {
        let day = |day| Date::constant(2025, 10, day);
        let journey = Journey {
            from: day(29),
            to: day(31),
            zone: "America/New_York".to_owned(),
            device: Some("laptop".to_owned()),
        };
        let clock = clock("Europe/Berlin", vec![journey]);
        let range = CHANGE_DAY..CHANGE_DAY + 30 * 24 * HOUR;
        let (begins, ends) = (CHANGE_DAY + (3 * 24 + 4) * HOUR, CHANGE_DAY + (6 * 24 + 4) * HOUR);
        let laptop = clock.offsets("laptop", range.clone());
        let found = [begins - 1, begins, ends - 1, ends].map(|at| laptop.at(at));
        assert_eq!(found, [HOUR, -4 * HOUR, -4 * HOUR, HOUR]);
        assert_eq!(clock.offsets("desk", range).at(begins), HOUR);
    }

    #[test]
    fn extreme_instants_have_an_offset() {
        let offsets = clock("America/Havana", Vec::new()).offsets("desk", -62_135_596_800..253_402_300_800);
        assert_eq!(offsets.parts(-62_135_596_800..-62_135_596_799).count(), 1);
        assert!(offsets.at(253_402_300_799) < 0);
    }
}
