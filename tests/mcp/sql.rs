//! Tests `query` and `describe_model`: responses, rejected statements, and the resources that hostile statements use.

use serde_json::{Value, json};

use super::RANGE;
use super::hostile::{Client, error_of};
use super::session::Session;
#[cfg(unix)] // for the test that sets the time zone
use super::session::VERSIONS;
use super::workers::MemoryWatch;
#[cfg(target_os = "linux")]
use super::workers::{await_end_of, kill};
#[cfg(unix)] // for the test that sets the time zone
use crate::cli::program::Home;
use crate::cli::program::demo;
#[cfg(unix)] // for the test that sets the time zone
use crate::sql::clock::{UNTIL_NOW, ZONES, write_until_now};
use crate::statements::hostile::{ANSWERED, Hostile, greedy, statements};

/// The memory limit of the server process, in bytes. Workers are separate processes and don't count.
const MEMORY_BYTES: u64 = 400 << 20;

/// Whether only the time limit stops the statement. The time limit is long in these tests.
fn takes_its_time(hostile: &Hostile) -> bool {
    hostile.codes.contains(&"TIMED_OUT")
}

fn hostile_statement(name: &str) -> Hostile {
    statements().into_iter().find(|hostile| hostile.name == name).unwrap()
}

#[test]
fn hostile_statement_is_rejected_and_the_next_one_runs() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    let quick: Vec<_> = statements().into_iter().filter(|hostile| !takes_its_time(hostile)).collect();
    assert!(quick.len() > 20, "{}", quick.len());
    for (at, hostile) in quick.iter().enumerate() {
        client.call(2 * at + 1, "query", &json!({"sql": hostile.sql}));
        let answer = client.answer();
        let error = error_of(&answer);
        let code = error["code"].as_str().unwrap();
        // If a statement has more than a megabyte, the call exceeds the size limit of calls.
        let codes = [hostile.codes, &["ARGUMENTS_TOO_LONG"][..usize::from(hostile.sql.len() > 1 << 20)]].concat();
        assert!(codes.contains(&code), "{}: {error}", hostile.name);
        assert!(error.to_string().len() < 3000, "{}: the error does not repeat the statement", hostile.name);
        client.call(2 * at + 2, "query", &json!({"sql": "SELECT count(*) AS n FROM timelines"}));
        let next = client.answer();
        assert_ne!(next["result"]["isError"], true, "after {}: {next}", hostile.name);
    }
    assert!(client.peak_memory() < MEMORY_BYTES, "{} bytes", client.peak_memory());
    client.end_in_silence();
}

/// Two statements run simultaneously, so that both workers are in use. Another tool is called in the meantime.
#[test]
fn memory_of_greedy_statements_is_limited_to_their_workers() {
    /// The limit of a statement, plus a margin for the rows of this small history.
    const WORKER_BYTES: u64 = (256 + 64) << 20;
    /// The memory that the server may use in addition to its memory before the calls.
    const SERVER_BYTES: u64 = 64 << 20;
    let dir = demo();
    let mut client = Client::connect(dir.path());
    client.call(1, "get_period_summary", &json!({"startDate": RANGE.0, "endDate": RANGE.1}));
    client.answer();
    let memory = MemoryWatch::start(client.process());
    let before = memory.current().0;
    // Endless statements are left out, because only the time limit stops them, and the time limit is long in these
    // tests.
    let greedy: Vec<_> = greedy()
        .into_iter()
        .filter(|hostile| !["goes nowhere", "patterns"].iter().any(|slow| hostile.name.contains(slow)))
        .collect();
    for (at, pair) in greedy.chunks(2).enumerate() {
        let id = 10 * (at + 1);
        for (nth, hostile) in pair.iter().enumerate() {
            client.call(id + nth, "query", &json!({"sql": hostile.sql}));
        }
        client.call(id + 9, "get_timelines", &json!({}));
        for _ in 0..=pair.len() {
            let answer = client.answer();
            let answered = usize::try_from(answer["id"].as_u64().unwrap()).unwrap() - id;
            match pair.get(answered) {
                Some(hostile) => {
                    let code = match answer["result"]["isError"] {
                        Value::Bool(true) => error_of(&answer)["code"].as_str().unwrap().to_owned(),
                        _ => ANSWERED.to_owned(),
                    };
                    assert!(hostile.codes.contains(&code.as_str()), "{}: {answer}", hostile.name);
                }
                None => assert_ne!(answer["result"]["isError"], true, "{answer}"),
            }
        }
    }
    let (server, workers) = memory.end();
    if cfg!(target_os = "linux") {
        assert!(server > 0 && server < before + SERVER_BYTES, "{server} bytes of the server, {before} before");
        // If the system is busy, few samples are taken. The check against zero therefore only shows that at least one
        // sample was taken.
        assert!(workers > 0 && workers < WORKER_BYTES, "{workers} bytes of a worker");
    }
    client.end_in_silence();
}

