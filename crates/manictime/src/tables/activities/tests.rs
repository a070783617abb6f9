use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::AsArray;
use arrow::compute::{concat_batches, sort_to_indices, take_record_batch};
use rusqlite::Connection;

use super::*;
use crate::dimensions::Dimensions;
use crate::shape::Shape;
use crate::snapshot::Commit;
use dayledger_source::selection::{Comparison, Predicate, Test};
use dayledger_source::{Pattern, Privacy, ReadHandle, Redaction, Table};
use dayledger_sqlite::Capacity;

const ROWS: i64 = 500;

/// A cache without a limit. For each timeline, it stores the rows, and whether these rows are from the last commit.
#[derive(Default)]
struct UnlimitedMemory(RefCell<HashMap<i64, (Arc<TimelineCache>, bool)>>);

impl UnlimitedMemory {
    /// Marks all cached timelines as older than the last commit.
    fn mark_outdated(&self) {
        self.0.borrow_mut().values_mut().for_each(|(_, is_current)| *is_current = false);
    }
}

impl TimelineMemory for UnlimitedMemory {
    fn is_usable(&self) -> bool {
        true
    }

    fn timeline(&self, id: i64) -> Option<(Arc<TimelineCache>, bool)> {
        self.0.borrow().get(&id).cloned()
    }

    fn keep(&self, id: i64, timeline: &Arc<TimelineCache>) {
        self.0.borrow_mut().insert(id, (Arc::clone(timeline), true));
    }

    fn forget(&self, id: i64) {
        self.0.borrow_mut().remove(&id);
    }

    fn rows_in_parts(&self, _: i64) -> i64 {
        0
    }

    fn add_rows_in_parts(&self, _: i64, _: i64) {}
}

/// A cache that never stores a timeline.
struct NoMemory;

impl TimelineMemory for NoMemory {
    fn is_usable(&self) -> bool {
        false
    }

    fn timeline(&self, _: i64) -> Option<(Arc<TimelineCache>, bool)> {
        None
    }

    fn keep(&self, _: i64, _: &Arc<TimelineCache>) {}

    fn forget(&self, _: i64) {}

    fn rows_in_parts(&self, _: i64) -> i64 {
        0
    }

    fn add_rows_in_parts(&self, _: i64, _: i64) {}
}

/// Creates a timeline with one document per minute. Each row has a change number.
fn history() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE Ar_Timeline (ReportId int, SchemaName text, Name text);
             CREATE TABLE Ar_Group (ReportId int, GroupId int, Name text, GroupType text);
             CREATE TABLE Ar_Activity (ReportId int, ActivityId int, Name text, GroupId int, Notes text,
                 StartLocalTime text, StartUtcTime text, EndLocalTime text, EndUtcTime text,
                 CurrentChangeSequence int, CurrentChangeRandomValue int);
             INSERT INTO Ar_Timeline VALUES (1, 'ManicTime/Documents', 'secret folder/secret.txt');
             INSERT INTO Ar_Group VALUES (1, 7, 'C:\\secret\\plan.txt', 'ManicTime/Files');",
        )
        .unwrap();
    (1..=ROWS).for_each(|id| write(&connection, id, r"C:\secret\first.txt"));
    connection
}

/// Writes an activity with the greatest change number of the table.
fn write(connection: &Connection, id: i64, title: &str) {
    let sql = "INSERT INTO Ar_Activity SELECT 1, ?1, ?2, iif(?1 < 9, 7, NULL), 'see C:\\secret\\notes.txt', s, s, e, e,
                   (SELECT ifnull(max(CurrentChangeSequence), 0) + 1 FROM Ar_Activity), ?1 * 31
               FROM (SELECT datetime(1735689600 + ?1 * 60, 'unixepoch') AS s, datetime(1735689660 + ?1 * 60, 'unixepoch') AS e)";
    connection.execute(sql, (id, title)).unwrap();
}

/// Reads all columns of all activities with these privacy settings. Returns the rows, and the number
/// of rows that were read from the file.
fn read_all(connection: &Connection, privacy: &Privacy, memory: &dyn TimelineMemory) -> (RecordBatch, u64) {
    let selection = Selection { projection: columns(|_| true), predicates: Vec::new(), limit: None };
    read_selected(connection, privacy, memory, &selection)
}

/// Reads the activities that overlap the minutes from `from` to `to`, without notes. Also returns the number of rows
/// that were read from the file.
fn read_minutes(connection: &Connection, [from, to]: [i64; 2], memory: &dyn TimelineMemory) -> (RecordBatch, u64) {
    let [start, end] = [from, to].map(|minute| 1_735_689_600 + minute * 60);
    let test = |column: &str, comparison, instant| Predicate {
        column: column.to_owned(),
        test: Test::Instant(comparison, instant),
    };
    let predicates = vec![test("end_local", Comparison::After, start), test("start_local", Comparison::Before, end)];
    let selection = Selection { projection: columns(|column| column != "notes"), predicates, limit: None };
    read_selected(connection, &Privacy::default(), memory, &selection)
}

