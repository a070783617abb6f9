//! Tests with databases of all versions, and with unusual rows that no watcher writes.

use dayledger_source::ErrorKind;

use super::*;

/// The start of the recorded time. Every database below contains twenty minutes of windows and presence from this time
/// on.
const START: i64 = MONDAY + 9 * HOUR;
const CODE: &str = r#"{"app": "Code.exe", "title": "main.rs"}"#;
const FIREFOX: &str = r#"{"app": "firefox.exe", "title": "Guide"}"#;

#[track_caller]
fn assert_day(path: &Path) {
    let counted = Counted::new(read_all(&source(settings(path))));
    let totals = counted.totals("applications", "desk", false);
    let found: Vec<_> = totals.into_iter().map(|((_, key), seconds)| (key, seconds)).collect();
    assert_eq!(found, [("Code.exe".to_owned(), 600), ("firefox.exe".to_owned(), 600)], "{}", path.display());
}

#[test]
fn every_version_is_recognised_by_its_columns() {
    let dir = tempfile::tempdir().unwrap();
    let common = "type TEXT, client TEXT, hostname TEXT, created TEXT";
    let events = "id INTEGER PRIMARY KEY, bucketrow INTEGER, starttime INTEGER, endtime INTEGER";
    let old_indexes = "CREATE INDEX a ON events (bucketrow); CREATE INDEX b ON events (starttime);";
    let tables = [
        (
            "rust-1",
            1000,
            format!(
                "CREATE TABLE buckets (id INTEGER PRIMARY KEY, name TEXT, {common}); CREATE TABLE events ({events}, data TEXT); {old_indexes}"
            ),
        ),
        (
            "rust-2",
            1000,
            format!(
                "CREATE TABLE buckets (id INTEGER PRIMARY KEY, name TEXT, {common}, data TEXT DEFAULT '{{}}'); CREATE TABLE events ({events}, data TEXT); {old_indexes}"
            ),
        ),
        (
            "renamed",
            1000,
            format!(
                "CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT, {common}); CREATE TABLE \"e \"\"x\" ({events}, data TEXT)"
            ),
        ),
        (
            "core",
            1,
            format!(
                "CREATE TABLE buckets (rowid INTEGER PRIMARY KEY, id TEXT, name TEXT, {common}, datastr TEXT); CREATE TABLE events ({events}, datastr TEXT); CREATE INDEX a ON events (bucketrow, starttime);"
            ),
        ),
    ];
    for (name, unit, sql) in tables {
        let path = dir.path().join(format!("{name}.db"));
        let file = Connection::open(&path).unwrap();
        file.execute_batch(&sql).unwrap();
        let (key, id) = if name == "core" { ("rowid", "id") } else { ("id", "name") };
        let (buckets, events) = if name == "renamed" { ("b", "\"e \"\"x\"") } else { ("buckets", "events") };
        for (number, kind) in [(1, "currentwindow"), (2, "afkstatus")] {
            let sql = format!(
                "INSERT INTO {buckets} ({key}, {id}, type, client, hostname, created) VALUES (?1, ?2, ?2, '', 'desk', '')"
            );
            file.execute(&sql, params![number, kind]).unwrap();
        }
        for (bucket, from, to, data) in
            [(1, 0, 600, CODE), (1, 601, 1200, FIREFOX), (2, 0, 1200, afk("not-afk").as_str())]
        {
            let micros = |second: i64| (START + second) * 1_000_000 * unit;
            let sql = format!("INSERT INTO {events} VALUES (NULL, ?1, ?2, ?3, ?4)");
            // An end that aw-server-rust stores can be a nanosecond too early.
            let short = i64::from(unit == 1000);
            file.execute(&sql, params![bucket, micros(from), micros(to) - short, data]).unwrap();
        }
        assert_day(&path);
    }
    let path = dir.path().join("peewee.db");
    let file = Peewee::create(&path);
    let (windows, presence) = (file.bucket("w", "currentwindow", "desk"), file.bucket("a", "afkstatus", "desk"));
    file.event(windows, START as f64, 600.0, CODE);
    file.event(windows, START as f64 + 601.0, 599.0, FIREFOX);
    file.event(presence, START as f64, 1200.0, &afk("not-afk"));
    assert_day(&path);
    file.0.execute_batch("ALTER TABLE bucketmodel DROP COLUMN datastr; DROP INDEX eventmodel_bucket_id; DROP INDEX eventmodel_timestamp; CREATE INDEX i ON eventmodel (bucket_id, timestamp);").unwrap();
    assert_day(&path);
}