#[test]
fn endless_statements_are_stopped_and_do_not_block_other_tools() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    let endless = [hostile_statement("endless recursion"), hostile_statement("series that goes nowhere")];
    for (id, hostile) in endless.iter().cycle().take(8).enumerate() {
        client.call(id + 1, "query", &json!({"sql": hostile.sql}));
    }
    client.call(9, "get_period_summary", &json!({"startDate": RANGE.0, "endDate": RANGE.1}));
    assert_eq!(client.answer()["id"], 9, "waiting statements do not block other tools");
    for id in 3..=8 {
        client.cancel(id);
    }
    for _ in 0..2 {
        let answer = client.answer();
        let hostile = &endless[usize::try_from(answer["id"].as_u64().unwrap()).unwrap() - 1];
        assert!(hostile.codes.contains(&error_of(&answer)["code"].as_str().unwrap()), "{}: {answer}", hostile.name);
    }
    client.call(10, "query", &json!({"sql": "SELECT 1 AS one"}));
    let next = client.answer();
    assert_eq!(next["result"]["structuredContent"]["rows"], json!([[1]]), "{next}");
    assert!(client.peak_memory() < MEMORY_BYTES, "{} bytes", client.peak_memory());
    client.end_in_silence();
}

/// Arrays can be small in memory but large in a response.
#[test]
fn compact_rows_do_not_exceed_the_memory_limit_of_the_server() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    client.call(1, "query", &json!({"sql": "SELECT 1"}));
    client.answer();
    let memory = MemoryWatch::start(client.process());
    let before = memory.current().0;
    let long_name = "y".repeat(50_000);
    for (at, value) in [
        "arrow_cast(range(0, 100000), 'ListView(Int64)')",
        "arrow_cast(repeat('x', 900000), 'Dictionary(Int32, Utf8)')",
        "arrow_cast(repeat('x', 100000), 'RunEndEncoded(\"run_ends\": non-null Int32, \"values\": Utf8)')",
        "array_repeat(true, 3000000)",
        "array_repeat(NULL, 2000000)",
        &format!("named_struct('{long_name}', 1)"),
    ]
    .iter()
    .enumerate()
    {
        client.call(
            at + 2,
            "query",
            &json!({"sql": format!("SELECT {value} AS v FROM generate_series(1, 1000)"), "maxRows": 1000}),
        );
        let answer = client.answer();
        assert!(answer.to_string().len() < 400_000, "{value}");
        if answer["result"]["isError"] != true {
            assert_eq!(answer["result"]["structuredContent"]["truncation"]["limitedBy"], "answerSize", "{value}");
        }
    }
    let (server, _) = memory.end();
    assert!(server < before + (64 << 20), "{server} bytes of the server, {before} before");
    client.end_in_silence();
}

#[tokio::test(flavor = "multi_thread")]
async fn times_are_returned_if_present() {
    let (session, _dir) = demo_session().await;
    let sql = "SELECT to_timestamp_seconds(253402300799) AS far, max(start_local) + INTERVAL '300 years' AS later FROM activities";
    let answer = session.answer("query", json!({"sql": sql})).await;
    assert_eq!(answer["rows"][0][0], "9999-12-31T23:59:59", "{answer}");
    assert!(answer["rows"][0][1].as_str().unwrap().starts_with("2326-11-"), "{answer}");
    let error =
        session.refusal("query", json!({"sql": "SELECT arrow_cast(1, 'Timestamp(s, \"Nowhere/X\")') AS t"})).await;
    assert_eq!(error["code"], "QUERY_FAILED", "{error}");
    session.end().await;
}

