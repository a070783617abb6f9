//! `query` and `describe_model`: what they answer, what they refuse, and what a hostile statement costs.

use serde_json::json;

use super::RANGE;
use super::hostile::{Client, error_of};
use super::session::Session;
use crate::cli::program::demo;
use crate::statements::hostile::{Hostile, statements};

/// What the server may take in memory, whatever it is asked: twice what two statements may, and the program itself.
const MEMORY_BYTES: u64 = 1200 << 20;

/// Statements that are stopped by their time alone, which is long here.
fn takes_its_time(hostile: &Hostile) -> bool {
    hostile.codes.contains(&"TIMED_OUT")
}

#[test]
fn a_hostile_statement_is_refused_and_the_next_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    demo(dir.path());
    let mut client = Client::of(dir.path());
    let quick: Vec<_> = statements().into_iter().filter(|hostile| !takes_its_time(hostile)).collect();
    assert!(quick.len() > 30, "{}", quick.len());
    for (at, hostile) in quick.iter().enumerate() {
        client.call(2 * at + 1, "query", &json!({"sql": hostile.sql}));
        let answer = client.answer();
        let error = error_of(&answer);
        let code = error["code"].as_str().unwrap();
        // A megabyte and its frame is more than any call may hold.
        let codes = [hostile.codes, &["ARGUMENTS_TOO_LONG"][..usize::from(hostile.sql.len() > 1 << 20)]].concat();
        assert!(codes.contains(&code), "{}: {error}", hostile.name);
        assert!(error.to_string().len() < 3000, "{}: what was sent is not sent back", hostile.name);
        client.call(2 * at + 2, "query", &json!({"sql": "SELECT count(*) AS n FROM timelines"}));
        let next = client.answer();
        assert_ne!(next["result"]["isError"], true, "after {}: {next}", hostile.name);
    }
    assert!(client.peak_memory() < MEMORY_BYTES, "{} bytes", client.peak_memory());
    client.end_in_silence();
}

#[test]
fn statements_that_never_end_hold_up_no_other_tool_and_are_stopped() {
    let dir = tempfile::tempdir().unwrap();
    demo(dir.path());
    let mut client = Client::of(dir.path());
    let endless: Vec<_> = statements()
        .into_iter()
        .filter(|hostile| ["endless recursion", "endless series"].contains(&hostile.name))
        .collect();
    for (id, hostile) in endless.iter().enumerate() {
        client.call(id + 1, "query", &json!({"sql": hostile.sql}));
    }
    client.call(3, "get_period_summary", &json!({"startDate": RANGE.0, "endDate": RANGE.1}));
    assert_eq!(client.answer()["id"], 3);
    for _ in 0..2 {
        let answer = client.answer();
        let hostile = &endless[usize::try_from(answer["id"].as_u64().unwrap()).unwrap() - 1];
        assert!(hostile.codes.contains(&error_of(&answer)["code"].as_str().unwrap()), "{}: {answer}", hostile.name);
    }
    client.call(4, "query", &json!({"sql": "SELECT 1 AS one"}));
    let next = client.answer();
    assert_eq!(next["result"]["structuredContent"]["rows"], json!([[1]]), "{next}");
    assert!(client.peak_memory() < MEMORY_BYTES, "{} bytes", client.peak_memory());
    client.end_in_silence();
}

