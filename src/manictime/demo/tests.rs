//! Tests of the demo history as a reader meets it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rusqlite::Connection;

use super::*;

mod writer;

fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

/// Two weeks around a clock change, in a folder of their own.
fn history(until: NaiveDate, days: u32) -> (tempfile::TempDir, Connection) {
    let dir = tempfile::tempdir().unwrap();
    let plan = Plan { days, ..Plan::new(until) };
    let summary = write(dir.path(), &plan, &mut |_, _| ()).unwrap();
    let conn = Connection::open(summary.path).unwrap();
    (dir, conn)
}

fn number(conn: &Connection, sql: &str) -> i64 {
    conn.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn texts(conn: &Connection, sql: &str) -> Vec<String> {
    let mut statement = conn.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Every row of every table, as text.
fn dump(conn: &Connection) -> String {
    let mut dump = String::new();
    for table in texts(conn, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
        let mut statement = conn.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            dump.push_str(&table);
            for column in 0..columns {
                write!(dump, "|{:?}", row.get_ref(column).unwrap()).unwrap();
            }
            dump.push('\n');
        }
    }
    dump
}

#[test]
fn the_same_plan_gives_the_same_rows_and_another_seed_gives_others() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [first, again, other] = [(0, 7), (1, 7), (2, 8)].map(|(dir, seed)| {
        let plan = Plan { days: 9, seed, ..Plan::new(date(2025, 4, 4)) };
        dump(&Connection::open(write(dirs[dir].path(), &plan, &mut |_, _| ()).unwrap().path).unwrap())
    });
    assert!(first == again, "rows differ between two runs of one plan");
    assert!(first != other, "the seed changes nothing");
}

#[test]
fn a_longer_history_keeps_the_states_of_the_shorter_one() {
    let states = "SELECT Name || StartLocalTime || EndLocalTime FROM Ar_Activity
                  WHERE ReportId = 1 AND IsActive = 1 AND StartLocalTime > '2025-03-17' ORDER BY ActivityId";
    let (_short_dir, short) = history(date(2025, 3, 21), 5);
    let (_long_dir, long) = history(date(2025, 3, 21), 12);
    assert_eq!(texts(&short, states), texts(&long, states));
}

#[test]
fn a_history_is_never_overwritten() {
    let (dir, _conn) = history(date(2025, 1, 15), 1);
    let before = fs::read(dir.path().join(FILE_NAME)).unwrap();
    let error = write(dir.path(), &Plan::new(date(2025, 1, 15)), &mut |_, _| ()).unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    assert_eq!(fs::read(dir.path().join(FILE_NAME)).unwrap(), before);
}

#[test]
fn only_the_complete_file_is_left_in_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("ManicTimeReports.db.partial"), "left by an interrupted run").unwrap();
    let plan = Plan { days: 2, ..Plan::new(date(2025, 1, 15)) };
    let mut seen = Vec::new();
    write(dir.path(), &plan, &mut |done, total| seen.push((done, total))).unwrap();
    let names = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    assert_eq!(names, [FILE_NAME]);
    assert_eq!(seen, [(1, 2), (2, 2)]);
    let conn = Connection::open(dir.path().join(FILE_NAME)).unwrap();
    assert_eq!(texts(&conn, "PRAGMA journal_mode"), ["delete"]);
    assert_eq!(texts(&conn, "PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn a_history_ends_with_a_day_of_work_on_weekends_and_holidays_too() {
    for until in [date(2025, 3, 22), date(2025, 3, 23), date(2025, 10, 3)] {
        let (_dir, conn) = history(until, 2);
        let seconds = number(
            &conn,
            &format!(
                "SELECT sum(unixepoch(EndUtcTime) - unixepoch(StartUtcTime)) FROM Ar_Activity \
                 JOIN Ar_Timeline USING (ReportId) \
                 WHERE SchemaName = 'ManicTime/Applications' AND date(StartLocalTime) = '{until}'"
            ),
        );
        assert!(seconds > 5 * 3600, "{until}: {seconds} seconds");
    }
}

#[test]
fn a_plan_without_days_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = write(dir.path(), &Plan { days: 0, ..Plan::new(date(2025, 1, 15)) }, &mut |_, _| ()).unwrap_err();
    assert!(matches!(error, Error::Days { days: 0 }), "{error}");
}