/// More statements are started than can run simultaneously. If a cancelled statement kept its worker or its turn, the
/// last statement would be delayed.
#[cfg(target_os = "linux")] // the tests find the workers of a server only on Linux
#[test]
fn cancelled_statement_ends_its_worker() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    for (id, name) in ["strpos", "endless recursion", "median of a frame", "endless series", "LIKE"].iter().enumerate()
    {
        client.call(id + 1, "query", &json!({"sql": hostile_statement(name).sql}));
        client.await_workers(|running| !running.is_empty());
        client.cancel(id + 1);
        client.await_workers(<[u32]>::is_empty);
    }
    client.call(9, "query", &json!({"sql": "SELECT 1 AS one"}));
    assert_eq!(client.answer()["id"], 9);
    client.end_in_silence();
}

#[cfg(target_os = "linux")] // the tests can find the workers of a server only on Linux
#[test]
fn no_worker_outlives_its_server() {
    let dir = demo();
    for end in [Client::end_in_silence as fn(Client), Client::kill] {
        let mut client = Client::connect(dir.path());
        // One worker waits for its next statement, and two workers run endless statements.
        client.call(1, "query", &json!({"sql": "SELECT 1"}));
        assert_eq!(client.answer()["id"], 1);
        let waiting = client.await_workers(|running| running.len() == 1);
        end(client);
        await_end_of(&waiting);
        let mut client = Client::connect(dir.path());
        for id in [1, 2] {
            client.call(id, "query", &json!({"sql": hostile_statement("series that goes nowhere").sql}));
        }
        let running = client.await_workers(|running| running.len() == 2);
        client.kill();
        await_end_of(&running);
    }
}

#[cfg(target_os = "linux")] // the tests can find the workers of a server only on Linux
#[test]
fn killed_worker_fails_only_its_own_statement() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    client.call(1, "query", &json!({"sql": hostile_statement("endless recursion").sql}));
    let running = client.await_workers(|running| running.len() == 1);
    kill(running[0]);
    // The system also kills a worker in this way if memory is short.
    assert_eq!(error_of(&client.answer())["code"], "OUT_OF_MEMORY");
    client.call(2, "query", &json!({"sql": "SELECT 1 AS one"}));
    assert_ne!(client.answer()["result"]["isError"], true);
    // A waiting worker that was killed is replaced.
    kill(client.await_workers(|running| running.len() == 1)[0]);
    client.call(3, "query", &json!({"sql": "SELECT 1 AS one"}));
    assert_ne!(client.answer()["result"]["isError"], true);
    client.end_in_silence();
}

async fn demo_session() -> (Session, tempfile::TempDir) {
    let dir = demo();
    (Session::start_default(dir.path()).await, dir)
}

