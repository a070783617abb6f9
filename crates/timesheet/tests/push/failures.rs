//! Tests of lost responses, server errors and limits. In the end, the tracker must have each row exactly once.

use std::time::Duration;

use dayledger_timesheet::push::PushTracker;
use serde_json::json;

use super::server::ServerFailure;
use super::{Harness, Logged, SETTLE_TIME, TRACKERS, day_of_work, logged_hours, push_rows};
use crate::random::random_below;

/// The error for the row of 20 October if Kimai has a similar entry.
const UNCERTAIN: &str = "cannot push to Kimai: it is unknown whether it has `NORTHWIND / Bills` on 2025-10-20, because it \
                         has a similar entry with other times";

/// Returns failures after which a client can't know whether the entry was created.
fn unclear_failures() -> Vec<ServerFailure> {
    vec![
        ServerFailure::Drop,
        ServerFailure::DropAfter,
        ServerFailure::Silence,
        ServerFailure::SilenceAfter,
        ServerFailure::Status(500),
        ServerFailure::Status(503),
        ServerFailure::StatusAfter(502),
        ServerFailure::StatusAfter(504),
        ServerFailure::Late(Duration::from_secs(40)),
    ]
}

#[tokio::test]
async fn row_with_a_lost_response_is_looked_up_before_it_is_sent_again() {
    for tracker in TRACKERS {
        for failure in unclear_failures() {
            let harness = Harness::start(tracker).await;
            harness.server.fail_next(failure.clone());
            let pushed = harness.push_all(&day_of_work()).await;
            assert_eq!((pushed.created.len(), harness.server.entries().len()), (3, 3));
            let has_arrived =
                !matches!(failure, ServerFailure::Drop | ServerFailure::Silence | ServerFailure::Status(_));
            assert_eq!(harness.creations(), if has_arrived { 3 } else { 4 });
            let waited: Duration = harness.server.waits().iter().sum();
            assert_eq!(waited > SETTLE_TIME, !has_arrived, "a row that may still appear is not sent again");
        }
    }
}

/// The server keeps failing, so the push ends. The next push continues.
#[tokio::test]
async fn push_ends_if_the_server_keeps_failing_and_continues_later() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        let failures = [ServerFailure::Drop, ServerFailure::Status(500), ServerFailure::Status(503)];
        failures
            .iter()
            .chain([&failures[1], &failures[1]])
            .for_each(|failure| harness.server.fail_next(failure.clone()));
        let why = format!("cannot push to {tracker}: it answered with the status 500");
        let hint = harness.expect_error(&day_of_work(), &why).await;
        assert_eq!(hint, "push again later: rows that arrived are not sent twice");
        assert_eq!((harness.creations(), harness.server.entries().len()), (5, 0));
        harness.push_all(&day_of_work()).await;
        assert_eq!(harness.server.entries().len(), 3);
    }
}

#[tokio::test]
async fn retry_after_is_respected() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        harness.server.fail_next(ServerFailure::Busy("17"));
        harness.server.fail_next(ServerFailure::Busy("Wed, 21 Oct 2026 07:28:00 GMT"));
        harness.push_all(&day_of_work()).await;
        // A date in `Retry-After` is ignored, so the usual wait applies.
        assert_eq!(harness.server.waits(), [17, 2].map(Duration::from_secs));
        assert_eq!(harness.server.entries().len(), 3);
    }
}

#[tokio::test]
async fn long_limit_ends_the_push_and_the_next_one_continues() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        harness.push_all(&day_of_work()[..1]).await;
        harness.server.fail_next(ServerFailure::Busy("2000"));
        let why = format!("cannot push to {tracker}: {tracker} limits the number of requests");
        assert_eq!(harness.expect_error(&day_of_work(), &why).await, "push again in 34 minutes");
        assert!(harness.server.waits().is_empty());
        harness.server.advance(Duration::from_secs(2000));
        assert_eq!(harness.push_all(&day_of_work()).await.created.len(), 2);
        assert!(harness.server.waits().is_empty(), "the refused row certainly did not arrive");
    }
}