#[test]
fn other_files_are_a_clear_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sqlite.db");
    let kind = || source(settings(&path)).health().unwrap_err().kind;
    assert_eq!(kind(), ErrorKind::NotFound);
    std::fs::write(&path, b"").unwrap();
    assert_eq!(kind(), ErrorKind::NotReadable);
    std::fs::write(&path, [7; 5000]).unwrap();
    assert_eq!(kind(), ErrorKind::NotReadable);
    std::fs::remove_file(&path).unwrap();
    // A copy of a running server's database without its write-ahead log doesn't contain tables.
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 5").unwrap();
    let error = source(settings(&path)).health().unwrap_err();
    assert_eq!(error.kind, ErrorKind::Incomplete);
    assert!(error.hint.contains("`-wal`"), "{error:?}");
    // If the id of an event isn't its row number, several events could have the same id.
    let texts = "CREATE TABLE buckets (id INTEGER PRIMARY KEY, name TEXT, type TEXT, hostname TEXT); CREATE TABLE events (id TEXT, bucketrow INTEGER, starttime INTEGER, endtime INTEGER, data TEXT);";
    Connection::open(&path).unwrap().execute_batch(texts).unwrap();
    assert_eq!(kind(), ErrorKind::Incomplete);
    Connection::open(&path).unwrap().execute_batch("DROP TABLE buckets; DROP TABLE events;").unwrap();
    // A view with the right columns isn't accepted as a table.
    let views = "CREATE VIEW events AS SELECT 1 id, 1 bucketrow, 1 starttime, 1 endtime, '' data; CREATE VIEW buckets AS SELECT 1 id, '' name, '' type, '' hostname;";
    Connection::open(&path).unwrap().execute_batch(views).unwrap();
    assert_eq!(kind(), ErrorKind::Incomplete);
}

/// While a server runs for the first time, its database contains only a header. All tables are in the write-ahead log.
#[test]
fn copy_of_a_running_server_is_read_with_its_log() {
    let dir = tempfile::tempdir().unwrap();
    let (original, copy) = (dir.path().join("sqlite.db"), dir.path().join("copy.db"));
    let first = Connection::open(&original).unwrap();
    let _: String = first.query_row("PRAGMA journal_mode = wal", [], |row| row.get(0)).unwrap();
    let file = Rust::create(&original);
    let bucket = file.bucket("w", "currentwindow", "desk");
    file.0.execute_batch("BEGIN").unwrap();
    for number in 0..130_u32 {
        file.event(bucket, START as f64 + f64::from(number) * 60.0, 60.0, CODE);
    }
    file.0.execute_batch("COMMIT").unwrap();
    std::fs::copy(&original, &copy).unwrap();
    let error = source(settings(&copy)).health().unwrap_err();
    assert!(error.kind == ErrorKind::Incomplete && error.hint.contains("`-wal`"), "{error:?}");
    std::fs::copy(dir.path().join("sqlite.db-wal"), dir.path().join("copy.db-wal")).unwrap();
    for path in [&original, &copy] {
        assert_eq!(read_all(&source(settings(path))).len(), 130, "{}", path.display());
    }
}

#[test]
fn rows_that_break_every_assumption_count_nowhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("peewee-sqlite.v2.db");
    let file = Peewee::create(&path);
    let (windows, presence) = (file.bucket("w", "currentwindow", "desk"), file.bucket("a", "afkstatus", "desk"));
    let day = START as f64;
    file.event(windows, day, 600.0, CODE);
    file.event(windows, day + 601.0, 599.0, FIREFOX);
    file.event(presence, day, 1200.0, &afk("not-afk"));
    // If one of these events counted, the totals of the windows above would be smaller.
    file.event(windows, day + 300.0, -600.0, CODE);
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    for json in ["{\"app\": ", "[]", "null", "", deep.as_str()] {
        file.event(windows, day + 10.0, 60.0, json);
    }
    file.event(presence, day, 60.0, r#"{"status": "hibernating"}"#);
    file.event(77, day, 60.0, CODE);
    let odd = |bucket: i64, at: &str, length: &str, data: &str| {
        let sql = format!(
            "INSERT INTO eventmodel (bucket_id, timestamp, duration, datastr) VALUES ({bucket}, {at}, {length}, {data})"
        );
        file.0.execute_batch(&sql).unwrap();
    };
    for at in ["'no time at all'", "7", "x'ff'", "CAST(x'ffff' AS TEXT)"] {
        odd(windows, at, "60", "'{}'");
    }
    odd(windows, "'2025-10-06 09:01:00+00:00'", "'long'", "'{}'");
    odd(windows, "'2025-10-06 09:01:00+00:00'", "60", "x'7b7d'");
    let rows = read_all(&source(settings(&path)));
    let totals = Counted::new(rows.clone()).totals("applications", "desk", false);
    let found: Vec<_> = totals.into_iter().map(|((_, key), seconds)| (key, seconds)).collect();
    assert_eq!(found, [("Code.exe".to_owned(), 600), ("firefox.exe".to_owned(), 600)]);
    assert_eq!(rows.iter().filter(|row| row.span.is_none()).count(), 11, "unreadable events are listed without times");
    let remarks = source(settings(&path)).remarks().unwrap().join("\n");
    assert!(remarks.contains("11 events are ignored"), "{remarks}");
}

