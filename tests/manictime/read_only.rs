//! Checks that dayledger never writes to `ManicTime`'s folder (docs/spec/manictime.md#reading-a-live-database).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use dayledger::manictime::DATABASE_FILE;
use sha2::{Digest, Sha256};

use super::writer_process::WriterProcess;
use crate::histories::{
    ClosedHistory, DAY, History, app_at, code, day, narrative_request, read_every_table, run_every_query, run_query,
    today,
};

/// Returns the files in a folder by name, with a digest of each file's content.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inside = contents(&path).into_iter();
            found.extend(inside.map(|(file, digest)| (format!("{name}/{file}"), digest)));
            found.insert(name, Vec::new());
        } else {
            found.insert(name, Sha256::digest(fs::read(&path).unwrap()).to_vec());
        }
    }
    found
}

/// Runs queries with the library, and with every command.
fn ask_everywhere(folder: &Path) {
    let app = app_at(folder);
    run_every_query(&app).unwrap();
    read_every_table(&app);
    drop(app);
    let statement = "SELECT * FROM applications; SELECT count(*) FROM manictime.ar_group";
    for arguments in
        [vec!["day", DAY, "--titles"], vec!["period", DAY, "2025-01-16"], vec!["sql", "-c", statement], vec!["doctor"]]
    {
        command(folder, &arguments).assert().success();
    }
    // A statement that writes must be rejected before it reaches the file.
    command(folder, &["sql", "-c", "DELETE FROM manictime.ar_activity"]).assert().failure();
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let home = std::env::temp_dir().join("dayledger-no-home");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dayledger"));
    command.arg("--data-dir").arg(folder).args(arguments);
    command.env("HOME", &home).env("XDG_CONFIG_HOME", &home).env_remove("MANICTIME_DATA_DIR");
    command
}

fn history(mode: &str) -> ClosedHistory {
    let mut history = History::with_one_hour();
    history.sql(&format!("PRAGMA journal_mode = {mode}"));
    let screenshots = history.folder().join("Screenshots").join(DAY);
    fs::create_dir_all(&screenshots).unwrap();
    fs::write(screenshots.join("2025-01-15_09-14-44_01-00_3866_2330_517204_1.jpg"), b"picture").unwrap();
    history.close()
}

#[test]
fn folder_stays_unchanged_in_delete_mode() {
    let history = history("delete");
    let before = contents(history.folder());
    ask_everywhere(history.folder());
    assert_eq!(contents(history.folder()), before);
}

#[test]
fn folder_stays_unchanged_in_wal_mode_with_a_writer() {
    let history = history("wal");
    let mut writer = WriterProcess::open(&history.database());
    writer.run("UPDATE Ar_Group SET Color = '000000'; UPDATE Ar_Group SET Color = 'FFFFFF'").unwrap();
    // The writer has read since its commit, as a running ManicTime does all the time.
    writer.run("SELECT count(*) FROM Ar_Group").unwrap();
    let before = contents(history.folder());
    assert!(before.contains_key("ManicTimeReports.db-wal") && before.contains_key("ManicTimeReports.db-shm"));
    ask_everywhere(history.folder());
    assert_eq!(contents(history.folder()), before);
    assert!(today(&app_at(history.folder())).top_applications.unwrap()[0].color.as_deref() == Some("6FB5E4"));
    writer.close();
}

#[test]
fn closed_wal_database_gets_at_most_an_empty_log_and_its_index() {
    let history = history("wal");
    let before = contents(history.folder());
    assert_eq!(before.keys().filter(|name| name.starts_with(DATABASE_FILE)).count(), 1, "{before:?}");
    ask_everywhere(history.folder());
    let mut after = contents(history.folder());
    after.remove("ManicTimeReports.db-shm");
    if let Some(log) = after.remove("ManicTimeReports.db-wal") {
        assert_eq!(log, Sha256::digest(b"").to_vec(), "the log is empty");
    }
    assert_eq!(after, before);
}

#[test]
fn log_of_a_crashed_writer_is_read_and_kept() {
    for index_is_left in [true, false] {
        let history = history("wal");
        let mut writer = WriterProcess::open(&history.database());
        writer.run("UPDATE Ar_CommonGroup SET Name = 'From the log' WHERE Name = 'Editor'").unwrap();
        writer.crash();
        if !index_is_left {
            fs::remove_file(history.folder().join("ManicTimeReports.db-shm")).unwrap();
        }
        let before = contents(history.folder());
        ask_everywhere(history.folder());
        assert_eq!(today(&app_at(history.folder())).top_applications.unwrap()[0].name, "From the log");
        let mut after = contents(history.folder());
        if !index_is_left {
            after.remove("ManicTimeReports.db-shm");
        }
        assert_eq!(after, before, "index left: {index_is_left}");
    }
}

#[test]
fn half_written_transaction_is_neither_returned_nor_repaired() {
    let history = history("delete");
    let app = app_at(history.folder());
    let mut writer = WriterProcess::open(&history.database());
    // With a cache of one page, SQLite writes to the file before the end of the transaction.
    writer.run("PRAGMA cache_size = 1; CREATE TABLE Filler (text); BEGIN").unwrap();
    writer
        .run("UPDATE Ar_Activity SET EndUtcTime = '2025-01-15 22:00:00', EndLocalTime = '2025-01-15 23:00:00'")
        .unwrap();
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)";
    writer.run(&format!("{rows} INSERT INTO Filler SELECT hex(zeroblob(500)) FROM n")).unwrap();
    writer.crash();
    let before = contents(history.folder());
    assert!(before.contains_key("ManicTimeReports.db-journal"), "{:?}", before.keys());

    let error = run_query(&app, narrative_request(day(DAY))).unwrap_err();
    assert_eq!(code(&error), "DATABASE_ERROR");
    command(history.folder(), &["doctor"]).assert().failure();
    assert_eq!(contents(history.folder()), before);

    // ManicTime starts again, and rolls the transaction back.
    let mut writer = WriterProcess::open(&history.database());
    writer.run("SELECT count(*) FROM Ar_Activity").unwrap();
    writer.close();
    assert_eq!(today(&app).total_active_minutes.to_string(), "60");
}

#[cfg(unix)] // only Unix has permissions for owner, group and others
#[test]
fn read_only_folder_can_be_read() {
    use std::os::unix::fs::PermissionsExt;

    let history = history("delete");
    let allow = |mode| fs::set_permissions(history.folder(), fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    // For an administrator, this test proves nothing, because an administrator can write everywhere.
    let before = contents(history.folder());
    ask_everywhere(history.folder());
    assert_eq!(contents(history.folder()), before);
    allow(0o755);
}
