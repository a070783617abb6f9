//! Overlaps at an API that has no rule against them: what is looked at before an entry is sent, and what is not.

use std::time::Duration;

use dayledger_timesheet::graphql::Options;
use dayledger_timesheet::{Code, EntryId, Evidence, LocalKey, NewEntry, Overlaps, Refusal, TimeEntry, Timesheet};

use super::{ACL, OverHttp, entry, hasty, log, refused, start, with};
use crate::simulator::Mishap;

fn covering(hours: &str) -> NewEntry {
    let evidence = vec![Evidence { start_utc: 0, end_utc: 60, device: None, activity: None }];
    NewEntry { evidence, ..entry("INTERNAL", "Testing", hours) }
}

async fn log_once(harness: &OverHttp, key: LocalKey, entry: NewEntry) -> Result<TimeEntry, Refusal> {
    harness.timesheet.log(key, entry, Overlaps::Refused).await
}

/// A manager sees what others have booked, who have days of their own.
#[tokio::test]
async fn hours_of_others_fill_nobody_elses_day() {
    let harness = with(&["Project/INTERNAL=V,E,T,M"], hasty()).await;
    let other = harness.as_user("user-v", &ACL);
    let other = other.log(LocalKey::new(), entry("INTERNAL", "Testing", "24"), Overlaps::Refused).await.unwrap();
    assert_eq!(harness.timesheet.find(other.id).await.unwrap(), other, "it is seen");
    log_once(&harness, LocalKey::new(), entry("INTERNAL", "Testing", "24")).await.unwrap();
    let refusal = log_once(&harness, LocalKey::new(), entry("INTERNAL", "Testing", "1")).await;
    assert_eq!(refused(refusal, Code::ValidationError).field.as_deref(), Some("standardHours"));
    assert_eq!(harness.api.entries().len(), 2);
}

/// What was deleted at the API itself leaves its evidence in the book, where it stands for nothing.
#[tokio::test]
async fn evidence_of_what_the_api_does_not_have_is_free() {
    let harness = start().await;
    let gone = EntryId::new();
    harness.timesheet.book().begin(LocalKey::new(), entry("INTERNAL", "Testing", "1")).await.unwrap();
    let key = LocalKey::new();
    harness.timesheet.book().begin(key, covering("1")).await.unwrap();
    assert!(harness.timesheet.book().bind(key, gone).await.unwrap());
    assert_eq!(harness.timesheet.book().evidence(&[gone]).await.unwrap().len(), 1);
    log_once(&harness, LocalKey::new(), covering("1")).await.unwrap();
    let refusal = log_once(&harness, LocalKey::new(), covering("1")).await;
    assert_eq!(refused(refusal, Code::ValidationError).field.as_deref(), Some("evidence"));
}

/// Nothing is sent of what overlaps, and its key is as good as new; the same where nobody can tell whether it does.
#[tokio::test]
async fn what_overlaps_is_not_sent() {
    let harness = start().await;
    let full = log(&harness, entry("INTERNAL", "Testing", "24")).await.unwrap();
    let key = LocalKey::new();
    refused(log_once(&harness, key, covering("1")).await, Code::ValidationError);
    for _ in 0..2 {
        harness.api.next("TimeEntries", Mishap::Page(502));
        refused(log_once(&harness, key, covering("1")).await, Code::NetworkError);
    }
    assert!(harness.timesheet.book().pending().await.unwrap().is_empty());
    assert_eq!(harness.api.count("LogTime"), 1);
    harness.timesheet.delete(full.id).await.unwrap();
    log_once(&harness, key, covering("1")).await.unwrap();
}

/// An entry that is there though its answer was lost is told, and does not overlap with itself; one that is not there is
/// held against what was booked meanwhile.
#[tokio::test]
async fn an_attempt_is_looked_up_before_overlaps_are() {
    let harness = with(&ACL, Options { settling: Duration::ZERO, ..hasty() }).await;
    let key = LocalKey::new();
    harness.api.next("LogTime", Mishap::Late);
    refused(log_once(&harness, key, covering("24")).await, Code::NetworkError);
    harness.api.let_late_ones_through().await;
    let booked = log_once(&harness, key, covering("24")).await.unwrap();
    assert_eq!(harness.timesheet.book().evidence(&[booked.id]).await.unwrap()[&booked.id], covering("24").evidence);
    harness.timesheet.delete(booked.id).await.unwrap();

    let key = LocalKey::new();
    harness.api.next("LogTime", Mishap::Drop);
    refused(log_once(&harness, key, covering("1")).await, Code::NetworkError);
    log(&harness, covering("2")).await.unwrap();
    let refusal = refused(log_once(&harness, key, covering("1")).await, Code::ValidationError);
    assert_eq!(refusal.field.as_deref(), Some("evidence"));
    assert!(harness.timesheet.book().pending().await.unwrap().is_empty());
    assert_eq!(harness.api.entries().len(), 1);
}
