//! Tests the limits of statements in the engine.

use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::DataType;
use dayledger::engine::worker::Launch;
use dayledger::engine::{CutBy, Engine, Error, Model, Position, Progress, QueryLimits, Table};
use dayledger_fixtures::demo::{Plan, write};
use tempfile::TempDir;

use super::hostile::{ANSWERED, statements};
use crate::cli::program::{date, demo};
use crate::histories::{builder_at, cells, engine_at};

/// The limits that these tests use for statements of users and models.
const LIMITS: QueryLimits =
    QueryLimits { deadline: Duration::from_secs(3), memory_bytes: 64 << 20, rows: 1000, bytes: 1 << 20 };

fn demo_engine() -> (Engine, TempDir) {
    let dir = demo();
    (engine_at(dir.path()), dir)
}

/// Returns an engine over the demo that runs statements in workers, as the program does.
fn demo_engine_with_workers() -> (Engine, TempDir) {
    let dir = demo();
    let app = builder_at(dir.path()).build_with_workers(env!("CARGO_BIN_EXE_dayledger").into()).unwrap();
    (app.engine().clone(), dir)
}

fn rows(table: &Table) -> usize {
    table.batches.iter().map(RecordBatch::num_rows).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn window_over_too_many_rows_fails_and_releases_its_memory() {
    let (engine, _dir) = demo_engine();
    let limits = QueryLimits { memory_bytes: 32 << 20, ..QueryLimits::default() };
    let window =
        |rows: usize| format!("SELECT max(s) FROM (SELECT sum(value) OVER () AS s FROM generate_series(1, {rows}))");
    let error = engine.query(window(3_000_000), &limits).await.unwrap_err();
    assert_eq!(error.code().to_string(), "OUT_OF_MEMORY");
    // Each part of this statement needs most of the memory limit. The statement still fits, because the subquery
    // finishes first.
    let held = window(900_000);
    let one_after_the_other = format!("SELECT * FROM ({held}) WHERE (SELECT count(*) FROM ({held})) > 0");
    assert_eq!(rows(&engine.query(one_after_the_other, &limits).await.unwrap()), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn limited_queries_read_further_days_and_return_no_row_twice() {
    let (engine, _dir) = demo_engine();
    let few = |sql: &'static str| {
        let engine = &engine;
        async move { cells(&engine.query(sql, &LIMITS).await.unwrap()) }
    };
    // This statement reads the segments twice. The outer query needs only two rows, but the subquery reads all rows.
    let beside = "SELECT application FROM segments WHERE seconds >= (SELECT min(seconds) FROM segments \
                  WHERE start_local >= TIMESTAMP '2000-01-01' AND start_local < TIMESTAMP '2100-01-01') LIMIT 2";
    assert_eq!(few(beside).await.len(), 2);
    // If few rows are needed, 32 days are read first. The demo's history has more days.
    let total = few("SELECT least(count(*), 4000) FROM segments").await;
    assert_eq!(few("SELECT count(*) FROM (SELECT * FROM segments LIMIT 4000)").await, total);
    let one = "SELECT 'a' AS application UNION ALL \
               (SELECT application FROM segments WHERE application = 'nobody has this' LIMIT 5)";
    assert_eq!(few(one).await, [["a"]]);
    let none = "SELECT * FROM segments WHERE application = 'nobody has this' LIMIT 5";
    assert!(few(none).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_statement_is_rejected_or_stopped_and_the_next_one_runs() {
    let (engine, _dir) = demo_engine_with_workers();
    let mut wrong = Vec::new();
    let patient = QueryLimits { deadline: Duration::from_mins(1), ..LIMITS };
    for hostile in statements() {
        // Only statements that the time limit may stop get a short time limit. A busy machine needs a long time for the
        // other statements.
        let limits = match hostile.codes {
            ["TIMED_OUT", ..] => QueryLimits { deadline: Duration::from_secs(1), ..LIMITS },
            codes if codes.contains(&"TIMED_OUT") => LIMITS,
            _ => patient,
        };
        let code = match engine.query(hostile.sql.as_str(), &limits).await {
            Ok(_) => ANSWERED.to_owned(),
            Err(error) => error.code().to_string(),
        };
        if !hostile.codes.contains(&code.as_str()) {
            wrong.push(format!("{}: {code}, not {:?}", hostile.name, hostile.codes));
        }
        // A stopped statement must not continue. Otherwise the stopped statement would keep its turn, and two such
        // statements would block all other statements.
        let next = engine.query("SELECT count(*) FROM timelines", &patient).await;
        if let Err(error) = next {
            wrong.push(format!("after {}: {}", hostile.name, error.code()));
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Typical queries, which must all return a result.
const COMMON_STATEMENTS: &[&str] = &[
    "SELECT repeat('=', CAST(seconds / 600 AS BIGINT)) AS bar, name FROM app_usage ORDER BY seconds DESC LIMIT 10",
    "SELECT lpad(CAST(date_part('hour', hour_local) AS VARCHAR), 2, '0') || ':00', sum(seconds) FROM app_usage GROUP BY 1",
    "SELECT replace(upper(name), ' ', '_'), concat_ws(', ', name, key) FROM activities",
    "SELECT array_to_string(array_agg(DISTINCT name ORDER BY name), ', ') FROM app_usage",
    "SELECT unnest(generate_series(0, 23)) AS hour",
    "SELECT a.name, b.name FROM activities a JOIN activities b ON a.activity_id = b.activity_id AND a.role < b.role",
    "SELECT count(*) FROM tags t JOIN applications a ON a.start_utc < t.end_utc AND a.end_utc > t.start_utc",
    "SELECT value, (SELECT count(*) FROM tags) FROM generate_series(1, 10)",
    "SELECT name, sum(seconds) OVER (PARTITION BY name ORDER BY hour_local) FROM app_usage",
    "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 100) SELECT sum(n) FROM t",
    "SELECT arrow_cast(seconds, 'Float64') FROM app_usage",
    "SELECT n.application, d.date FROM narrative('2026-11-06', '2026-11-08') n \
     JOIN day_summary('2026-11-06', '2026-11-08') d ON d.date = CAST(n.start_local AS DATE)",
    "EXPLAIN SELECT * FROM app_usage",
    "EXPLAIN ANALYZE SELECT count(*) FROM app_usage",
    "SHOW TABLES",
    "DESCRIBE activities",
];

#[tokio::test(flavor = "multi_thread")]
async fn ordinary_queries_stay_within_the_limits() {
    let (engine, _dir) = demo_engine();
    let limits = QueryLimits { deadline: Duration::from_mins(2), ..LIMITS };
    for sql in COMMON_STATEMENTS {
        let table = engine.query(*sql, &limits).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert!(rows(&table) > 0, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_returns_the_same_response_as_this_process() {
    let (engine, dir) = demo_engine_with_workers();
    let here = engine_at(dir.path());
    let limits = QueryLimits { deadline: Duration::from_mins(2), ..LIMITS };
    let more = [
        "SELECT * FROM activities",
        "SELECT application, array_agg(title ORDER BY start_utc) AS titles, {'a': max(key)} AS s FROM applications GROUP BY 1 ORDER BY 1",
        "SELECT * FROM activities WHERE false",
        "SELECT 1 AS one FROM activities LIMIT 0",
        "SELECT count(*) FROM manictime.ar_activity",
        "SELECT arrow_cast('x', 'Dictionary(Int32, Utf8)') AS d, INTERVAL '1 day' AS i, NULL AS n, X'00ff' AS b",
    ];
    // The output of `EXPLAIN ANALYZE` isn't compared, because it contains durations.
    let is_settled = |sql: &&&str| !sql.contains("ANALYZE");
    let sorted = |table: &Table| {
        let mut rows = cells(table);
        rows.sort();
        rows
    };
    for sql in COMMON_STATEMENTS.iter().chain(&more).filter(is_settled) {
        let (there, here) = (engine.query(*sql, &limits).await, here.query(*sql, &limits).await);
        let (there, here) = (there.unwrap_or_else(|error| panic!("{sql}: {error}")), here.unwrap());
        let whole = |table: &Table| concat_batches(&table.schema, &table.batches).unwrap();
        assert_eq!((there.schema.clone(), there.truncated), (here.schema.clone(), here.truncated), "{sql}");
        if sql.contains("ORDER BY") {
            assert_eq!(whole(&there), whole(&here), "{sql}");
        } else if there.truncated.is_some() {
            // Without an order, the rows that are left out depend on the timelines in memory.
            assert_eq!(rows(&there), rows(&here), "{sql}");
        } else {
            assert_eq!(sorted(&there), sorted(&here), "{sql}");
        }
    }
    for sql in ["SELECT name,\n  secnds FROM app_usage", "DROP TABLE tags", "SELECT '"] {
        let (there, here) =
            (engine.query(sql, &limits).await.unwrap_err(), here.query(sql, &limits).await.unwrap_err());
        assert_eq!(
            (there.code(), there.to_string(), there.position()),
            (here.code(), here.to_string(), here.position())
        );
    }
}

/// A worker can have another version than the server, because the program's file may have been replaced while the
/// server was running.
#[tokio::test(flavor = "multi_thread")]
async fn worker_of_another_version_reports_that_a_restart_is_needed() {
    let unknown_shapes = [r#"{"version": "0.0.1", "setup": {"Memory": 1}}"#, r#"{"version": "0.0.1", "asked": [1]}"#];
    for setup in unknown_shapes {
        let launch = Launch {
            program: env!("CARGO_BIN_EXE_dayledger").into(),
            name: "dayledger",
            arguments: vec!["worker".into()],
            environment: Vec::new(),
            setup: setup.into(),
        };
        let engine = Engine::from_tables(Model::default()).unwrap().with_workers(launch);
        let error = engine.query("SELECT 1", &QueryLimits::default()).await.unwrap_err();
        assert_eq!(error.to_string(), "dayledger 0.0.1 was replaced while it was running: restart it", "{setup}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn statement_in_a_worker_reports_the_same_progress_as_in_this_process() {
    let (engine, dir) = demo_engine_with_workers();
    let limits = QueryLimits::default();
    let here = Progress::default();
    here.track(engine_at(dir.path()).query("SELECT max(name) FROM activities", &limits)).await.unwrap();
    assert!(here.rows() > 0, "{here}");
    // This statement reads the same rows, and then computes for minutes.
    let sql = "SELECT levenshtein(repeat(max(name), 100000), repeat('b', 400000)) FROM activities";
    let there = Progress::default();
    let statement = tokio::spawn(there.track(async move { engine.query(sql, &limits).await }));
    while (there.stage(), there.rows()) != (here.stage(), here.rows()) {
        assert!(!statement.is_finished(), "the last report before the statement ended: {there}");
        tokio::task::yield_now().await;
    }
    statement.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_large_batches_are_counted_once() {
    let dir = tempfile::tempdir().unwrap();
    let plan = Plan { days: 120, activities_per_day: 1000, ..Plan::new(date("2026-11-19")) };
    write(dir.path(), &plan).unwrap();
    let engine = engine_at(dir.path());
    // Sorting segments takes between 16 and 20 MB. If the whole size of a batch was counted for each of its parts, the
    // counted memory would exceed 32 MB.
    let limits = QueryLimits { deadline: Duration::from_mins(2), memory_bytes: 24 << 20, ..LIMITS };
    let counted = engine.query("SELECT count(*), sum(seconds) FROM segments", &limits).await;
    assert_eq!(counted.map(|table| rows(&table)).map_err(|error| error.code()), Ok(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_beyond_a_limit_are_omitted_and_reported() {
    let (engine, _dir) = demo_engine();
    let ask = async |sql: &str, limits: &QueryLimits| {
        let table = engine.query(sql, limits).await.unwrap();
        (rows(&table), table.truncated)
    };
    let series = "SELECT value FROM generate_series(1, 3000)";
    assert_eq!(ask(series, &LIMITS).await, (1000, Some(CutBy::Rows)));
    assert_eq!(ask(series, &QueryLimits { rows: 3000, ..LIMITS }).await, (3000, None));
    let (kept, cut) = ask(series, &QueryLimits { rows: 3000, bytes: 8000, ..LIMITS }).await;
    assert!(cut == Some(CutBy::Bytes) && (1..=1000).contains(&kept), "{kept} rows, {cut:?}");
    // The order of the statement must be kept, and so must its own limit.
    let table = engine.query(format!("{series} ORDER BY value DESC LIMIT 2"), &LIMITS).await.unwrap();
    assert_eq!((rows(&table), table.truncated), (2, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_show_their_position_in_the_statement() {
    let (engine, _dir) = demo_engine();
    for (sql, line, column) in [
        ("SELECT name,\n  secnds FROM app_usage", 2, 3),
        ("SELECT name FROM\n app_usge", 2, 2),
        ("SELECT name FRM app_usage WHERE", 1, 17),
    ] {
        let error = engine.query(sql, &LIMITS).await.unwrap_err();
        assert_eq!(error.position(), Some(Position { line, column }), "{sql}: {error}");
        assert!(matches!(error, Error::Query { .. }), "{sql}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_without_an_alias_are_named_after_their_expression() {
    let (engine, _dir) = demo_engine();
    for (sql, expected) in [
        ("SELECT 1, 'day', count(*) FROM segments", vec!["1", "'day'", "count(*)"]),
        (
            "SELECT date_trunc('day', start_local), SUM(seconds) / 60 AS minutes FROM segments GROUP BY 1 ORDER BY 1",
            vec!["date_trunc('day', start_local)", "minutes"],
        ),
        ("SELECT max(seconds) FROM blocks('2026-11-20') ORDER BY max(seconds)", vec!["max(seconds)"]),
        ("WITH t AS (SELECT upper(application) FROM segments) SELECT * FROM t", vec!["upper(application)"]),
        ("SELECT upper(application) FROM segments UNION ALL SELECT key FROM segments", vec!["upper(application)"]),
    ] {
        let table = engine.query(sql, &LIMITS).await.unwrap();
        let names: Vec<_> = table.schema.fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(names, expected, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_blocks_and_segments_start_with_local_times_and_names() {
    let (engine, _dir) = demo_engine();
    for (from, first) in [
        ("blocks('2026-11-20')", ["start_local", "end_local", "seconds", "subject"]),
        ("segments", ["device", "start_local", "end_local", "seconds"]),
    ] {
        let table = engine.query(format!("SELECT * FROM {from} LIMIT 1"), &LIMITS).await.unwrap();
        let names: Vec<_> = table.schema.fields().iter().map(|field| field.name().as_str()).collect();
        assert!(names.starts_with(&first) && names.ends_with(&["start_utc", "end_utc"]), "{from}: {names:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_statement_has_the_local_day_and_not_the_one_in_utc() {
    let (engine, _dir) = demo_engine();
    // Each statement has its own session. The functions are in another order in each session.
    for _ in 0..16 {
        let table = engine.query("SELECT today() AS today", &LIMITS).await.unwrap();
        let data_type = table.schema.field(0).data_type();
        assert!(matches!(data_type, DataType::Timestamp(_, None)), "{data_type}");
    }
}
