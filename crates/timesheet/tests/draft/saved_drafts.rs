//! Tests that a stored draft is found by its id until newer drafts replace it.

use std::collections::BTreeMap;

use chrono::DateTime;
use dayledger_timesheet::draft::Settings;
use dayledger_timesheet::local_store::DRAFTS;
use dayledger_timesheet::{Code, DraftId, EntryId, Evidence, LocalStore};
use tempfile::TempDir;

use super::world::{World, period, rule};

fn world(seconds: i64) -> World {
    World {
        first: 0,
        last: 0,
        periods: vec![period(0, seconds, rule("A", Some("x")))],
        entries: Vec::new(),
        other_days: BTreeMap::new(),
        settings: Settings::default(),
    }
}

#[tokio::test]
async fn old_drafts_are_deleted_and_new_ones_kept() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let store = LocalStore::open(&path).unwrap();
    let draft = |number: usize| world(3600 * i64::try_from(number + 1).unwrap()).draft();
    let mut ids = Vec::new();
    for number in 0..=DRAFTS {
        ids.push(store.save_draft(&draft(number), DateTime::UNIX_EPOCH).await.unwrap());
    }
    drop(store);
    let store = LocalStore::open(&path).unwrap();
    assert_eq!(store.draft(ids[1]).await.unwrap(), draft(1));
    assert_eq!(store.draft(ids[DRAFTS]).await.unwrap(), draft(DRAFTS));
    for gone in [ids[0], DraftId::new()] {
        let refusal = store.draft(gone).await.unwrap_err();
        assert_eq!((refusal.code, refusal.field.as_deref()), (Code::NotFound, Some("draft")));
    }
}

#[tokio::test]
async fn first_schema_version_is_migrated_without_data_loss() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let first = rusqlite::Connection::open(&path).unwrap();
    first.execute_batch(include_str!("../../sql/migrations/001_timesheet.sql")).unwrap();
    first.execute_batch("PRAGMA application_id = 0x6461796c; PRAGMA user_version = 1").unwrap();
    first.execute_batch("INSERT INTO projects VALUES ('A', 'Project A', 1)").unwrap();
    let entry = EntryId::new();
    first.execute("INSERT INTO evidence VALUES (?1, 60, 120, 'desk', 7)", [entry.to_string()]).unwrap();
    drop(first);
    let store = LocalStore::open(&path).unwrap();
    let evidence = store.evidence(&[entry]).await.unwrap().remove(&entry).unwrap();
    let device = Some("desk".to_owned());
    assert_eq!(
        evidence,
        [Evidence { start_utc: 60, end_utc: 120, device, activity: Some(7), utc_offset: None }],
        "its time zone was not stored then"
    );
    let draft = world(3600).draft();
    let id = store.save_draft(&draft, DateTime::UNIX_EPOCH).await.unwrap();
    assert_eq!(store.draft(id).await.unwrap(), draft);
    drop(store);
    let count = rusqlite::Connection::open(&path).unwrap();
    let projects = count.query_row("SELECT count(*) FROM projects", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(projects, 1);
}
