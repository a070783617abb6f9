//! Tests that cached rows of a history follow every commit to its file
//! (docs/spec/manictime.md#reading-a-live-database).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use dayledger::App;
use dayledger::activity::{
    DataRangeRequest, NarrativeRequest, PeriodSummaryRequest, TagsRequest, TimelinesRequest, UsageKind,
};
use dayledger::engine::Progress;
use dayledger::manictime::Source;
use dayledger::source::{HistorySource, Privacy, ReadHandle, Redaction};
use dayledger_fixtures::SchemaOptions;
use futures::FutureExt;

use super::random_writer::{APPLICATION_ROWS, RandomWriter, twelve_days};
use super::writer_process::WriterProcess;
use crate::cli::program::demo;
use crate::histories::{
    ClosedHistory, History, answer_json, app_at, app_over, app_over_replaceable, computer_usage_request, day,
    narrative_request, range, retry_until_unlocked, rows, source_at, try_rows, usage_request,
};
use crate::privacy::pattern;

const BY_APPLICATION: &str = "SELECT key, application, sum(seconds), count(*) FROM applications GROUP BY key, application ORDER BY key, application";

/// A query with its description.
type NamedQuery = (&'static str, fn(&App) -> String);

const STATEMENTS: [NamedQuery; 9] = [
    ("whole history by application", |app| rows(app, BY_APPLICATION).join("\n")),
    ("active time by application", |app| {
        let sql = "SELECT key, sum(seconds) FROM pieces('2000-01-01', '2100-01-01') GROUP BY key ORDER BY key";
        rows(app, sql).join("\n")
    }),
    ("everything of some activities", |app| {
        rows(app, "SELECT * FROM activities WHERE activity_id % 37 = 5 ORDER BY timeline_id, activity_id").join("\n")
    }),
    ("the newest activities", |app| {
        rows(app, "SELECT * FROM activities ORDER BY end_utc DESC, timeline_id, activity_id LIMIT 40").join("\n")
    }),
    ("sums of everything", |app| {
        let sql = "SELECT timeline_id, role, count(*), count(title), count(notes), count(name), sum(seconds), \
                   sum(activity_id), sum(related_activity_id), min(start_local), max(end_local), max(start_utc), min(end_utc) \
                   FROM activities GROUP BY timeline_id, role ORDER BY timeline_id, role";
        rows(app, sql).join("\n")
    }),
    ("a range of starts", |app| {
        let sql = "SELECT count(*), sum(seconds), min(title) FROM activities \
                   WHERE start_local >= '2025-01-04' AND start_local < '2025-01-13T05:00:00'";
        rows(app, sql).join("\n")
    }),
    ("websites", |app| {
        rows(app, "SELECT site, sum(seconds), count(*) FROM websites GROUP BY site ORDER BY site").join("\n")
    }),
    ("tags", |app| rows(app, "SELECT * FROM tags ORDER BY start_local, activity_id").join("\n")),
    ("the file's own tables", |app| {
        let sql = "SELECT reportid, count(*), sum(activityid), max(endlocaltime), max(name) FROM manictime.ar_activity \
                   GROUP BY reportid ORDER BY reportid";
        let groups = "SELECT reportid, groupid, name, color, commonid FROM manictime.ar_group ORDER BY 1, 2";
        // With redaction, the table of the second statement is not available.
        let answer = |sql| try_rows(app, sql).map_or_else(|error| error.to_string(), |rows| rows.join("\n"));
        [answer(sql), answer(groups)].join("\n")
    }),
];

const ANSWERS: [NamedQuery; 6] = [
    ("a day's narrative", |app| {
        answer_json(app, NarrativeRequest { include_titles: true, ..narrative_request(day("2025-01-08")) }).unwrap()
    }),
    ("two weeks", |app| answer_json(app, PeriodSummaryRequest::new(range("2025-01-01", "2025-01-16"))).unwrap()),
    ("hourly totals", |app| {
        answer_json(app, usage_request(UsageKind::Applications, range("2025-01-01", "2025-01-16"))).unwrap()
    }),
    ("a day's tags", |app| answer_json(app, TagsRequest::new(day("2025-01-10"))).unwrap()),
    ("computer usage", |app| answer_json(app, computer_usage_request(range("2025-01-05", "2025-01-09"))).unwrap()),
    ("what there is", |app| answer_json(app, DataRangeRequest).unwrap() + &answer_json(app, TimelinesRequest).unwrap()),
];

/// Returns the number of rows of activities and totals that a query reads.
fn rows_read(app: &App, question: fn(&App) -> String) -> u64 {
    let progress = Progress::default();
    progress.track(async { question(app) }).now_or_never().unwrap();
    progress.rows()
}

/// Checks that an engine with a cache returns the same rows as an engine that reads the whole file for each query.
fn compare(remembering: &App, fresh: &App, questions: &[NamedQuery], circumstances: &str) {
    for (name, question) in questions {
        let answer = question(remembering);
        fresh.history().source().forget();
        let expected = question(fresh);
        assert!(answer == expected, "{name}, {circumstances}\n{answer}\nbut\n{expected}");
    }
}

/// Lets a random writer change the history, and runs a few queries between the changes. Expensive queries run rarely.
/// During each query, another thread preloads the history. `DAYLEDGER_WRITER_STEPS` sets another number of steps.
fn check_with_random_writer(mode: &str, configure: impl Fn(Source) -> Source, steps: u32) {
    #[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
    let steps = std::env::var("DAYLEDGER_WRITER_STEPS").map_or(steps, |steps| steps.parse().unwrap());
    let (history, seed) = (twelve_days(mode), seed());
    let app = || app_over(configure(source_at(history.folder())));
    let (remembering, fresh) = (app(), app());
    let mut writer = RandomWriter::open(&history, seed);
    for step in 0..steps {
        let circumstances = format!("{mode}, seed {seed}, step {step}, after: {}", writer.last);
        let some = |questions: &[NamedQuery], first: u32| questions[first as usize % questions.len()];
        let number = writer.number(90);
        thread::scope(|threads| {
            threads.spawn(|| remembering.history().source().preload(&ReadHandle::default()).unwrap());
            compare(&remembering, &fresh, &[some(&STATEMENTS, number)], &circumstances);
            if step % 3 == 0 {
                compare(&remembering, &fresh, &[some(&STATEMENTS, step / 3), some(&ANSWERS, step / 3)], &circumstances);
            }
        });
        for _ in 0..=writer.number(3) {
            writer.step();
        }
    }
    let circumstances = format!("{mode}, seed {seed}, at the end");
    compare(&remembering, &fresh, &STATEMENTS, &circumstances);
    compare(&remembering, &app(), &STATEMENTS[..1], &circumstances);
}

/// Returns a new seed for each run. If a test fails, it prints the seed.
fn seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::from(since.subsec_nanos())
}

