//! Tests of attempts in the store. Attempts are needed to log entries over a connection that can break.

use dayledger_timesheet::local_store::Attempt;
use dayledger_timesheet::{EntryId, Evidence, IdempotencyKey, LocalStore, NewEntry};
use tempfile::TempDir;

fn entry() -> NewEntry {
    let day = "2025-10-24".parse().unwrap();
    let evidence = vec![Evidence {
        start_utc: 60,
        end_utc: 120,
        device: Some("desk".to_owned()),
        activity: Some(1),
        utc_offset: None,
    }];
    NewEntry { evidence, ..NewEntry::new("INTERNAL", "Testing", "0.02".parse().unwrap(), day, day) }
}

#[tokio::test]
async fn attempt_survives_a_crash_until_its_outcome_is_known() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let (key, other, id) = (IdempotencyKey::new(), IdempotencyKey::new(), EntryId::new());
    let store = LocalStore::open(&path).unwrap();
    assert_eq!(store.begin(key, entry()).await.unwrap(), Attempt::New);
    assert_eq!(store.begin(other, entry()).await.unwrap(), Attempt::New);
    drop(store);
    let store = LocalStore::open(&path).unwrap();
    let changed = NewEntry { description: Some("another".to_owned()), ..entry() };
    let known = store.begin(key, changed).await.unwrap();
    assert_eq!(known, Attempt::Unknown(Box::new(entry())), "returns the request that was sent, not the current one");
    let pending = store.pending_attempts().await.unwrap();
    assert_eq!(pending.iter().map(|attempt| attempt.key).collect::<Vec<_>>(), [key, other]);
    assert_eq!(pending[0].entry, entry());
    assert!(store.bind(key, id).await.unwrap());
    assert!(store.bind(key, id).await.unwrap());
    drop(store);
    let store = LocalStore::open(&path).unwrap();
    assert_eq!(store.begin(key, entry()).await.unwrap(), Attempt::Logged(id));
    assert_eq!(
        store.evidence(&[id]).await.unwrap()[&id],
        entry().evidence,
        "a repeated report stores the evidence once"
    );
    assert_eq!(store.filter_settled(&[id, EntryId::new()]).await.unwrap(), [id].into());
    assert_eq!(store.pending_attempts().await.unwrap().len(), 1);
}

#[tokio::test]
async fn refused_attempt_is_deleted_and_logged_attempt_stays() {
    let folder = TempDir::new().unwrap();
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    let (refused, logged, id) = (IdempotencyKey::new(), IdempotencyKey::new(), EntryId::new());
    store.begin(refused, entry()).await.unwrap();
    store.release(refused).await.unwrap();
    assert_eq!(store.begin(refused, entry()).await.unwrap(), Attempt::New);
    store.begin(logged, entry()).await.unwrap();
    assert!(store.bind(logged, id).await.unwrap());
    store.release(logged).await.unwrap();
    assert_eq!(store.begin(logged, entry()).await.unwrap(), Attempt::Logged(id));
}

#[tokio::test]
async fn entry_belongs_to_one_attempt() {
    let folder = TempDir::new().unwrap();
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    let (one, other, id) = (IdempotencyKey::new(), IdempotencyKey::new(), EntryId::new());
    assert!(store.bind(one, id).await.unwrap());
    store.begin(other, entry()).await.unwrap();
    assert!(!store.bind(other, id).await.unwrap());
    assert_eq!(store.begin(other, entry()).await.unwrap(), Attempt::Unknown(Box::new(entry())));
    assert_eq!(store.evidence(&[id]).await.unwrap().len(), 0);
}
