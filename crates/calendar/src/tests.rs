//! Tests that calendar files result in the meetings that a user expects.

mod exports;
mod hostile;
mod recurring;
mod zones;

use std::fs;

use chrono::NaiveDate;
use tempfile::TempDir;

use super::*;

/// A folder with calendar files. The user's zone is Europe/Berlin.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// Writes a calendar with these events. The `BEGIN` and `END` lines of the events are added.
    fn write(&self, name: &str, events: &[&str]) -> &Self {
        fs::write(self.0.path().join(name), calendar(events)).unwrap();
        self
    }

    fn write_bytes(&self, name: &str, bytes: &[u8]) -> &Self {
        fs::write(self.0.path().join(name), bytes).unwrap();
        self
    }

    fn calendars(&self, pattern: &str) -> Calendars {
        Calendars::new(vec![Calendar::from_path(&self.0.path().join(pattern)).unwrap()]).with_zone("Europe/Berlin")
    }
}

fn calendar(events: &[&str]) -> String {
    let events = events.iter().map(|event| ["BEGIN:VEVENT", &lines(event), "END:VEVENT\r\n"].join("\r\n"));
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{}END:VCALENDAR\r\n", events.collect::<String>())
}

fn berlin() -> Zone {
    Zone::Known(zone::named_zone("Europe/Berlin").unwrap())
}

fn lines(event: &str) -> String {
    event.lines().map(str::trim).collect::<Vec<_>>().join("\r\n")
}

fn range(from: &str, to: &str) -> Range<NaiveDateTime> {
    let midnight = |date: &str| date.parse::<NaiveDate>().unwrap().into();
    midnight(from)..midnight(to)
}

/// Formats the meetings in a range, each as `name start_local/end_local start_utc`.
fn format_meetings(calendars: &Calendars, from: &str, to: &str) -> Vec<String> {
    let meetings = calendars.meetings_in(&range(from, to)).into_iter().map(|(_, meeting)| {
        let name = meeting.name.unwrap_or_default();
        let format = if meeting.is_all_day { "%m-%d" } else { "%m-%dT%H:%M" };
        let utc = meeting.start_utc.format("%H:%MZ");
        format!("{name} {}/{} {utc}", meeting.start_local.format(format), meeting.end_local.format(format))
    });
    meetings.collect()
}

/// Formats the meetings of a calendar with these events.
fn meetings(events: &[&str], from: &str, to: &str) -> Vec<String> {
    let folder = Folder::new();
    format_meetings(&folder.write("work.ics", events).calendars("work.ics"), from, to)
}

/// Returns the number of readable events and the number of unreadable events.
fn count_events(events: &[&str]) -> (usize, usize) {
    let folder = Folder::new();
    let state = folder.write("work.ics", events).calendars("work.ics").states().remove(0);
    (state.events, state.broken)
}

const TALK: &str = "UID:1\nSUMMARY:Talk\nDTSTART:20261102T090000\nDTEND:20261102T100000";