#[test]
fn unusual_times_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("peewee-sqlite.v2.db");
    let file = Peewee::create(&path);
    let windows = file.bucket("w", "currentwindow", "desk");
    for (at, length) in [
        ("2025-10-06 12:08:00+02:00", "60"),
        ("2025-10-06T10:09:00+00:00", "60"),
        ("2025-10-06 10:10:00", "60"),
        ("2025-10-06 10:11:00Z", "'60.5'"),
        ("0001-01-01 00:00:00+00:00", "60"),
        ("9999-12-31 23:59:59+00:00", "6e30"),
        ("2025-10-06 11:00:00+00:00", "6311520000"),
    ] {
        let sql = format!(
            "INSERT INTO eventmodel (bucket_id, timestamp, duration, datastr) VALUES ({windows}, '{at}', {length}, '{}')",
            window("A")
        );
        file.0.execute_batch(&sql).unwrap();
    }
    let ten = MONDAY + 10 * HOUR;
    let rows = read(&source(settings(&path)), &examples::scan_of(MONDAY..ten + 20 * MINUTE));
    let starts: Vec<_> = rows.iter().map(|row| row.span.unwrap().0 - ten).collect();
    assert_eq!(starts, [8 * MINUTE, 9 * MINUTE, 10 * MINUTE, 11 * MINUTE]);
    let berlin = Settings { zone: Some("Europe/Berlin".to_owned()), ..settings(&path) };
    assert!(
        read_all(&source(berlin)).len() <= 9,
        "an event of 200 years is cut, and so not divided at every clock change"
    );
}

/// Adds an event, given its start in Unix seconds, its length in seconds, and its JSON.
type AddEvent = Box<dyn Fn(f64, f64, &str)>;

#[test]
fn part_of_a_history_is_the_same_as_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["peewee-sqlite.v2.db", "sqlite.db"] {
        let path = dir.path().join(name);
        let add: AddEvent = if name == "sqlite.db" {
            let file = Rust::create(&path);
            let bucket = file.bucket("w", "currentwindow", "desk");
            Box::new(move |start, length, json| _ = file.event(bucket, start, length, json))
        } else {
            let file = Peewee::create(&path);
            let bucket = file.bucket("w", "currentwindow", "desk");
            Box::new(move |start, length, json| _ = file.event(bucket, start, length, json))
        };
        for number in 0..2000_u32 {
            let length = if number % 97 == 0 { 40_000.0 } else { f64::from(number % 7) * 100.0 };
            add(MONDAY as f64 + f64::from(number) * 601.3, length, &window(&format!("app {}", number % 5)));
        }
        let whole = read_all(&source(settings(&path)));
        let parts = source(settings(&path));
        // Because of the order of these days, the range in memory grows in both directions.
        for day in [6, 2, 9, 0, 13, 5] {
            let range = MONDAY + day * 86_400..MONDAY + (day + 1) * 86_400;
            let overlaps = |row: &&Found| row.local.is_some_and(|(start, end)| start < range.end && end > range.start);
            let expected: Vec<_> = whole.iter().filter(overlaps).cloned().collect();
            assert!(!expected.is_empty());
            let scan = examples::scan_of(range.clone());
            assert_eq!(read(&parts, &scan), expected, "{name}, day {day}");
            assert_eq!(read(&source(settings(&path)), &scan), expected, "{name}, day {day}, alone");
            let in_parts = batches(&parts, &scan, ScanExtent::Parts);
            assert_eq!(in_parts.iter().map(RecordBatch::num_rows).sum::<usize>(), expected.len());
        }
    }
}
