//! Tests of overlaps at an API that doesn't check them. They cover the client's checks before an entry is sent, and the
//! limits of these checks.

use std::time::Duration;

use dayledger_timesheet::graphql::Options;
use dayledger_timesheet::{
    Code, EntryId, Evidence, IdempotencyKey, NewEntry, OverlapPolicy, Refusal, TimeEntry, Timesheet,
};

use super::{ACL, ApiHarness, entry, expect_refusal, log, short_timeouts, start, start_with};
use crate::simulator::ApiFailure;

fn entry_with_evidence(hours: &str) -> NewEntry {
    let evidence = vec![Evidence { start_utc: 0, end_utc: 60, device: None, activity: None, utc_offset: None }];
    NewEntry { evidence, ..entry("INTERNAL", "Testing", hours) }
}

async fn log_once(harness: &ApiHarness, key: IdempotencyKey, entry: NewEntry) -> Result<TimeEntry, Refusal> {
    harness.timesheet.log(key, entry, OverlapPolicy::Refused).await
}

/// A manager can see the entries of other users. These entries don't count as hours of the manager.
#[tokio::test]
async fn hours_of_other_users_do_not_count() {
    let harness = start_with(&["Project/INTERNAL=V,E,T,M"], short_timeouts()).await;
    let other = harness.as_user("user-v", &ACL);
    let other =
        other.log(IdempotencyKey::new(), entry("INTERNAL", "Testing", "24"), OverlapPolicy::Refused).await.unwrap();
    assert_eq!(harness.timesheet.find(other.id).await.unwrap(), other, "the other client's entry exists");
    log_once(&harness, IdempotencyKey::new(), entry("INTERNAL", "Testing", "24")).await.unwrap();
    let refusal = log_once(&harness, IdempotencyKey::new(), entry("INTERNAL", "Testing", "1")).await;
    assert_eq!(expect_refusal(refusal, Code::ValidationError).field.as_deref(), Some("standardHours"));
    assert_eq!(harness.api.entries().len(), 2);
}

/// If an entry is deleted at the API, its evidence remains in the local store and must be ignored.
#[tokio::test]
async fn evidence_of_entries_deleted_at_the_api_is_free() {
    let harness = start().await;
    let gone = EntryId::new();
    harness.timesheet.store().begin(IdempotencyKey::new(), entry("INTERNAL", "Testing", "1")).await.unwrap();
    let key = IdempotencyKey::new();
    harness.timesheet.store().begin(key, entry_with_evidence("1")).await.unwrap();
    assert!(harness.timesheet.store().bind(key, gone).await.unwrap());
    assert_eq!(harness.timesheet.store().evidence(&[gone]).await.unwrap().len(), 1);
    log_once(&harness, IdempotencyKey::new(), entry_with_evidence("1")).await.unwrap();
    let refusal = log_once(&harness, IdempotencyKey::new(), entry_with_evidence("1")).await;
    assert_eq!(expect_refusal(refusal, Code::ValidationError).field.as_deref(), Some("evidence"));
}

/// An overlapping entry isn't sent, and its key can be used again. The same applies if the check itself fails.
#[tokio::test]
async fn overlapping_entry_is_not_sent() {
    let harness = start().await;
    let full = log(&harness, entry("INTERNAL", "Testing", "24")).await.unwrap();
    let key = IdempotencyKey::new();
    expect_refusal(log_once(&harness, key, entry_with_evidence("1")).await, Code::ValidationError);
    for _ in 0..2 {
        harness.api.fail_next("TimeEntries", ApiFailure::Page(502));
        expect_refusal(log_once(&harness, key, entry_with_evidence("1")).await, Code::NetworkError);
    }
    assert!(harness.timesheet.store().pending_attempts().await.unwrap().is_empty());
    assert_eq!(harness.api.count("LogTime"), 1);
    harness.timesheet.delete(full.id).await.unwrap();
    log_once(&harness, key, entry_with_evidence("1")).await.unwrap();
}

/// An entry whose response was lost must not be reported as an overlap with itself. If the entry isn't found at the
/// API, it is checked against entries that were logged in the meantime.
#[tokio::test]
async fn pending_attempt_is_looked_up_before_overlaps_are_checked() {
    let harness = start_with(&ACL, Options { settle_time: Duration::ZERO, ..short_timeouts() }).await;
    let key = IdempotencyKey::new();
    harness.api.fail_next("LogTime", ApiFailure::Late);
    expect_refusal(log_once(&harness, key, entry_with_evidence("24")).await, Code::NetworkError);
    harness.api.deliver_late_request().await;
    let logged = log_once(&harness, key, entry_with_evidence("24")).await.unwrap();
    assert_eq!(
        harness.timesheet.store().evidence(&[logged.id]).await.unwrap()[&logged.id],
        entry_with_evidence("24").evidence
    );
    harness.timesheet.delete(logged.id).await.unwrap();

    let key = IdempotencyKey::new();
    harness.api.fail_next("LogTime", ApiFailure::Drop);
    expect_refusal(log_once(&harness, key, entry_with_evidence("1")).await, Code::NetworkError);
    log(&harness, entry_with_evidence("2")).await.unwrap();
    let refusal = expect_refusal(log_once(&harness, key, entry_with_evidence("1")).await, Code::ValidationError);
    assert_eq!(refusal.field.as_deref(), Some("evidence"));
    assert!(harness.timesheet.store().pending_attempts().await.unwrap().is_empty());
    assert_eq!(harness.api.entries().len(), 1);
}
