//! Tests that hostile files are read in limited time and don't affect other files.

use std::fmt::Write;
use std::fs::{self, File};
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::content;

/// The result of parsing a single calendar for a user in Berlin.
struct ParsedCalendar {
    broken: usize,
    schedule: Schedule,
}

impl ParsedCalendar {
    fn meetings_in(&self, range: &Range<NaiveDateTime>) -> Vec<Meeting> {
        self.schedule.meetings_in(range).into_iter().map(|(_, meeting)| meeting).collect()
    }
}

fn parse(text: &str) -> ParsedCalendar {
    let events = Events::parse(&content::decode_text(text.as_bytes()), &berlin());
    ParsedCalendar {
        broken: events.problems.skipped_events(),
        schedule: Schedule::new([&events], berlin(), EventKind::Busy),
    }
}

#[test]
fn endless_and_nonsensical_rules_terminate() {
    let started = Instant::now();
    for rule in [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY;INTERVAL=1",
        "FREQ=HOURLY",
        "FREQ=HOURLY;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12;BYSECOND=0,1,2,3,4,5",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=65535",
        "FREQ=WEEKLY;COUNT=4294967295",
        "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;BYSETPOS=-366",
    ] {
        let event = format!("UID:1\nSUMMARY:M\nDTSTART:19000101T000000Z\nDURATION:PT1M\nRRULE:{rule}");
        let found = parse(&calendar(&[&event, TALK])).meetings_in(&range("2026-11-01", "2026-12-01"));
        assert!(found.iter().any(|meeting| meeting.name.as_deref() == Some("Talk")), "{rule}");
        assert!(found.len() < 2000, "{rule}: {}", found.len());
    }
    assert!(started.elapsed() < Duration::from_mins(2), "{:?}", started.elapsed());
}

#[test]
fn many_rules_together_terminate() {
    let never = |uid| format!("UID:never{uid}\nSUMMARY:M\nDTSTART:19000101T000000Z\nDURATION:PT1M\nRRULE:FREQ=DAILY");
    let events: Vec<_> = (0..2000).map(never).collect();
    let events: Vec<_> = events.iter().map(String::as_str).collect();
    let schedule = parse(&calendar(&[&[TALK][..], &events].concat()));
    let started = Instant::now();
    let found = schedule.meetings_in(&range("2026-11-02", "2026-11-03"));
    assert!(found.iter().any(|meeting| meeting.name.as_deref() == Some("Talk")));
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
}

#[test]
fn nested_or_unterminated_components_do_not_hide_other_events() {
    let mut text = "BEGIN:VCALENDAR\n".to_owned();
    for _ in 0..200_000 {
        text.push_str("BEGIN:VALARM\n");
    }
    write!(text, "BEGIN:VEVENT\nUID:9\nSUMMARY:Open\n{}", calendar(&[TALK])).unwrap();
    let schedule = parse(&text);
    assert_eq!((schedule.schedule.event_count(0), schedule.broken), (1, 1));
    let nested = format!("{TALK}\n{}", "BEGIN:X\n".repeat(100_000));
    assert_eq!(parse(&calendar(&[&nested, &TALK.replace("UID:1", "UID:2")])).schedule.event_count(0), 2);
}

#[test]
fn endless_lines_and_oversized_files_are_not_read() {
    let long = format!("UID:1\nSUMMARY:{}\nDTSTART:20261102T090000\nDURATION:PT1H", "x".repeat(100_000));
    assert_eq!(parse(&calendar(&[&long])).meetings_in(&range("2026-11-02", "2026-11-03"))[0].name, None);
    let folder = Folder::new();
    let path = folder.0.path().join("huge.ics");
    fs::write(&path, calendar(&[TALK])).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(200 << 30).unwrap();
    assert!(folder.calendars("huge.ics").states()[0].problem.as_deref().unwrap().contains("larger than 32 MiB"));
}

#[cfg(unix)] // Only Unix has pipes and devices among the files of a folder.
#[test]
fn device_files_are_not_opened() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("/dev/zero", folder.0.path().join("zero.ics")).unwrap();
    assert_eq!(folder.calendars("*.ics").states()[0].problem.as_deref(), Some("it is not a file"));
    assert!(format_meetings(&folder.calendars("*.ics"), "2026-11-02", "2026-11-03").is_empty());
}

/// Generates values of properties, including invalid values.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{8}(T[0-9]{6})?Z?",
        "FREQ=(YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)(;(BYDAY=-?[0-9]{0,3}(MO|SU)|BYMONTH=[0-9]{1,2}|BYMONTHDAY=-?[0-9]{1,2}|BYSETPOS=-?[0-9]{1,3}|BYWEEKNO=-?[0-9]{1,2}|BYYEARDAY=-?[0-9]{1,3}|INTERVAL=[0-9]{1,5}|COUNT=[0-9]{1,6}|UNTIL=[0-9]{8}|WKST=SU|BYHOUR=[0-9]{1,2})){0,3}",
        "P[0-9]{0,3}[WDT]?[0-9]{0,12}[HMS]?",
        "[^\r\n]{0,20}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_event_is_read_without_panic(
        properties in prop::collection::vec((prop::sample::select(vec![
            "DTSTART", "DTSTART;VALUE=DATE", "DTEND", "DURATION", "RRULE", "EXDATE", "RDATE", "RECURRENCE-ID;TZID=Europe/Berlin",
            "SEQUENCE", "SUMMARY;X=\"", "UID",
        ]), value()), 0..8),
        rule in value(),
    ) {
        let properties: Vec<_> = properties.iter().map(|(name, value)| format!("{name}:{value}")).collect();
        let recurring = format!("UID:7\nDTSTART:20250101T090000Z\nDURATION:PT1H\nRRULE:{rule}");
        let schedule = parse(&calendar(&[&properties.join("\n"), &recurring, TALK]));
        let found = schedule.meetings_in(&range("2026-11-02", "2026-11-03"));
        prop_assert!(found.iter().any(|meeting| meeting.name.as_deref() == Some("Talk")));
    }
}
