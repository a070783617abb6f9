//! The names of meetings must be redacted like titles in all outputs.

use dayledger::activity::{Detail, Filter, FindRequest, NarrativeRequest, RangeReportRequest, SearchWords};
use dayledger::calendar::{Calendar, Calendars};
use dayledger::request::Limit;
use dayledger::source::{Privacy, Redaction};
use dayledger::timesheet::{CallSession, SuggestRequest};
use dayledger::{App, AppBuilder};
use dayledger_fixtures::{Activity, Group};

use super::pattern;
use crate::histories::{
    DAY, History, answer_json, block_on, builder_at, day, narrative_request, rows, run_query, span, with_timesheet,
};

const CALENDAR: &str = "BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1
SUMMARY:zqtitle of https://docs.example/zqurl with C:\\\\zqpath dir\\\\plan.txt
DTSTART:20250115T091000
DTEND:20250115T092000
END:VEVENT
BEGIN:VEVENT
UID:2
SUMMARY:Account at https://my.zqsite.example/
DTSTART:20250115T092500
DTEND:20250115T094000
END:VEVENT
END:VCALENDAR
";

fn history() -> History {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "12:00");
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    history.activity(2, &Activity::new("Plan", span("09:00", "10:00")).group(editor));
    history.commit();
    std::fs::write(history.folder().join("zqcalendar.ics"), CALENDAR).unwrap();
    history
}

fn app_builder(history: &History, privacy: Privacy) -> AppBuilder {
    // Events without a time zone use the clock of the history.
    let calendars =
        Calendars::new(vec![Calendar::from_path(&history.folder().join("*.ics")).unwrap()]).with_zone("Etc/GMT-1");
    builder_at(history.folder()).with_privacy(privacy).with_calendars(calendars)
}

/// Returns all outputs that can contain meetings, as one text.
fn dump_meetings(app: &App) -> String {
    let mut outputs = Vec::new();
    let by_start = format!("FROM meetings WHERE start_local >= '{DAY}' AND start_local < '2025-01-16'");
    for sql in [
        format!("SELECT * {by_start}"),
        format!("SELECT max(meeting), min(calendar) {by_start} AND meeting LIKE '%z%'"),
        format!("SELECT * FROM blocks('{DAY}')"),
        format!("SELECT * FROM device_blocks('DESK', '{DAY}')"),
    ] {
        outputs.extend(rows(app, &sql));
    }
    let narrative = NarrativeRequest { detail: Detail::Blocks, ..narrative_request(day(DAY)) };
    outputs.push(answer_json(app, narrative).unwrap());
    let request = RangeReportRequest { range: day(DAY), device: None, include_titles: true, filter: Filter::default() };
    let range_report = block_on(request.answer(app.engine())).unwrap();
    let blocks = range_report.day.unwrap().blocks;
    outputs.push(serde_json::to_string(&blocks).unwrap());
    // A search for a redacted word must not find more than searches for other words.
    for words in ["zqtitle", "account", "t"] {
        let words = SearchWords::parse(words, "words").unwrap();
        let request = FindRequest { words, range: Some(day(DAY)), limit: Limit::MAXIMUM, cursor: None };
        outputs.push(answer_json(app, request).unwrap());
    }
    outputs.join("\n").to_lowercase()
}

#[test]
fn each_switch_redacts_its_part_of_a_name() {
    let history = history();
    let all = ["zqtitle", "zqurl", "zqpath", "zqsite", "zqcalendar"];
    for (privacy, withheld) in [
        (Privacy::default(), &[][..]),
        (Privacy::new([Redaction::Titles], [], []), &all),
        // If a name contains a URL or a path, the whole name is redacted.
        (Privacy::new([Redaction::Urls], [], []), &["zqtitle", "zqurl", "zqpath", "zqsite"]),
        (Privacy::new([Redaction::Paths], [], []), &["zqtitle", "zqurl", "zqpath", "zqsite"]),
        (Privacy::new([], [], [pattern("*.zqsite.example")]), &["zqsite"]),
    ] {
        let output = dump_meetings(&app_builder(&history, privacy.clone()).build().unwrap());
        for word in all {
            assert_eq!(!output.contains(word), withheld.contains(&word), "`{word}` under {:?}", privacy.summary());
        }
    }
}

#[test]
fn redacted_meetings_are_not_found() {
    let history = history();
    for (privacy, count) in [(Privacy::default(), 1), (Privacy::new([Redaction::Titles], [], []), 0)] {
        let app = app_builder(&history, privacy).build().unwrap();
        let words = SearchWords::parse("zqtitle", "words").unwrap();
        let request = FindRequest { words, range: Some(day(DAY)), limit: Limit::MAXIMUM, cursor: None };
        assert_eq!(run_query(&app, request).unwrap().matches.len(), count);
    }
}

#[test]
fn meeting_with_a_redacted_name_keeps_its_time() {
    let history = history();
    let app = app_builder(&history, Privacy::default()).without_titles().build().unwrap();
    let sql = format!(
        "SELECT calendar, meeting, start_local, seconds FROM meetings \
         WHERE start_local >= '{DAY}' AND start_local < '2025-01-16'"
    );
    assert_eq!(rows(&app, &sql), [" |  | 2025-01-15T09:10:00 | 600", " |  | 2025-01-15T09:25:00 | 900"]);
    assert_eq!(rows(&app, &format!("SELECT meetings FROM blocks('{DAY}')")), [""]);
}

/// A meeting doesn't prove that the user was there. Its time is therefore suggested in the draft, but doesn't count as
/// active.
#[test]
fn meeting_away_from_the_computer_is_proposed_unless_its_name_is_redacted() {
    let mut history = History::on_workstation();
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    for (start, end) in [("08:00", "09:00"), ("10:00", "11:00")] {
        history.active(1, start, end);
        history.activity(2, &Activity::new("Plan", span(start, end)).group(editor));
    }
    history.commit();
    std::fs::write(history.folder().join("zqcalendar.ics"), CALENDAR).unwrap();
    for (privacy, expected) in [
        (Privacy::default(), &["Account at https://my.zqsite.example/"][..]),
        (Privacy::new([Redaction::Titles], [], []), &[]),
        (Privacy::new([], [], [pattern("*.zqsite.example")]), &[]),
    ] {
        let app = with_timesheet(app_builder(&history, privacy), history.folder(), "").build().unwrap();
        let request = SuggestRequest::new(day(DAY), None, None, CallSession::new()).unwrap();
        let draft = run_query(&app, request).unwrap();
        let rows: Vec<_> = draft.days.iter().flat_map(|day| &day.rows).collect();
        let proposed = rows.iter().filter(|row| row.is_unconfirmed()).map(|row| {
            assert_eq!((&row.project_code, row.hours.hundredths()), (&None, 25));
            row.description.as_deref().unwrap()
        });
        assert_eq!(proposed.collect::<Vec<_>>(), expected);
        assert_eq!((draft.hours.hundredths(), rows.len()), (200, 1 + expected.len()), "{rows:?}");
    }
}
