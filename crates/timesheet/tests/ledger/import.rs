//! Tests that import entries of other trackers into the ledger.

use chrono::Utc;
use dayledger_timesheet::import::{TrackedTime, entries, resolve};
use dayledger_timesheet::ledger::{ImportMode, ImportRow};
use dayledger_timesheet::{
    Changes, Hours, Ledger, NewEntry, OverlapPolicy, Project, ProjectFilter, Refusal, TimeEntry, Timesheet,
};
use tempfile::TempDir;

const FILE: &str = "date,project,task,hours,description\n\
                    2026-11-11,Northwind,Billing,2.5,Rounding\n\
                    2026-11-11,Northwind,Billing,0.33,\n\
                    2026-11-12,Harbour,,8,\n";

/// Reads a file whose entries have no times of day, and returns the projects and rows to import.
async fn read(ledger: &Ledger, text: &str) -> (Vec<Project>, Vec<ImportRow>) {
    let known = ledger.projects(ProjectFilter::All).await.unwrap();
    let tracked = entries(text.as_bytes(), None, &Utc).unwrap();
    let resolved = resolve(tracked.entries, &known, &[]).unwrap();
    let rows = resolved.entries.into_iter().map(|resolved| {
        let TrackedTime::Day { day, seconds } = resolved.entry.time else { panic!("the entry has times") };
        let hours = Hours::from_seconds(seconds);
        let entry = NewEntry::new(&resolved.project_code, &resolved.task, hours, day, day);
        ImportRow { place: resolved.entry.place.clone(), key: resolved.entry.key(0), entry }
    });
    (resolved.projects, rows.collect())
}

/// Imports a file, and returns the number of new entries.
async fn import(ledger: &Ledger, text: &str, mode: ImportMode) -> Result<usize, Refusal> {
    let (projects, rows) = read(ledger, text).await;
    Ok(ledger.import(projects, rows, mode).await?.len())
}

fn open(folder: &TempDir) -> Ledger {
    Ledger::open(&folder.path().join("timesheet.db")).unwrap()
}

#[tokio::test]
async fn second_import_adds_nothing_and_leaves_edited_entries_alone() {
    let folder = TempDir::new().unwrap();
    let ledger = open(&folder);
    assert_eq!(import(&ledger, FILE, ImportMode::Store).await.unwrap(), 3);
    let logged = ledger.entries().await.unwrap();
    assert_eq!(logged.iter().map(TimeEntry::total_hours).sum::<Hours>(), Hours::from_hundredths(10_83));

    let hours = Some(Hours::from_hundredths(1_00));
    let changes = Changes { standard_hours: hours, ..Changes::default() };
    let edited = ledger.update(logged[0].id, changes, OverlapPolicy::Refused).await.unwrap();
    ledger.delete(logged[1].id).await.unwrap();
    assert_eq!(import(&open(&folder), FILE, ImportMode::Store).await.unwrap(), 0);
    assert_eq!(ledger.entries().await.unwrap(), [edited, logged[2].clone()]);
    let more = format!("{FILE}2026-11-13,Harbour,,1,\n");
    assert_eq!(import(&ledger, &more, ImportMode::Store).await.unwrap(), 1, "only the new entry is added");
}

#[tokio::test]
async fn preview_stores_nothing() {
    let folder = TempDir::new().unwrap();
    let ledger = open(&folder);
    assert_eq!(import(&ledger, FILE, ImportMode::Preview).await.unwrap(), 3);
    assert_eq!(ledger.entries().await.unwrap(), []);
    assert_eq!(ledger.projects(ProjectFilter::All).await.unwrap(), []);
    assert_eq!(import(&ledger, FILE, ImportMode::Store).await.unwrap(), 3);
}

#[tokio::test]
async fn one_bad_entry_imports_nothing() {
    let folder = TempDir::new().unwrap();
    let ledger = open(&folder);
    for (row, expected) in [
        ("2026-11-13,Harbour,,25,\n", "line 5: 25 hours are too many for 1 day"),
        ("2026-11-11,Harbour,,22,\n", "line 5: with it 2026-11-11 would have 24 h 49 min"),
    ] {
        let refusal = import(&ledger, &format!("{FILE}{row}"), ImportMode::Store).await.unwrap_err();
        assert!(refusal.message.contains(expected), "{refusal}");
        assert_eq!(refusal.field.as_deref(), Some("file"));
        assert_eq!(ledger.entries().await.unwrap(), []);
        assert_eq!(ledger.projects(ProjectFilter::All).await.unwrap(), []);
    }
}
