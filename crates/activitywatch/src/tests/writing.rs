//! Tests with databases that change between reads or during reads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;

fn seconds_by_key(source: &ActivityWatch) -> Vec<(String, i64)> {
    let totals = Counted::new(read_all(source)).totals("applications", "desk", true);
    totals.into_iter().map(|((_, key), seconds)| (key, seconds)).collect()
}

#[test]
fn heartbeats_edits_and_deletions_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("peewee-sqlite.v2.db");
    let file = Peewee::create(&path);
    let bucket = file.bucket("w", "currentwindow", "desk");
    let start = MONDAY as f64;
    let settled = file.event(bucket, start, 60.0, &window("old"));
    let last = file.event(bucket, start + 3.0 * 86_400.0, 60.0, &window("new"));
    let source = source(settings(&path));
    let found = |old: i64, new: i64| {
        let keys = [("old", old), ("new", new)].into_iter().filter(|(_, seconds)| *seconds > 0);
        keys.map(|(key, seconds)| (key.to_owned(), seconds)).collect::<Vec<_>>()
    };
    assert_eq!(seconds_by_key(&source), found(60, 60));
    file.0.execute("UPDATE eventmodel SET duration = 90 WHERE id = ?1", [last]).unwrap();
    assert_eq!(seconds_by_key(&source), found(60, 90));
    let added = file.event(bucket, start + 600.0, 30.0, &window("old"));
    assert_eq!(seconds_by_key(&source), found(90, 90));
    file.0.execute("DELETE FROM eventmodel WHERE id = ?1", [settled]).unwrap();
    assert_eq!(seconds_by_key(&source), found(30, 90));
    // A change of an old event is found only when the whole history is read again.
    file.0.execute("UPDATE eventmodel SET duration = 40 WHERE id = ?1", [added]).unwrap();
    source.forget();
    assert_eq!(seconds_by_key(&source), found(40, 90));
    let other = file.bucket("other", "currentwindow", "desk");
    file.event(other, start + 7200.0, 5.0, &window("old"));
    assert_eq!(seconds_by_key(&source), found(45, 90));
}

#[test]
fn bounds_contain_the_newest_events_even_if_no_activity_was_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("peewee-sqlite.v2.db");
    let file = Peewee::create(&path);
    let bucket = file.bucket("w", "currentwindow", "desk");
    file.event(bucket, MONDAY as f64, 60.0, &window("A"));
    let read = batches(&source(settings(&path)), &scan(Table::TimelineBounds), ScanExtent::Whole);
    let column = |name: &str| read[0].column_by_name(name).unwrap();
    assert_eq!(column("last_local").as_primitive::<TimestampSecondType>().value(0), MONDAY + 60);
    assert_eq!(column("activities").as_primitive::<Int64Type>().value(0), 1);
}

#[test]
fn reading_does_not_make_writes_fail() {
    for journal in ["delete", "wal"] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("peewee-sqlite.v2.db");
        let file = Peewee::create(&path);
        let _: String = file.0.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |row| row.get(0)).unwrap();
        let bucket = file.bucket("w", "currentwindow", "desk");
        file.0.execute_batch("BEGIN").unwrap();
        for number in 0..20_000_u32 {
            file.event(bucket, MONDAY as f64 + f64::from(number) * 60.0, 60.0, &window("A"));
        }
        file.0.execute_batch("COMMIT").unwrap();
        // The default timeout of Python. If a write of ActivityWatch has to wait longer, it fails.
        file.0.busy_timeout(Duration::from_secs(5)).unwrap();
        let is_done = AtomicBool::new(false);
        let source = source(settings(&path));
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut reads = 0;
                while !is_done.load(Ordering::Relaxed) || reads == 0 {
                    // Every other read loads the whole history again. The remaining reads use the events in memory.
                    if reads % 2 == 0 {
                        source.forget();
                    }
                    let rows = batches(&source, &scan(Table::Activities), ScanExtent::Whole);
                    assert!(rows.iter().map(RecordBatch::num_rows).sum::<usize>() >= 20_000);
                    reads += 1;
                }
            });
            for number in 0..50_u32 {
                file.event(bucket, MONDAY as f64 + f64::from(20_000 + number) * 60.0, 60.0, &window("B"));
            }
            is_done.store(true, Ordering::Relaxed);
            reader.join().unwrap();
        });
        let rows = batches(&source, &scan(Table::Activities), ScanExtent::Whole);
        assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 20_050, "{journal}");
    }
}

