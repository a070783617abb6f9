//! Tests a file that `ManicTime` writes while dayledger queries it (docs/spec/manictime.md#reading-a-live-database).

use std::path::Path;
use std::time::{Duration, Instant};

use dayledger::App;
use rusqlite::Connection;

use super::writer_process::WriterProcess;
use crate::histories::{
    ClosedHistory, DAY, History, app_at, app_over, day, narrative, period, segments, source_at, stored_time, today,
    usage,
};

const MODES: [&str; 2] = ["delete", "wal"];

/// Returns a history with this journal mode. It has a device but no activities, and no process has its file open.
fn empty_history(mode: &str) -> ClosedHistory {
    let mut history = History::on_workstation();
    for name in ["Editor", "Browser"] {
        let key = format!("{name}.exe;{name}");
        history.group(2, &dayledger_fixtures::Group::application(&key.to_lowercase(), name));
    }
    history.group(1, &dayledger_fixtures::Group::state("ManicTime/Active", "Active"));
    history.commit();
    history.sql(&format!("PRAGMA journal_mode = {mode}"));
    history.close()
}

/// Returns a transaction that adds the active minute `number` of the day. The two halves of the minute are spent in
/// different applications.
fn minute(number: u32) -> String {
    let at = |second: u32| {
        let second = number * 60 + second;
        (second / 3600, second / 60 % 60, second % 60)
    };
    let mut text = "BEGIN IMMEDIATE;".to_owned();
    for (report, id, group, from, to) in
        [(2, number * 2, 1, 0, 30), (1, number, 1, 0, 60), (2, number * 2 + 1, 2, 30, 60)]
    {
        let stamp = |(hour, minute, second)| format!("{hour:02}:{minute:02}:{second:02}");
        let (from, to) = (stored_time(&stamp(at(from))), stored_time(&stamp(at(to))));
        text.push_str(
            "INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupId, StartLocalTime, StartUtcTime, EndLocalTime, \
             EndUtcTime, CurrentChangeSequence, CurrentChangeRandomValue) ",
        );
        let [report, id, group] = [report, id, group].map(|number| number.to_string());
        text.push_str(&["VALUES (", &report, ", ", &id, ", 'x', ", &group, ", '"].concat());
        text.push_str(&[&from, "', '", &from, "', '", &to, "', '", &to, "', ", &id, ", 0);"].concat());
    }
    text + "COMMIT;"
}

/// Returns the active minutes of the day. Checks that all parts of the response are from the same commit.
fn consistent_minutes(app: &App) -> u32 {
    let answer = today(app);
    let total = answer.total_active_minutes;
    let of_segments: i64 = answer.segments.iter().flatten().map(|segment| segment.duration_minutes.seconds()).sum();
    let of_tops: Vec<_> = answer.top_applications.iter().flatten().map(|top| top.total_minutes.seconds()).collect();
    assert_eq!(of_segments, total.seconds(), "segments");
    assert_eq!(of_tops.iter().sum::<i64>(), total.seconds(), "tops {of_tops:?}");
    assert!(of_tops.windows(2).all(|pair| pair[0] == pair[1]), "half a commit: {of_tops:?}");
    assert_eq!(total.seconds() % 60, 0, "half a commit");
    let summary = period(app, DAY, "2025-01-16");
    let of_days: i64 = summary.days.iter().map(|day| day.total_active_minutes.seconds()).sum();
    assert_eq!(of_days, summary.total_active_minutes.seconds(), "days");
    assert!(summary.total_active_minutes >= total, "an older state after a newer one");
    u32::try_from(total.seconds() / 60).unwrap()
}

#[test]
fn response_shows_one_committed_state_while_another_process_writes() {
    const BURST: u32 = 30;
    for mode in MODES {
        let history = empty_history(mode);
        let app = app_at(history.folder());
        let mut writer = WriterProcess::open(&history.database());
        writer.run("PRAGMA busy_timeout = 60000; PRAGMA synchronous = OFF").unwrap();
        assert_eq!(consistent_minutes(&app), 0);
        for burst in 0..3 {
            let committed = burst * BURST;
            writer.start(&(committed..committed + BURST).map(minute).collect::<String>());
            let seen = consistent_minutes(&app);
            assert!((committed..=committed + BURST).contains(&seen), "{mode}: {seen} after {committed}");
            writer.finish().unwrap();
            // The writer has reported that it has finished, so the next query must see its last commit.
            assert_eq!(consistent_minutes(&app), committed + BURST, "{mode}");
        }
    }
}

#[test]
fn next_query_sees_a_commit() {
    for mode in MODES {
        let history = empty_history(mode);
        let app = app_at(history.folder());
        let other = app_at(history.folder());
        let mut writer = WriterProcess::open(&history.database());
        for number in 0..2 {
            writer.run(&minute(number)).unwrap();
            for app in [&app, &other, &app.clone()] {
                assert_eq!(consistent_minutes(app), number + 1, "{mode}");
            }
        }
        writer.run("UPDATE Ar_Group SET Name = 'Renamed' WHERE ReportId = 2 AND GroupId = 1").unwrap();
        writer.run("UPDATE Ar_CommonGroup SET Name = 'Renamed' WHERE Name = 'Editor'").unwrap();
        assert!(segments(&today(&app))[0].contains("Renamed"), "{mode}: changed names are read too");
        writer.run("DELETE FROM Ar_Activity WHERE ReportId = 1").unwrap();
        assert_eq!(consistent_minutes(&app), 0, "{mode}");
    }
}