#[test]
fn responses_follow_a_random_writer_in_delete_mode() {
    check_with_random_writer("delete", |source| source, 16);
}

#[test]
fn responses_follow_a_random_writer_in_wal_mode() {
    check_with_random_writer("wal", |source| source, 16);
}

/// Regression: `ManicTime` couldn't replace a file, because a server had kept the file open for weeks.
#[test]
fn responses_follow_a_random_writer_if_the_file_is_closed_after_every_query() {
    for mode in ["delete", "wal"] {
        check_with_random_writer(mode, |source| source.with_idle_timeout(Duration::ZERO), 8);
    }
}

#[test]
fn redacted_responses_follow_a_random_writer() {
    let privacy = Privacy::new([Redaction::Urls, Redaction::Paths], [pattern("firefox*")], [pattern("docs.example")]);
    check_with_random_writer("wal", |source| source.with_privacy(privacy.clone()), 6);
}

/// Adds an activity after the last activity of the applications timeline.
const ONE_MORE: &str = "INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupId, StartLocalTime, StartUtcTime, EndLocalTime, \
     EndUtcTime, CurrentChangeSequence, CurrentChangeRandomValue) SELECT 2, 1 + max(ActivityId), 'one more', 1, \
     max(EndLocalTime), max(EndUtcTime), datetime(max(EndLocalTime), '9 seconds'), datetime(max(EndUtcTime), '9 seconds'), \
     1 + max(CurrentChangeSequence), 4711 FROM Ar_Activity WHERE ReportId = 2";

