//! Tests malicious or invalid files. Each query must end, and its error must name the unreadable part of the file.

use std::time::Duration;

use dayledger::App;
use dayledger::activity::{Health, HealthRequest};
use dayledger::manictime::{Locator, Source};
use dayledger::source::FoundBy;

use dayledger_fixtures::Activity;

use crate::histories::{
    DAY, History, app_over, code, day, narrative_request, period, read_every_table, rows, run_every_query, run_query,
    span, today, tops, try_rows, usage,
};

fn health(app: &App) -> Health {
    run_query(app, HealthRequest).unwrap()
}

/// Returns the message of a query's error.
fn refusal(app: &App) -> String {
    run_query(app, narrative_request(day(DAY))).unwrap_err().to_string()
}

/// Renames a table to `Kept`, and creates a view in its place.
fn replace(history: &mut History, table: &str, select: &str) {
    history.sql(&format!("ALTER TABLE {table} RENAME TO Kept; CREATE VIEW {table} AS {select}"));
}

#[test]
fn views_and_virtual_tables_are_ignored() {
    let mut history = History::with_one_hour();
    history.sql(
        "CREATE VIEW Bad AS SELECT x FROM none;
         CREATE VIEW Fine AS SELECT Name FROM Ar_Group;
         CREATE VIRTUAL TABLE Words USING fts5(word); INSERT INTO Words VALUES ('a');",
    );
    let app = history.app();
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
    run_every_query(&app).unwrap();
    read_every_table(&app);
    for name in ["bad", "fine", "words"] {
        let error = try_rows(&app, &format!("SELECT * FROM manictime.{name}")).unwrap_err();
        assert_eq!(error.code(), "QUERY_FAILED", "{name}: {error}");
    }
    let listed = "SELECT count(*) FROM information_schema.tables WHERE table_name IN ('bad', 'fine', 'words')";
    assert_eq!(rows(&app, listed), ["0"]);
}

#[test]
fn unreadable_view_in_place_of_a_table_counts_as_missing() {
    let mut history = History::with_one_hour();
    replace(&mut history, "Ar_CommonGroup", "SELECT *, x FROM Kept, none");
    let app = history.app();
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
    run_every_query(&app).unwrap();
    let health = health(&app);
    let missing: Vec<_> = health.degraded.iter().map(|it| it.missing.as_str()).collect();
    assert!(missing.contains(&"common_groups"), "{missing:?}");

    let mut history = History::with_one_hour();
    replace(&mut history, "Ar_Activity", "SELECT *, x FROM Kept, none");
    let error = run_query(&history.app(), narrative_request(day(DAY))).unwrap_err();
    assert_eq!(code(&error), "SCHEMA_INCOMPLETE");
    assert!(error.to_string().contains("lacks the table `Ar_Activity`"), "{error}");
}

#[test]
fn recursive_view_is_rejected() {
    let mut history = History::with_one_hour();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT Kept.* FROM Kept, n";
    replace(&mut history, "Ar_Activity", endless);
    let message = refusal(&history.app());
    assert!(message.contains("lacks the table `Ar_Activity`"), "{message}");
}

#[test]
fn view_may_call_only_functions_that_terminate() {
    let mut history = History::with_one_hour();
    replace(&mut history, "Ar_Group", "SELECT ReportId, GroupId, upper(Name) AS Name FROM Kept");
    assert_eq!(rows(&history.app(), "SELECT name FROM manictime.ar_group ORDER BY 1"), ["ACTIVE", "EDITOR"]);
    let mut history = History::with_one_hour();
    replace(&mut history, "Ar_Group", "SELECT ReportId, GroupId, Name, instr(Name, 'x') AS Place FROM Kept");
    let message = refusal(&history.app());
    assert!(message.contains("lacks the table `Ar_Group`"), "{message}");
}