#[test]
fn query_releases_its_lock() {
    for mode in MODES {
        let history = empty_history(mode);
        let app = app_at(history.folder());
        let mut writer = WriterProcess::open(&history.database());
        for number in 0..3 {
            consistent_minutes(&app);
            usage(&app, day(DAY));
            // Writing must succeed while queries run. The writer fails immediately if the file is locked.
            writer.run(&minute(number)).unwrap_or_else(|complaint| panic!("{mode}: {complaint}"));
        }
        // In WAL mode, the log could not be emptied if a reader stayed in a transaction.
        writer.run("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        if mode == "wal" {
            let log = history.folder().join("ManicTimeReports.db-wal");
            assert_eq!(std::fs::metadata(log).unwrap().len(), 0);
        }
        assert_eq!(consistent_minutes(&app), 3);
    }
}

#[test]
fn query_does_not_release_locks_of_others() {
    let history = empty_history("delete");
    let mut writer = WriterProcess::open(&history.database());
    let reading = Connection::open(history.database()).unwrap();
    reading.execute_batch("BEGIN; SELECT count(*) FROM Ar_Activity;").unwrap();
    let mut inside = reading.prepare("SELECT ReportId FROM Ar_Timeline").unwrap();
    let mut rows = inside.query([]).unwrap();
    rows.next().unwrap();

    // On a system with only POSIX locks, a process loses all its locks on a file as soon as it closes one handle of the
    // file.
    consistent_minutes(&app_at(history.folder()));
    let refused = writer.run(&minute(0)).unwrap_err();
    assert!(refused.contains("locked"), "{refused}");
}

#[test]
fn writer_that_starts_after_the_reader_is_noticed() {
    for mode in MODES {
        let history = empty_history(mode);
        let app = app_at(history.folder());
        for number in 0..3 {
            let mut writer = WriterProcess::open(&history.database());
            writer.run(&minute(number)).unwrap();
            assert_eq!(consistent_minutes(&app), number + 1, "{mode}");
            writer.close();
            assert_eq!(consistent_minutes(&app), number + 1, "{mode}, after the writer closed the file");
        }
    }
}

#[test]
fn uncommitted_changes_are_not_visible() {
    for mode in MODES {
        let history = empty_history(mode);
        let app = app_at(history.folder());
        let mut writer = WriterProcess::open(&history.database());
        writer.run(&minute(0)).unwrap();
        assert_eq!(narrative(&app, day(DAY)).total_active_minutes.to_string(), "1");
        writer.run(&minute(1).replace("COMMIT;", "")).unwrap();
        assert_eq!(consistent_minutes(&app), 1, "{mode}");
        writer.run("ROLLBACK").unwrap();
        assert_eq!(consistent_minutes(&app), 1, "{mode}");
    }
}

/// Regression: a server kept the file open for weeks. On Windows, an open file can't be replaced.
#[test]
fn idle_file_is_closed_and_reopened_by_the_next_query() {
    for mode in MODES {
        let history = empty_history(mode);
        let app = app_over(source_at(history.folder()).with_idle_timeout(Duration::from_millis(1)));
        for number in 0..3 {
            let mut writer = WriterProcess::open(&history.database());
            writer.run(&minute(number)).unwrap();
            assert_eq!(consistent_minutes(&app), number + 1, "{mode}");
            writer.close();
            wait_until_closed(&history.database());
            assert_eq!(consistent_minutes(&app), number + 1, "{mode}, unchanged");
            wait_until_closed(&history.database());
            let restored = history.folder().join("restored");
            std::fs::copy(history.database(), &restored).unwrap();
            std::fs::rename(&restored, history.database()).unwrap();
            assert_eq!(consistent_minutes(&app), number + 1, "{mode}, restored");
        }
    }
}

/// Waits until this process has closed a file.
#[cfg(target_os = "linux")]
fn wait_until_closed(file: &Path) {
    let file = file.canonicalize().unwrap();
    wait_until(|| {
        let mut open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        !open.any(|open| std::fs::read_link(open.path()).is_ok_and(|open| open == file))
    });
}

/// Waits until all processes have closed a file.
#[cfg(windows)]
fn wait_until_closed(file: &Path) {
    use std::os::windows::fs::OpenOptionsExt;
    wait_until(|| std::fs::OpenOptions::new().read(true).share_mode(0).open(file).is_ok());
}

#[cfg(any(windows, target_os = "linux"))]
fn wait_until(closed: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_mins(1);
    while !closed() {
        assert!(Instant::now() < patience, "the file stays open");
        std::thread::yield_now();
    }
}

/// Does nothing, because other systems don't report open files.
#[cfg(not(any(windows, target_os = "linux")))]
fn wait_until_closed(_file: &Path) {}
