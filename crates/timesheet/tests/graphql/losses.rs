//! Tests that lost responses neither lose entries nor log them twice.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use dayledger_timesheet::graphql::Options;
use dayledger_timesheet::{
    Changes, Code, EntryId, EntryQuery, Evidence, IdempotencyKey, Limit, NewEntry, OverlapPolicy, Status, TimeEntry,
    Timesheet,
};

use crate::random::random_below;
use crate::simulator::ApiFailure;
use crate::simulator::http::Hook;

use super::{ACL, ApiHarness, entry, entry_on_day, expect_refusal, log, open, short_timeouts, start, start_with};

/// Returns failures after which the client doesn't know whether the entry was logged. In these cases it was logged.
fn failures_after_logging() -> Vec<ApiFailure> {
    vec![
        ApiFailure::PageAfter(502),
        ApiFailure::InternalAfter,
        ApiFailure::SilenceAfter,
        ApiFailure::DropAfter,
        ApiFailure::CutOff,
    ]
}

/// Returns failures after which the client doesn't know whether the entry was logged. In these cases it wasn't logged.
fn failures_before_logging() -> Vec<ApiFailure> {
    vec![ApiFailure::Page(502), ApiFailure::Internal, ApiFailure::Silence, ApiFailure::Drop, ApiFailure::Endless]
}

#[tokio::test]
async fn entry_is_found_after_a_lost_response() {
    let harness = start_with(&ACL, short_timeouts()).await;
    for (place, mishap) in failures_after_logging().into_iter().enumerate() {
        let evidence = vec![Evidence { start_utc: 0, end_utc: 60, device: None, activity: None, utc_offset: None }];
        let new = NewEntry { evidence: evidence.clone(), ..entry("INTERNAL", "Testing", "1") };
        harness.api.fail_next("LogTime", mishap.clone());
        let key = IdempotencyKey::new();
        let logged = harness.timesheet.log(key, new.clone(), OverlapPolicy::Allowed).await.unwrap();
        assert_eq!(harness.api.entries().len(), place + 1, "{mishap:?}");
        assert_eq!(harness.api.entries()[place].id, logged.id, "{mishap:?}");
        assert_eq!(harness.timesheet.log(key, new, OverlapPolicy::Allowed).await.unwrap(), logged, "{mishap:?}");
        assert_eq!(harness.timesheet.store().evidence(&[logged.id]).await.unwrap()[&logged.id], evidence);
    }
    assert_eq!(harness.api.count("LogTime"), 5);
    assert!(harness.timesheet.store().pending_attempts().await.unwrap().is_empty());
}

#[tokio::test]
async fn entry_that_did_not_arrive_is_sent_again_only_on_request() {
    let harness = start_with(&ACL, short_timeouts()).await;
    for (place, mishap) in failures_before_logging().into_iter().enumerate() {
        let key = IdempotencyKey::new();
        harness.api.fail_next("LogTime", mishap.clone());
        let refusal = log_with(&harness, key).await.unwrap_err();
        assert!([Code::NetworkError, Code::InternalError].contains(&refusal.code), "{mishap:?}: {refusal}");
        assert!(refusal.message.contains("Query the entries before you log it again"), "{mishap:?}: {refusal}");
        assert_eq!(harness.api.count("LogTime"), 2 * place + 1, "{mishap:?}");
        assert_eq!(harness.timesheet.store().pending_attempts().await.unwrap().len(), 1);
        log_with(&harness, key).await.unwrap();
        assert_eq!(harness.api.entries().len(), place + 1, "{mishap:?}");
    }
}

async fn log_with(harness: &ApiHarness, key: IdempotencyKey) -> Result<TimeEntry, dayledger_timesheet::Refusal> {
    harness.timesheet.log(key, entry("INTERNAL", "Testing", "1"), OverlapPolicy::Allowed).await
}

/// An entry isn't sent again while an earlier request may still arrive. Once the late request has logged the entry, the
/// client finds this entry.
#[tokio::test]
async fn pending_entry_is_not_sent_again() {
    let harness = start_with(&ACL, Options { settle_time: Duration::from_hours(1), ..short_timeouts() }).await;
    let key = IdempotencyKey::new();
    harness.api.fail_next("LogTime", ApiFailure::Late);
    expect_refusal(log_with(&harness, key).await, Code::NetworkError);
    let refusal = expect_refusal(log_with(&harness, key).await, Code::NetworkError);
    assert!(refusal.message.contains("Try again in 3"), "{refusal}");
    assert_eq!((harness.api.count("LogTime"), harness.api.entries().len()), (1, 0));
    harness.api.deliver_late_request().await;
    let logged = log_with(&harness, key).await.unwrap();
    assert_eq!(harness.api.entries().iter().map(|entry| entry.id).collect::<Vec<_>>(), [logged.id]);
    assert_eq!(harness.api.count("LogTime"), 1);
}

