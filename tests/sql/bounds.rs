//! Tests comparisons of times with bounds that aren't whole seconds. The columns contain whole seconds.

use chrono::{NaiveDateTime, TimeDelta};
use dayledger::engine::{Engine, QueryLimits};
use dayledger::export::ExportTable;
use dayledger_fixtures::SchemaOptions;

use crate::histories::{History, OpenHistory, block_on, cells, engine_at, rows, small, span};

/// Views, table functions and subqueries that have columns with times.
const RELATIONS: [&str; 16] = [
    "activities",
    "documents",
    "websites",
    "tags",
    "computer_usage",
    "active_intervals",
    "segments",
    "pieces('2025-01-15')",
    "narrative('2025-01-15', '2025-01-18')",
    "blocks('2025-01-15')",
    "why('2025-01-15')",
    "pieces_by_rule('2025-01-15')",
    "tags_in('2025-01-15')",
    "computer_usage_in('2025-01-15')",
    "(SELECT start_local FROM applications LIMIT 5)",
    "(SELECT arrow_cast(start_local, 'Timestamp(ms)') AS start_local FROM applications)",
];

/// A subquery that converts times to the finest unit of SQL.
const CAST: &str = "(SELECT CAST(start_local AS TIMESTAMP) AS start_local, TRY_CAST(end_utc AS TIMESTAMP) AS end_utc FROM applications)";

fn texts(engine: &Engine, sql: &str) -> Vec<String> {
    let table = block_on(engine.query(sql, &QueryLimits::default()));
    cells(&table.unwrap()).concat()
}

fn count(engine: &Engine, relation: &str, condition: &str) -> usize {
    texts(engine, &format!("SELECT count(*) FROM {relation} WHERE {condition}"))[0].parse().unwrap()
}

fn times(engine: &Engine, relation: &str, column: &str) -> Vec<NaiveDateTime> {
    let sql = format!("SELECT arrow_cast({column}, 'Utf8') FROM {relation} WHERE {column} IS NOT NULL");
    texts(engine, &sql).iter().map(|time| time.parse().unwrap()).collect()
}

/// Creates a bound from a time. Also returns the same bound in SQL.
type Bound = fn(NaiveDateTime) -> (NaiveDateTime, String);

/// Checks that comparing a column with a bound gives the same result in SQL and in Rust.
fn assert_exact(engine: &Engine, relation: &str, column: &str, bounds: &[Bound]) {
    let times = times(engine, relation, column);
    let middle = times[times.len() / 2];
    for bound in bounds {
        let (bound, written) = bound(middle);
        let expected =
            |holds: fn(&NaiveDateTime, &NaiveDateTime) -> bool| times.iter().filter(|time| holds(time, &bound)).count();
        for (condition, expected) in [
            (format!("{column} < {written}"), expected(NaiveDateTime::lt)),
            (format!("{column} <= {written}"), expected(NaiveDateTime::le)),
            (format!("{column} > {written}"), expected(NaiveDateTime::gt)),
            (format!("{written} <= {column}"), expected(NaiveDateTime::ge)),
            (format!("{column} = {written}"), expected(NaiveDateTime::eq)),
            (format!("{column} <> {written}"), expected(NaiveDateTime::ne)),
            (format!("{column} IS DISTINCT FROM {written}"), expected(NaiveDateTime::ne)),
            (format!("{column} IN ({written}, {written} + INTERVAL '1 day')"), expected(NaiveDateTime::eq)),
            (format!("{column} NOT IN ({written})"), expected(NaiveDateTime::ne)),
            (format!("{column} BETWEEN {written} AND '2030-01-01'"), expected(NaiveDateTime::ge)),
            (format!("{column} NOT BETWEEN {written} AND '2030-01-01'"), expected(NaiveDateTime::lt)),
        ] {
            // Rows without a time are left out, because they match only one kind of comparison.
            let condition = format!("{column} IS NOT NULL AND {condition}");
            assert_eq!(count(engine, relation, &condition), expected, "{relation} WHERE {condition}");
        }
    }
}