async fn demo_session() -> (Session, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    demo(dir.path());
    (Session::over(dir.path()).await, dir)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_has_columns_rows_and_whether_there_are_more() {
    let (session, _dir) = demo_session().await;
    let sql = "SELECT TIMESTAMP '2025-01-15 09:30:00' AS start_local, value, CAST(value AS DECIMAL(10, 2)) AS exact, \
               NULL AS nothing, [value] AS list FROM generate_series(1, 1500) ORDER BY value";
    let answer = session.answer("query", json!({"sql": sql, "maxRows": 2})).await;
    let columns: Vec<_> =
        answer["columns"].as_array().unwrap().iter().map(|column| [&column["name"], &column["type"]]).collect();
    assert_eq!(
        json!(columns),
        json!([
            ["start_local", "timestamp"],
            ["value", "bigint"],
            ["exact", "decimal(10, 2)"],
            ["nothing", "null"],
            ["list", "bigint[]"]
        ])
    );
    assert_eq!(answer["rows"][1], json!(["2025-01-15T09:30:00", 2, "2.00", null, [2]]));
    assert_eq!(answer["truncation"], json!({"truncated": true, "returnedCount": 2, "limitedBy": "maxRows"}));
    let whole =
        session.answer("query", json!({"sql": "SELECT value FROM generate_series(1, 1000)", "maxRows": 5000})).await;
    assert_eq!(whole["truncation"], json!({"truncated": false, "returnedCount": 1000}));
    let wide = session.answer("query", json!({"sql": "SELECT * FROM activities", "maxRows": 1000})).await;
    assert_eq!(wide["truncation"]["limitedBy"], "answerSize");
    assert_eq!(wide["truncation"]["returnedCount"], wide["rows"].as_array().unwrap().len());
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_is_told_with_its_place_and_what_was_meant() {
    let (session, _dir) = demo_session().await;
    let error = session.refusal("query", json!({"sql": "SELECT name,\n  secnds FROM app_usage"})).await;
    assert_eq!((&error["code"], &error["position"]), (&json!("QUERY_FAILED"), &json!({"line": 2, "column": 3})));
    assert!(error["message"].as_str().unwrap().contains("did you mean `seconds`?"), "{error}");
    let error = session.refusal("describe_model", json!({"name": "aplications"})).await;
    assert_eq!((&error["code"], &error["field"]), (&json!("UNKNOWN_NAME"), &json!("name")));
    assert!(error["message"].as_str().unwrap().contains("did you mean `applications`?"), "{error}");
    session.end().await;
}

/// What the overview lists can be asked as it stands there.
#[tokio::test(flavor = "multi_thread")]
async fn everything_that_is_described_can_be_asked() {
    let (session, _dir) = demo_session().await;
    let overview = session.answer("describe_model", json!({})).await;
    let lines = |list: &str| -> Vec<String> {
        let lines = overview[list].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
        lines.map(|line| line.split('(').next().unwrap().to_owned()).collect()
    };
    for table in lines("tables") {
        let details = session.answer("describe_model", json!({"name": table})).await;
        let columns = details["details"]["columns"].as_array().unwrap().iter();
        let described: Vec<_> = columns.map(|line| line.as_str().unwrap().split(':').next().unwrap()).collect();
        let names: Vec<_> = described.iter().map(|column| column.split(' ').next().unwrap()).collect();
        let sql = format!("SELECT {} FROM {table} LIMIT 0", names.join(", "));
        let answer = session.answer("query", json!({"sql": sql})).await;
        let columns = answer["columns"].as_array().unwrap().iter();
        let told: Vec<_> = columns
            .map(|column| format!("{} {}", column["name"].as_str().unwrap(), column["type"].as_str().unwrap()))
            .collect();
        assert_eq!(told, described, "{table}");
    }
    for function in lines("tableFunctions") {
        let details = session.answer("describe_model", json!({"name": function})).await;
        let example = details["details"]["example"].as_str().unwrap();
        session.answer("query", json!({"sql": format!("SELECT * FROM {example}")})).await;
    }
    session.end().await;
}

/// A statement is no private matter less than a title: a log above debug holds none of it.
#[test]
fn no_log_holds_a_statement() {
    let dir = tempfile::tempdir().unwrap();
    demo(dir.path());
    let mut client = Client::of(dir.path());
    for (id, sql) in [(1, "SELECT private_words FROM activities"), (2, "SELECT repeat('private_words', 1000000000)")] {
        client.call(id, "query", &json!({"sql": sql}));
        assert_eq!(client.answer()["result"]["isError"], true);
    }
    client.end_in_silence();
}