#[test]
fn linked_documents_share_device_start_and_end_with_their_window() {
    let (_dir, conn) = history(date(2025, 3, 21), 14);
    let linked = number(&conn, "SELECT count(*) FROM Ar_Activity WHERE RelatedActivityId IS NOT NULL");
    let matching = number(
        &conn,
        "SELECT count(*) FROM Ar_Activity AS d
         JOIN Ar_Timeline AS dt ON dt.ReportId = d.ReportId AND dt.SchemaName = 'ManicTime/Documents'
         JOIN Ar_Timeline AS wt ON wt.EnvironmentId = dt.EnvironmentId AND wt.SchemaName = 'ManicTime/Applications'
         JOIN Ar_Activity AS w ON w.ReportId = wt.ReportId AND w.ActivityId = d.RelatedActivityId
         WHERE (d.StartUtcTime, d.EndUtcTime, d.StartLocalTime) = (w.StartUtcTime, w.EndUtcTime, w.StartLocalTime)",
    );
    assert_eq!(linked, matching);
    assert!(linked > 1_000, "{linked}");
    let unlinked = "SELECT count(*) FROM Ar_Activity WHERE ReportId IN (3, 7) AND RelatedActivityId IS NULL";
    assert!(number(&conn, unlinked) > 10);
}

#[test]
fn rows_of_a_timeline_last_and_do_not_overlap() {
    let (_dir, conn) = history(date(2025, 4, 4), 14);
    let reversed = "SELECT count(*) FROM Ar_Activity WHERE EndUtcTime <= StartUtcTime";
    assert_eq!(number(&conn, reversed), 0);
    let overlaps = "SELECT count(*) FROM (
        SELECT StartUtcTime AS start, lag(EndUtcTime) OVER (PARTITION BY ReportId ORDER BY StartUtcTime) AS before
        FROM Ar_Activity) WHERE start < before";
    assert_eq!(number(&conn, overlaps), 0);
}

#[test]
fn change_sequences_are_unique_and_grow_with_the_rows_of_a_timeline() {
    let (_dir, conn) = history(date(2025, 3, 21), 5);
    let shrinking = "SELECT count(*) FROM (
        SELECT CurrentChangeSequence AS now,
               lag(CurrentChangeSequence) OVER (PARTITION BY ReportId ORDER BY ActivityId) AS before
        FROM Ar_Activity) WHERE now <= before";
    assert_eq!(number(&conn, shrinking), 0);
    let twice = "SELECT count(*) FROM (
        SELECT ReportId, CurrentChangeSequence AS s FROM Ar_Activity UNION ALL
        SELECT ReportId, CurrentChangeSequence FROM Ar_Group UNION ALL
        SELECT ReportId, CurrentChangeSequence FROM Ar_GroupList
        ) GROUP BY ReportId, s HAVING count(*) > 1";
    assert!(conn.prepare(twice).unwrap().query([]).unwrap().next().unwrap().is_none());
}

#[test]
fn group_keys_are_unique_in_a_timeline_and_shared_over_devices() {
    let (_dir, conn) = history(date(2025, 3, 21), 14);
    let doubled = "SELECT count(*) - count(DISTINCT ReportId || '/' || Key) FROM Ar_Group";
    assert_eq!(number(&conn, doubled), 0);
    let shared = "SELECT count(*) FROM Ar_CommonGroup AS c
        WHERE (SELECT count(*) FROM Ar_Group AS g WHERE g.CommonId = c.CommonId) = 2";
    assert!(number(&conn, shared) > 20);
    let dangling = "SELECT count(*) FROM Ar_Group AS g LEFT JOIN Ar_CommonGroup AS c
        ON c.CommonId = g.CommonId AND c.Key = g.Key WHERE c.CommonId IS NULL";
    assert_eq!(number(&conn, dangling), 0);
    let active = "SELECT Name FROM Ar_Group WHERE Key = 'ManicTime/Active' ORDER BY ReportId";
    assert_eq!(texts(&conn, active), ["Active", "Aktiv"]);
}

