//! Tests of the rows that a push sends. It sends each row once, and sends no row of an entry that was changed after an
//! earlier push.

use dayledger_timesheet::TimeEntry;
use dayledger_timesheet::export::{Billable, TrackerSettings};
use dayledger_timesheet::push::{PushTracker, rows};
use dayledger_timesheet::{Code, LoggedEntry};
use serde_json::json;

use crate::export::samples::day;

use super::server::{OTHER_TOKEN, TOKEN, USER};
use super::{Harness, TRACKERS, day_of_work, logged_hours, names, open};

#[tokio::test]
async fn pushed_rows_are_not_sent_again() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        assert_eq!(harness.plan(&day_of_work()[..2]).await.new.len(), 2);
        assert_eq!(harness.server.count(""), 0, "a plan needs no request");
        harness.push_all(&day_of_work()[..2]).await;
        let (requests, again) = (harness.server.count(""), harness.push_all(&day_of_work()[..2]).await);
        assert_eq!((again.created.len(), again.plan.pushed), (0, 2));
        assert_eq!(harness.server.count(""), requests + 1, "only the user is asked for");
        assert_eq!(harness.push_all(&day_of_work()).await.created.len(), 1);
        assert_eq!((harness.server.entries().len(), harness.creations()), (3, 3));
    }
}

#[tokio::test]
async fn changed_entry_is_reported_and_left_as_it_is() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        harness.push_all(&day_of_work()).await;
        let before = harness.server.entries();
        let mut changed = day_of_work();
        changed[0] = logged_hours(1, "NORTHWIND", "Bills", "09:00:00", "1.25");
        changed[1].0.description = Some("Other text".to_owned());
        changed.push(logged_hours(4, "HARBOUR", "Stock", "15:00:00", "1"));
        let plan = harness.plan(&changed).await;
        assert_eq!((plan.new.len(), plan.pushed, plan.changed.len()), (1, 1, 2), "{tracker}");
        harness.push_all(&changed).await;
        assert_eq!((&harness.server.entries()[..3], harness.server.entries().len()), (&before[..], 4));
    }
}

/// An entry doesn't count as changed if only its placeholder times change because of another entry.
#[tokio::test]
async fn new_entry_without_times_does_not_change_the_others() {
    let harness = Harness::start(PushTracker::Kimai).await;
    let untimed = |number, hours| (logged_hours(number, "HARBOUR", "Stock", "09:00:00", hours).0, Vec::new());
    harness.push_all(&[untimed(1, "8")]).await;
    let entries = [untimed(1, "8"), untimed(2, "8")];
    let plan = harness.plan(&entries).await;
    assert_eq!((plan.pushed, plan.new.len(), plan.changed.len()), (1, 1, 0));
}

/// A push doesn't change entries that a person created in the tracker. It doesn't create an entry again that was
/// deleted in the tracker.
#[tokio::test]
async fn edits_in_the_tracker_are_left_as_they_are() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        let typed = json!({
            "id": 7, "user": USER, "hours": 1, "notes": "Typed", "description": "Typed", "project": 4, "activity": 9,
            "begin": "2025-10-20T09:00:00+0100", "end": "2025-10-20T10:30:00+0100",
        });
        harness.server.change_entries(|entries| entries.push(typed.clone()));
        harness.push_all(&day_of_work()).await;
        harness.server.change_entries(|entries| {
            entries.remove(2);
            entries[1]["notes"] = json!("Edited");
        });
        let edited = harness.server.entries();
        assert_eq!(harness.push_all(&day_of_work()).await.created.len(), 0);
        assert_eq!((harness.server.entries(), edited[0].clone()), (edited, typed));
        let methods = ["PUT", "PATCH", "DELETE"].map(|method| harness.server.count(method));
        assert_eq!(methods, [0, 0, 0]);
    }
}

/// The tracker already has the same hours, either imported from a file or pushed from another computer.
#[tokio::test]
async fn rows_that_the_tracker_has_are_not_created() {
    for tracker in TRACKERS {
        let (harness, other) = (Harness::start(tracker).await, Harness::start(tracker).await);
        other.push_all(&day_of_work()[..2]).await;
        harness.server.change_entries(|entries| *entries = other.server.entries());
        let pushed = harness.push_all(&day_of_work()).await;
        assert_eq!((pushed.found, pushed.created.len(), harness.creations()), (2, 1, 1), "{tracker}");
        assert_eq!(harness.plan(&day_of_work()).await.pushed, 3);
    }
}

