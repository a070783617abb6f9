//! Tests of the file: its permissions, and files that aren't stores.

use std::fs;
use std::path::Path;

use dayledger_timesheet::{Ledger, StoreError};
use tempfile::TempDir;

/// Creates a `SQLite` file by running these statements.
fn file(path: &Path, statements: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(statements).unwrap();
}

#[tokio::test]
async fn a_database_of_another_program_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("other.db");
    for statements in ["CREATE TABLE entries (id)", "PRAGMA user_version = 3", "PRAGMA application_id = 7"] {
        let _ = fs::remove_file(&path);
        file(&path, statements);
        let before = fs::read(&path).unwrap();
        let error = Ledger::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    fs::write(&path, "not a database, but long enough to be taken for one".repeat(100)).unwrap();
    assert!(matches!(Ledger::open(&path).unwrap_err(), StoreError::Sqlite { .. }));
}

#[tokio::test]
async fn write_ahead_log_of_another_program_is_not_merged() {
    let folder = TempDir::new().unwrap();
    let (path, copy) = (folder.path().join("other.db"), folder.path().join("copy.db"));
    let writing = rusqlite::Connection::open(&path).unwrap();
    writing
        .execute_batch("PRAGMA journal_mode = wal; CREATE TABLE entries (id); INSERT INTO entries VALUES (1)")
        .unwrap();
    let log = folder.path().join("copy.db-wal");
    fs::copy(&path, &copy).unwrap();
    fs::copy(folder.path().join("other.db-wal"), &log).unwrap();
    let before = (fs::read(&copy).unwrap(), fs::read(&log).unwrap());
    assert!(!before.1.is_empty());
    assert!(matches!(Ledger::open(&copy).unwrap_err(), StoreError::Foreign { .. }));
    assert_eq!((fs::read(&copy).unwrap(), fs::read(&log).unwrap()), before);
}

#[tokio::test]
async fn ledger_of_a_newer_version_is_refused_and_unchanged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    drop(Ledger::open(&path).unwrap());
    file(&path, "PRAGMA user_version = 11");
    let error = Ledger::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Newer(_, 11)), "{error}");
    assert!(
        error.to_string().ends_with("it has version 11, and this version of dayledger supports up to 10"),
        "{error}"
    );
    file(&path, "PRAGMA user_version = 10");
    Ledger::open(&path).unwrap();
}

#[tokio::test]
async fn an_empty_file_becomes_a_ledger() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    fs::write(&path, "").unwrap();
    Ledger::open(&path).unwrap().put_demo().await.unwrap();
}

/// Opening must fail immediately. It must not wait for the other end of a pipe, or follow a link to an endless device.
#[cfg(unix)] // Windows has no named pipes and devices in folders.
#[tokio::test]
async fn ledger_that_is_not_a_regular_file_is_refused_immediately() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    drop(Ledger::open(&at("other.db")).unwrap());
    for (name, found) in [("log.db", "log.db"), ("log.db", "log.db-wal"), ("log.db", "log.db-journal")] {
        for target in [at("pipe"), "/dev/zero".into(), folder.path().to_owned()] {
            std::os::unix::fs::symlink(&target, at(found)).unwrap();
            let error = Ledger::open(&at(name)).unwrap_err();
            assert!(matches!(&error, StoreError::NotAFile(path) if *path == at(found)), "{error}");
            fs::remove_file(at(found)).unwrap();
        }
    }
    std::os::unix::fs::symlink(at("other.db"), at("link.db")).unwrap();
    Ledger::open(&at("link.db")).unwrap();
    fs::File::create(at("huge.db")).unwrap().set_len((1 << 30) + 1).unwrap();
    assert!(matches!(Ledger::open(&at("huge.db")).unwrap_err(), StoreError::TooLarge { .. }));
}

#[cfg(unix)] // permissions of owner, group and others are a matter of Unix
#[tokio::test]
async fn only_the_user_can_read_the_file_and_its_journal() {
    use std::os::unix::fs::PermissionsExt;

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = TempDir::new().unwrap();
    let inside = folder.path().join("dayledger").join("ledger");
    let path = inside.join("timesheet.db");
    let ledger = Ledger::open(&path).unwrap();
    ledger.put_projects(dayledger_timesheet::demo::projects()).await.unwrap();
    assert_eq!(mode(&inside), 0o700);
    for name in ["timesheet.db", "timesheet.db-wal", "timesheet.db-shm"] {
        assert_eq!(mode(&inside.join(name)), 0o600, "{name}");
    }
    drop(ledger);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let ledger = Ledger::open(&path).unwrap();
    ledger.put_projects(dayledger_timesheet::demo::projects()).await.unwrap();
    for name in ["timesheet.db", "timesheet.db-wal", "timesheet.db-shm"] {
        assert_eq!(mode(&inside.join(name)), 0o600, "{name}, after others could read it");
    }
}
