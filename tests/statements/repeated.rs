//! Tests statements that are repeated. Their plans are cached, but a repeated statement must not return old rows.

use std::collections::HashSet;

use dayledger::engine::{CutBy, Engine, QueryLimits};
use futures::future::join_all;
use rusqlite::Connection;

use crate::histories::{History, cells, engine_at};

/// Statements for different ranges. Some operators collect rows, and some statements contain the range several times.
/// `{from}` and `{to}` are its two ends.
const STATEMENTS: [&str; 12] = [
    "SELECT key, sum(seconds) FROM pieces({}) GROUP BY key ORDER BY key",
    "SELECT application, seconds, tags FROM narrative({}) ORDER BY start_utc LIMIT 4",
    "SELECT count(*), max(seconds) FROM narrative({}, 20) WHERE seconds > (SELECT avg(seconds) FROM narrative({}))",
    "SELECT a.key, count(*) FROM pieces({}) AS a JOIN role_pieces('documents', {}) AS b ON a.start_utc < b.end_utc \
     AND b.start_utc < a.end_utc GROUP BY a.key ORDER BY a.key",
    "SELECT date, active_seconds FROM day_summary({}) ORDER BY date DESC",
    "SELECT name, row_number() OVER (ORDER BY start_utc, name) FROM role_pieces('websites', {}) ORDER BY 2 LIMIT 5",
    "SELECT DISTINCT tag FROM tags_in({}) WHERE tag NOT IN (SELECT key FROM pieces({})) ORDER BY tag",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 4) \
     SELECT i, (SELECT count(*) FROM pieces({})) FROM n ORDER BY i",
    "SELECT key, sum(seconds) FROM applications WHERE start_local >= TIMESTAMP {from} AND start_local < {to} \
     GROUP BY key ORDER BY key",
    "SELECT count(*), min(start_local) FROM websites WHERE start_local BETWEEN {from} AND {to}",
    // A text isn't compared like a time: the `T` is after the blank of these texts.
    "SELECT count(*) FROM (SELECT CAST(start_local AS VARCHAR) AS start_local FROM applications) \
     WHERE start_local >= {from} AND start_local < {to}",
    "SELECT count(*) FROM pieces({}) LEFT JOIN computer_usage_in({}) AS c USING (device, start_utc) WHERE c.state IS NULL",
];

/// The ranges: a day, another day, a long range, and a range without rows.
const RANGES: [&str; 4] = [
    "'2025-01-03', '2025-01-04'",
    "'2025-01-06T09:00', '2025-01-08'",
    "'2025-01-01', '2025-03-20'",
    "'2031-01-01', '2031-06-01'",
];