#[test]
fn a_pattern_matches_several_files_and_each_meeting_shows_its_calendar() {
    let folder = Folder::new();
    folder.write("private.ics", &["UID:2\nSUMMARY:Dentist\nDTSTART:20261102T080000\nDTEND:20261102T083000"]);
    folder.write("work.ics", &[TALK]).write("notes.txt", &[TALK]);
    let all = range("2026-11-02", "2026-11-03");
    let of = |calendars: Calendars| {
        let meetings = calendars.meetings_in(&all).into_iter();
        meetings.map(|(calendar, meeting)| format!("{calendar}: {}", meeting.name.unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(of(folder.calendars("*.ics")), ["private: Dentist", "work: Talk"]);
    let named = Calendar::from_path(&folder.0.path().join("work.ics")).unwrap().with_name(Some("Office".to_owned()));
    assert_eq!(of(Calendars::new(vec![named]).with_zone("Europe/Berlin")), ["Office: Talk"]);
}

#[test]
fn only_changed_files_are_read_again() {
    let folder = Folder::new();
    let calendars = folder.write("work.ics", &[TALK]).calendars("*.ics");
    let path = folder.0.path().join("work.ics");
    assert_eq!(format_meetings(&calendars, "2026-11-02", "2026-11-03"), ["Talk 11-02T09:00/11-02T10:00 08:00Z"]);
    let read = calendars.file(&path).unwrap();
    assert!(Arc::ptr_eq(&read, &calendars.file(&path).unwrap()), "an unchanged file is read once");
    folder.write("work.ics", &[&TALK.replace("Talk", "Long talk")]);
    assert_eq!(format_meetings(&calendars, "2026-11-02", "2026-11-03"), ["Long talk 11-02T09:00/11-02T10:00 08:00Z"]);
    // The new text has the same size as the old text, but the file has a later modification time.
    folder.write("work.ics", &[&TALK.replace("Talk", "Late talk")]);
    let later = fs::metadata(&path).unwrap().modified().unwrap() + std::time::Duration::from_secs(2);
    fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    assert_eq!(format_meetings(&calendars, "2026-11-02", "2026-11-03"), ["Late talk 11-02T09:00/11-02T10:00 08:00Z"]);
    fs::remove_file(&path).unwrap();
    assert!(format_meetings(&calendars, "2026-11-02", "2026-11-03").is_empty());
}

#[test]
fn calendar_state_reports_contents_and_missing_files() {
    let folder = Folder::new();
    folder.write("work.ics", &[TALK, "UID:2\nSUMMARY:When?", &TALK.replace("UID:1", "TRANSP:TRANSPARENT")]);
    fs::write(folder.0.path().join("other.txt"), "hello").unwrap();
    fs::create_dir(folder.0.path().join("folder.ics")).unwrap();
    let state = |name: &str| {
        let state = folder.calendars(name).states().remove(0);
        (state.files, state.events, state.broken, state.problem.unwrap_or_default())
    };
    assert_eq!(state("work.ics"), (1, 1, 1, String::new()));
    assert_eq!(state("gone.ics"), (0, 0, 0, "there is no such file".to_owned()));
    assert_eq!(state("gone*.ics").3, "there is no such file");
    assert!(state("other.txt").3.contains("`BEGIN:VCALENDAR`"));
    assert_eq!(state("folder.ics").3, "it is not a file");
}

#[test]
fn holidays_and_leave_are_days_with_events() {
    let all_day = |uid: &str, start: &str, end: &str, more: &str| {
        format!("UID:{uid}\nSUMMARY:Off\nDTSTART;VALUE=DATE:{start}\n{end}{more}")
    };
    let folder = Folder::new();
    folder.write("holidays.ics", &[&all_day("holiday", "20251026", "", "TRANSP:TRANSPARENT\nRRULE:FREQ=YEARLY")]);
    folder.write("leave.ics", &[&all_day("leave", "20261228", "DTEND;VALUE=DATE:20270104\n", ""), TALK]);
    let days = |calendars: &Calendars, first: &str, last: &str| {
        let days = calendars.days_with_events(first.parse().unwrap(), last.parse().unwrap());
        days.into_iter().map(|day| day.to_string()).collect::<Vec<_>>()
    };
    let calendars = folder.calendars("*.ics").with_free_events();
    assert_eq!(days(&calendars, "2026-10-01", "2026-12-29"), ["2026-10-26", "2026-12-28", "2026-12-29"]);
    assert_eq!(days(&calendars, "2027-01-02", "2027-01-31"), ["2027-01-02", "2027-01-03"], "they began before");
    let read: Calendars = serde_json::from_str(&serde_json::to_string(&calendars).unwrap()).unwrap();
    assert_eq!(days(&read, "2026-10-26", "2026-10-26"), ["2026-10-26"]);
    assert!(days(&folder.calendars("holidays.ics"), "2026-10-26", "2026-10-26").is_empty(), "the user is free");
}

#[test]
fn a_worker_process_reads_the_same_calendars_in_the_same_time_zone() {
    let folder = Folder::new();
    let calendars = folder.write("work.ics", &[TALK]).calendars("*.ics");
    let written = serde_json::to_string(&calendars).unwrap();
    let read: Calendars = serde_json::from_str(&written).unwrap();
    assert_eq!(format_meetings(&read, "2026-11-02", "2026-11-03"), ["Talk 11-02T09:00/11-02T10:00 08:00Z"]);
    assert_eq!(serde_json::to_string(&read).unwrap(), written);
}

#[test]
fn meeting_names_are_one_line_of_plain_text() {
    let event = "BEGIN:VEVENT\nUID:1\nSUMMARY;LANGUAGE=de:Plan\\, budget\\;\\n and th\n e rest\n\
                 DTSTART:20261102T090000\nDTEND:20261102T100000\nBEGIN:VALARM\nSUMMARY:Alarm\nEND:VALARM\nEND:VEVENT\n";
    let folder = Folder::new();
    fs::write(folder.0.path().join("a.ics"), format!("\u{feff}BEGIN:VCALENDAR\n{event}END:VCALENDAR\n")).unwrap();
    let found = format_meetings(&folder.calendars("a.ics"), "2026-11-02", "2026-11-03");
    assert_eq!(found, ["Plan, budget; and the rest 11-02T09:00/11-02T10:00 08:00Z"]);
}