/// Harvest allows 100 requests in 15 seconds, and each row needs two requests.
#[tokio::test]
async fn many_rows_stay_within_the_limit_of_harvest() {
    let harness = Harness::start(PushTracker::Harvest).await;
    harness.server.change_settings(|settings| settings.limits_requests = true);
    let entries: Vec<_> = (1..=120).map(|number| logged_hours(number, "HARBOUR", "Stock", "09:00:00", "0.1")).collect();
    harness.push_all(&entries).await;
    assert_eq!(harness.server.entries().len(), 120);
    assert!(harness.server.waits().len() >= 2, "{:?}", harness.server.waits());
}

/// The response is lost. The server has rounded the times of the entry, so they differ from the times that were sent.
#[tokio::test]
async fn rounded_row_with_a_lost_response_is_recognised_by_its_tag() {
    let harness = Harness::start(PushTracker::Kimai).await;
    harness.server.change_settings(|settings| settings.rounding_minutes = Some(15));
    let entries = [
        logged_hours(1, "NORTHWIND", "Bills", "09:20:00", "1"),
        logged_hours(2, "NORTHWIND", "Bills", "11:07:00", "1"),
    ];
    harness.server.fail_next(ServerFailure::DropAfter);
    let pushed = harness.push_all(&entries).await;
    assert_eq!((pushed.created.len(), pushed.altered, harness.server.entries().len()), (2, 1, 2));
}

/// Without the tag, the entry could also have been created by a person.
#[tokio::test]
async fn similar_entry_without_the_tag_is_left_to_the_user() {
    let harness = Harness::start(PushTracker::Kimai).await;
    harness.server.change_settings(|settings| (settings.rounding_minutes, settings.ignores_tags) = (Some(15), true));
    let entries = [logged_hours(1, "NORTHWIND", "Bills", "09:20:00", "1")];
    harness.server.fail_next(ServerFailure::StatusAfter(502));
    for _ in 0..2 {
        let hint = harness.expect_error(&entries, UNCERTAIN).await;
        assert_eq!(hint, "delete each such entry in Kimai or correct its times, then push again");
        harness.server.advance(SETTLE_TIME);
    }
    assert_eq!(harness.creations(), 1);
    let other = logged_hours(2, "HARBOUR", "Stock", "11:00:00", "1");
    let pushed = harness.push(&[entries[0].clone(), other]).await;
    assert_eq!((pushed.created.len(), pushed.uncertain.len()), (1, 1), "the other row is sent");
    harness.server.change_entries(|entries| {
        entries[0]["begin"] = json!("2025-10-20T09:20:00+0100");
        entries[0]["end"] = json!("2025-10-20T10:20:00+0100");
    });
    harness.push_all(&entries).await;
    assert_eq!((harness.creations(), harness.server.entries().len()), (2, 2));
}

/// The store was replaced, so it doesn't know the entries that dayledger created. Kimai has rounded their times.
#[tokio::test]
async fn rounded_entry_of_another_store_is_not_created_again() {
    let (mut harness, folder) = (Harness::start(PushTracker::Kimai).await, tempfile::TempDir::new().unwrap());
    harness.server.change_settings(|settings| settings.rounding_minutes = Some(15));
    let entries = [logged_hours(1, "NORTHWIND", "Bills", "09:20:00", "1")];
    harness.push_all(&entries).await;
    harness.store = super::open(&folder.path().join("timesheet.db"));
    harness.expect_error(&entries, UNCERTAIN).await;
    let other = logged_hours(2, "HARBOUR", "Stock", "11:00:00", "1");
    let pushed = harness.push(&[entries[0].clone(), other]).await;
    assert_eq!((pushed.created.len(), pushed.uncertain.len(), harness.creations()), (1, 1, 2));
}