async fn ask(engine: &Engine, sql: String) -> Result<Vec<Vec<String>>, String> {
    let answer = engine.query(sql, &QueryLimits::default()).await;
    answer.map(|table| cells(&table)).map_err(|error| format!("{error:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_statement_returns_the_same_rows_as_a_first_one() {
    let dir = tempfile::tempdir().unwrap();
    crate::histories::realistic::write(dir.path(), 12);
    let engine = engine_at(dir.path());
    let file = Connection::open(dir.path().join("ManicTimeReports.db")).unwrap();
    let mut results = Vec::new();
    for round in 0..2 {
        for range in RANGES {
            // This new engine plans each statement for the first time.
            let fresh = engine_at(dir.path());
            for statement in STATEMENTS {
                let (from, to) = range.split_once(", ").unwrap();
                let sql = statement.replace("{}", range).replace("{from}", from).replace("{to}", to);
                let first = ask(&fresh, sql.clone()).await;
                // The second run uses the cached plan of the first run.
                for _ in 0..2 {
                    assert_eq!(ask(&engine, sql.clone()).await, first, "round {round}: {sql}");
                }
                results.push(first.unwrap());
            }
        }
        // Removes half of the rows, so that later results must differ.
        file.execute("DELETE FROM Ar_Activity WHERE ActivityId % 2 = 0", []).unwrap();
    }
    let (before, after) = results.split_at(results.len() / 2);
    assert_ne!(before, after);
    assert!(before.iter().any(|rows| rows.len() > 5), "{before:?}");
}

/// The statements differ only in their times, so they use the same plans, but never two of them the same plan at once.
#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_statements_about_different_days_keep_their_times() {
    let dir = tempfile::tempdir().unwrap();
    crate::histories::realistic::write(dir.path(), 12);
    let engine = engine_at(dir.path());
    let until_day = |day: u32, comment: &str| {
        format!(
            "SELECT key, sum(seconds) {comment} FROM pieces('2025-01-01', '2025-03-20') \
             WHERE start_local >= '2025-01-01' AND start_local < '2025-01-{day:02}T18:30' GROUP BY key ORDER BY key"
        )
    };
    let mut expected = Vec::new();
    for day in 1..=12 {
        // A statement that could read the clock is planned each time.
        expected.push(ask(&engine, until_day(day, "/* now */")).await.unwrap());
    }
    assert_eq!(expected.iter().collect::<HashSet<_>>().len(), expected.len(), "each day has other rows");
    for _ in 0..3 {
        let answers = join_all((1..=12).map(|day| ask(&engine, until_day(day, "")))).await;
        assert_eq!(answers.into_iter().collect::<Result<Vec<_>, _>>().unwrap(), expected);
    }
}

/// For DataFusion, the plans of these statements are equal, because it compares tables by name.
#[tokio::test(flavor = "multi_thread")]
async fn statements_with_other_arguments_do_not_share_a_plan() {
    let history = History::on_workstation().close();
    let engine = engine_at(history.folder());
    for many in [5, 7] {
        let rows = ask(&engine, format!("SELECT count(*) FROM generate_series(1, {many})")).await.unwrap();
        assert_eq!(rows, [[many.to_string()]]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn statement_cannot_read_the_times_of_its_plan() {
    let history = History::on_workstation().close();
    let engine = engine_at(history.folder());
    for parameter in ["$time_0", "$time", "$0", "$from"] {
        let sql = format!("SELECT {parameter} FROM applications WHERE start_local >= '2025-01-01'");
        let error = ask(&engine, sql).await.unwrap_err();
        assert!(error.contains(parameter), "{parameter}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn query_that_runs_again_returns_new_rows_and_obeys_another_limit() {
    let mut history = History::on_workstation();
    history.application(2, "Editor", "09:00", "09:30");
    history.commit();
    let engine = engine_at(history.folder());
    let query = async |rows: usize| {
        let limits = QueryLimits { rows, ..QueryLimits::default() };
        let table = engine.query("SELECT application FROM applications ORDER BY start_utc", &limits).await.unwrap();
        (cells(&table).concat(), table.truncated)
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(query(100).await, (names(&["Editor"]), None));
    history.application(2, "Browser", "10:00", "10:30");
    history.commit();
    assert_eq!(query(100).await, (names(&["Editor", "Browser"]), None));
    assert_eq!(query(1).await, (names(&["Editor"]), Some(CutBy::Rows)));
    assert_eq!(query(100).await, (names(&["Editor", "Browser"]), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_range_is_reported_each_time() {
    let dir = tempfile::tempdir().unwrap();
    crate::histories::realistic::write(dir.path(), 2);
    let engine = engine_at(dir.path());
    let of = |range: &str| format!("SELECT count(*) FROM pieces({range})");
    assert_eq!(ask(&engine, of("'2025-01-01', '2025-01-02'")).await.unwrap().len(), 1);
    for wrong in
        ["'2025-01-02', '2025-01-01'", "'2025-01-01', '2025-01-01'", "'2025-01-01', 'later'", "'2025-01-01T09:00'"]
    {
        let error = ask(&engine, of(wrong)).await.unwrap_err();
        assert_eq!(error, ask(&engine_at(dir.path()), of(wrong)).await.unwrap_err(), "{wrong}");
        assert!(error.contains("pieces"), "{error}");
    }
    let alone = [of("'2025-01-01'"), of("'2025-01-01', '2025-01-02'")];
    assert_eq!(ask(&engine, alone[0].clone()).await.unwrap(), ask(&engine, alone[1].clone()).await.unwrap());
}