fn stamp(time: NaiveDateTime) -> String {
    format!("TIMESTAMP '{}'", time.format("%Y-%m-%d %H:%M:%S%.3f"))
}

fn half_a_second_later(time: NaiveDateTime) -> (NaiveDateTime, String) {
    let bound = time + TimeDelta::milliseconds(500);
    (bound, stamp(bound))
}

fn half_a_second_before(time: NaiveDateTime) -> (NaiveDateTime, String) {
    let bound = time - TimeDelta::milliseconds(500);
    (bound, stamp(bound))
}

fn at_that_second(time: NaiveDateTime) -> (NaiveDateTime, String) {
    (time, stamp(time))
}

fn as_text(time: NaiveDateTime) -> (NaiveDateTime, String) {
    let (bound, written) = half_a_second_later(time);
    (bound, format!("CAST({} AS TIMESTAMP)", written.trim_start_matches("TIMESTAMP ")))
}

fn as_date(time: NaiveDateTime) -> (NaiveDateTime, String) {
    (time.date().into(), format!("DATE '{}'", time.date()))
}

/// A query for rows before 09:10:20.5 used to omit a row at 09:10:20.
#[test]
fn fractional_bound_is_compared_exactly() {
    let dir = small::folder();
    let engine = engine_at(dir.path());
    for column in ["start_local", "end_utc"] {
        for relation in ["applications", CAST] {
            let bounds = [half_a_second_later, half_a_second_before, at_that_second, as_text, as_date];
            assert_exact(&engine, relation, column, &bounds);
        }
    }
    for relation in RELATIONS {
        assert_exact(&engine, relation, "start_local", &[half_a_second_later]);
    }
    // When SQL compares a text with a value, it converts the text to the type of the value.
    assert_eq!(texts(&engine, "SELECT count(*) FROM applications WHERE start_local = '2025-01-15 09:10:20'"), ["1"]);
    assert_eq!(texts(&engine, "SELECT count(*) FROM applications WHERE start_local = '2025-01-15 09:10:20.5'"), ["0"]);
    assert_eq!(texts(&engine, "SELECT count(*) FROM applications WHERE start_local < NULL"), ["0"]);
    assert_eq!(
        texts(
            &engine,
            "SELECT min(start_local < TIMESTAMP '2025-01-01') IS NULL FROM (VALUES (arrow_cast(NULL, 'Timestamp(s)'))) AS t(start_local)"
        ),
        ["true"]
    );
}

#[test]
fn fractional_bound_computed_at_run_time_is_compared_exactly() {
    let dir = small::folder();
    let engine = engine_at(dir.path());
    let bound = "TIMESTAMP '2025-01-15 09:10:20.5'";
    let expected = count(&engine, "applications", "start_local <= '2025-01-15 09:10:20'");
    for sql in [
        format!(
            "SELECT count(*) FROM (SELECT start_local, {bound} AS bound FROM applications) WHERE start_local < bound"
        ),
        format!("WITH b AS (SELECT {bound} AS bound) SELECT count(*) FROM applications, b WHERE start_local < bound"),
        format!("SELECT count(*) FROM applications WHERE start_local < (SELECT {bound})"),
        format!("SELECT count(*) FROM applications WHERE start_local < coalesce({bound}, end_local)"),
        format!("SELECT count(*) FROM applications JOIN (VALUES ({bound})) AS b(bound) ON start_local < bound"),
        format!("SELECT count(*) FROM applications WHERE start_local - {bound} < INTERVAL '0 seconds'"),
        format!("SELECT count(*) FROM applications WHERE CASE WHEN start_local < {bound} THEN true END"),
        format!("SELECT count(*) FILTER (WHERE start_local < {bound}) FROM applications"),
    ] {
        assert_eq!(texts(&engine, &sql), [expected.to_string()], "{sql}");
    }
    let pairs = "SELECT count(*) FROM applications JOIN (VALUES (TIMESTAMP '2025-01-15 09:10:20'), \
                 (TIMESTAMP '2025-01-15 09:10:20.5')) AS b(bound) ON start_local = bound";
    assert_eq!(texts(&engine, pairs), ["1"]);
    let difference = "SELECT arrow_cast(start_local - TIMESTAMP '2025-01-15 09:10:20.5', 'Duration(ms)') FROM applications \
                      WHERE start_local = '2025-01-15 09:10:20'";
    assert_eq!(
        texts(&engine, &format!("SELECT arrow_cast(arrow_cast(d, 'Int64'), 'Utf8') FROM ({difference}) AS t(d)")),
        ["-500"]
    );
}