/// An entry with equal fields isn't mistaken for the sent entry if it already existed, belongs to another user, or was
/// logged under another key.
#[tokio::test]
async fn other_entries_are_not_mistaken_for_the_sent_one() {
    let harness = start_with(&ACL, short_timeouts()).await;
    let other_key = log(&harness, entry("INTERNAL", "Testing", "1")).await.unwrap();
    let by_hand = TimeEntry { id: EntryId::new(), ..other_key.clone() };
    harness.api.put(by_hand.clone());
    harness
        .as_user("user-v", &ACL)
        .log(IdempotencyKey::new(), entry("INTERNAL", "Testing", "1"), OverlapPolicy::Allowed)
        .await
        .unwrap();
    harness.api.fail_next("LogTime", ApiFailure::Drop);
    let key = IdempotencyKey::new();
    expect_refusal(log_with(&harness, key).await, Code::NetworkError);
    harness.api.fail_next("LogTime", ApiFailure::DropAfter);
    let logged = log_with(&harness, key).await.unwrap();
    assert_eq!(harness.api.entries().len(), 4);
    assert_eq!(harness.api.entries()[3].id, logged.id);
}

/// If two entries match one sent entry, or if the only match was created at another time, the user has to decide.
#[tokio::test]
async fn ambiguous_matches_are_reported() {
    for (count, age) in [(2, 0), (1, 60)] {
        let harness = start_with(&ACL, short_timeouts()).await;
        let like = log(&harness, entry("INTERNAL", "Testing", "1")).await.unwrap();
        let key = IdempotencyKey::new();
        harness.api.fail_next("LogTime", ApiFailure::Drop);
        expect_refusal(log_with(&harness, key).await, Code::NetworkError);
        for _ in 0..count {
            let created_at = like.created_at - chrono::TimeDelta::minutes(age);
            harness.api.put(TimeEntry { id: EntryId::new(), created_at, ..like.clone() });
        }
        for _ in 0..2 {
            let refusal = expect_refusal(log_with(&harness, key).await, Code::NetworkError);
            assert!(refusal.message.contains("more equal entries than were sent from here"), "{refusal}");
        }
        assert_eq!(harness.api.entries().len(), 1 + count);
    }
}

/// If two attempts with equal fields are pending and two entries are found, each attempt gets one entry.
#[tokio::test]
async fn equal_attempts_take_one_entry_each() {
    let harness = start_with(&ACL, short_timeouts()).await;
    let keys = [IdempotencyKey::new(), IdempotencyKey::new()];
    for key in keys {
        harness.api.fail_next("LogTime", ApiFailure::Late);
        expect_refusal(log_with(&harness, key).await, Code::NetworkError);
    }
    harness.api.deliver_late_request().await;
    harness.api.deliver_late_request().await;
    let mut found = BTreeSet::new();
    for key in keys {
        found.insert(log_with(&harness, key).await.unwrap().id);
    }
    assert_eq!(found, harness.api.entries().iter().map(|entry| entry.id).collect());
    assert_eq!(harness.api.count("LogTime"), 2);
}

/// If the response to a change, a move, a submission or a deletion is lost, the client reads the entry to find out
/// whether the request succeeded. The request is sent only once.
#[tokio::test]
async fn change_is_checked_after_a_lost_response() {
    let harness = start_with(&ACL, short_timeouts()).await;
    let (timesheet, api) = (&harness.timesheet, &harness.api);
    for mishap in failures_after_logging() {
        let id = log(&harness, entry("INTERNAL", "Testing", "1")).await.unwrap().id;
        let changes = Changes { standard_hours: Some("2".parse().unwrap()), ..Changes::default() };
        for operation in ["UpdateTimeEntry", "MoveTaskToProject", "SubmitTimeEntry"] {
            api.fail_next(operation, mishap.clone());
        }
        assert_eq!(
            timesheet.update(id, changes, OverlapPolicy::Allowed).await.unwrap().standard_hours,
            "2".parse().unwrap(),
            "{mishap:?}"
        );
        assert_eq!(timesheet.move_to(id, "CLIENT-A", "Support").await.unwrap().task, "Support", "{mishap:?}");
        assert_eq!(timesheet.submit(id).await.unwrap().status, Status::Submitted, "{mishap:?}");
        let id = log(&harness, entry("INTERNAL", "Testing", "1")).await.unwrap().id;
        api.fail_next("DeleteTimeEntry", mishap.clone());
        timesheet.delete(id).await.unwrap();
        assert!(api.entries().iter().all(|entry| entry.id != id), "{mishap:?}");
    }
    for operation in ["UpdateTimeEntry", "MoveTaskToProject", "SubmitTimeEntry", "DeleteTimeEntry"] {
        assert_eq!(api.count(operation), failures_after_logging().len());
    }
}

