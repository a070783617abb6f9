//! Tests files in the form in which calendar programs export them: with defined zones, several versions of an event,
//! and various encodings.

use super::*;

/// The clock changes of Central European time, as Outlook writes them.
const RULES: &str = "BEGIN:STANDARD\nDTSTART:16010101T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\n\
                     RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\n\
                     BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n\
                     RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\n";

/// An event that takes place once in summer and once in winter, at 9:00 in the zone `ZONE` for an hour.
const TWO: &str = "UID:1\nSUMMARY:M\nDTSTART;TZID=ZONE:20260715T090000\nDURATION:PT1H\n\
                   RDATE;TZID=ZONE:20261117T090000";

/// Formats the meetings of 2026 in a calendar that defines `zones`, each as `name start_local/end_local start_utc`.
fn meetings_with_zones(zones: &[(&str, &str)], events: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    format_meetings(
        &folder.write_bytes("a.ics", calendar_with_zones(zones, events).as_bytes()).calendars("a.ics"),
        "2026-01-01",
        "2027-01-01",
    )
}

fn calendar_with_zones(zones: &[(&str, &str)], events: &[&str]) -> String {
    let zones = zones.iter().map(|(name, rules)| format!("BEGIN:VTIMEZONE\nTZID:{name}\n{rules}END:VTIMEZONE\n"));
    calendar(events).replacen("VERSION:2.0\r\n", &format!("VERSION:2.0\r\n{}", zones.collect::<String>()), 1)
}

/// Returns the UTC start times of formatted meetings.
fn utc(meetings: &[String]) -> Vec<&str> {
    meetings.iter().filter_map(|meeting| meeting.rsplit(' ').next()).collect()
}

fn problems(calendars: &Calendars) -> Vec<(usize, &'static str, String)> {
    let states = calendars.states().into_iter().flat_map(|state| state.problems);
    states.map(|problem| (problem.count, problem.subject, problem.reason)).collect()
}

// Earlier, meetings from Outlook in a "Customized Time Zone" were lost.
#[test]
fn a_zone_defined_in_a_file_follows_its_rules() {
    for (defined, written) in [
        ("Customized Time Zone", "Customized Time Zone"),
        ("(UTC+01:00) Amsterdam\\, Bern", "\"(UTC+01:00) Amsterdam, Bern\""),
        ("(UTC+01:00) Amsterdam, Bern", "(UTC+01:00) Amsterdam, Bern"),
        ("tzone://Microsoft/Custom", "tzone://Microsoft/Custom"),
        ("UTC+01:00", "UTC+01:00"),
        ("Mitteleurop\u{e4}ische Zeit", "\"mitteleurop\u{e4}ische zeit\""),
        // The time zone database also has a zone `EST`, but without daylight saving time.
        ("EST", "EST"),
    ] {
        let found = meetings_with_zones(&[(defined, RULES)], &[&TWO.replace("ZONE", written)]);
        assert_eq!(utc(&found), ["07:00Z", "08:00Z"], "{written}");
    }
    let eastern = RULES.replace("+0100", "-0500").replace("+0200", "-0400");
    assert_eq!(utc(&meetings_with_zones(&[("East", &eastern)], &[&TWO.replace("ZONE", "East")])), ["13:00Z", "14:00Z"]);
}

#[test]
fn a_defined_zone_agrees_at_every_hour_with_the_database_zone_with_the_same_rules() {
    let text = calendar_with_zones(&[("Own", RULES)], &[]);
    let own = definition::Definitions::new().zones(&text, Zone::UTC).find("Own").unwrap();
    let start = range("2024-01-01", "2024-01-01").start;
    for hour in 0..3 * 366 * 24 {
        let time = start + chrono::TimeDelta::hours(hour) + chrono::TimeDelta::minutes(30);
        assert_eq!((own.to_utc(time), own.to_wall(time)), (berlin().to_utc(time), berlin().to_wall(time)), "{time}");
    }
}

#[test]
fn each_calendar_of_a_file_has_its_own_zones() {
    let east = "BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0900\nTZOFFSETTO:+0900\nEND:STANDARD\n";
    let event = |uid: &str| TWO.replace("ZONE", "Customized Time Zone").replace("UID:1", uid);
    let both = [("UID:1", RULES), ("UID:2", east), ("UID:3", RULES)]
        .map(|(uid, rules)| calendar_with_zones(&[("Customized Time Zone", rules)], &[&event(uid)]));
    let folder = Folder::new();
    let found = format_meetings(
        &folder.write_bytes("a.ics", both.concat().as_bytes()).calendars("a.ics"),
        "2026-01-01",
        "2027-01-01",
    );
    assert_eq!(utc(&found), ["00:00Z", "07:00Z", "07:00Z", "00:00Z", "08:00Z", "08:00Z"]);
}

