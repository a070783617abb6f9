//! Tests files that can't be read, each with its own error, and files that become readable again
//! (docs/spec/manictime.md#unreadable-databases).

use std::fs;
use std::path::Path;
use std::time::Duration;

use dayledger::App;
use dayledger::activity::HealthRequest;
use dayledger::manictime::{DATABASE_FILE, Locator, Source};
use dayledger::source::FoundBy;

use super::writer_process::WriterProcess;
use crate::histories::{
    DAY, History, app_at, app_over, app_over_replaceable, code, day, narrative_request, retry_until_unlocked, rows,
    run_every_query, run_query, today, tops, try_rows,
};

/// Returns the code and the text of a query's error.
fn refusal(app: &App) -> (&'static str, String) {
    let error = run_query(app, narrative_request(day(DAY))).unwrap_err();
    let health = run_query(app, HealthRequest).unwrap_err();
    assert_eq!(code(&health), code(&error));
    (code(&error), error.to_string())
}

fn refusal_at(place: &Path) -> (&'static str, String) {
    refusal(&app_at(place))
}

#[test]
fn missing_history_error_shows_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    for place in [dir.path().to_owned(), dir.path().join("absent"), dir.path().join("absent.db")] {
        let (code, message) = refusal_at(&place);
        assert_eq!(code, "DATABASE_NOT_FOUND");
        assert!(message.contains(&format!("`{}`", place.display())), "{message}");
    }
}

#[test]
fn folder_in_place_of_the_database_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("history.db");
    fs::create_dir(&folder).unwrap();
    assert_eq!(refusal_at(&folder).0, "DATABASE_NOT_FOUND");
    fs::create_dir(dir.path().join(DATABASE_FILE)).unwrap();
    assert_eq!(refusal_at(dir.path()).0, "DATABASE_NOT_FOUND");
}

#[test]
fn other_files_are_reported_as_encrypted_or_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let database = dir.path().join(DATABASE_FILE);
    // An encrypted file contains random bytes from its start.
    let noise: Vec<u8> = (0..8192_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for content in [&noise[..], &noise[..16], &noise[..1], b"SQLite format 3"] {
        fs::write(&database, content).unwrap();
        let (code, message) = refusal_at(dir.path());
        assert_eq!(code, "DATABASE_NOT_READABLE", "{} bytes", content.len());
        assert!(message.contains(&database.display().to_string()), "{message}");
    }
}

/// Regression: if a server had already read the file, it reported an emptied file as too old. A newly started server
/// reported the empty file as encrypted.
#[test]
fn empty_file_has_the_same_error_before_and_after_a_read() {
    let history = History::with_one_hour().close();
    let running = app_at(history.folder());
    assert_eq!(today(&running).total_active_minutes.to_string(), "60");
    fs::File::options().write(true).open(history.database()).unwrap().set_len(0).unwrap();
    for app in [&running, &app_at(history.folder()), &running] {
        let (code, message) = refusal(app);
        assert_eq!(code, "DATABASE_NOT_READABLE");
        assert!(message.contains("the file is empty"), "{message}");
    }
}

#[test]
fn truncated_or_corrupt_file_is_an_error() {
    let history = History::with_one_hour().close();
    let whole = fs::read(history.database()).unwrap();
    for kept in [100, 512, 4096, 20_000] {
        fs::write(history.database(), &whole[..kept]).unwrap();
        let (code, message) = refusal_at(history.folder());
        assert!(["DATABASE_ERROR", "DATABASE_NOT_READABLE", "SCHEMA_INCOMPLETE"].contains(&code), "{message}");
    }
}

#[test]
fn file_of_an_old_version_has_its_own_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("ManicTime.sdf"), b"old").unwrap();
    let (code, message) = refusal_at(dir.path());
    assert_eq!(code, "DATABASE_TOO_OLD");
    assert!(message.contains("ManicTime.sdf"), "{message}");
}

#[test]
fn database_of_another_program_is_rejected_with_the_missing_tables() {
    let dir = tempfile::tempdir().unwrap();
    let connection = rusqlite::Connection::open(dir.path().join(DATABASE_FILE)).unwrap();
    connection.execute_batch("CREATE TABLE recipes (name text)").unwrap();
    let (code, message) = refusal_at(dir.path());
    assert_eq!(code, "SCHEMA_INCOMPLETE");
    assert!(message.contains("Ar_Timeline"), "{message}");
}

