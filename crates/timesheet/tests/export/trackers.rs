//! Tests of files for other trackers. The files are compared with the formats in the trackers' documentation: columns,
//! their order, dates, times and durations.

use std::collections::BTreeSet;

use dayledger_timesheet::export::{Billable, Tracker, TrackerSettings, write_for_tracker};
use dayledger_timesheet::{Evidence, LoggedEntry, TimeEntry};
use serde_json::json;

use super::samples::{day, entry};

const TRACKERS: [Tracker; 4] = [Tracker::Toggl, Tracker::Clockify, Tracker::Harvest, Tracker::Kimai];

fn settings(clockify: &serde_json::Value) -> TrackerSettings {
    serde_json::from_value(json!({
        "email": "alex@alexbuilds.example",
        "user": "alex",
        "first_name": "Alex",
        "last_name": "Builds",
        "clockify": clockify,
        "projects": [
            {"code": "NORTHWIND", "client": "Northwind Ltd", "project": "NW", "tasks": {"Bills": "Billing"}},
            {"code": "HARBOUR", "client": "Harbour Foods", "project": "Stock"},
        ],
    }))
    .unwrap()
}

/// Returns an entry of two and a half hours, with evidence that begins at 09:09 on 20 October 2025. Local time is one
/// hour ahead of UTC.
fn billing() -> (TimeEntry, Vec<Evidence>) {
    let entry =
        TimeEntry { description: Some("Rounding, phase 2".to_owned()), ..entry(1, "NORTHWIND", "Bills", 250, 0, 0) };
    let midnight = day(0).date().and_time(chrono::NaiveTime::MIN).and_utc().timestamp() - 3600;
    let (start_utc, end_utc) = (midnight + 549 * 60 + 12, midnight + 700 * 60);
    (entry, vec![Evidence { start_utc, end_utc, device: None, activity: None, utc_offset: Some(3600) }])
}

