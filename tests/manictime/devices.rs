//! Tests several devices in one file, and computer states in several languages.

use dayledger::activity::{Narrative, NarrativeRequest, PeriodDay, ReasonCode};
use dayledger_fixtures::{Activity, Group, SchemaOptions, Span, TableGroup, Timeline};

use crate::histories::{
    DAY, History, day, narrative_request, period, rows, run_every_query, run_query, segments, span, tags, today, tops,
};

/// Returns a history of two devices. The second device was used after the first device, with an overlap of half an
/// hour.
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
fn overlapping_minutes_of_two_devices_count_once() {
    let history = two_devices(SchemaOptions::default(), ["DESK", "LAPTOP"]);
    let app = history.app();
    let narrative = today(&app);
    assert_eq!(segments(&narrative), ["09:00 10:00 Editor 60.0", "09:30 10:30 Browser 60.0"]);
    assert_eq!(devices_of(&narrative), ["DESK", "LAPTOP"]);
    assert_eq!(narrative.total_active_minutes.to_string(), "90");
    // Tags belong to the user, not to a device. One device recorded the tags, and the segments of both devices show
    // them.
    assert!(narrative.segments.iter().flatten().all(|segment| segment.tags.is_some()));
    assert_eq!(tags(&app).totals[0].total_minutes.to_string(), "90");

    let laptop = NarrativeRequest { device: Some("LAPTOP".to_owned()), ..narrative_request(day(DAY)) };
    let laptop = run_query(&app, laptop).unwrap();
    assert_eq!(segments(&laptop), ["09:30 10:30 Browser 60.0"]);
    run_every_query(&app).unwrap();
}

/// Regression: an application that was used on two devices for the same 60 minutes had 120 minutes.
#[test]
fn minute_on_two_devices_counts_once_per_application_site_and_tag() {
    let mut history = History::new();
    for (first, id) in [(1, "desk-id"), (11, "laptop-id")] {
        history.device(first, id, id);
        history.active(first, "09:00", "10:00");
        history.application(first + 1, "Browser", "09:00", "10:00");
        history.website(first + 2, "site.example", "09:00", "10:00");
        history.tag(first + 3, &["Client"], "09:00", "10:00");
        history.tag(first + 3, &["Other"], "09:00", "09:40");
    }
    history.commit();
    let app = history.app();
    let narrative = today(&app);
    assert_eq!(tops(&narrative), ["Browser 60.0"]);
    let sites: Vec<_> = narrative.top_websites.iter().flatten().map(|site| site.total_minutes.to_string()).collect();
    assert_eq!(sites, ["60"]);
    let totals: Vec<_> = tags(&app).totals.iter().map(|tag| format!("{} {}", tag.name, tag.total_minutes)).collect();
    assert_eq!(totals, ["Client 60", "Other 40"]);
}

/// Regression: the tags of a segment were sorted by seconds that were counted twice.
#[test]
fn tag_on_two_timelines_counts_once() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "Editor", "09:00", "10:00");
    history.timeline(&Timeline::tags(14, "laptop-id"));
    for timeline in [4, 14] {
        history.tag(timeline, &["Short"], "09:00", "09:35");
    }
    history.tag(4, &["Long"], "09:00", "10:00");
    history.commit();
    let narrative = today(&history.app());
    let tags = narrative.segments.unwrap().remove(0).tags.unwrap();
    assert_eq!(tags, ["Long", "Short"]);
}

/// Regression: responses about a day distinguished applications by name, but responses about a period distinguished
/// them by key.
#[test]
fn applications_with_the_same_name_are_listed_separately() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "Browser", "09:00", "09:15");
    for (key, from, to) in [("one.exe;mail", "09:15", "09:25"), ("two.exe;mail", "09:25", "09:35")] {
        let group = history.group(2, &Group::application(key, "Mail"));
        history.activity(2, &Activity::new("Inbox", span(from, to)).group(group));
    }
    history.commit();
    let app = history.app();
    let summary = period(&app, DAY, "2025-01-16");
    assert_eq!(summary.days[0].top_app, "Browser");
    assert_eq!(summary.aggregate.top_apps[0].name, "Browser");
}

