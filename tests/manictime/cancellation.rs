//! Cancelled queries close the file and give up their turn in the queue.

use std::time::Duration;

use dayledger::engine::{Engine, MAX_PARALLEL_STATEMENTS, Progress, QueryLimits, Stage};

use crate::cli::program::{demo, endless};
use crate::histories::app_at;

/// A statement on a table that `SQLite` never finishes reading.
const ENDLESS: &str = "SELECT count(*) FROM manictime.ar_documentbyday";

/// Runs a query in the background. Returns its task and its progress.
fn ask(engine: &Engine, sql: &str) -> (tokio::task::JoinHandle<()>, Progress) {
    let progress = Progress::default();
    let (engine, sql) = (engine.clone(), sql.to_owned());
    let task = tokio::spawn(progress.track(async move {
        engine.query(sql, &QueryLimits::default()).await.unwrap();
    }));
    (task, progress)
}

/// Returns the number of rows of a table. If the query never gets its turn, this fails instead of waiting forever.
async fn count(engine: &Engine, table: &str) -> usize {
    let limits = QueryLimits::default();
    let question = engine.query(format!("SELECT * FROM {table}"), &limits);
    let table = tokio::time::timeout(Duration::from_mins(2), question).await.expect("the query ends").unwrap();
    table.batches.iter().map(arrow::array::RecordBatch::num_rows).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_query_stops_reading_and_lets_the_next_one_start() {
    let dir = endless();
    let app = app_at(dir.path());
    let engine = app.engine();
    for _ in 0..3 * MAX_PARALLEL_STATEMENTS {
        let (question, progress) = ask(engine, ENDLESS);
        while progress.stage() != Stage::Reading {
            tokio::task::yield_now().await;
        }
        question.abort();
        assert!(question.await.unwrap_err().is_cancelled());
    }
    assert_eq!(count(engine, "timelines").await, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_few_queries_run_simultaneously_and_the_others_wait() {
    let dir = endless();
    let app = app_at(dir.path());
    let engine = app.engine();
    let questions: Vec<_> = (0..MAX_PARALLEL_STATEMENTS + 2).map(|_| ask(engine, ENDLESS)).collect();
    let at = |stage| questions.iter().filter(|(_, progress)| progress.stage() == stage).count();
    while at(Stage::Reading) < MAX_PARALLEL_STATEMENTS {
        tokio::task::yield_now().await;
    }
    assert_eq!(at(Stage::Waiting), 2);
    for (question, _) in &questions {
        question.abort();
    }
    assert_eq!(count(engine, "timelines").await, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn partially_read_rows_are_not_cached() {
    let dir = demo();
    let app = app_at(dir.path());
    let engine = app.engine();
    let expected = count(engine, "activities").await;
    for _ in 0..20 {
        app.history().source().forget();
        let (question, progress) = ask(engine, "SELECT * FROM activities");
        while progress.rows() == 0 {
            tokio::task::yield_now().await;
        }
        question.abort();
        assert_eq!(count(engine, "activities").await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn query_reports_the_number_of_rows_read() {
    let dir = demo();
    let app = app_at(dir.path());
    let engine = app.engine();
    let progress = Progress::default();
    assert_eq!((progress.stage(), progress.rows()), (Stage::Waiting, 0));
    let rows = progress.track(count(engine, "activities")).await;
    assert_eq!((progress.stage(), progress.rows()), (Stage::Computing, rows as u64));
    assert_eq!(progress.to_string(), format!("computing results from {rows} rows"));
}