#[test]
fn the_database_takes_precedence_over_a_file_for_places() {
    let wrong = "BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0500\nEND:STANDARD\n";
    for name in ["Europe/Berlin", "europe/berlin", "W. Europe Standard Time", "/example.org/2026/Europe/Berlin"] {
        let found = meetings_with_zones(&[(name, wrong)], &[&TWO.replace("ZONE", name)]);
        assert_eq!(utc(&found), ["07:00Z", "08:00Z"], "{name}");
    }
}

#[test]
fn a_zone_is_found_by_its_offset_or_its_windows_display_name() {
    for (name, summer, winter) in [
        ("UTC+01:00", "08:00Z", "08:00Z"),
        ("\"UTC+01:00\"", "08:00Z", "08:00Z"),
        ("GMT-3", "12:00Z", "12:00Z"),
        ("+0530", "03:30Z", "03:30Z"),
        ("UTC", "09:00Z", "09:00Z"),
        ("Etc/GMT+5", "14:00Z", "14:00Z"),
        ("\"(UTC+01:00) Amsterdam, Berlin, Bern, Rome\"", "07:00Z", "08:00Z"),
        ("\"(UTC-07:00) La Paz, Mazatlan\"", "16:00Z", "16:00Z"),
        ("\"(UTC+10:30) Lord Howe Island\"", "22:30Z", "22:00Z"),
        ("\"(UTC+12:45) Chatham Islands\"", "20:15Z", "19:15Z"),
        ("\"(UTC-05:00) Eastern Time (US & Canada)\"", "13:00Z", "14:00Z"),
    ] {
        assert_eq!(utc(&meetings_with_zones(&[], &[&TWO.replace("ZONE", name)])), [summer, winter], "{name}");
    }
}

#[test]
fn rules_of_a_zone_can_end_and_have_dates() {
    // In this definition, the rule for summer time ends in 2019. Clocks also go forward on a single date in 2026. After
    // 2020, clocks never go back.
    let rules = "BEGIN:DAYLIGHT\nDTSTART:20190331T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n\
                 RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3;UNTIL=20190331T010000Z\nEND:DAYLIGHT\n\
                 BEGIN:STANDARD\nDTSTART:20191027T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\n\
                 RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;COUNT=1\nEND:STANDARD\n\
                 BEGIN:DAYLIGHT\nDTSTART:20200329T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0300\n\
                 RDATE:20260801T020000\nEND:DAYLIGHT\n\
                 BEGIN:STANDARD\nDTSTART:20201025T030000\nTZOFFSETFROM:+0300\nTZOFFSETTO:+0100\nEND:STANDARD\n";
    assert_eq!(utc(&meetings_with_zones(&[("Own", rules)], &[&TWO.replace("ZONE", "Own")])), ["08:00Z", "06:00Z"]);
}

// Earlier, an event in an unknown zone was lost without a message.
#[test]
fn unusable_events_are_reported_with_reasons_and_without_titles() {
    let folder = Folder::new();
    let events = [
        "UID:1\nSUMMARY:Secret\nDTSTART;TZID=Nowhere:20261117T100000\nDURATION:PT1H",
        "UID:2\nSUMMARY:Secret\nDTSTART;TZID=Nowhere:20261118T100000\nDURATION:PT1H",
        "UID:3\nSUMMARY:Secret\nDTSTART:20261118T100000\nDTEND:20261118T090000",
        "UID:4\nSUMMARY:Secret\nDTSTART:soon\nDTEND:20261118T090000",
        "UID:5\nSUMMARY:Secret\nDTSTART;TZID=Broken:20261118T100000\nDURATION:PT1H",
    ];
    let broken = "BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETTO:+0100\nEND:STANDARD\n";
    let calendars =
        folder.write_bytes("a.ics", calendar_with_zones(&[("Broken", broken)], &events).as_bytes()).calendars("a.ics");
    let found = problems(&calendars);
    let event = |count, reason: &str| (count, "event", reason.to_owned());
    assert_eq!(
        found,
        [
            event(2, "unknown time zone `Nowhere`"),
            event(1, "unknown time zone `Broken`"),
            event(1, "DTSTART is missing or not a date"),
            event(1, "it ends before it starts"),
        ]
    );
    assert_eq!(calendars.states()[0].broken, 5);
}