#[test]
fn the_clock_is_right_on_both_sides_of_a_change() {
    for (until, change, before, after) in [
        (date(2025, 4, 1), "2025-03-30 01:00:00", 3_600, 7_200),
        (date(2025, 10, 28), "2025-10-26 01:00:00", 7_200, 3_600),
    ] {
        let (_dir, conn) = history(until, 6);
        let offsets = |side: &str| {
            let mut all = BTreeSet::new();
            for edge in ["Start", "End"] {
                let sql = format!(
                    "SELECT DISTINCT (unixepoch({edge}LocalTime) - unixepoch({edge}UtcTime)) || ''
                     FROM Ar_Activity WHERE {edge}UtcTime {side} '{change}'"
                );
                all.extend(texts(&conn, &sql));
            }
            all.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(offsets("<"), [before.to_string()], "before {change}");
        assert_eq!(offsets(">="), [after.to_string()], "after {change}");
        let across = format!(
            "SELECT count(*) FROM Ar_Activity
             WHERE ReportId = 5 AND IsActive = 1 AND StartUtcTime < '{change}' AND EndUtcTime > '{change}'"
        );
        assert_eq!(number(&conn, &across), 1, "nobody is active across {change}");
    }
}

#[test]
fn hourly_tables_hold_the_seconds_of_the_activities_and_lag_behind() {
    let (_dir, conn) = history(date(2025, 3, 21), 10);
    for (table, kind) in [("Application", 1), ("Document", 2), ("WebSite", 3), ("ComputerUsage", 4)] {
        let last = texts(&conn, &format!("SELECT max(Hour) FROM Ar_{table}ByDay")).remove(0);
        assert!(last.as_str() < "2025-03-21 16:00:00" && last.as_str() >= "2025-03-21 00:00:00", "{table}: {last}");
        // An activity's seconds within each hour that it touches, by SQL and without the writer's own splitting.
        let expected = format!(
            "WITH RECURSIVE pieces(report, common, hour, at, until) AS (
                 SELECT a.ReportId, a.CommonGroupId, NULL, unixepoch(StartLocalTime), unixepoch(EndLocalTime)
                 FROM Ar_Activity AS a JOIN Ar_Group AS g USING (ReportId, GroupId) WHERE g.ReportGroupType = {kind}
                 UNION ALL
                 SELECT report, common, at / 3600, min(until, (at / 3600 + 1) * 3600), until FROM pieces WHERE at < until
             ), split AS (
                 SELECT report, common, hour, at - lag(at) OVER (PARTITION BY report, common, until ORDER BY at) AS seconds
                 FROM pieces
             )
             SELECT report || '/' || common || '/' || datetime(hour * 3600, 'unixepoch') || '/' || sum(seconds) AS line
             FROM split WHERE hour IS NOT NULL AND datetime(hour * 3600, 'unixepoch') <= '{last}'
             GROUP BY report, common, hour ORDER BY line"
        );
        let stored = format!(
            "SELECT ReportId || '/' || CommonId || '/' || Hour || '/' || TotalSeconds AS line
             FROM Ar_{table}ByDay ORDER BY line"
        );
        assert_eq!(texts(&conn, &stored), texts(&conn, &expected), "{table}");
    }
}

