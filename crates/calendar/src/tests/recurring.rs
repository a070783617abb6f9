//! Tests recurring events by comparing their dates with dates that are computed day by day.

use std::collections::BTreeSet;

use chrono::{Datelike, Days, TimeDelta, Weekday};
use proptest::prelude::*;

use super::*;

const STANDUP: &str = "UID:1\nSUMMARY:Stand-up\nDTSTART;TZID=Europe/Berlin:20261001T090000\n\
                       DTEND;TZID=Europe/Berlin:20261001T091500\nRRULE:FREQ=WEEKLY;BYDAY=TH";

#[test]
fn a_weekly_meeting_stays_at_nine_when_clocks_change() {
    let found = meetings(&[STANDUP], "2026-10-15", "2026-11-06");
    assert_eq!(
        found,
        [
            "Stand-up 10-15T09:00/10-15T09:15 07:00Z",
            "Stand-up 10-22T09:00/10-22T09:15 07:00Z",
            "Stand-up 10-29T09:00/10-29T09:15 08:00Z",
            "Stand-up 11-05T09:00/11-05T09:15 08:00Z",
        ]
    );
    // The series is defined in New York's zone. In one week, only Berlin has already changed its clocks. In this week,
    // the meeting begins an hour earlier in Berlin.
    let abroad =
        STANDUP.replace("Europe/Berlin", "America/New_York").replace("090000", "030000").replace("091500", "031500");
    let found = meetings(&[&abroad], "2026-10-22", "2026-11-06");
    let starts: Vec<_> = found.iter().map(|meeting| &meeting[9..20]).collect();
    assert_eq!(starts, ["10-22T09:00", "10-29T08:00", "11-05T09:00"]);
}

#[test]
fn occurrence_of_a_series_can_be_cancelled_moved_or_renamed() {
    let series = format!("{STANDUP}\nEXDATE;TZID=Europe/Berlin:20261015T090000");
    let moved = "UID:1\nRECURRENCE-ID;TZID=Europe/Berlin:20261022T090000\nSUMMARY:Stand-up, late\n\
                 DTSTART;TZID=Europe/Berlin:20261023T110000\nDTEND;TZID=Europe/Berlin:20261023T111500";
    // This is an older version of the moved occurrence. Its time is in UTC.
    let earlier =
        "UID:1\nRECURRENCE-ID:20261022T070000Z\nSEQUENCE:0\nSUMMARY:Old\nDTSTART:20261022T100000Z\nDURATION:PT5M";
    let moved = moved.replace("UID:1\n", "UID:1\nSEQUENCE:1\n");
    let cancelled = "UID:1\nRECURRENCE-ID;TZID=Europe/Berlin:20261029T090000\nSTATUS:CANCELLED\n\
                     DTSTART;TZID=Europe/Berlin:20261029T090000\nDTEND;TZID=Europe/Berlin:20261029T091500";
    let found = meetings(&[earlier, &series, &moved, cancelled], "2026-10-08", "2026-11-06");
    assert_eq!(
        found,
        [
            "Stand-up 10-08T09:00/10-08T09:15 07:00Z",
            "Stand-up, late 10-23T11:00/10-23T11:15 09:00Z",
            "Stand-up 11-05T09:00/11-05T09:15 08:00Z",
        ]
    );
}

#[test]
fn additional_date_of_a_series_is_a_meeting() {
    let series = format!("{STANDUP};COUNT=1\nRDATE;TZID=Europe/Berlin:20261006T090000,20261007T090000");
    let found = meetings(&[&series], "2026-10-01", "2026-12-01");
    let dates: Vec<_> = found.iter().map(|meeting| &meeting[9..14]).collect();
    assert_eq!(dates, ["10-01", "10-06", "10-07"]);
}

// Earlier, an additional date counted twice if it was also a date of the rule.
#[test]
fn additional_date_that_repeats_the_rule_counts_once() {
    for (addition, end) in [
        ("RDATE;TZID=Europe/Berlin:20261001T090000", "09:15"),
        ("RDATE:20261001T070000Z,20261001T070000Z", "09:15"),
        ("RDATE;VALUE=PERIOD:20261001T070000Z/PT1H", "10:00"),
    ] {
        let series = format!("{STANDUP};COUNT=1\n{addition}");
        let found = meetings(&[&series], "2026-10-01", "2026-12-01");
        assert_eq!(found, [format!("Stand-up 10-01T09:00/10-01T{end} 07:00Z")], "{addition}");
    }
}

