//! Tests the conditions that are passed on to `SQLite`: ranges, roles, columns and limits.

use chrono::{Days, NaiveDate};
use dayledger_fixtures::SchemaOptions;

use crate::histories::{DAY, History, rows, run_every_query, source_plans, today, tops};

/// The first day of the history.
const FIRST: &str = "2024-10-01";
/// The last day of the history.
const LAST: &str = "2025-01-08";

/// Returns a history of a hundred days, with one hour on each day in every timeline.
fn hundred_days() -> History {
    let mut history = History::with(SchemaOptions::default());
    history.device(1, "desk-id", "DESK");
    let first: NaiveDate = FIRST.parse().unwrap();
    for number in 0..100 {
        let date = first + Days::new(number);
        let at = |time: &str| format!("{date} {time}");
        history.active(1, &at("09:00:00"), &at("10:00:00"));
        for minute in 0..12 {
            let (from, to) = (at(&format!("09:{:02}:00", minute * 5)), at(&format!("09:{:02}:00", minute * 5 + 4)));
            history.application(2, if minute % 2 == 0 { "Editor" } else { "Firefox" }, &from, &to);
            history.website(3, "docs.rs", &from, &to);
        }
        history.tag(4, &["Client"], &at("09:00:00"), &at("10:00:00"));
    }
    history.writer().fill_hourly_tables().unwrap();
    history.commit();
    history
}

fn after(date: &str) -> NaiveDate {
    date.parse::<NaiveDate>().unwrap() + Days::new(1)
}

/// Returns the only scan in the plan of a statement.
fn scan_of(history: &History, sql: &str) -> String {
    let plan = rows(&history.app(), &format!("EXPLAIN {sql}")).concat();
    let (_, scan) = plan.split_once("ScanExec: ").unwrap_or_else(|| panic!("no scan in {plan}"));
    assert!(!scan.contains("ScanExec: "), "more than one scan in {plan}");
    scan.lines().next().unwrap().to_owned()
}

#[test]
fn query_for_a_day_uses_a_time_index_at_both_ends_of_the_history() {
    let history = hundred_days();
    let app = history.app();
    for (date, question) in [(FIRST, "narrative"), (LAST, "narrative"), (FIRST, "day_summary"), (LAST, "tags_in")] {
        let lines = source_plans(&app, &format!("SELECT * FROM {question}('{date}', '{}')", after(date)));
        let of_activities: Vec<_> = lines.iter().filter(|line| line.contains("Ar_Activity")).collect();
        assert!(!of_activities.is_empty(), "{question} reads activities: {lines:?}");
        for line in of_activities {
            let by_index = line
                .starts_with("SEARCH Ar_Activity USING INDEX IX_Ar_Activity_LocalTime (ReportId=? AND StartLocalTime")
                || line.starts_with(
                    "SEARCH Ar_Activity USING INDEX IX_Ar_Activity_EndLocalTime (ReportId=? AND EndLocalTime",
                );
            assert!(by_index, "{question} of {date}: {line}");
        }
    }
}

#[test]
fn query_for_hourly_totals_searches_by_timeline_and_hour() {
    let history = hundred_days();
    let lines = source_plans(
        &history.app(),
        &format!("SELECT * FROM recorded_time('applications', '{LAST}', '{}')", after(LAST)),
    );
    let of_hours: Vec<_> = lines.iter().filter(|line| line.contains("ByDay")).collect();
    assert!(!of_hours.is_empty(), "{lines:?}");
    assert!(of_hours.iter().all(|line| line.starts_with("SEARCH") && line.contains("Hour>")), "{of_hours:?}");
}

#[test]
fn range_role_and_columns_of_a_view_reach_the_scan() {
    let history = hundred_days();
    let scan = scan_of(
        &history,
        "SELECT application FROM applications WHERE start_local >= '2024-11-05' AND start_local < '2024-11-06T12:00:00'",
    );
    assert!(
        scan.contains("StartLocalTime >= '2024-11-05 00:00:00' AND StartLocalTime < '2024-11-06 12:00:00'"),
        "{scan}"
    );
    assert!(scan.contains("role in [\"applications\"]"), "{scan}");
    assert!(scan.ends_with("columns=[role, name, group_name, common_name, seconds]"), "{scan}");
}

#[test]
fn device_and_timeline_reach_the_scan() {
    let history = hundred_days();
    let scan = scan_of(&history, "SELECT count(*) FROM activities WHERE device = 'DESK' AND timeline_id = 2");
    assert!(scan.contains("device in [\"DESK\"]") && scan.contains("timeline_id in [2]"), "{scan}");
    assert!(!scan.contains("title"), "{scan}");
    let lines = source_plans(&history.app(), "SELECT title FROM activities WHERE timeline_id = 4");
    assert!(lines.iter().all(|line| line.starts_with("SEARCH")), "{lines:?}");
}

#[test]
fn limit_reaches_the_scan() {
    let history = hundred_days();
    let scan = scan_of(&history, "SELECT title FROM activities LIMIT 7");
    assert!(scan.contains("limit=7"), "{scan}");
    let scan = scan_of(&history, "SELECT name FROM manictime.ar_activity LIMIT 3");
    assert!(scan.contains("limit=3"), "{scan}");
    assert_eq!(rows(&history.app(), "SELECT title FROM activities LIMIT 7").len(), 7);
    // The scan doesn't apply this condition, so the condition must be applied before the limit.
    let filtered = "SELECT title FROM activities WHERE title LIKE 'Fire%' AND role = 'applications' LIMIT 5";
    assert_eq!(rows(&history.app(), filtered), ["Firefox"; 5]);
}

#[test]
fn icons_are_never_read() {
    let mut history = History::with_one_hour();
    // Reading these icons would fail, because the smallest integer has no absolute value.
    for (table, number) in [("Ar_Group", "GroupId"), ("Ar_CommonGroup", "CommonId")] {
        let columns: Vec<String> = {
            let sql = "SELECT name FROM pragma_table_info(?1) WHERE name NOT LIKE 'Icon%'";
            let mut statement = history.writer().connection().prepare(sql).unwrap();
            statement.query_map([table], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        history.sql(&format!(
            "ALTER TABLE {table} RENAME TO Kept_{table};
             CREATE VIEW {table} AS
                 SELECT {}, abs(-9223372036854775808 + {number} * 0) AS Icon16 FROM Kept_{table};",
            columns.join(", "),
        ));
        let read = history.writer().connection().query_row(&format!("SELECT Icon16 FROM {table}"), [], |_| Ok(()));
        assert!(read.is_err(), "reading an icon fails");
    }
    let app = history.app();
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);

    let whole = History::with_one_hour();
    run_every_query(&whole.app()).unwrap();
    let icons = "SELECT count(*) FROM information_schema.columns WHERE column_name ILIKE '%icon%'";
    assert_eq!(rows(&whole.app(), icons), ["0"]);
    assert_eq!(rows(&whole.app(), &format!("SELECT count(*) FROM applications WHERE start_local >= '{DAY}'")), ["1"]);
}
