//! Tests of stored sessions. Another process finds a session by its handle, and clients can't see each other's
//! sessions.

use chrono::{DateTime, TimeDelta, Utc};
use dayledger_timesheet::context::{Session, SessionHandle};
use dayledger_timesheet::local_store::SESSIONS;
use dayledger_timesheet::{Day, EntryId, Hours, LocalStore, NewEntry, TimeEntry};
use tempfile::TempDir;

/// Returns the last project and task of a session, or `None` for a new session.
async fn last_task(store: &LocalStore, handle: SessionHandle) -> Option<String> {
    let task = |session: &mut Session| session.last_task().map(|(project, task)| format!("{project}/{task}"));
    store.with_session(handle, task).await.unwrap()
}

#[tokio::test]
async fn a_client_finds_its_own_session_again_and_no_other() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let store = LocalStore::open(&path).unwrap();
    let (one, other) = (SessionHandle::new(), SessionHandle::new());
    let now = Utc::now();
    let today: Day = "2025-10-24".parse().unwrap();
    let entry = NewEntry::new("CLIENT-A", "Support", Hours::from_hundredths(25), today, today);
    let entry = TimeEntry::from_new(EntryId::new(), entry, now);
    let work = {
        let entry = entry.clone();
        move |session: &mut Session| {
            session.record_entry(&entry, now);
            session.add_description("fixed a bug");
            let worked = session.suggest(now + TimeDelta::minutes(30), today).map(|suggestion| suggestion.minutes);
            (worked, session.clone())
        }
    };
    let (worked, kept) = store.with_session(one, work).await.unwrap();
    assert_eq!(worked, Some(30));
    assert_eq!(last_task(&store, other).await, None, "each session has its own default project");
    store.with_session(other, |session| session.record_task("INTERNAL", "Testing")).await.unwrap();
    drop(store);

    let store = LocalStore::open(&path).unwrap();
    let found = store.with_session(one, |session| session.clone()).await.unwrap();
    assert_eq!(found, kept, "the whole session is stored");
    assert_eq!(found.recent_entries().collect::<Vec<_>>(), [entry.id]);
    assert_eq!(last_task(&store, other).await, Some("INTERNAL/Testing".to_owned()));
}

/// If unchanged sessions were stored, invented handles or handles that are only read would push out other sessions.
#[tokio::test]
async fn unchanged_session_is_not_stored() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let store = LocalStore::open(&path).unwrap();
    assert_eq!(last_task(&store, SessionHandle::new()).await, None);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let kept: i64 = connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 0);
}

#[tokio::test]
async fn least_recently_used_sessions_are_deleted() {
    let folder = TempDir::new().unwrap();
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    let handles: Vec<_> = (0..=SESSIONS).map(|_| SessionHandle::new()).collect();
    let use_it = async |handle, task: &'static str| {
        store.with_session(handle, move |session| session.record_task("INTERNAL", task)).await.unwrap();
    };
    for handle in &handles[..SESSIONS] {
        use_it(*handle, "Testing").await;
    }
    use_it(handles[0], "DevOps").await;
    use_it(handles[SESSIONS], "Testing").await;
    assert_eq!(last_task(&store, handles[1]).await, None, "the oldest session was removed");
    for (place, handle) in handles.iter().enumerate().filter(|(place, _)| *place != 1) {
        assert!(last_task(&store, *handle).await.is_some(), "session {place} stays");
    }
}

#[tokio::test]
async fn unreadable_session_is_replaced_by_a_new_one() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let store = LocalStore::open(&path).unwrap();
    let handle = SessionHandle::new();
    for content in ["", "{}", r#"{"startedAt": "soon"}"#] {
        store.with_session(handle, |session| session.touch(DateTime::UNIX_EPOCH)).await.unwrap();
        let connection = rusqlite::Connection::open(&path).unwrap();
        assert_eq!(connection.execute("UPDATE sessions SET content = ?", [content]).unwrap(), 1);
        assert_eq!(last_task(&store, handle).await, None, "{content}");
        let use_it = |session: &mut Session| session.record_task("INTERNAL", "Testing");
        store.with_session(handle, use_it).await.unwrap();
        assert_eq!(last_task(&store, handle).await, Some("INTERNAL/Testing".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn simultaneous_use_of_a_session_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let stores = [LocalStore::open(&path).unwrap(), LocalStore::open(&path).unwrap()];
    let handle = SessionHandle::new();
    let using = stores.map(|store| {
        tokio::spawn(async move {
            for _ in 0..10 {
                let id = EntryId::new();
                store.with_session(handle, move |session| session.add_description(&id.to_string())).await.unwrap();
            }
        })
    });
    for using in using {
        using.await.unwrap();
    }
    let store = LocalStore::open(&path).unwrap();
    let description = store.with_session(handle, |session| session.description()).await.unwrap();
    assert_eq!(description.unwrap().split(", ").count(), 20);
}
