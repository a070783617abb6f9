//! Tests the names of time zones, and durations.

use super::*;
use crate::event_time::parse_length;
use crate::zone::{named_zone, windows_zone_names};
use dayledger_core::zone_data::ZoneData;

/// Formats the meeting of a calendar. The meeting has this start and lasts half an hour.
fn meetings_starting_at(start: &str) -> Vec<String> {
    meetings(&[&format!("UID:1\nSUMMARY:M\nDTSTART{start}\nDURATION:PT30M")], "2026-07-01", "2026-07-31")
}

#[test]
fn a_time_is_read_in_its_own_zone() {
    for (start, expected) in [
        (";TZID=Europe/Berlin:20260715T090000", "M 07-15T09:00/07-15T09:30 07:00Z"),
        (";TZID=W. Europe Standard Time:20260715T090000", "M 07-15T09:00/07-15T09:30 07:00Z"),
        (";TZID=\"Eastern Standard Time\":20260715T090000", "M 07-15T15:00/07-15T15:30 13:00Z"),
        (";TZID=/citadel.org/20250101_1/Asia/Tokyo:20260715T090000", "M 07-15T02:00/07-15T02:30 00:00Z"),
        (":20260715T090000Z", "M 07-15T11:00/07-15T11:30 09:00Z"),
        // This time has no zone, so it is at nine o'clock in the user's zone.
        (":20260715T090000", "M 07-15T09:00/07-15T09:30 07:00Z"),
        // The zone of a property doesn't apply to a time in UTC.
        (";TZID=Nowhere:20260715T090000Z", "M 07-15T11:00/07-15T11:30 09:00Z"),
    ] {
        assert_eq!(meetings_starting_at(start), [expected], "{start}");
    }
}

#[test]
fn time_in_an_unknown_zone_is_counted_as_broken() {
    assert_eq!(count_events(&["UID:1\nDTSTART;TZID=Nowhere:20260715T090000\nDURATION:PT30M"]), (0, 1));
    assert_eq!(count_events(&["UID:1\nDTSTART:20260715T090000Z\nDTEND;TZID=Nowhere:20260715T093000"]), (0, 1));
}

#[test]
fn time_skipped_or_repeated_by_a_clock_change_is_one_time() {
    let at = |start: &str| {
        let event = format!("UID:1\nSUMMARY:M\nDTSTART;TZID=Europe/Berlin:{start}\nDURATION:PT30M");
        meetings(&[&event], "2026-03-01", "2026-11-01")
    };
    assert_eq!(at("20260329T023000"), ["M 03-29T03:30/03-29T04:00 01:30Z"]);
    assert_eq!(at("20261025T023000"), ["M 10-25T02:30/10-25T02:00 00:30Z"]);
}

#[test]
fn an_event_lasts_to_its_end_or_for_its_duration_and_a_reminder_takes_no_time() {
    let lasting = |rest: &str| {
        meetings(&[&format!("UID:1\nSUMMARY:M\nDTSTART:20260715T090000Z{rest}")], "2026-07-01", "2026-07-31")
    };
    assert_eq!(lasting("\nDTEND;TZID=Europe/Berlin:20260715T120000"), ["M 07-15T11:00/07-15T12:00 09:00Z"]);
    assert_eq!(lasting("\nDURATION:PT1H30M"), ["M 07-15T11:00/07-15T12:30 09:00Z"]);
    // A day in a duration is a calendar day, which can be shorter or longer than 24 hours.
    let day = "UID:2\nSUMMARY:M\nDTSTART;TZID=Europe/Berlin:20260328T100000\nDURATION:P1DT30M";
    assert_eq!(meetings(&[day], "2026-03-28", "2026-03-29"), ["M 03-28/03-29 09:00Z"]);
    let folder = Folder::new();
    let found = folder.write("work.ics", &[day]).calendars("work.ics").meetings_in(&range("2026-03-28", "2026-03-29"));
    assert_eq!(found[0].1.end_local.to_string(), "2026-03-29 10:30:00");
    assert!(lasting("").is_empty() && lasting("\nDTEND:20260715T080000Z").is_empty());
}

#[test]
fn durations_are_parsed() {
    for (text, seconds) in [("PT15M", 900), ("P1DT1H", 90_000), ("P2W", 1_209_600), ("+PT1S", 1)] {
        assert_eq!(parse_length(text).map(|length| length.approximate().num_seconds()), Some(seconds), "{text}");
    }
    for text in ["", "P", "PT", "15M", "P1", "PT1D", "P1H", "-PT5M", "PT0S", "PT99999999999999999999S"] {
        assert_eq!(parse_length(text), None, "{text}");
    }
}

#[test]
fn every_windows_zone_is_in_the_database() {
    for (windows, iana) in windows_zone_names() {
        assert!(named_zone(windows).is_some(), "{windows} is {iana}");
    }
    assert_eq!(named_zone("w. europe standard time").unwrap().iana_name(), Some("Europe/Berlin"));
    assert!(named_zone("").is_none() && named_zone("/").is_none());
}

// Earlier, meetings in these zones were off by an hour. The law changed after version 2025b of the time zone database.
#[test]
fn the_bundled_data_has_the_current_law_of_recently_changed_zones() {
    let data = ZoneData::from_binary();
    let utc = |zone: &str, wall: &str| {
        let zone = Zone::Known(data.get(zone).unwrap());
        zone.to_utc(NaiveDateTime::parse_from_str(wall, "%Y-%m-%d %H:%M").unwrap()).format("%d %H:%M").to_string()
    };
    for (zone, summer, winter) in [
        // The offset is -7 hours since 8 March 2026, so 9:00 is 16:00 in UTC.
        ("America/Vancouver", "15 16:00", "17 16:00"),
        ("Canada/Pacific", "15 16:00", "17 16:00"),
        // The offset is always -6 hours.
        ("America/Edmonton", "15 15:00", "17 15:00"),
        ("America/Yellowknife", "15 15:00", "17 15:00"),
        ("America/Inuvik", "15 15:00", "17 15:00"),
        ("Canada/Mountain", "15 15:00", "17 15:00"),
        // The offset is always -5 hours.
        ("America/Winnipeg", "15 14:00", "17 14:00"),
        ("America/Rainy_River", "15 14:00", "17 14:00"),
        ("Canada/Central", "15 14:00", "17 14:00"),
        // The offset is -4 hours until November 2027.
        ("America/Havana", "15 13:00", "17 13:00"),
        // The offset is +1 hour until 20 September 2026, and 0 hours later.
        ("Africa/Casablanca", "15 08:00", "17 09:00"),
        ("Africa/El_Aaiun", "15 08:00", "17 09:00"),
        // The offset is +3 hours in summer and +2 hours in winter.
        ("Europe/Chisinau", "15 06:00", "17 07:00"),
        ("Europe/Tiraspol", "15 06:00", "17 07:00"),
    ] {
        assert_eq!((&*utc(zone, "2026-07-15 09:00"), &*utc(zone, "2026-11-17 09:00")), (summer, winter), "{zone}");
    }
    // In these zones, clocks go back at 4:00, not at 3:00. So 3:30 is still in summer time, three hours ahead of UTC.
    for zone in ["Europe/Chisinau", "Europe/Tiraspol"] {
        assert_eq!(utc(zone, "2026-10-25 03:30"), "25 00:30", "{zone}");
    }
    assert_eq!(utc("America/Havana", "2027-11-17 09:00"), "17 14:00");
}