// Earlier, a meeting that was removed from a series reappeared in two cases. Its excluded date was in a zone that the
// file defines, or the excluded date had no zone.
#[test]
fn an_excluded_date_in_any_zone_removes_the_meeting() {
    let daily = |exclusion: &str| {
        format!(
            "UID:1\nSUMMARY:M\nDTSTART;TZID=Europe/Berlin:20261116T100000\nDURATION:PT1H\n\
             RRULE:FREQ=DAILY;COUNT=3\n{exclusion}"
        )
    };
    for exclusion in [
        "EXDATE;TZID=Customized Time Zone:20261117T100000",
        "EXDATE;TZID=America/New_York:20261117T040000",
        "EXDATE:20261117T100000",
        "EXDATE:20261117T090000Z",
        "EXDATE;VALUE=DATE:20261117",
        // The following dates are also reported as problems.
        "EXDATE;TZID=Nowhere:20261117T100000",
        "EXDATE;TZID=Nowhere:20261117T030000",
        "EXDATE:20261117T1000",
        "EXDATE:2026-11-17",
    ] {
        let found = meetings_with_zones(&[("Customized Time Zone", RULES)], &[&daily(exclusion)]);
        let days: Vec<_> = found.iter().map(|meeting| &meeting[2..7]).collect();
        assert_eq!(days, ["11-16", "11-18"], "{exclusion}");
    }
    // If there are two meetings on the day, only the meeting at this local time is excluded.
    let twice = daily("EXDATE;TZID=Nowhere:20261117T100000").replace("COUNT=3", "COUNT=6;BYHOUR=10,15");
    assert_eq!(meetings_with_zones(&[], &[&twice]).len(), 5);
}

#[test]
fn an_excluded_midnight_removes_a_whole_day() {
    for exclusion in [
        "EXDATE:20261117T000000",
        "EXDATE:20261116T230000Z",
        "EXDATE:20261117T000000Z",
        "EXDATE;TZID=Asia/Tokyo:20261117T000000",
        "EXDATE:20261117",
    ] {
        let event = format!("UID:1\nSUMMARY:M\nDTSTART;VALUE=DATE:20261116\nRRULE:FREQ=DAILY;COUNT=3\n{exclusion}");
        assert_eq!(meetings_with_zones(&[], &[&event]).len(), 2, "{exclusion}");
    }
}

#[test]
fn unreadable_exception_is_reported() {
    let folder = Folder::new();
    let event = "UID:1\nSUMMARY:M\nDTSTART:20261116T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\n\
                 EXDATE;TZID=Nowhere:20261117T100000\nEXDATE:tomorrow\nRDATE:later";
    let found = problems(&folder.write("a.ics", &[event]).calendars("a.ics"));
    let subjects: Vec<_> = found.iter().map(|(count, subject, _)| (*count, *subject)).collect();
    assert_eq!(subjects, [(1, "excluded date"), (1, "excluded date"), (1, "additional date")]);
    assert!(found[1].2.contains("may be listed"), "{found:?}");
}

#[test]
fn change_of_following_dates_is_reported() {
    let folder = Folder::new();
    let series = "UID:1\nSUMMARY:M\nDTSTART:20261102T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3";
    let change = "UID:1\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261109T100000\nDTSTART:20261110T140000\nDURATION:PT1H";
    let found = problems(&folder.write("a.ics", &[series, change]).calendars("a.ics"));
    assert_eq!((found[0].0, found[0].1), (1, "change of following dates"), "{found:?}");
}

/// Returns an event of one hour on a day in November 2026, with these additional properties.
fn event_on_day(day: u32, rest: &str) -> String {
    format!("UID:1\nSUMMARY:M\nDTSTART:202611{day}T090000Z\nDTEND:202611{day}T100000Z\n{rest}")
}

// Earlier, an event counted twice if two files contained it, or if it was updated.
#[test]
fn latest_version_of_an_event_counts_once() {
    let modified = |day: u32| format!("LAST-MODIFIED:202611{day}T000000Z\nDTSTAMP:20261120T000000Z");
    for (old, new) in [
        (event_on_day(17, ""), event_on_day(17, "")),
        (event_on_day(17, "SEQUENCE:0"), event_on_day(18, "SEQUENCE:1")),
        (
            event_on_day(17, "SEQUENCE:9\nDTSTAMP:20261102T000000Z"),
            event_on_day(18, "SEQUENCE:10\nDTSTAMP:20261101T000000Z"),
        ),
        (event_on_day(17, "DTSTAMP:20261101T000000Z"), event_on_day(18, "DTSTAMP:20261102T000000Z")),
        (event_on_day(17, &modified(11)), event_on_day(18, &modified(12))),
    ] {
        let expected = meetings_with_zones(&[], &[&new]);
        assert_eq!(expected.len(), 1);
        assert_eq!(meetings_with_zones(&[], &[&old, &new]), expected, "{old} {new}");
        assert_eq!(meetings_with_zones(&[], &[&new, &old]), expected, "{old} {new}");
        for (first, second) in [(&old, &new), (&new, &old)] {
            let folder = Folder::new();
            let calendars = folder.write("a.ics", &[first]).write("b.ics", &[second]).calendars("*.ics");
            assert_eq!(format_meetings(&calendars, "2026-01-01", "2027-01-01"), expected, "{old} {new}");
            let state = calendars.states().remove(0);
            assert_eq!((state.events, state.copies), (1, 1));
        }
    }
}