#[tokio::test]
async fn change_that_did_not_arrive_is_reported() {
    let harness = start_with(&ACL, short_timeouts()).await;
    let (timesheet, api) = (&harness.timesheet, &harness.api);
    let before_all = log(&harness, entry("INTERNAL", "Testing", "1")).await.unwrap();
    let id = before_all.id;
    for mishap in failures_before_logging() {
        for operation in ["UpdateTimeEntry", "MoveTaskToProject", "SubmitTimeEntry", "DeleteTimeEntry"] {
            api.fail_next(operation, mishap.clone());
        }
        let changes = Changes { standard_hours: Some("2".parse().unwrap()), ..Changes::default() };
        for refusal in [
            timesheet.update(id, changes, OverlapPolicy::Allowed).await.unwrap_err(),
            timesheet.move_to(id, "CLIENT-A", "Support").await.unwrap_err(),
            timesheet.submit(id).await.unwrap_err(),
            timesheet.delete(id).await.unwrap_err(),
        ] {
            assert!(refusal.message.ends_with("The entry is unchanged: try again"), "{mishap:?}: {refusal}");
        }
    }
    assert_eq!(timesheet.find(id).await.unwrap(), before_all);
}

/// If nothing was sent for a key, the key can be used for any entry.
#[tokio::test]
async fn key_can_be_reused_if_nothing_was_sent() {
    let harness = start().await;
    let key = IdempotencyKey::new();
    harness.timesheet.store().begin(key, entry("INTERNAL", "Testing", "5")).await.unwrap();
    let logged = log_with(&harness, key).await.unwrap();
    assert_eq!(logged.standard_hours, "1".parse().unwrap());
    assert_eq!(harness.api.entries().len(), 1);
}

/// Logs a thousand entries, many of them with equal fields, and simulates every possible failure. The client restarts
/// from time to time, and retries the entries that weren't acknowledged.
#[tokio::test]
async fn thousand_entries_are_logged_once_each() {
    const ENTRIES: usize = 1_000;

    let harness = start_with(&ACL, super::options(Duration::from_millis(150))).await;
    let mishaps: Vec<ApiFailure> = failures_after_logging().into_iter().chain(failures_before_logging()).collect();
    let mut acknowledged: BTreeMap<IdempotencyKey, EntryId> = BTreeMap::new();
    let mut timesheet = harness.timesheet.clone();
    let mut draw = random_below();
    for place in 0..ENTRIES {
        let key = IdempotencyKey::new();
        let hours = ["0.25", "0.5", "7.75"][draw(3) as usize];
        if draw(4) == 0 {
            harness.api.fail_next("LogTime", mishaps[draw(10) as usize].clone());
            // In half of the cases, the lookup after the failure fails too. The lookup before the sending always
            // succeeds.
            if draw(2) == 0 {
                harness.api.fail_next("TimeEntries", ApiFailure::Before(Hook::new(|| ())));
                harness.api.fail_next("TimeEntries", ApiFailure::Page(502));
            }
        }
        if draw(10) == 0 {
            harness.api.fail_next(
                "TimeEntries",
                [ApiFailure::Page(502), ApiFailure::Drop, ApiFailure::Internal][draw(3) as usize].clone(),
            );
        }
        let logged = loop {
            match timesheet
                .log(key, entry_on_day(place / 20, entry("INTERNAL", "Testing", hours)), OverlapPolicy::Allowed)
                .await
            {
                Ok(logged) => break logged,
                Err(refusal) => {
                    assert!([Code::NetworkError, Code::InternalError].contains(&refusal.code), "{refusal}");
                    if draw(2) == 0 {
                        timesheet = open(
                            &harness.api,
                            &harness.user,
                            &harness.folder,
                            super::options(Duration::from_millis(150)),
                        );
                    }
                }
            }
        };
        acknowledged.insert(key, logged.id);
    }
    let kept: BTreeSet<EntryId> = harness.api.entries().iter().map(|entry| entry.id).collect();
    assert_eq!(harness.api.entries().len(), ENTRIES);
    assert_eq!(acknowledged.values().copied().collect::<BTreeSet<_>>(), kept);
    assert!(timesheet.store().pending_attempts().await.unwrap().is_empty());
    // This query returns two hundred entries, which may take longer than the short timeout of the other client.
    let patient = open(&harness.api, &harness.user, &harness.folder, super::options(Duration::from_secs(20)));
    let page = patient.query(&EntryQuery { limit: Limit::MAX_VALUE, ..EntryQuery::default() }).await.unwrap();
    assert!(page.has_more);
}