#[test]
fn history_is_read_once_and_then_only_its_changes() {
    for mode in ["delete", "wal"] {
        let history = twelve_days(mode);
        let app = app_at(history.folder());
        let (_, whole) = STATEMENTS[0];
        assert!(rows_read(&app, whole) >= u64::from(APPLICATION_ROWS), "the first time");
        assert_eq!(rows_read(&app, whole), 0, "an unchanged file");
        let mut writer = WriterProcess::open(&history.database());
        for _ in 0..3 {
            let before = whole(&app);
            writer.run(ONE_MORE).unwrap();
            let read = rows_read(&app, whole);
            assert!((1..=8).contains(&read), "{mode}: {read} rows were read for one new row");
            assert_ne!(whole(&app), before);
        }
        writer.run("DELETE FROM Ar_Activity WHERE ReportId = 2 AND ActivityId BETWEEN 100 AND 199").unwrap();
        assert!(rows_read(&app, whole) <= 8, "{mode}: deleted rows are not read");
        compare(&app, &app_at(history.folder()), &STATEMENTS[..1], mode);
    }
}

#[test]
fn query_for_a_day_reads_one_day_at_most() {
    let history = twelve_days("wal");
    let app = app_at(history.folder());
    let narrative = |app: &App| answer_json(app, narrative_request(day("2025-01-08"))).unwrap();
    let of_a_day = rows_read(&app, narrative);
    STATEMENTS[0].1(&app);
    let mut writer = WriterProcess::open(&history.database());
    writer.run(ONE_MORE).unwrap();
    assert!(rows_read(&app, narrative) <= of_a_day);
}

/// Gives other activities the newest change numbers, so that the activity that ended last no longer has the newest
/// number.
const OTHERS_CHANGE: &str = "UPDATE Ar_Activity SET CurrentChangeRandomValue = 7, CurrentChangeSequence = ActivityId + \
     (SELECT max(CurrentChangeSequence) FROM Ar_Activity) WHERE ReportId = 2 AND ActivityId BETWEEN 20 AND 29";
/// Moves the end of the activity that ended last. Its change number stays the same.
const END_MOVES: &str = "UPDATE Ar_Activity SET EndLocalTime = datetime(EndLocalTime, 'SECONDS seconds'), \
     EndUtcTime = datetime(EndUtcTime, 'SECONDS seconds') WHERE ReportId = 2 AND ActivityId = \
     (SELECT ActivityId FROM Ar_Activity WHERE ReportId = 2 ORDER BY EndLocalTime DESC LIMIT 1)";

#[test]
fn growing_end_of_the_newest_activity_is_noticed_without_a_change_number() {
    let history = twelve_days("delete");
    run(&history, OTHERS_CHANGE);
    let app = app_at(history.folder());
    let whole = STATEMENTS[0].1;
    let before = whole(&app);
    run(&history, &END_MOVES.replace("SECONDS", "5"));
    assert!(rows_read(&app, whole) <= 8);
    assert_ne!(whole(&app), before);
    compare(&app, &app_at(history.folder()), &STATEMENTS[..1], "its end moved");
}

/// Checks that a change without new change numbers causes the whole file to be read again.
fn check_full_reread(circumstances: &str, history: &ClosedHistory, change: impl FnOnce(&ClosedHistory)) {
    let app = app_over_replaceable(history.folder());
    STATEMENTS[0].1(&app);
    change(history);
    let read = rows_read(&app, STATEMENTS[0].1);
    assert!(read >= u64::from(APPLICATION_ROWS) / 2, "{circumstances}: {read} rows");
    compare(&app, &app_at(history.folder()), &STATEMENTS[..2], circumstances);
}

fn run(history: &ClosedHistory, sql: &str) {
    let mut writer = WriterProcess::open(&history.database());
    writer.run(sql).unwrap();
    writer.close();
}