/// An interval of less than half a second used to become zero. A longer fraction of a second used to become a whole
/// second.
#[test]
fn fraction_of_an_interval_is_not_truncated() {
    let dir = small::folder();
    let engine = engine_at(dir.path());
    let moved = |interval: &str| {
        let sql = format!("SELECT start_local {interval} FROM applications WHERE start_local = '2025-01-15 09:10:20'");
        texts(&engine, &sql).concat()
    };
    assert_eq!(moved("- INTERVAL '0.5 seconds'"), "2025-01-15T09:10:19.500");
    assert_eq!(moved("+ INTERVAL '1500 milliseconds'"), "2025-01-15T09:10:21.500");
    assert_eq!(moved("+ INTERVAL '2 seconds'"), "2025-01-15T09:10:22");
    let first =
        "SELECT INTERVAL '0.5 seconds' + start_local FROM applications WHERE start_local = '2025-01-15 09:10:20'";
    assert_eq!(texts(&engine, first).concat(), "2025-01-15T09:10:20.500");
}

/// An export stores times in milliseconds. A query skips files and row groups whose first and last times can't match.
#[test]
fn fractional_bound_on_export_is_compared_exactly() {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        writer.add_device(1, "desk-id", "DESK", None).unwrap();
        for minute in 0..50 {
            let span = span(&format!("2025-01-15 09:{minute:02}:44"), &format!("2025-01-15 09:{minute:02}:50"));
            writer.add_activity(2, &dayledger_fixtures::Activity::new("Editor", span)).unwrap();
        }
    });
    let export = history.export(&["2025-01"], &[ExportTable::Activities, ExportTable::Segments]);
    for relation in ["activities", "applications"] {
        let bounds = [half_a_second_later, half_a_second_before, at_that_second, as_text];
        assert_exact(&export.engine, relation, "start_local", &bounds);
    }
}

/// Only bounds in whole seconds are passed on to the scan. Any other bound is first rounded to a whole second that
/// selects the same rows.
#[test]
fn bounds_reach_the_scan_as_whole_seconds() {
    let history = History::with_one_hour();
    let app = history.app();
    let scan = |condition: &str| {
        let plan = rows(&app, &format!("EXPLAIN SELECT title FROM applications WHERE {condition}")).concat();
        plan.split_once("ScanExec: ").unwrap().1.lines().next().unwrap().to_owned()
    };
    for (condition, expected) in [
        ("start_local >= DATE '2025-01-15'", "StartLocalTime >= '2025-01-15 00:00:00'"),
        ("start_local >= '2025-01-15 09:00:44'", "StartLocalTime >= '2025-01-15 09:00:44'"),
        ("start_local >= '2025-01-15 09:00:44.5'", "StartLocalTime >= '2025-01-15 09:00:45'"),
        ("start_local > TIMESTAMP '2025-01-15 09:00:44.5'", "StartLocalTime >= '2025-01-15 09:00:45'"),
        ("start_local < TIMESTAMP '2025-01-15 09:00:44.5'", "StartLocalTime < '2025-01-15 09:00:45'"),
        ("start_local <= TIMESTAMP '2025-01-15 09:00:44.5'", "StartLocalTime < '2025-01-15 09:00:45'"),
    ] {
        assert!(scan(condition).contains(expected), "{condition}: {}", scan(condition));
    }
}
