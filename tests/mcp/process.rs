//! Tests the server as a process: its output, its end, and the files that it must not change.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use super::session::{Session, VERSIONS};
use super::{RANGE, handshake, one_call_each, request};
use crate::cli::program::{Home, demo, folder_hash, write_demo};
use crate::histories::retry_until_unlocked;

/// Writes `lines` to a server's stdin, reads `answers` responses, ends the input, and waits for the process to end.
///
/// The responses must be read first, because running calls are stopped shortly after the end of the input.
fn conversation(data: &Path, lines: &[String], answers: usize) -> (String, Output) {
    let home = Home::new();
    let mut command = home.program_for(data, ["serve"]);
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut output = String::new();
    for _ in 0..answers {
        stdout.read_line(&mut output).unwrap();
    }
    drop(input);
    stdout.read_to_string(&mut output).unwrap();
    (output, process.wait_with_output().unwrap())
}

#[test]
fn stdout_contains_only_the_protocol_and_stderr_no_history() {
    let dir = demo();
    let mut lines = handshake().to_vec();
    let calls = one_call_each(RANGE.0, RANGE.1);
    for (number, (tool, arguments)) in calls.iter().enumerate() {
        lines.push(request(number + 1, "tools/call", &json!({"name": tool, "arguments": arguments})));
    }
    let secret = json!({"name": "get_tags", "arguments": {"startDate": "private-words", "endDate": "x"}});
    lines.push(request(calls.len() + 1, "tools/call", &secret));
    let (stdout, output) = conversation(dir.path(), &lines, calls.len() + 2);
    assert_eq!(output.status.code(), Some(0));
    let mut answered: Vec<u64> = stdout
        .lines()
        .map(|line| {
            let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(message["jsonrpc"], "2.0");
            message["id"].as_u64().unwrap()
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, (0..=calls.len() as u64 + 1).collect::<Vec<_>>());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "stderr is empty without errors");
}

#[test]
fn process_exits_successfully_at_the_end_of_input() {
    let dir = demo();
    for lines in [vec![], handshake().to_vec()] {
        let (_, output) = conversation(dir.path(), &lines, 0);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn unsupported_protocol_version_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let hover = request(1, "textDocument/hover", &json!({"text": "private-words"}));
    let (stdout, output) = conversation(dir.path(), &[hover], 0);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("private-words"));
    assert!(stdout.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{stdout}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_and_resources_do_not_change_the_folder() {
    for journal in ["delete", "wal"] {
        let dir = demo();
        let database = dir.path().join("ManicTimeReports.db");
        // An open connection keeps the journal files, as ManicTime does while it runs.
        let manictime = rusqlite::Connection::open(&database).unwrap();
        manictime.pragma_update(None, "journal_mode", journal).unwrap();
        manictime.execute("UPDATE Ar_Timeline SET Name = Name", []).unwrap();
        let before = hash_without_shm(dir.path());
        let session = Session::start_default(dir.path()).await;
        for (tool, arguments) in one_call_each(RANGE.0, RANGE.1) {
            session.answer(tool, arguments).await;
            assert_eq!(hash_without_shm(dir.path()), before, "{tool} with journal {journal}");
        }
        for resource in session.peer().list_all_resources().await.unwrap() {
            session.read(&resource.uri).await;
            assert_eq!(hash_without_shm(dir.path()), before, "{} with journal {journal}", resource.uri);
        }
        session.end().await;
        assert_eq!(hash_without_shm(dir.path()), before, "after the end, journal {journal}");
    }
}

/// Returns a hash of the history's files. Leaves out the `-shm` file, which contains readers' marks but no history.
fn hash_without_shm(dir: &Path) -> String {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if !entry.file_name().to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
    }
    folder_hash(copy.path())
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_fail_until_the_history_exists() {
    for version in VERSIONS {
        let dir = tempfile::tempdir().unwrap();
        let session = Session::start(dir.path(), version).await;
        for (tool, arguments) in one_call_each(RANGE.0, RANGE.1) {
            let error = session.refusal(tool, arguments).await;
            assert_eq!(error["code"], "DATABASE_NOT_FOUND", "{tool}");
            assert!(error["hint"].as_str().unwrap().contains("--data-dir"));
        }
        fs::write(dir.path().join("ManicTimeReports.db"), "no database at all, but long enough to be read").unwrap();
        let error = session.refusal("get_timelines", json!({})).await;
        assert_eq!(error["code"], "DATABASE_NOT_READABLE");
        fs::remove_file(dir.path().join("ManicTimeReports.db")).unwrap();
        write_demo(dir.path());
        session.answer("get_daily_summary", json!({"date": RANGE.0})).await;
        retry_until_unlocked(|| fs::remove_file(dir.path().join("ManicTimeReports.db")));
        assert_eq!(session.refusal("get_timelines", json!({})).await["code"], "DATABASE_NOT_FOUND");
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_calls_get_the_same_responses_as_sequential_ones() {
    let dir = demo();
    let session = Session::start_default(dir.path()).await;
    let calls = one_call_each(RANGE.0, RANGE.1);
    let mut alone = Vec::new();
    for (tool, arguments) in calls.clone() {
        alone.push(session.answer(tool, arguments).await);
    }
    let repeated = calls.iter().cycle().take(2 * calls.len());
    let together =
        futures::future::join_all(repeated.map(|(tool, arguments)| session.answer(tool, arguments.clone()))).await;
    for (number, answer) in together.iter().enumerate() {
        assert_eq!(*answer, alone[number % calls.len()], "{}", calls[number % calls.len()].0);
    }
    assert_eq!(session.end().await, "");
}

/// Users try out rules while a client is connected. A change of the rules must apply to the next call, and so must
/// undoing the change. A partially written file must have no effect.
#[tokio::test(flavor = "multi_thread")]
async fn changed_rules_apply_to_the_next_call() {
    let dir = demo();
    let home = Home::new();
    let file = home.configuration();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let session = Session::start_in_home(home, dir.path(), VERSIONS[0].clone(), &[]).await;
    let ask = async |sql: &str| session.answer("query", json!({ "sql": sql })).await["rows"][0][0].clone();
    let ruled = "SELECT count(DISTINCT rule) FROM pieces_by_rule('2026-11-18')";
    assert_eq!(ask(ruled).await, 0);
    let rule = |app: &str| format!("[[rules]]\napp = '{app}'\ncategory = 'Everything'\n");
    fs::write(&file, rule("*")).unwrap();
    assert_eq!(ask(ruled).await, 1);
    let day = session.answer("get_daily_summary", json!({"date": "2026-11-18"})).await;
    let segments = day["segments"].as_array().unwrap();
    assert!(segments.iter().any(|block| block["subject"] == "Everything"), "{day}");
    fs::write(&file, "[[rules]]\napp = ").unwrap();
    assert_eq!(ask(ruled).await, 1, "an invalid file changes nothing");
    fs::remove_file(&file).unwrap();
    assert_eq!(ask(ruled).await, 0);
    session.end().await;
}
