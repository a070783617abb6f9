//! Tests of the rows that a push sends. It sends each row once, and sends no row of an entry that was changed after an
//! earlier push.

use dayledger_timesheet::TimeEntry;
use dayledger_timesheet::export::{Billable, TrackerSettings};
use dayledger_timesheet::push::{PushTracker, rows};
use dayledger_timesheet::{Code, LoggedEntry};
use serde_json::json;

use super::{Harness, TRACKERS, day_of_work, logged_hours, names};

#[tokio::test]
async fn pushed_rows_are_not_sent_again() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        assert_eq!(harness.plan(&day_of_work()[..2]).await.new.len(), 2);
        assert_eq!(harness.server.count(""), 0, "a plan needs no request");
        harness.push_all(&day_of_work()[..2]).await;
        let (requests, again) = (harness.server.count(""), harness.push_all(&day_of_work()[..2]).await);
        assert_eq!((again.created.len(), again.plan.pushed), (0, 2));
        assert_eq!(harness.server.count(""), requests, "nothing to ask");
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
            "id": 7, "hours": 1, "notes": "Typed", "description": "Typed", "project": 4, "activity": 9,
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