#[test]
fn the_yearly_histogram_sums_the_daily_tables() {
    let (_dir, conn) = history(date(2025, 1, 10), 21);
    for table in ["Application", "WebSite", "Document", "TagList", "ComputerUsage"] {
        let by_day = format!(
            "SELECT ReportId || '/' || substr(Hour, 1, 4) || '-01-01' || substr(Hour, 11) || '/' || strftime('%w', Hour)
                 || '/' || CommonId || '/' || sum(TotalSeconds) AS line
             FROM Ar_{table}ByDay GROUP BY ReportId, substr(Hour, 1, 4), substr(Hour, 11), strftime('%w', Hour), CommonId
             ORDER BY line"
        );
        let by_year = format!(
            "SELECT ReportId || '/' || Hour || '/' || DayOfWeek || '/' || CommonId || '/' || TotalSeconds AS line
             FROM Ar_{table}ByYear ORDER BY line"
        );
        let rows = texts(&conn, &by_year);
        assert!(!rows.is_empty(), "{table}");
        assert_eq!(rows, texts(&conn, &by_day), "{table}");
    }
}

#[test]
fn the_history_has_the_traps_that_a_reader_must_know() {
    let (_dir, conn) = history(date(2025, 4, 4), 42);
    let while_away = "SELECT count(*) FROM Ar_Activity AS w JOIN Ar_Activity AS s ON s.ReportId = w.ReportId - 1
        AND s.StartUtcTime < w.EndUtcTime AND s.EndUtcTime > w.StartUtcTime
        WHERE w.ReportId IN (2, 6) AND s.Name IN ('Away', 'Abwesend')";
    assert!(number(&conn, while_away) > 20, "windows end where the user leaves");
    let both_devices = "SELECT count(*) FROM Ar_Activity AS w JOIN Ar_Activity AS l ON l.ReportId = 5
        AND l.StartUtcTime < w.EndUtcTime AND l.EndUtcTime > w.StartUtcTime
        WHERE w.ReportId = 1 AND w.IsActive = 1 AND l.IsActive = 1";
    assert!(number(&conn, both_devices) > 3, "the devices are never used at once");
    let glances = "SELECT count(*) FROM (
        SELECT GroupId, unixepoch(EndUtcTime) - unixepoch(StartUtcTime) AS seconds,
               lag(GroupId) OVER (ORDER BY StartUtcTime) AS before, lead(GroupId) OVER (ORDER BY StartUtcTime) AS after
        FROM Ar_Activity WHERE ReportId = 2) WHERE before = after AND before <> GroupId AND seconds < 30";
    assert!(number(&conn, glances) > 100, "no short interruptions");
    let past_midnight = "SELECT count(*) FROM Ar_Activity WHERE IsActive = 1 AND ReportId = 5
        AND date(StartLocalTime) < date(EndLocalTime) AND EndLocalTime NOT LIKE '2025-03-30%'";
    assert!(number(&conn, past_midnight) > 0, "nobody works past midnight");
    assert!(number(&conn, "SELECT count(*) FROM Ar_Group WHERE ReportGroupType = 3 AND length(Name) = 1") > 0);
    assert!(number(&conn, "SELECT count(*) FROM Ar_Activity WHERE Name LIKE '\\\\fileserver%'") > 0);
    assert!(number(&conn, "SELECT count(*) FROM Ar_Group WHERE ReportGroupType = 5 AND Name LIKE '%,%'") > 0);
    assert!(number(&conn, "SELECT count(*) FROM Ar_Activity WHERE Notes IS NOT NULL") > 0);
    assert_eq!(number(&conn, "SELECT count(*) FROM Ar_Activity WHERE ReportId IN (4, 8) AND GroupId IS NOT NULL"), 0);
}

#[test]
fn about_as_many_rows_are_written_as_asked_for() {
    for per_day in [250_u32, 1_200] {
        let dir = tempfile::tempdir().unwrap();
        let plan = Plan { activities_per_day: per_day, days: 21, ..Plan::new(date(2025, 3, 20)) };
        let written = write(dir.path(), &plan, &mut |_, _| ()).unwrap().activities;
        let asked = u64::from(per_day) * 21;
        assert!((asked * 4 / 5..=asked * 6 / 5).contains(&written), "{per_day} a day gave {written}, not {asked}");
    }
}