/// While a write waits, no new read transaction can begin. So all rows that are read during this time belong to one
/// transaction.
#[test]
fn write_waits_for_one_slice_of_a_read_only() {
    const EVENTS: u32 = 60_000;
    const READS: usize = 100;
    const WAITS: usize = 10;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("peewee-sqlite.v2.db");
    let mut file = Peewee::create(&path);
    let bucket = file.bucket("w", "currentwindow", "desk");
    file.0.execute_batch("BEGIN").unwrap();
    for number in 0..EVENTS {
        file.event(bucket, MONDAY as f64 + f64::from(number) * 10.0, 10.0, &window("A"));
    }
    let last = file.0.last_insert_rowid();
    file.0.execute_batch("COMMIT").unwrap();
    let (rows, waits, is_done) = (Arc::<AtomicU64>::default(), AtomicUsize::new(0), AtomicBool::new(false));
    // Two numbers of rows: the rows that were read before the first attempt of a write, and before its last attempt.
    let attempts = Arc::<Mutex<Option<(u64, u64)>>>::default();
    let (counter, of_write) = (Arc::clone(&rows), Arc::clone(&attempts));
    let keep_waiting = move |_: i32| {
        let now = counter.load(Ordering::Relaxed);
        of_write.lock().unwrap().get_or_insert((now, now)).1 = now;
        std::thread::yield_now();
        true
    };
    file.0.busy_handler(Some(keep_waiting)).unwrap();
    let source = source(settings(&path));
    let (read, longest) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let (file, mut known, mut longest) = (file, 0_u64, 0_u64);
            while !is_done.load(Ordering::Relaxed) {
                // Wait until the reader has read more rows. Otherwise, the writes could stop all reads.
                let now = rows.load(Ordering::Relaxed);
                if now == known {
                    std::thread::yield_now();
                    continue;
                }
                known = now;
                file.0.execute("UPDATE eventmodel SET duration = duration + 1 WHERE id = ?1", [last]).unwrap();
                let waited = attempts.lock().unwrap().take();
                if let Some((first, last)) = waited {
                    longest = longest.max(last - first);
                    waits.fetch_add(1, Ordering::Relaxed);
                }
            }
            longest
        });
        let scan = scan(Table::Activities);
        let mut reads = (0..READS).map(|_| {
            let handle = ReadHandle::with_counter(Arc::clone(&rows));
            source.forget();
            source.read(&[(&scan, ScanExtent::Whole)], &handle).map(|_| waits.load(Ordering::Relaxed))
        });
        let read = reads.find(|waits| !matches!(waits, Ok(0..WAITS)));
        is_done.store(true, Ordering::Relaxed);
        (read, writer.join().unwrap())
    });
    read.expect("no write waited, so the test shows nothing").unwrap();
    assert!(longest < u64::from(EVENTS / 2), "a write waited until {longest} events were read");
}

#[test]
fn reading_leaves_no_file_behind() {
    for (name, journal) in [("sqlite.db", "wal"), ("peewee-sqlite.v2.db", "delete")] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        let add = |app: &str| {
            let file = Connection::open(&path).unwrap();
            let start = format!("2025-10-06 0{}:00:00+00:00", app.len());
            let sql = "INSERT INTO eventmodel (bucket_id, timestamp, duration, datastr) VALUES (1, ?1, 60, ?2)";
            file.execute(sql, [start, window(app)]).unwrap();
        };
        let file = Peewee::create(&path);
        let _: String = file.0.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |row| row.get(0)).unwrap();
        file.bucket("w", "currentwindow", "desk");
        drop(file);
        add("a");
        let source = source(settings(&path));
        let files =
            || std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        assert_eq!(seconds_by_key(&source), [("a".to_owned(), 60)], "{journal}");
        assert_eq!(source.health().unwrap().journal_mode, journal);
        assert!(source.settings().locator.candidates()[0].bounds.is_ok());
        assert_eq!(source.categories(&[]).unwrap(), None);
        assert_eq!(files(), [name], "{journal}");
        // Another program opens the database, writes an event and closes the database again. The source must find this
        // event.
        add("bb");
        assert_eq!(seconds_by_key(&source), [("a".to_owned(), 60), ("bb".to_owned(), 60)], "{journal}");
        assert_eq!(files(), [name], "{journal}");
    }
}

#[test]
fn replaced_file_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let (path, other) = (dir.path().join("sqlite.db"), dir.path().join("other.db"));
    for (path, app) in [(&path, "one"), (&other, "two")] {
        let file = Rust::create(path);
        let bucket = file.bucket("w", "currentwindow", "desk");
        file.event(bucket, MONDAY as f64, 60.0, &window(app));
    }
    let source = source(settings(&path));
    assert_eq!(seconds_by_key(&source), [("one".to_owned(), 60)]);
    std::fs::rename(&other, &path).unwrap();
    assert_eq!(seconds_by_key(&source), [("two".to_owned(), 60)]);
}

#[test]
fn stopped_read_fails() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sqlite.db");
    let file = Rust::create(&path);
    let bucket = file.bucket("w", "currentwindow", "desk");
    file.0.execute_batch("BEGIN").unwrap();
    for number in 0..5000_u32 {
        file.event(bucket, MONDAY as f64 + f64::from(number), 1.0, &window("A"));
    }
    file.0.execute_batch("COMMIT").unwrap();
    let handle = ReadHandle::default();
    handle.stop();
    let source = source(settings(&path));
    assert!(source.read(&[(&scan(Table::Activities), ScanExtent::Whole)], &handle).is_err());
    assert_eq!(seconds_by_key(&source).len(), 1);
}
