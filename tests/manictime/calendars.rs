//! Tests a calendar file that is rewritten between queries.

use std::fs;

use dayledger::calendar::{Calendar, Calendars};

use crate::histories::{History, builder_at, day, narrative_request, run_query};
use dayledger::activity::{Detail, NarrativeRequest};

fn calendar_text(name: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:{name}\nDTSTART:20250115T080000Z\nDURATION:PT20M\nEND:VEVENT\n\
         END:VCALENDAR\n"
    )
}

#[test]
fn next_query_sees_calendar_changes() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "12:00");
    history.application(2, "Editor", "09:00", "10:00");
    history.commit();
    let file = history.folder().join("work.ics");
    fs::write(&file, calendar_text("Plan")).unwrap();
    let calendars = Calendars::new(vec![Calendar::from_path(&file).unwrap()]);
    let app = builder_at(history.folder()).with_calendars(calendars).build().unwrap();
    let named = || {
        let request = NarrativeRequest { detail: Detail::Blocks, ..narrative_request(day("2025-01-15")) };
        let narrative = run_query(&app, request).unwrap();
        let blocks = narrative.segments.unwrap().into_iter().map(|block| block.block.unwrap().meetings);
        blocks.collect::<Vec<_>>()
    };
    assert_eq!(named(), [Some(vec!["Plan".to_owned()])]);
    fs::write(&file, calendar_text("Another plan")).unwrap();
    assert_eq!(named(), [Some(vec!["Another plan".to_owned()])]);
    fs::remove_file(&file).unwrap();
    assert_eq!(named(), [None]);
}
