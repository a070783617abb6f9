//! Several devices in one file, and the states that each calls by its own language.

use dayledger::activity::{Narrative, NarrativeRequest, ReasonCode};
use dayledger::manictime::demo::{Activity, SchemaOptions, TableGroup, Timeline};

use super::history::{
    DAY, History, ask, ask_everything, day, narrative_request, rows, segments, span, tags, today, tops,
};

/// Two devices that were used one after the other, with half an hour of both at once.
fn two_devices(options: SchemaOptions, names: [&str; 2]) -> History {
    let mut history = History::with(options);
    for (first, id, name, application, from, to) in
        [(1, "desk-id", names[0], "Editor", "09:00", "10:00"), (11, "laptop-id", names[1], "Browser", "09:30", "10:30")]
    {
        history.device(first, id, name);
        history.active(first, from, to);
        history.application(first + 1, application, from, to);
    }
    history.tag(14, &["Client"], "09:00", "10:30");
    history.commit();
    history
}

fn devices_of(narrative: &Narrative) -> Vec<&str> {
    narrative.segments.iter().flatten().map(|segment| segment.device.as_deref().unwrap_or("none")).collect()
}

#[test]
fn two_devices_are_clipped_apart_and_a_minute_counts_once() {
    let history = two_devices(SchemaOptions::default(), ["DESK", "LAPTOP"]);
    let engine = history.engine();
    let narrative = today(&engine);
    assert_eq!(segments(&narrative), ["09:00 10:00 Editor 60.0", "09:30 10:30 Browser 60.0"]);
    assert_eq!(devices_of(&narrative), ["DESK", "LAPTOP"]);
    assert_eq!(narrative.total_active_minutes.to_string(), "90");
    // Tags are the person's: one device recorded them, both carry them.
    assert!(narrative.segments.iter().flatten().all(|segment| segment.tags.is_some()));
    assert_eq!(tags(&engine).totals[0].total_minutes.to_string(), "90");

    let laptop = NarrativeRequest { device: Some("LAPTOP".to_owned()), ..narrative_request(day(DAY)) };
    let laptop = ask(&engine, laptop).unwrap();
    assert_eq!(segments(&laptop), ["09:30 10:30 Browser 60.0"]);
    ask_everything(&engine).unwrap();
}

#[test]
fn one_display_name_on_two_environments_is_two_devices() {
    let history = two_devices(SchemaOptions::default(), ["DESK", "DESK"]);
    let engine = history.engine();
    let narrative = today(&engine);
    assert_eq!(segments(&narrative), ["09:00 10:00 Editor 60.0", "09:30 10:30 Browser 60.0"]);
    assert_eq!(devices_of(&narrative), ["DESK", "DESK (2)"]);
    let second = NarrativeRequest { device: Some("DESK (2)".to_owned()), ..narrative_request(day(DAY)) };
    assert_eq!(tops(&ask(&engine, second).unwrap()), ["Browser 60.0"]);
}

#[test]
fn devices_that_nothing_names_are_told_apart_by_their_ids() {
    let history = two_devices(SchemaOptions::default().without(&[TableGroup::Environments]), ["DESK", "LAPTOP"]);
    assert_eq!(devices_of(&today(&history.engine())), ["desk-id", "laptop-id"]);
}

#[test]
fn a_device_without_computer_usage_is_not_clipped_and_the_answer_says_so() {
    let mut history = two_devices(SchemaOptions::default(), ["DESK", "LAPTOP"]);
    history.timeline(&Timeline::applications(22, "phone-id"));
    history.application(22, "Reader", "11:00", "11:15");
    history.commit();
    let narrative = today(&history.engine());
    assert_eq!(narrative.total_active_minutes.to_string(), "105");
    assert_eq!(narrative.diagnostics.reason_code, Some(ReasonCode::NoComputerUsage));
    assert!(narrative.diagnostics.degraded);
}

#[test]
fn the_key_of_a_state_decides_whatever_its_name() {
    let mut history = History::new();
    history.device(1, "desk-id", "DESK");
    history.state(1, ("ManicTime/Active", "Aktiv"), "09:00", "09:30");
    history.state(1, ("ManicTime/Away", "Abwesend"), "09:30", "10:00");
    history.state(1, ("ManicTime/SessionLocked", "Active"), "10:00", "10:30");
    history.state(1, ("ManicTime/PowerOff", "Ausgeschaltet"), "10:30", "11:00");
    history.application(2, "Editor", "09:00", "11:00");
    // A flag that contradicts the key does not count either.
    history.sql("UPDATE Ar_Activity SET IsActive = CASE ActivityId WHEN 1 THEN 0 ELSE 1 END WHERE ReportId = 1");
    let engine = history.engine();
    let states = "SELECT state FROM computer_usage ORDER BY start_utc";
    assert_eq!(rows(&engine, states), ["active", "away", "locked", "off"]);
    assert_eq!(segments(&today(&engine)), ["09:00 09:30 Editor 30.0"]);
}

#[test]
fn without_a_key_the_flag_decides_and_without_a_flag_the_name() {
    let mut history = History::new();
    history.device(1, "desk-id", "DESK");
    for (name, active, from, to) in [
        ("Aktiv", Some(true), "09:00", "09:30"),
        ("Active", Some(false), "09:30", "10:00"),
        ("Active", None, "10:00", "10:10"),
        ("Away", None, "10:10", "10:20"),
        ("Session lock", None, "10:20", "10:30"),
        ("Power off", None, "10:30", "10:40"),
        ("Abwesend", None, "10:40", "10:50"),
    ] {
        let activity = Activity::new(name, span(from, to));
        history.activity(1, &active.map_or(activity, |active| activity.active(active)));
    }
    history.application(2, "Editor", "09:00", "11:00");
    history.commit();
    let engine = history.engine();
    let states = "SELECT state FROM computer_usage ORDER BY start_utc";
    let expected = ["active", "unknown", "active", "away", "locked", "off", "unknown"];
    assert_eq!(rows(&engine, states), expected);
    assert_eq!(today(&engine).total_active_minutes.to_string(), "40");
}