#[tokio::test(flavor = "multi_thread")]
async fn response_has_columns_rows_and_a_truncation_flag() {
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

#[cfg(unix)] // on Windows, a test can't set the time zone of one process
#[tokio::test(flavor = "multi_thread")]
async fn clock_of_a_worker_is_local() {
    for zone in ZONES {
        let data = tempfile::tempdir().unwrap();
        write_until_now(data.path(), zone);
        let variables = [("TZ", zone)];
        let session =
            Session::start_with_environment(Home::new(), data.path(), VERSIONS[0].clone(), &[], &variables).await;
        let answer = session.answer("query", json!({"sql": UNTIL_NOW})).await;
        assert_eq!(answer["rows"], json!([[true, true, true, true, true]]), "{zone}");
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_show_their_position_and_a_suggestion() {
    let (session, _dir) = demo_session().await;
    let error = session.refusal("query", json!({"sql": "SELECT name,\n  secnds FROM app_usage"})).await;
    assert_eq!((&error["code"], &error["position"]), (&json!("QUERY_FAILED"), &json!({"line": 2, "column": 3})));
    assert!(error["message"].as_str().unwrap().contains("did you mean `seconds`?"), "{error}");
    let error = session.refusal("describe_model", json!({"name": "aplications"})).await;
    assert_eq!((&error["code"], &error["field"]), (&json!("UNKNOWN_NAME"), &json!("name")));
    assert!(error["message"].as_str().unwrap().contains("did you mean `applications`?"), "{error}");
    session.end().await;
}

/// Each table, view and function of the overview can be queried by its name.
#[tokio::test(flavor = "multi_thread")]
async fn everything_in_describe_model_can_be_queried() {
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
        let documented: Vec<_> = columns
            .map(|column| format!("{} {}", column["name"].as_str().unwrap(), column["type"].as_str().unwrap()))
            .collect();
        assert_eq!(documented, described, "{table}");
    }
    for function in lines("tableFunctions") {
        let details = session.answer("describe_model", json!({"name": function})).await;
        let example = details["details"]["example"].as_str().unwrap();
        session.answer("query", json!({"sql": format!("SELECT * FROM {example}")})).await;
    }
    session.end().await;
}

/// Statements are as private as titles. At the log levels `info`, `warn` and `error`, the log must not contain any part
/// of a statement.
#[test]
fn logs_contain_no_statement() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    for (id, sql) in [(1, "SELECT private_words FROM activities"), (2, "SELECT repeat('private_words', 1000000000)")] {
        client.call(id, "query", &json!({"sql": sql}));
        assert_eq!(client.answer()["result"]["isError"], true);
    }
    client.end_in_silence();
}

/// The server runs the statement in a worker. The worker must redact text and read logged hours like the server.
#[test]
fn timesheet_is_in_sql_or_the_error_explains_how_to_enable_it() {
    let dir = demo();
    let free = json!({"sql": "SELECT count(*) > 5 AS many, count(application) AS named FROM unlogged('2026-11-16', '2026-11-20')"});
    let mut client = Client::connect(dir.path());
    client.call(1, "query", &free);
    let error = client.answer();
    assert!(error_of(&error)["message"].as_str().unwrap().contains("--toolsets"), "{error}");
    client.call(2, "describe_model", &json!({}));
    let plain = client.answer().to_string();
    assert!(!plain.contains("time_entries") && !plain.contains("unlogged"), "{plain}");
    client.end_in_silence();

    let serve = ["serve", "--toolsets", "activity,sql,timesheet", "--hide-app", "*"];
    let mut client = Client::start(dir.path(), "warn", &serve);
    client.call(1, "query", &free);
    let answer = client.answer();
    assert_eq!(answer["result"]["structuredContent"]["rows"], json!([[true, 0]]), "{answer}");
    client.call(2, "describe_model", &json!({}));
    let offered = client.answer().to_string();
    for name in ["time_entries", "projects", "draft(start, end)", "unlogged(start, end)"] {
        assert!(offered.contains(name), "{name}: {offered}");
    }
    assert!(!offered.contains("unlogged_time"), "functions that only the project's SQL files use are not listed");
    client.end_in_silence();
}

/// Each server runs statements in a worker. The worker must know which tables the server hides.
#[test]
fn server_without_screenshots_has_no_screenshots_table() {
    let dir = demo();
    let sql = json!({"sql": "SELECT count(*) FROM screenshots WHERE taken_local >= '2026-11-18' AND taken_local < '2026-11-19'"});
    let mut client = Client::start(dir.path(), "warn", &["serve", "--toolsets", "sql,screenshots"]);
    client.call(1, "query", &sql);
    let answer = client.answer();
    assert_eq!(answer["result"]["structuredContent"]["rows"], json!([[0]]), "{answer}");
    client.end_in_silence();

    let mut client = Client::start(dir.path(), "warn", &["serve", "--toolsets", "sql"]);
    client.call(1, "query", &sql);
    let answer = client.answer();
    assert_eq!(error_of(&answer)["message"], "unknown table or view `screenshots`");
    client.end_in_silence();
}