fn read_selected(
    connection: &Connection,
    privacy: &Privacy,
    memory: &dyn TimelineMemory,
    selection: &Selection,
) -> (RecordBatch, u64) {
    let (batches, rows) = with_snapshot(connection, privacy, |snapshot| read(selection, snapshot, memory).unwrap());
    (concat_batches(&selection.schema(&Table::Activities.schema()), &batches).unwrap(), rows)
}

/// Sorts activities by id. The file returns the rows in another order than the cache.
fn sort_by_id(activities: &RecordBatch) -> RecordBatch {
    let order = sort_to_indices(activities.column_by_name("activity_id").unwrap(), None, None).unwrap();
    take_record_batch(activities, &order).unwrap()
}

/// Returns the indexes of the wanted columns of `activities`.
fn columns(is_wanted: impl Fn(&str) -> bool) -> Vec<usize> {
    let schema = Table::Activities.schema();
    let columns = schema.fields().iter().enumerate();
    columns.filter(|(_, field)| is_wanted(field.name())).map(|(index, _)| index).collect()
}

/// Runs `work` on the current state of the file. Also returns the number of rows that were read from the file.
fn with_snapshot<T>(connection: &Connection, privacy: &Privacy, work: impl FnOnce(&Snapshot<'_>) -> T) -> (T, u64) {
    let path = Path::new("history.db");
    let capacity = Capacity::from_database(path);
    let shape = Shape::read(connection, capacity, path).unwrap();
    let dimensions = Dimensions::read(connection, &shape, capacity).unwrap();
    let commit = Arc::new(Commit::new(RedactedNames::new(dimensions, privacy)));
    let rows = Arc::new(AtomicU64::new(0));
    let reading = ReadHandle::with_counter(Arc::clone(&rows));
    let result = work(&Snapshot::new(connection, capacity, &shape, &commit, &reading));
    (result, rows.load(Ordering::Relaxed))
}

#[test]
fn cached_timeline_reads_only_changed_rows() {
    let (connection, memory, open) = (history(), UnlimitedMemory::default(), Privacy::default());
    assert_eq!(read_all(&connection, &open, &memory), read_all(&connection, &open, &NoMemory));
    assert_eq!(read_all(&connection, &open, &memory).1, 0);
    connection.execute_batch("DELETE FROM Ar_Activity WHERE ActivityId IN (5, 300)").unwrap();
    write(&connection, ROWS + 1, "came");
    memory.mark_outdated();
    let (followed, rows) = read_all(&connection, &open, &memory);
    assert_eq!(followed, read_all(&connection, &open, &NoMemory).0);
    assert!(followed.num_rows() == 499 && rows < 10, "{rows} rows were read of {}", followed.num_rows());
}

/// A read looks for deletions only in its own range, and among the activities that reach into this range.
#[test]
fn range_of_cached_timeline_has_the_rows_of_the_file_after_any_change() {
    const NEWEST_DELETED: &str = "DELETE FROM Ar_Activity WHERE ActivityId = 1000";
    let far = 200 * 1440;
    let changes = [
        "DELETE FROM Ar_Activity WHERE ActivityId = 300",
        "DELETE FROM Ar_Activity WHERE ActivityId = 5",
        NEWEST_DELETED,
        "UPDATE Ar_Activity SET Name = 'changed', CurrentChangeSequence = 9000 WHERE ActivityId = 310",
        "UPDATE Ar_Activity SET StartLocalTime = '2025-01-01 05:01:30', CurrentChangeSequence = 9000 WHERE ActivityId = 7",
        "DELETE FROM Ar_Activity WHERE ActivityId = 310; DELETE FROM Ar_Activity WHERE ActivityId = 490",
    ];
    let unreadable_start = "UPDATE Ar_Activity SET StartLocalTime = '2025-01-01 05:02:xx' WHERE ActivityId = 302";
    for (change, before) in changes.map(|change| (change, "")).into_iter().chain([(changes[0], unreadable_start)]) {
        let (connection, memory) = (history(), UnlimitedMemory::default());
        connection.execute_batch(before).unwrap();
        // This activity lasts for many days, so it reaches into a range long after its start.
        write(&connection, 1000, "long");
        let long = "UPDATE Ar_Activity SET StartLocalTime = '2025-01-01 00:00:01', EndLocalTime = '2025-12-01 00:00:00'
                    WHERE ActivityId = 1000";
        connection.execute_batch(long).unwrap();
        (0..400).for_each(|minute| write(&connection, far + minute, "later"));
        let ranges = [[299, 320], [far, far + 20], [0, 2], [299, 320], [300, 302]];
        let _ = read_all(&connection, &Privacy::default(), &memory);
        connection.execute_batch(change).unwrap();
        memory.mark_outdated();
        for range in ranges {
            let (cached, read) = read_minutes(&connection, range, &memory);
            let direct = read_minutes(&connection, range, &NoMemory).0;
            assert_eq!(sort_by_id(&cached), sort_by_id(&direct), "{change}: {range:?}");
            // If the activity with the latest end was deleted, the timeline is read again.
            assert!(read < 10 || change == NEWEST_DELETED, "{change}: {read} rows were read for {range:?}");
        }
        assert_eq!(read_all(&connection, &Privacy::default(), &memory).0.num_rows(), {
            read_all(&connection, &Privacy::default(), &NoMemory).0.num_rows()
        });
    }
}

#[test]
fn preloaded_timelines_serve_any_range_without_the_file() {
    let (connection, memory) = (history(), UnlimitedMemory::default());
    with_snapshot(&connection, &Privacy::default(), |snapshot| preload(snapshot, &memory, 0).unwrap());
    assert!(memory.0.borrow().is_empty(), "a history that does not fit is not read");
    with_snapshot(&connection, &Privacy::default(), |snapshot| preload(snapshot, &memory, 1 << 20).unwrap());
    let range = [100, 130];
    let (direct, rows) = read_minutes(&connection, range, &NoMemory);
    assert_eq!(read_minutes(&connection, range, &memory), (direct, 0));
    assert!(rows > 0);
}

/// A search in a cached block must find activities that start long before the range, and rows that aren't in order.
#[test]
fn every_activity_that_overlaps_a_range_is_found_in_memory() {
    let set_times = "UPDATE Ar_Activity SET StartLocalTime = datetime(1735689600 + ?1 * 60, 'unixepoch'),
                         EndLocalTime = datetime(1735689600 + ?2 * 60, 'unixepoch') WHERE ActivityId = ?3";
    let changes: [&[[i64; 3]]; 4] = [
        &[],
        // One activity lasts four hours, and another ends before it starts.
        &[[50, 290, 50], [120, 60, 120]],
        &[[400, 401, 50], [3, 499, 499]],
        &[[0, 500, 1], [500, 500, 500]],
    ];
    for changed in changes {
        let (connection, memory) = (history(), UnlimitedMemory::default());
        for change in changed {
            connection.execute(set_times, *change).unwrap();
        }
        with_snapshot(&connection, &Privacy::default(), |snapshot| preload(snapshot, &memory, 1 << 20).unwrap());
        for range in [[0, 1], [45, 55], [100, 130], [288, 292], [299, 320], [400, 401], [499, 600], [0, 600]] {
            let (found, read) = read_minutes(&connection, range, &memory);
            let expected = read_minutes(&connection, range, &NoMemory).0;
            assert_eq!(sort_by_id(&found), sort_by_id(&expected), "{changed:?}: {range:?}");
            assert_eq!(read, 0);
        }
    }
}

#[test]
fn cached_rows_are_redacted_once_privacy_settings_require_it() {
    let (connection, memory) = (history(), UnlimitedMemory::default());
    let (open, _) = read_all(&connection, &Privacy::default(), &memory);
    let all_redacted = Privacy::new(Redaction::ALL, [], []);
    let (redacted, rows) = read_all(&connection, &all_redacted, &memory);
    assert_eq!((rows, &redacted), (0, &read_all(&connection, &all_redacted, &NoMemory).0));
    assert!(format!("{open:?}").contains("secret") && !format!("{redacted:?}").contains("secret"), "{redacted:?}");
}

/// In this test, an application has the same name as a state. So both have the same common group.
#[test]
fn state_comes_from_original_texts_even_if_its_common_group_is_hidden() {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE Ar_Timeline (ReportId int, SchemaName text);
             CREATE TABLE Ar_CommonGroup (CommonId int, Name text);
             CREATE TABLE Ar_Group (ReportId int, GroupId int, Key text, Name text, CommonId int);
             CREATE TABLE Ar_Activity (ReportId int, ActivityId int, Name text, GroupId int, IsActive int,
                 StartLocalTime text, StartUtcTime text, EndLocalTime text, EndUtcTime text);
             INSERT INTO Ar_Timeline VALUES (1, 'ManicTime/ComputerUsage'), (2, 'ManicTime/Applications');
             INSERT INTO Ar_CommonGroup VALUES (5, 'Away');
             INSERT INTO Ar_Group VALUES (1, 6, 'ManicTime/Away', 'Abwesend', 5), (1, 7, NULL, 'Fort', 5),
                 (1, 8, NULL, 'Power off', NULL), (2, 9, 'away.exe;away', 'Away', 5);
             INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupId, IsActive) VALUES
                 (1, 1, NULL, 6, 1), (1, 2, NULL, 7, 0), (1, 3, 'Away', 8, NULL), (1, 4, 'Session lock', NULL, NULL),
                 (1, 5, 'Abwesend', NULL, 1), (2, 6, 'Active', 9, 1);",
        )
        .unwrap();
    let hidden = Privacy::new(Redaction::ALL, [Pattern::parse("away").unwrap()], []);
    for privacy in [Privacy::default(), hidden] {
        let (rows, _) = read_all(&connection, &privacy, &NoMemory);
        let states = rows.column_by_name("state").unwrap().as_string_view();
        let expected = [Some("away"), Some("away"), Some("off"), Some("locked"), Some("active"), None];
        assert_eq!(states.iter().collect::<Vec<_>>(), expected, "{privacy:?}");
    }
}