#[test]
fn changes_without_change_numbers_cause_a_full_read() {
    let history = twelve_days("delete");
    run(&history, OTHERS_CHANGE);
    for (circumstances, sql) in [
        (
            "names that are gone",
            "UPDATE Ar_Group SET Name = '' WHERE ReportId = 2 AND GroupId = 1; UPDATE Ar_CommonGroup SET Name = '' \
             WHERE CommonId = (SELECT CommonId FROM Ar_Group WHERE ReportId = 2 AND GroupId = 1)"
                .to_owned(),
        ),
        ("an end that moved backwards", END_MOVES.replace("SECONDS", "-5")),
        ("a number that was there before", ONE_MORE.replace("1 + max(CurrentChangeSequence)", "max(CurrentChangeSequence)")),
        (
            "a smaller number",
            ONE_MORE.replace("1 + max(CurrentChangeSequence)", "7").replace("max(EndLocalTime)", "min(EndLocalTime)"),
        ),
        (
            "an older state",
            "UPDATE Ar_Activity SET CurrentChangeSequence = CurrentChangeSequence - 50 WHERE ReportId = 2".to_owned(),
        ),
        (
            "another history",
            "UPDATE Ar_Activity SET CurrentChangeRandomValue = CurrentChangeRandomValue + 1, Name = 'other'".to_owned(),
        ),
        (
            "groups that were put together",
            "UPDATE Ar_Group SET CommonId = 1 WHERE ReportId = 2; UPDATE Ar_Activity SET CommonGroupId = 1 WHERE ReportId = 2"
                .to_owned(),
        ),
        ("a column that came", "ALTER TABLE Ar_Activity ADD COLUMN Later int".to_owned()),
        ("texts instead of numbers", "UPDATE Ar_Activity SET CurrentChangeSequence = 'x' WHERE ReportId = 2".to_owned()),
    ] {
        check_full_reread(circumstances, &history, |history| run(history, &sql));
    }
    check_full_reread("no numbers", &twelve_days("wal"), |history| {
        run(history, "DROP INDEX IX_Ar_Activity_Sequence; ALTER TABLE Ar_Activity DROP COLUMN CurrentChangeSequence");
    });
}

#[test]
fn file_replaced_by_another_is_read_again() {
    let (history, other) = (twelve_days("delete"), twelve_days("delete"));
    run(&other, "UPDATE Ar_Activity SET Name = 'elsewhere', EndUtcTime = datetime(EndUtcTime, '-1 seconds')");
    check_full_reread("another file", &history, |history| {
        retry_until_unlocked(|| std::fs::rename(other.database(), history.database()));
    });
    let third = twelve_days("delete");
    run(&third, &format!("DELETE FROM Ar_Activity WHERE ActivityId % 3 = 0; {ONE_MORE}"));
    check_full_reread("other contents of the same file", &history, |history| {
        retry_until_unlocked(|| std::fs::copy(third.database(), history.database()));
    });
}

/// Regression: after a backup was restored, an edit that the backup doesn't contain was still shown.
#[test]
fn restored_older_file_is_read_again() {
    let history = twelve_days("delete");
    run(&history, OTHERS_CHANGE);
    let backup = std::fs::read(history.database()).unwrap();
    run(
        &history,
        "UPDATE Ar_Activity SET EndUtcTime = datetime(EndUtcTime, '-1 seconds'), CurrentChangeSequence = 1 + (SELECT \
         max(CurrentChangeSequence) FROM Ar_Activity) WHERE ReportId = 2 AND ActivityId = (SELECT min(ActivityId) \
         FROM Ar_Activity WHERE ReportId = 2 AND EndUtcTime > datetime(StartUtcTime, '+2 seconds'))",
    );
    check_full_reread("an edit that is undone", &history, |history| {
        std::fs::write(history.database(), &backup).unwrap();
    });
}