/// The devices are in different time zones, so the same minute belongs to different days on the two devices. The period
/// counts the minute once.
#[test]
fn minute_in_two_time_zones_counts_on_two_days_and_once_in_the_period() {
    let mut history = History::core();
    for (first, id, offset, from, to) in [
        (1, "berlin-id", 60, "2025-01-15 23:30:00", "2025-01-16 00:30:00"),
        (11, "tokyo-id", 540, "2025-01-16 07:30:00", "2025-01-16 08:30:00"),
    ] {
        history.device(first, id, id);
        let (active, editor) = (
            history.group(first, &Group::state("ManicTime/Active", "Active")),
            history.group(first + 1, &Group::application("editor.exe;editor", "Editor")),
        );
        let span = Span::across(from, offset, to, offset).unwrap();
        history.activity(first, &Activity::new("Active", span).group(active));
        history.activity(first + 1, &Activity::new("main.rs", span).group(editor));
    }
    history.commit();
    let app = history.app();
    let summary = period(&app, "2025-01-15", "2025-01-17");
    let day = |day: &PeriodDay| {
        let time = |time: &Option<String>| time.clone().unwrap()[11..16].to_owned();
        let (first, last) = (time(&day.first_activity), time(&day.last_activity));
        format!("{} {} {first} {last}", day.date, day.total_active_minutes)
    };
    let days: Vec<_> = summary.days.iter().map(day).collect();
    assert_eq!(days, ["2025-01-15 30 23:30 00:00", "2025-01-16 60 00:00 08:30"]);
    assert_eq!(summary.total_active_minutes.to_string(), "60");
    assert_eq!(summary.aggregate.avg_daily_minutes.to_string(), "45");
}

#[test]
fn devices_with_the_same_name_are_distinguished() {
    let history = two_devices(SchemaOptions::default(), ["DESK", "DESK"]);
    let app = history.app();
    let narrative = today(&app);
    assert_eq!(segments(&narrative), ["09:00 10:00 Editor 60.0", "09:30 10:30 Browser 60.0"]);
    assert_eq!(devices_of(&narrative), ["DESK", "DESK (2)"]);
    let second = NarrativeRequest { device: Some("DESK (2)".to_owned()), ..narrative_request(day(DAY)) };
    assert_eq!(tops(&run_query(&app, second).unwrap()), ["Browser 60.0"]);
}

#[test]
fn unnamed_devices_are_distinguished_by_id() {
    let history = two_devices(SchemaOptions::default().without_groups(&[TableGroup::Environments]), ["DESK", "LAPTOP"]);
    assert_eq!(devices_of(&today(&history.app())), ["desk-id", "laptop-id"]);
}

#[test]
fn device_without_computer_usage_is_not_clipped_and_is_reported() {
    let mut history = two_devices(SchemaOptions::default(), ["DESK", "LAPTOP"]);
    history.timeline(&Timeline::applications(22, "phone-id"));
    history.application(22, "Reader", "11:00", "11:15");
    history.commit();
    let narrative = today(&history.app());
    assert_eq!(narrative.total_active_minutes.to_string(), "105");
    assert_eq!(narrative.diagnostics.reason_code, Some(ReasonCode::NoComputerUsage));
    assert!(narrative.diagnostics.degraded);
}

#[test]
fn key_of_a_state_decides_instead_of_its_name() {
    let mut history = History::on_workstation();
    history.state(1, ("ManicTime/Active", "Aktiv"), "09:00", "09:30");
    history.state(1, ("ManicTime/Away", "Abwesend"), "09:30", "10:00");
    history.state(1, ("ManicTime/SessionLocked", "Active"), "10:00", "10:30");
    history.state(1, ("ManicTime/PowerOff", "Ausgeschaltet"), "10:30", "11:00");
    history.application(2, "Editor", "09:00", "11:00");
    // The state's key takes precedence over a contradicting flag.
    history.sql("UPDATE Ar_Activity SET IsActive = CASE ActivityId WHEN 1 THEN 0 ELSE 1 END WHERE ReportId = 1");
    let app = history.app();
    let states = "SELECT state FROM computer_usage ORDER BY start_utc";
    assert_eq!(rows(&app, states), ["active", "away", "locked", "off"]);
    assert_eq!(segments(&today(&app)), ["09:00 09:30 Editor 30.0"]);
}

#[test]
fn state_without_a_key_is_decided_by_its_flag_then_by_its_name() {
    let mut history = History::on_workstation();
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
    let app = history.app();
    let states = "SELECT state FROM computer_usage ORDER BY start_utc";
    let expected = ["active", "unknown", "active", "away", "locked", "off", "unknown"];
    assert_eq!(rows(&app, states), expected);
    assert_eq!(today(&app).total_active_minutes.to_string(), "40");
}