#[test]
fn a_copy_in_a_second_calendar_is_listed_only_in_the_first() {
    let folder = Folder::new();
    folder
        .write("a.ics", &[&event_on_day(17, "")])
        .write("b.ics", &[&event_on_day(17, ""), TALK.replace("UID:1", "UID:2").as_str()]);
    let calendar = |name: &str| Calendar::from_path(&folder.0.path().join(name)).unwrap();
    let calendars = Calendars::new(vec![calendar("b.ics"), calendar("*.ics")]).with_zone("Europe/Berlin");
    let names = calendars.meetings_in(&range("2026-11-01", "2026-12-01")).into_iter().map(|(name, _)| name);
    assert_eq!(names.collect::<Vec<_>>(), ["b", "b"]);
    let states: Vec<_> = calendars.states().iter().map(|state| (state.events, state.copies)).collect();
    assert_eq!(states, [(2, 0), (0, 3)]);
}

// Earlier, a meeting was lost if the first file contained a copy with an unknown zone.
#[test]
fn an_unreadable_copy_does_not_replace_a_readable_one() {
    let lost = "UID:1\nDTSTART;TZID=Nowhere:20261117T090000\nDURATION:PT1H";
    for (first, second) in [(lost, &*event_on_day(17, "")), (&*event_on_day(17, ""), lost)] {
        let folder = Folder::new();
        folder.write("a.ics", &[first]).write("b.ics", &[second]);
        let found = format_meetings(&folder.calendars("*.ics"), "2026-11-01", "2026-12-01");
        assert_eq!(utc(&found), ["09:00Z"], "{first}");
        assert_eq!(meetings_with_zones(&[], &[first, second]).len(), 1, "{first}");
    }
}

#[test]
fn cancelled_or_unreadable_update_removes_the_older_event() {
    for update in [
        event_on_day(17, "SEQUENCE:1\nSTATUS:CANCELLED"),
        "UID:1\nSEQUENCE:1\nSTATUS:CANCELLED".to_owned(),
        "UID:1\nSEQUENCE:1\nDTSTART;TZID=Nowhere:20261118T090000\nDURATION:PT1H".to_owned(),
    ] {
        assert_eq!(meetings_with_zones(&[], &[&event_on_day(17, ""), &update]), [""; 0], "{update}");
    }
    let series = event_on_day(16, "RRULE:FREQ=DAILY;COUNT=3");
    let cancelled = "UID:1\nRECURRENCE-ID:20261117T090000Z\nSTATUS:CANCELLED";
    let lost = "UID:1\nRECURRENCE-ID:20261117T090000Z\nDTSTART;TZID=Nowhere:20261118T090000\nDURATION:PT1H";
    for update in [cancelled, lost] {
        assert_eq!(meetings_with_zones(&[], &[&series, update]).len(), 2, "{update}");
    }
    let moved = "UID:1\nRECURRENCE-ID:20261117T090000Z\nDTSTART:20261117T130000Z\nDURATION:PT1H";
    let all = event_on_day(16, "RRULE:FREQ=DAILY;COUNT=3\nSEQUENCE:1\nSTATUS:CANCELLED");
    assert_eq!(meetings_with_zones(&[], &[&series, moved]).len(), 3);
    assert_eq!(meetings_with_zones(&[], &[&series, moved, &all]), [""; 0]);
}

#[test]
fn occurrence_in_another_file_replaces_the_one_of_the_series() {
    let folder = Folder::new();
    folder.write("a.ics", &[&event_on_day(16, "RRULE:FREQ=DAILY;COUNT=2")]);
    folder.write("b.ics", &["UID:1\nRECURRENCE-ID:20261117T090000Z\nDTSTART:20261117T130000Z\nDURATION:PT1H"]);
    let found = format_meetings(&folder.calendars("*.ics"), "2026-11-01", "2026-12-01");
    assert_eq!(utc(&found), ["09:00Z", "13:00Z"]);
}