/// Regression: `SQLite` detects changes of a file by a few numbers. If the new content of a file had the same numbers,
/// its pages were mixed with the cached pages of the connection. Then every later query failed.
#[test]
fn overwritten_file_with_another_layout_is_read_again() {
    /// The positions of the numbers by which `SQLite` recognises a file (file format, section 1.3). The first range
    /// contains the change counter, the number of pages, the first free page and the number of free pages. The second
    /// range contains the change counter for which the number of pages is valid.
    const NUMBERS: [std::ops::Range<usize>; 2] = [24..40, 92..96];
    let (history, other) = (twelve_days("delete"), twelve_days("delete"));
    run(&history, "VACUUM");
    // The second file contains the same rows on other pages.
    run(
        &other,
        "CREATE TABLE Kept AS SELECT * FROM Ar_Group; DELETE FROM Ar_Group; VACUUM; INSERT INTO Ar_Group SELECT * FROM Kept; \
         DROP TABLE Kept; VACUUM",
    );
    let app = app_at(history.folder());
    STATEMENTS[5].1(&app);
    let before = std::fs::read(history.database()).unwrap();
    let mut after = std::fs::read(other.database()).unwrap();
    for numbers in NUMBERS {
        after[numbers.clone()].copy_from_slice(&before[numbers]);
    }
    std::fs::write(history.database(), after).unwrap();
    compare(&app, &app_at(history.folder()), &STATEMENTS, "another layout");
}

#[test]
fn timeline_with_many_partial_reads_is_read_completely_once() {
    let history = twelve_days("delete");
    let app = app_at(history.folder());
    let part = |app: &App| {
        let days = "start_local >= '2025-01-06' AND start_local < '2025-01-09'";
        rows(app, &format!("SELECT count(*), sum(seconds) FROM applications WHERE {days}")).concat()
    };
    let read = [(); 7].map(|()| {
        let read = rows_read(&app, part);
        run(&history, ONE_MORE);
        read
    });
    assert!(read[..4].iter().all(|rows| (2_000..3_000).contains(rows)), "{read:?}");
    assert_eq!(read.iter().filter(|rows| **rows >= u64::from(APPLICATION_ROWS)).count(), 1, "{read:?}");
    assert!(read[6] <= 8, "{read:?}");
    compare(&app, &app_at(history.folder()), &STATEMENTS[..1], "at the end");
}

#[test]
fn cache_size_is_bounded() {
    let history = twelve_days("wal");
    let documents = |app: &App| rows(app, "SELECT site, sum(seconds) FROM websites GROUP BY site").join("\n");
    let whole = STATEMENTS[0].1;
    for (memory, documents_stay, applications_stay) in
        [(0, false, false), (200_000, true, false), (8_000_000, true, true)]
    {
        let source = source_at(history.folder());
        let app = app_over(source.with_memory(memory));
        documents(&app);
        whole(&app);
        run(&history, ONE_MORE);
        let read = [documents, whole].map(|question| rows_read(&app, question) < 100);
        assert_eq!(read, [documents_stay, applications_stay], "{memory} bytes");
    }
}

#[test]
fn changes_to_a_history_with_only_core_tables_are_noticed() {
    let mut history = History::with(SchemaOptions::core());
    history.device(1, "desk-id", "DESK");
    history.active(1, "09:00", "10:00");
    for minute in 0..50 {
        history.application(2, "Editor", &format!("09:{minute:02}"), &format!("09:{:02}", minute + 1));
    }
    let history = history.close();
    let app = app_at(history.folder());
    rows_read(&app, STATEMENTS[0].1);
    run(&history, ONE_MORE);
    assert!(rows_read(&app, STATEMENTS[0].1) <= 8);
    compare(&app, &app_at(history.folder()), &STATEMENTS[..3], "core tables");
}

#[test]
fn request_during_a_preload_does_not_undo_it() {
    let folder = demo();
    let source = Arc::new(source_at(folder.path()));
    source.contents().unwrap();
    let rows = Arc::new(AtomicU64::new(0));
    let (reading, preloaded) = (ReadHandle::with_counter(Arc::clone(&rows)), Arc::clone(&source));
    let preload = thread::spawn(move || preloaded.preload(&reading).unwrap());
    while rows.load(Ordering::Relaxed) == 0 {
        assert!(!preload.is_finished(), "the preload reads rows");
        thread::yield_now();
    }
    source.contents().unwrap();
    assert!(preload.join().unwrap());
}