#[test]
fn a_series_ends_at_its_last_date_by_its_own_clock() {
    for (until, last) in [
        ("UNTIL=20261022", "10-22"),
        ("UNTIL=20261022T065959Z", "10-15"),
        ("UNTIL=20261022T070000Z", "10-22"),
        ("UNTIL=20261029T075959Z", "10-22"),
        ("UNTIL=20261029T080000Z", "10-29"),
        ("COUNT=3", "10-15"),
    ] {
        let found = meetings(&[&format!("{STANDUP};{until}")], "2026-10-01", "2026-12-31");
        assert_eq!(found.last().map(|meeting| &meeting[9..14]), Some(last), "{until}");
    }
}

// Earlier, the last day of an all-day series was lost in zones west of UTC.
#[test]
fn whole_days_until_midnight_in_utc_include_that_date() {
    let folder = Folder::new();
    let days = "UID:1\nSUMMARY:Off\nDTSTART;VALUE=DATE:20261102\nRRULE:FREQ=DAILY;UNTIL=20261104T000000Z";
    folder.write("a.ics", &[days]);
    for zone in ["America/New_York", "Europe/Berlin", "Pacific/Auckland"] {
        let calendars = folder.calendars("a.ics").with_zone(zone);
        let found = format_meetings(&calendars, "2026-11-01", "2026-12-01");
        let dates: Vec<_> = found.iter().map(|meeting| &meeting[4..9]).collect();
        assert_eq!(dates, ["11-02", "11-03", "11-04"], "{zone}");
    }
}

#[test]
fn whole_days_recur_by_date_and_have_no_hours() {
    let birthday =
        "UID:1\nSUMMARY:Birthday\nDTSTART;VALUE=DATE:20201025\nRRULE:FREQ=YEARLY\nEXDATE;VALUE=DATE:20251025";
    assert_eq!(meetings(&[birthday], "2026-10-01", "2026-11-01"), ["Birthday 10-25/10-26 22:00Z"]);
    assert!(meetings(&[birthday], "2025-10-01", "2025-11-01").is_empty());
    let fair = "UID:1\nSUMMARY:Fair\nDTSTART:20261103T090000\nDTEND:20261105T170000";
    assert_eq!(meetings(&[fair], "2026-11-01", "2026-12-01"), ["Fair 11-03/11-05 08:00Z"]);
}

#[test]
fn invalid_recurrence_rule_makes_the_event_broken() {
    for rule in
        ["RRULE:FREQ=SOMETIMES", "RRULE:BYDAY=MO", "RRULE:FREQ=WEEKLY;BYDAY=XX", "RRULE:FREQ=WEEKLY;UNTIL=never"]
    {
        assert_eq!(count_events(&[&STANDUP.replace("RRULE:FREQ=WEEKLY;BYDAY=TH", rule)]), (0, 1), "{rule}");
    }
}

/// A simple series, whose dates can be computed day by day.
#[derive(Debug, Clone)]
struct Series {
    first: NaiveDate,
    hour: u32,
    /// The weekdays, from 0 for Monday. The set is empty for a daily series.
    weekdays: BTreeSet<u32>,
    every: i64,
    end: End,
    fallen_out: BTreeSet<u64>,
}

#[derive(Debug, Clone)]
enum End {
    Never,
    After(usize),
    On(u64),
}

fn series() -> impl Strategy<Value = Series> {
    let end = prop_oneof![Just(End::Never), (1..40_usize).prop_map(End::After), (0..300_u64).prop_map(End::On)];
    let days = prop::collection::btree_set(0..7_u32, 0..4);
    let fallen_out = prop::collection::btree_set(0..300_u64, 0..20);
    (0..200_u64, 0..24_u32, days, 1..4_i64, end, fallen_out).prop_map(
        |(day, hour, mut weekdays, every, end, fallen_out)| {
            let first = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap() + Days::new(day);
            if !weekdays.is_empty() {
                weekdays.insert(first.weekday().num_days_from_monday());
            }
            Series { first, hour, weekdays, every, end, fallen_out }
        },
    )
}