#[cfg(unix)] // only Unix has permissions for owner, group and others
#[test]
fn unreadable_file_error_shows_the_path() {
    use std::os::unix::fs::PermissionsExt;

    let history = History::with_one_hour().close();
    fs::set_permissions(history.database(), fs::Permissions::from_mode(0o000)).unwrap();
    // An administrator can read every file, so the test is skipped for an administrator.
    if fs::read(history.database()).is_err() {
        let (code, message) = refusal_at(history.folder());
        assert_eq!(code, "PERMISSION_DENIED");
        assert!(message.contains(&history.database().display().to_string()), "{message}");
    }
}

#[test]
fn locked_file_is_reported_as_busy_until_it_is_unlocked() {
    let history = History::with_one_hour().close();
    let locator = Locator::from_path(history.folder(), FoundBy::Flag);
    let impatient = app_over(Source::with_busy_timeout(locator, Duration::ZERO));
    let mut writer = WriterProcess::open(&history.database());
    // The error is the same before the first read, and on a connection that has already read the file.
    for _ in 0..2 {
        writer.run("BEGIN EXCLUSIVE").unwrap();
        let (code, message) = refusal(&impatient);
        assert_eq!(code, "DATABASE_BUSY");
        assert!(message.contains("another program kept it locked for 0 seconds"), "{message}");
        writer.run("ROLLBACK").unwrap();
        assert_eq!(tops(&today(&impatient)), ["Editor 60.0"]);
    }
}

#[test]
fn history_created_later_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let app = app_over_replaceable(dir.path());
    assert_eq!(refusal(&app).0, "DATABASE_NOT_FOUND");
    fs::write(dir.path().join(DATABASE_FILE), b"").unwrap();
    assert_eq!(refusal(&app).0, "DATABASE_NOT_READABLE");
    let history = History::with_one_hour().close();
    fs::copy(history.database(), dir.path().join(DATABASE_FILE)).unwrap();
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
    retry_until_unlocked(|| fs::remove_file(dir.path().join(DATABASE_FILE)));
    assert_eq!(refusal(&app).0, "DATABASE_NOT_FOUND");
}

/// Returns a history with the same structure as [`History::with_one_hour`], but with other content.
fn another_history() -> History {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "Player", "09:00", "10:00");
    history.commit();
    history
}

#[test]
fn replaced_file_is_read_again() {
    let history = History::with_one_hour().close();
    let app = app_over_replaceable(history.folder());
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
    let other = another_history().close();
    let beside = history.folder().join("restored");
    fs::copy(other.database(), &beside).unwrap();
    retry_until_unlocked(|| fs::rename(&beside, history.database()));
    assert_eq!(tops(&today(&app)), ["Player 60.0"]);
}

#[test]
fn removed_and_recreated_file_is_read_again() {
    let history = History::with_one_hour().close();
    let app = app_over_replaceable(history.folder());
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
    let other = another_history().close();
    retry_until_unlocked(|| fs::remove_file(history.database()));
    fs::copy(other.database(), history.database()).unwrap();
    assert_eq!(tops(&today(&app)), ["Player 60.0"]);
}

#[test]
fn dropped_table_is_noticed_by_the_next_query() {
    let mut history = History::with_one_hour();
    let app = history.app();
    run_every_query(&app).unwrap();
    assert_eq!(rows(&app, "SELECT count(*) FROM manictime.ar_environment"), ["1"]);
    history.sql("DROP TABLE Ar_Environment");
    assert!(try_rows(&app, "SELECT count(*) FROM manictime.ar_environment").is_err());
    assert_eq!(rows(&app, "SELECT DISTINCT device FROM timelines"), ["desk-id"]);
    run_every_query(&app).unwrap();
    history.sql("ALTER TABLE Ar_Group RENAME TO Kept");
    assert_eq!(refusal(&app).0, "SCHEMA_INCOMPLETE");
    history.sql("ALTER TABLE Kept RENAME TO Ar_Group");
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
}

#[test]
fn folder_names_may_contain_special_characters() {
    // On Windows, a name can't contain a question mark.
    let names = [
        "50% done#1",
        "Müller & Söhne",
        "q&mode=rw&x#y%3f",
        #[cfg(not(windows))]
        "50% done?",
        #[cfg(not(windows))]
        "q?mode=rw&x#y",
    ];
    for name in names {
        let mut history = History::in_folder(name, dayledger_fixtures::SchemaOptions::default());
        history.device(1, "desk-id", "DESK");
        history.active(1, "09:00", "10:00");
        history.application(2, "Editor", "09:00", "10:00");
        history.sql("PRAGMA journal_mode = wal");
        assert_eq!(tops(&today(&app_at(&history.database()))), ["Editor 60.0"], "{name}");
    }
}