#[test]
fn more_rows_than_the_file_size_allows_are_an_error() {
    for table in ["Ar_Activity", "Ar_Group", "Ar_Timeline", "Ar_ApplicationByDay"] {
        let mut history = History::with_one_hour();
        // A view that makes a billion rows from ten rows.
        history.sql("CREATE TABLE Ten (i); INSERT INTO Ten VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
        let tens = "Ten AS a, Ten AS b, Ten AS c, Ten AS d, Ten AS e, Ten AS f, Ten AS g, Ten AS h, Ten AS i";
        if table == "Ar_ApplicationByDay" {
            history.sql(&format!("INSERT INTO {table} VALUES (2, '{DAY} 09:00:00', 1, 60)"));
        }
        replace(&mut history, table, &format!("SELECT Kept.* FROM {tens}, Kept"));
        let app = history.app();
        let sql = format!("SELECT count(*), max(reportid) FROM manictime.{table}");
        let message = try_rows(&app, &sql).unwrap_err().to_string();
        assert!(message.contains("more data than its size allows"), "{table}: {message}");
    }
}

#[test]
fn more_text_than_the_file_size_allows_is_an_error() {
    let mut history = History::with_one_hour();
    // A view with sixty rows of a megabyte each. The file itself has one megabyte and a few pages.
    history.sql(
        "CREATE TABLE Ten (i); INSERT INTO Ten VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
         CREATE TABLE Long (Words text); INSERT INTO Long VALUES (hex(zeroblob(500000)));
         DROP TABLE IF EXISTS Ar_Folder;
         CREATE VIEW Ar_Folder AS SELECT Words FROM Long, Ten, Ten AS Again",
    );
    let message = try_rows(&history.app(), "SELECT words FROM manictime.ar_folder").unwrap_err().to_string();
    assert!(message.contains("more data than its size allows"), "{message}");
}

/// Hourly totals of more than an hour used to cause an internal error, or their sum overflowed to another number.
#[test]
fn hourly_total_above_an_hour_is_ignored_and_reported() {
    let mut history = History::with_one_hour();
    history.writer().fill_hourly_tables().unwrap();
    let report = |history: &History| {
        let degraded = health(&history.app()).degraded;
        degraded.into_iter().find(|it| it.missing == "hourly_totals").map(|it| it.effect)
    };
    history.commit();
    assert_eq!(report(&history), None);
    history.sql("UPDATE Ar_ApplicationByDay SET TotalSeconds = 9223372036854775807");
    // These two days have only totals. The last hour is repeated because of the clock change in autumn.
    for (hour, seconds) in [
        ("2024-01-15 09", "9223372036854775807"),
        ("2024-01-15 10", "9223372036854775807"),
        ("2024-01-15 11", "-9223372036854775807"),
        ("2024-01-16 09", "9223372036854775807"),
        ("2024-01-16 10", "7201"),
        ("2024-01-16 11", "'long'"),
        ("2024-01-16 12", "7200"),
    ] {
        history.sql(&format!(
            "INSERT INTO Ar_ApplicationByDay (ReportId, Hour, CommonId, TotalSeconds)
             SELECT 2, '{hour}:00:00', CommonId, {seconds} FROM Ar_CommonGroup WHERE Name = 'Editor'"
        ));
    }
    let app = history.app();
    assert_eq!(rows(&app, "SELECT count(seconds), sum(seconds) FROM hourly_totals"), ["1 | 7200"]);
    assert_eq!(usage(&app, day(DAY)).total_minutes.to_string(), "60", "the day is computed from activities");
    let gone = period(&app, "2024-01-15", "2024-01-17");
    assert_eq!(gone.total_active_minutes.to_string(), "120");
    run_every_query(&app).unwrap();
    assert!(report(&history).is_some_and(|effect| effect.starts_with("7 hourly totals ")), "{:?}", report(&history));
}

#[test]
fn endless_read_is_stopped() {
    for table in ["Ar_Activity", "Ar_Group", "Ar_Environment", "Ar_GroupListItem", "Registry"] {
        let mut history = History::with_one_hour();
        history.tag(4, &["Client", "Design"], "09:00", "10:00");
        history.sql("CREATE TABLE Ten (i); INSERT INTO Ten VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
        let tens: Vec<_> = ('a'..='o').map(|name| format!("Ten AS {name}")).collect();
        let never = format!("SELECT Kept.* FROM Kept, {} WHERE a.i + b.i + o.i < 0", tens.join(", "));
        replace(&mut history, table, &never);
        let locator = Locator::from_path(history.folder(), FoundBy::Flag);
        let app = app_over(Source::new(locator).with_read_timeout(Duration::from_millis(20)));
        let error = run_query(&app, HealthRequest).unwrap_err();
        assert_eq!(code(&error), "DATABASE_ERROR", "{table}");
        assert!(error.to_string().contains("reading was stopped after"), "{table}: {error}");
    }
}

#[test]
fn non_text_names_and_versions_affect_only_their_rows() {
    let mut history = History::with_one_hour();
    history.sql(
        "PRAGMA writable_schema = ON;
         CREATE TABLE Odd (i, j);
         UPDATE sqlite_schema SET name = CAST(x'4fff' AS text), tbl_name = CAST(x'4fff' AS text),
                                  sql = CAST(x'435245415445205441424c4520224fff22202822ff222c206a29' AS text)
             WHERE name = 'Odd';
         INSERT INTO Registry SELECT CAST(x'ff' AS text), '', '', '2025-01-15 09:00:00';",
    );
    let history = history.close();
    let app = crate::histories::app_at(history.folder());
    run_every_query(&app).unwrap();
    read_every_table(&app);
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
}

/// If a document without a group had a blob as its name, queries about its day used to fail with an internal error.
#[test]
fn blob_names_affect_only_their_rows() {
    let all_text = [
        ("Ar_Activity", "Name Notes SourceId Other"),
        ("Ar_Group", "Name"),
        ("Ar_Group", "Key Name Color GroupType Other"),
        ("Ar_CommonGroup", "Key Name Color GroupType UpperKey"),
        ("Ar_GroupList", "Key Name Color Other"),
        ("Ar_CommonGroupList", "Key Name Color UpperKey"),
        ("Ar_Timeline", "Name TimelineKey PublishKey SchemaVersion BaseSchemaVersion Other"),
        ("Ar_Environment", "DeviceDisplayName DeviceName OperatingSystem DotNet Application Other"),
        ("Ar_Environment", "EnvironmentId"),
        ("Registry", "Value Timestamp"),
    ];
    let mut history = History::with_one_hour();
    history.document(3, "/home/x/a.md", "09:00", "09:20");
    history.website(3, "docs.example.org", "09:20", "09:40");
    history.tag(4, &["Client", "Task"], "09:00", "10:00");
    for timeline in [2, 3, 4] {
        history.activity(timeline, &Activity::new("alone", span("09:40", "10:00")));
    }
    history.writer().fill_hourly_tables().unwrap();
    // The tables are changed one after the other. At the end, all names are blobs.
    for (table, columns) in all_text {
        let set: Vec<_> = columns.split(' ').map(|column| format!("{column} = x'00ff'")).collect();
        history.sql(&format!("UPDATE {table} SET {}", set.join(", ")));
        let app = history.app();
        run_every_query(&app).unwrap_or_else(|error| panic!("{table} {columns}: {error}"));
    }
    read_every_table(&history.app());
}

#[cfg(unix)] // only Unix has pipes and devices as files
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;
    use std::sync::mpsc;
    use std::{fs, thread};

    use dayledger::manictime::DATABASE_FILE;

    use super::super::writer_process::WriterProcess;
    use super::*;
    use crate::histories::app_at;
    use crate::histories::segments;

    /// Queries a day. Fails if there is no response in time.
    fn ask_or_fail(app: App) -> Result<Vec<String>, (&'static str, String)> {
        let (answer, answered) = mpsc::channel();
        thread::spawn(move || {
            let result = run_query(&app, narrative_request(day(DAY)));
            let result = result.map(|it| segments(&it)).map_err(|error| (code(&error), error.to_string()));
            answer.send(result).unwrap();
        });
        answered.recv_timeout(Duration::from_mins(1)).expect("the query ends")
    }

    #[test]
    fn special_files_next_to_the_database_are_rejected_before_opening() {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            for is_pipe in [true, false] {
                let mut history = History::with_one_hour();
                history.sql("PRAGMA journal_mode = wal");
                let history = history.close();
                let mut path = history.database().into_os_string();
                path.push(suffix);
                let _ = fs::remove_file(&path);
                if is_pipe {
                    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
                } else if suffix.is_empty() {
                    continue;
                } else {
                    fs::create_dir(&path).unwrap();
                }
                let (code, message) = ask_or_fail(app_at(history.folder())).unwrap_err();
                assert_eq!(code, "DATABASE_NOT_READABLE", "{message}");
                let name = format!("{DATABASE_FILE}{suffix}` is not a file");
                assert!(message.contains(&name), "{message}");
            }
        }
    }

    #[test]
    fn link_to_a_history_is_opened() {
        let history = History::with_one_hour().close();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(history.database(), elsewhere.path().join(DATABASE_FILE)).unwrap();
        assert_eq!(segments(&today(&app_at(elsewhere.path()))), ["09:00 10:00 Editor 60.0"]);
    }

    #[test]
    fn random_write_ahead_log_is_ignored() {
        let noise: Vec<u8> = (0..65_536_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for content in [&noise[..], &noise[..32], &noise[..31], &vec![0; 4096]] {
            for with_index in [true, false] {
                let mut history = History::with_one_hour();
                history.sql("PRAGMA journal_mode = wal");
                let history = history.close();
                let beside = |suffix: &str| history.folder().join(format!("{DATABASE_FILE}{suffix}"));
                fs::write(beside("-wal"), content).unwrap();
                if with_index {
                    fs::write(beside("-shm"), &noise[..32_768]).unwrap();
                }
                assert_eq!(ask_or_fail(app_at(history.folder())).unwrap(), ["09:00 10:00 Editor 60.0"]);
            }
        }
    }

    #[test]
    fn folder_with_a_non_unicode_name_is_opened() {
        // Other systems don't allow such file names.
        if !cfg!(target_os = "linux") {
            return;
        }
        let elsewhere = tempfile::tempdir().unwrap();
        let folder = elsewhere.path().join(OsStr::from_bytes(b"M\xfcller %?#"));
        fs::create_dir(&folder).unwrap();
        let mut history = History::with_one_hour();
        history.sql("PRAGMA journal_mode = wal");
        let history = history.close();
        fs::copy(history.database(), folder.join(DATABASE_FILE)).unwrap();
        let mut writer = WriterProcess::open(&folder.join(DATABASE_FILE));
        writer.run("UPDATE Ar_CommonGroup SET Name = 'From the log' WHERE Name = 'Editor'").unwrap();
        for place in [folder.clone(), folder.join(DATABASE_FILE)] {
            let app = app_at(&place);
            assert_eq!(tops(&today(&app)), ["From the log 60.0"]);
            assert!(health(&app).database.contains("M\u{fffd}ller"));
        }
        writer.close();
    }
}