/// An entry was sent, but its response was lost. The entry was then changed before the next push. The tracker has the
/// old hours.
#[tokio::test]
async fn entry_that_changed_while_its_outcome_was_unknown_is_looked_up_as_it_was_sent() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        harness.server.fail_next(ServerFailure::Outage);
        let why = format!("cannot push to {tracker}: it answered with the status 503");
        harness.expect_error(&day_of_work()[..1], &why).await;
        harness.server.change_settings(|settings| settings.refusal = None);
        let changed = [logged_hours(1, "NORTHWIND", "Bills", "09:00:00", "3")];
        let pushed = harness.push_all(&changed).await;
        assert_eq!((pushed.created.len(), pushed.plan.changed.len()), (1, 1));
        assert_eq!((harness.creations(), harness.server.entries().len()), (1, 1), "{tracker}");
    }
}

/// While it was unknown whether a row had arrived, the user mapped the task to another task of the tracker. The row
/// used to be created twice.
#[tokio::test]
async fn row_with_an_unknown_outcome_is_looked_up_on_the_task_to_which_it_was_sent() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        harness.server.fail_next(ServerFailure::Outage);
        assert!(harness.push(&day_of_work()[..1]).await.error.is_some());
        harness.server.change_settings(|settings| settings.refusal = None);
        let mut rows = harness.rows(&day_of_work());
        rows[0].names = rows[1].names.clone();
        let (settings, clock) = (harness.settings(), harness.server.clock());
        let pushed = push_rows(&settings, tracker, &harness.store, &clock, &rows).await;
        assert_eq!((pushed.error.map(|error| error.to_string()), pushed.created.len()), (None, 3), "{tracker}");
        assert_eq!((harness.creations(), harness.server.entries().len()), (3, 3), "{tracker}");
    }
}

/// It was unknown whether a row had arrived. Then its task was hidden in the tracker. No other row could be pushed.
#[tokio::test]
async fn row_on_a_hidden_task_does_not_block_other_rows() {
    for tracker in TRACKERS {
        for arrived in [1, 0] {
            let harness = Harness::start(tracker).await;
            harness.server.fail_next(ServerFailure::Outage);
            assert!(harness.push(&day_of_work()[..1]).await.error.is_some());
            harness.server.change_entries(|entries| entries.truncate(arrived));
            harness.server.change_settings(|settings| (settings.refusal, settings.hides_northwind) = (None, true));
            let pushed = harness.push_all(&day_of_work()[1..2]).await;
            assert_eq!((pushed.created.len(), harness.server.entries().len()), (arrived + 1, arrived + 1), "{tracker}");
        }
    }
}

/// Two programs push the same hours simultaneously. One of the pushes may fail, but no row is created twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn simultaneous_pushes_create_each_row_once() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        let entries: Vec<Logged> =
            (1..=30).map(|number| logged_hours(number, "HARBOUR", "Stock", "09:00:00", "0.25")).collect();
        let store = super::open(&harness.folder.path().join("timesheet.db"));
        let (rows, settings, clock) = (harness.rows(&entries), harness.settings(), harness.server.clock());
        let second = push_rows(&settings, tracker, &store, &clock, &rows);
        let (_, _) = tokio::join!(harness.push(&entries), second);
        harness.push_all(&entries).await;
        assert_eq!(harness.server.entries().len(), 30, "{tracker}");
    }
}

/// Pushes many rows with equal texts, while requests fail at random.
#[tokio::test]
async fn hundred_rows_are_created_once_each() {
    let mut below = random_below();
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        let entries: Vec<Logged> = (0..100)
            .map(|number| {
                let start = format!("{:02}:{:02}:00", 6 + number / 10, number % 10 * 6);
                let (mut entry, evidence) = logged_hours(number + 1, "HARBOUR", "Stock", &start, "0.1");
                entry.description = Some("Same text".to_owned());
                (entry, evidence)
            })
            .collect();
        let failures = unclear_failures();
        for round in 1..=10 {
            for _ in 0..below(4) {
                harness.server.fail_next(failures[below(9) as usize].clone());
            }
            let _ = harness.push(&entries[..round * 10]).await;
        }
        harness.server.advance(Duration::from_mins(1));
        harness.push(&entries).await;
        harness.push_all(&entries).await;
        assert_eq!(harness.server.entries().len(), 100, "{tracker}");
    }
}