impl Series {
    fn to_ics(&self) -> String {
        const NAMES: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
        let at = |date: NaiveDate| format!("{}T{:02}3000", date.format("%Y%m%d"), self.hour);
        let names: Vec<_> = self.weekdays.iter().map(|day| NAMES[*day as usize]).collect();
        let frequency = if names.is_empty() { "DAILY".to_owned() } else { format!("WEEKLY;BYDAY={}", names.join(",")) };
        let end = match self.end {
            End::Never => String::new(),
            End::After(count) => format!(";COUNT={count}"),
            End::On(day) => format!(";UNTIL={}", (self.first + Days::new(day)).format("%Y%m%d")),
        };
        let fallen_out =
            self.fallen_out.iter().map(|day| at(self.first + Days::new(*day))).collect::<Vec<_>>().join(",");
        format!(
            "UID:1\nSUMMARY:S\nDTSTART;TZID=Europe/Berlin:{}\nDURATION:PT1H\nRRULE:FREQ={frequency};INTERVAL={}{end}\nEXDATE;TZID=Europe/Berlin:{fallen_out}",
            at(self.first),
            self.every
        )
    }

    /// Computes the dates of the series day by day.
    fn expected_dates(&self) -> Vec<NaiveDateTime> {
        let (mut noted, mut held) = (Vec::new(), 0);
        let monday = |date: NaiveDate| date.week(Weekday::Mon).first_day();
        for day in 0..400 {
            let date = self.first + Days::new(day);
            let falls = if self.weekdays.is_empty() {
                i64::try_from(day).unwrap() % self.every == 0
            } else {
                let weeks = (monday(date) - monday(self.first)).num_weeks();
                weeks % self.every == 0 && self.weekdays.contains(&date.weekday().num_days_from_monday())
            };
            let goes_on = match self.end {
                End::Never => true,
                End::After(count) => held < count,
                End::On(last) => day <= last,
            };
            if falls && goes_on {
                held += 1;
                if !self.fallen_out.contains(&day) {
                    noted.push(date.and_hms_opt(self.hour, 30, 0).unwrap());
                }
            }
        }
        noted
    }
}

/// Converts a UTC time to local time in Berlin according to the law. Summer time starts on the last Sunday in March and
/// ends on the last Sunday in October. Both changes are at 1:00 UTC.
fn in_berlin(utc: NaiveDateTime) -> NaiveDateTime {
    let change = |month: u32| {
        let last = NaiveDate::from_ymd_opt(utc.year(), month, 31).unwrap();
        let sunday = last - Days::new(last.weekday().num_days_from_sunday().into());
        sunday.and_hms_opt(1, 0, 0).unwrap()
    };
    let hours = if (change(3)..change(10)).contains(&utc) { 2 } else { 1 };
    utc + TimeDelta::hours(hours)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_series_has_the_dates_that_a_day_by_day_count_expects(series in series()) {
        let from = series.first.and_hms_opt(0, 0, 0).unwrap();
        let to = from + TimeDelta::days(390);
        let events = Events::parse(&calendar(&[&series.to_ics()]), &berlin());
        let found: Vec<_> = Schedule::new([&events], berlin(), EventKind::Busy).meetings_in(&(from..to)).into_iter().map(|(_, meeting)| meeting).collect();
        // If a clock change skips a time, the test expects the time an hour later.
        let clock_time = |wall: NaiveDateTime| {
            let before = wall - TimeDelta::hours(1);
            if in_berlin(before) == wall || in_berlin(before - TimeDelta::hours(1)) == wall { wall } else { wall + TimeDelta::hours(1) }
        };
        let noted: Vec<_> = series.expected_dates().into_iter().filter(|wall| *wall < to).map(clock_time).collect();
        prop_assert_eq!(found.iter().map(|meeting| meeting.start_local).collect::<Vec<_>>(), noted);
        for meeting in found {
            prop_assert_eq!(in_berlin(meeting.start_utc), meeting.start_local);
            prop_assert_eq!(meeting.end_utc - meeting.start_utc, TimeDelta::hours(1));
        }
    }
}

#[test]
fn additional_period_has_its_own_length() {
    let event = "UID:1\nSUMMARY:M\nDTSTART:20260706T080000Z\nDURATION:PT1H\n\
                 RDATE;VALUE=PERIOD:20260707T080000Z/20260707T100000Z,20260708T080000Z/PT3H\nRDATE:20260709T080000Z";
    assert_eq!(
        meetings(&[event], "2026-07-06", "2026-07-12"),
        [
            "M 07-06T10:00/07-06T11:00 08:00Z",
            "M 07-07T10:00/07-07T12:00 08:00Z",
            "M 07-08T10:00/07-08T13:00 08:00Z",
            "M 07-09T10:00/07-09T11:00 08:00Z",
        ]
    );
}