fn file(
    tracker: Tracker,
    entries: &[LoggedEntry<'_>],
    clockify: &serde_json::Value,
) -> Result<(String, usize), String> {
    let billable: BTreeSet<_> = entries.iter().take(1).map(|logged| logged.entry.id).collect();
    let file = write_for_tracker(tracker, entries, Billable::Entries(&billable), &settings(clockify));
    let file = file.map_err(|refusal| refusal.message)?;
    Ok((String::from_utf8(file.content).unwrap(), file.without_times))
}

#[test]
fn each_tracker_gets_its_columns_and_formats() {
    let (entry, evidence) = billing();
    let logged = [LoggedEntry { entry: &entry, evidence: &evidence }];
    let text = |tracker| file(tracker, &logged, &json!({})).unwrap();
    assert_eq!(
        text(Tracker::Toggl),
        (
            "Email,Client,Project,Task,Description,Billable,Start date,Start time,Duration\n\
             alex@alexbuilds.example,Northwind Ltd,NW,Billing,\"Rounding, phase 2\",Yes,2025-10-20,09:09:00,02:30:00\n"
                .to_owned(),
            0
        )
    );
    assert_eq!(
        text(Tracker::Clockify).0,
        "Project,Client,Description,Task,Email,Billable,Start Date,Start Time,Duration (h)\n\
         NW,Northwind Ltd,\"Rounding, phase 2\",Billing,alex@alexbuilds.example,Yes,10/20/2025,9:09 AM,2:30\n"
    );
    assert_eq!(
        text(Tracker::Harvest).0,
        "Date,Client,Project,Task,Notes,Hours,First name,Last name\n\
         2025-10-20,Northwind Ltd,NW,Billing,\"Rounding, phase 2\",2.5,Alex,Builds\n"
    );
    assert_eq!(
        text(Tracker::Kimai).0,
        "Date,From,To,Duration,User,Email,Customer,Project,Activity,Description,Billable\n\
         2025-10-20,09:09,11:39,9000,alex,alex@alexbuilds.example,Northwind Ltd,NW,Billing,\"Rounding, phase 2\",1\n"
    );
}

#[test]
fn clockify_gets_the_formats_of_the_account() {
    let (entry, evidence) = billing();
    let logged = [LoggedEntry { entry: &entry, evidence: &evidence }];
    for (formats, end) in [
        (json!({"date": "DD.MM.YYYY", "time": "24-hour", "duration": "hh:mm:ss"}), "20.10.2025,09:09,02:30:00\n"),
        (json!({"date": "YYYY-MM-DD", "duration": "decimal"}), "2025-10-20,9:09 AM,2.50\n"),
        (json!({"date": "DD/MM/YYYY"}), "20/10/2025,9:09 AM,2:30\n"),
    ] {
        let text = file(Tracker::Clockify, &logged, &formats).unwrap().0;
        assert!(text.ends_with(end), "{text}");
    }
    let odd = super::samples::entry(2, "HARBOUR", "Stock", 248, 0, 0);
    let odd = [LoggedEntry { entry: &odd, evidence: &[] }];
    let refused = file(Tracker::Clockify, &odd, &json!({})).unwrap_err();
    assert!(refused.contains("`HARBOUR / Stock` on 2025-10-20 are not whole minutes"), "{refused}");
    assert!(file(Tracker::Clockify, &odd, &json!({"duration": "hh:mm:ss"})).unwrap().0.ends_with(",02:28:48\n"));
}

#[test]
fn unmapped_tasks_stop_the_export_and_are_listed() {
    let (known, other, same_name) = (
        entry(1, "NORTHWIND", "Bills", 100, 0, 0),
        entry(2, "NORTHWIND", "Portal", 100, 0, 0),
        entry(3, "HARBOUR", "Stock", 100, 0, 0),
    );
    let gone = entry(4, "TERN", "Site", 100, 0, 0);
    let logged = |tasks: &[&str]| {
        let all = [&known, &other, &same_name, &gone];
        all.into_iter()
            .filter(|entry| tasks.iter().any(|task| *task == entry.task))
            .map(|entry| LoggedEntry { entry, evidence: &[] })
            .collect::<Vec<_>>()
    };
    for tracker in TRACKERS {
        let refused = file(tracker, &logged(&["Bills", "Portal", "Stock", "Site"]), &json!({})).unwrap_err();
        assert_eq!(
            refused,
            format!("cannot export to {tracker}: no project and task are set for `NORTHWIND / Portal`, `TERN / Site`")
        );
        let (text, without_times) = file(tracker, &logged(&["Bills", "Stock"]), &json!({})).unwrap();
        assert!(text.contains("Northwind Ltd") && text.contains("Billing") && text.lines().count() == 3, "{text}");
        assert_eq!(without_times, if tracker == Tracker::Harvest { 0 } else { 2 });
    }
}

#[test]
fn missing_setting_and_exceeded_limits_are_named() {
    let entry = entry(1, "HARBOUR", "Stock", 100, 0, 0);
    let bare: TrackerSettings =
        serde_json::from_value(json!({"projects": [{"code": "HARBOUR", "client": "H", "project": "S"}]})).unwrap();
    for (tracker, setting) in TRACKERS.into_iter().zip(["email", "email", "first_name", "user"]) {
        let logged = [LoggedEntry { entry: &entry, evidence: &[] }];
        let refused = write_for_tracker(tracker, &logged, Billable::Unknown, &bare).unwrap_err();
        assert!(refused.message.contains(&format!("`{setting}` is not set")), "{refused}");
    }
    let long = TimeEntry { description: Some("x".repeat(3001)), ..entry.clone() };
    let refused = file(Tracker::Clockify, &[LoggedEntry { entry: &long, evidence: &[] }], &json!({})).unwrap_err();
    assert!(refused.contains("description of `HARBOUR / Stock` on 2025-10-20 has more than 3000"), "{refused}");
    let many: Vec<_> = (1..=5001).map(|number| super::samples::entry(number, "HARBOUR", "Stock", 1, 0, 0)).collect();
    let many: Vec<_> = many.iter().map(|entry| LoggedEntry { entry, evidence: &[] }).collect();
    assert!(file(Tracker::Kimai, &many, &json!({})).unwrap_err().contains("at most 5000 rows"));
}

/// Toggl would import only one of these two rows.
#[test]
fn rows_that_toggl_would_merge_are_refused() {
    let (entry, evidence) = billing();
    let twin = TimeEntry { id: super::samples::entry(2, "A", "x", 1, 0, 0).id, ..entry.clone() };
    let logged =
        [LoggedEntry { entry: &entry, evidence: &evidence }, LoggedEntry { entry: &twin, evidence: &evidence }];
    let settings = settings(&json!({}));
    let refused = write_for_tracker(Tracker::Toggl, &logged, Billable::Unknown, &settings).unwrap_err();
    assert!(refused.message.contains("Toggl would merge them"), "{refused}");
    write_for_tracker(Tracker::Clockify, &logged, Billable::Unknown, &settings).unwrap();
}