// Earlier, a moved meeting in an old export was listed in addition to the same meeting in the new series.
#[test]
fn changed_occurrence_of_an_older_series_does_not_count() {
    let moved = "UID:1\nRECURRENCE-ID:20261117T090000Z\nDTSTART:20261117T130000Z\nDURATION:PT1H";
    let (old, new) =
        (event_on_day(16, "RRULE:FREQ=DAILY;COUNT=2"), event_on_day(16, "SEQUENCE:1\nRRULE:FREQ=DAILY;COUNT=2"));
    let both = |newer: &[&str]| {
        let folder = Folder::new();
        folder.write("a.ics", &[old.as_str(), moved]).write("b.ics", newer);
        let found = format_meetings(&folder.calendars("*.ics"), "2026-11-01", "2026-12-01");
        utc(&found).join(" ")
    };
    assert_eq!(both(&[new.as_str()]), "09:00Z 09:00Z");
    assert_eq!(both(&[new.as_str(), moved]), "09:00Z 13:00Z");
    assert_eq!(both(&[old.as_str()]), "09:00Z 13:00Z", "a moved date of the same version counts");
}

#[test]
fn events_without_a_unique_uid_are_not_copies() {
    let without = |day| event_on_day(day, "").replace("UID:1\n", "");
    assert_eq!(meetings_with_zones(&[], &[&without(17), &without(17)]).len(), 2);
    // Some programs give all events of a file the same UID.
    assert_eq!(meetings_with_zones(&[], &[&event_on_day(17, ""), &event_on_day(18, "")]).len(), 2);
}

// Earlier, all-day events that end on their first date were lost.
#[test]
fn whole_day_that_ends_on_its_first_day_is_one_day() {
    let day = "UID:1\nSUMMARY:M\nDTSTART;VALUE=DATE:20261117\nDTEND;VALUE=DATE:20261117";
    assert_eq!(meetings_with_zones(&[], &[day]), ["M 11-17/11-18 23:00Z"]);
}

// Earlier, names in a Windows-1252 file were garbled.
#[test]
fn names_of_other_encodings_are_read() {
    let text = calendar(&["UID:1\nSUMMARY:Gr\u{f6}\u{df}e \u{20ac}\nDTSTART:20261117T090000Z\nDURATION:PT1H"]);
    let utf16 = |mark: char, bytes: fn(u16) -> [u8; 2]| {
        mark.to_string().encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect::<Vec<_>>()
    };
    let windows = text.chars().map(|letter| if letter == '\u{20ac}' { 0x80 } else { u8::try_from(letter).unwrap() });
    for bytes in [
        text.clone().into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        utf16('\u{feff}', u16::to_le_bytes),
        utf16('\u{feff}', u16::to_be_bytes),
        windows.collect(),
    ] {
        let folder = Folder::new();
        let found =
            format_meetings(&folder.write_bytes("a.ics", &bytes).calendars("a.ics"), "2026-11-01", "2026-12-01");
        assert_eq!(found, ["Gr\u{f6}\u{df}e \u{20ac} 11-17T10:00/11-17T11:00 09:00Z"], "{bytes:?}");
    }
    // A single damaged character must not change the decoding of the other lines in a UTF-8 file.
    let damaged = [text.as_bytes(), b"X-NOTE:\xC3\r\n"].concat();
    let folder = Folder::new();
    let found = format_meetings(&folder.write_bytes("a.ics", &damaged).calendars("a.ics"), "2026-11-01", "2026-12-01");
    assert!(found[0].starts_with("Gr\u{f6}\u{df}e"), "{found:?}");
}

#[test]
fn expensive_zone_definitions_terminate() {
    let many = RULES.repeat(3000);
    let mut zones = vec![("Many".to_owned(), many), ("Usual".to_owned(), RULES.to_owned())];
    let with_minutes = |number: usize| RULES.replace("T02", &format!("T{:02}{:02}", 1 + number / 60, number % 60));
    zones.extend((0..1000).map(|number| (format!("Zone {number}"), with_minutes(number))));
    let zones: Vec<_> = zones.iter().map(|(name, rules)| (&**name, &**rules)).collect();
    let started = std::time::Instant::now();
    assert_eq!(meetings_with_zones(&zones, &[&TWO.replace("ZONE", "Usual")]).len(), 2);
    assert!(started.elapsed() < std::time::Duration::from_mins(1), "{:?}", started.elapsed());
}