/// Two users share a computer and an account. Each user must get all rows.
#[tokio::test]
async fn each_user_of_an_account_has_their_own_rows() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        let other = harness.push_as_other_user(&day_of_work()).await;
        assert!(other.error.is_none(), "{other:?}");
        let pushed = harness.push_all(&day_of_work()).await;
        assert_eq!((pushed.created.len(), pushed.found, pushed.plan.pushed), (3, 0, 0), "{tracker}");
        assert_eq!((harness.creations(), harness.push_all(&day_of_work()).await.plan.pushed), (6, 3));

        harness.push_as_other_user(&[logged_hours(4, "HARBOUR", "Stock", "15:00:00", "1")]).await;
        harness.server.advance(std::time::Duration::from_secs(1));
        let next = [logged_hours(5, "HARBOUR", "Stock", "17:00:00", "1")];
        harness.push_all(&next).await;
        let (clock, rows) = (harness.server.clock(), harness.rows(&next));
        for (token, new) in [(TOKEN, 0), (OTHER_TOKEN, 1)] {
            let plan = harness.with_pusher(token, &clock, async |pusher| pusher.plan(&rows).await.unwrap()).await;
            assert_eq!(plan.new.len(), new, "{tracker}");
        }
        assert_eq!(harness.plan(&next).await.pushed, 1, "without a token, the last user counts");
    }
}

/// Kimai lists only current projects by default, although a project accepts hours on its own days later too.
#[tokio::test]
async fn ended_project_gets_the_hours_of_its_own_days() {
    let harness = Harness::start(PushTracker::Kimai).await;
    harness.server.change_settings(|settings| settings.has_ended_project = true);
    let mut later = logged_hours(2, "NORTHWIND", "Bills", "09:00:00", "1");
    (later.0.start_date, later.0.completion_date) = (day(1), day(1));
    (later.1[0].start_utc, later.1[0].end_utc) = (later.1[0].start_utc + 86_400, later.1[0].end_utc + 86_400);
    harness.push_all(&[logged_hours(1, "NORTHWIND", "Bills", "09:00:00", "1"), later]).await;
    let projects: Vec<_> = harness.server.entries().iter().map(|entry| entry["project"].clone()).collect();
    assert_eq!(projects, [json!(4), json!(7)], "the successor has the same name");
}

/// The rows of version 9 of the file have neither a user nor a task.
#[tokio::test]
async fn store_of_the_previous_version_can_be_used() {
    let harness = Harness::start(PushTracker::Kimai).await;
    let path = harness.folder.path().join("timesheet.db");
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch("DROP TABLE pushes; PRAGMA user_version = 9").unwrap();
    file.execute_batch(include_str!("../../sql/migrations/009_pushes.sql")).unwrap();
    file.execute("INSERT INTO pushes VALUES ('kimai', 'key', '{}', NULL, 1)", []).unwrap();
    drop((file, open(&path)));
    assert_eq!(harness.push_all(&day_of_work()).await.created.len(), 3);
}

#[test]
fn task_without_names_stops_the_push() {
    let entries =
        [logged_hours(1, "NORTHWIND", "Portal", "09:00:00", "1"), logged_hours(2, "TERN", "Site", "11:00:00", "1")];
    let logged: Vec<_> = entries.iter().map(|(entry, evidence)| LoggedEntry { entry, evidence }).collect();
    for tracker in TRACKERS {
        let refusal = rows(tracker, &logged, Billable::Unknown, &names()).unwrap_err();
        let expected =
            format!("cannot push to {tracker}: no project and task are set for `NORTHWIND / Portal`, `TERN / Site`");
        assert_eq!((refusal.message, refusal.code), (expected, Code::ValidationError));
        let none = LoggedEntry {
            entry: &TimeEntry { standard_hours: "0".parse().unwrap(), ..entries[0].0.clone() },
            evidence: &[],
        };
        assert_eq!(rows(tracker, &[none], Billable::Unknown, &TrackerSettings::default()).unwrap(), []);
    }
}
