//! Tests that a statement can't exceed its limits on the server or on a worker machine.

use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::time::Duration;

use dayledger_engine::worker::Launch;
use dayledger_engine::{self as engine, Engine, Model, QueryLimits};
#[cfg(target_os = "linux")]
use dayledger_fleet::certificates::Role;
use dayledger_fleet::statements::{self, Statements};
use dayledger_fleet::team::Team;
use serde_json::{Value, json};

use crate::cluster::{Authority, Worker};
#[cfg(target_os = "linux")]
use crate::processes::{MemoryWatch, await_end_of, kill, workers_of};
use crate::serve::Client;
use crate::test_team::{TestTeam, rows};

/// A statement with a type so large that a single value would need terabytes of memory.
const NESTED: &str = "SELECT CAST(NULL AS INT[1024][1024][1024][1024][1024])";

/// Statements that need more memory than the limit.
const GREEDY: [&str; 3] = [
    "SELECT length(repeat('x', 2000000000))",
    "SELECT array_length(range(0, 2000000000))",
    "SELECT max(length(repeat(application, 1000000) || seconds)) OVER () FROM segments",
];

/// A statement that computes for minutes within a single batch.
const LONG: &str = "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000))";

/// The number of bytes by which a process may exceed its memory limit in these tests.
#[cfg(target_os = "linux")]
const ROOM: u64 = 64 << 20;

fn error_code(answer: &Value) -> String {
    assert_eq!(answer["isError"], true, "{answer}");
    let text = answer["content"][0]["text"].as_str().unwrap();
    serde_json::from_str::<Value>(text).unwrap()["error"]["code"].as_str().unwrap().to_owned()
}

/// A statement that runs out of memory must not end the server.
#[tokio::test(flavor = "multi_thread")]
async fn statement_that_needs_too_much_memory_does_not_end_the_server() {
    let team = TestTeam::export_without_titles().await;
    let mut client = Client::start(&team, &["--at-least", "2", "--persons"]);
    let refused = client.call("query", &json!({"sql": NESTED}));
    assert_eq!(error_code(&refused), "OUT_OF_MEMORY");
    let next = client.call("query", &json!({"sql": "SELECT 1 AS one"}));
    assert_eq!(next["structuredContent"]["rows"], json!([[1]]), "{next}");
}

#[tokio::test(flavor = "multi_thread")]
async fn greedy_statements_are_limited_without_affecting_the_server() {
    let team = TestTeam::export_without_titles().await;
    let mut client = Client::start(&team, &["--at-least", "2", "--persons"]);
    #[cfg(target_os = "linux")]
    let (memory, before) = {
        let memory = MemoryWatch::start(client.process());
        let before = memory.current().0;
        (memory, before)
    };
    for sql in GREEDY {
        let refused = client.call("query", &json!({"sql": sql}));
        assert_eq!(error_code(&refused), "OUT_OF_MEMORY", "{sql}");
    }
    #[cfg(target_os = "linux")]
    {
        let (server, statements) = memory.end();
        assert!(server < before + ROOM, "{server} bytes of the server, {before} before");
        assert!(statements < (256 << 20) + ROOM, "{statements} bytes of a statement");
    }
}

#[cfg(target_os = "linux")] // The tests can find the processes of a server only on Linux.
#[tokio::test(flavor = "multi_thread")]
async fn timed_out_statement_ends_and_blocks_no_other_call() {
    let team = TestTeam::export_without_titles().await;
    let mut client = Client::start(&team, &["--at-least", "2", "--persons"]);
    client.send_call(100, "query", &json!({"sql": LONG}));
    let running = loop {
        let running = workers_of(client.process());
        if !running.is_empty() {
            break running;
        }
        std::thread::yield_now();
    };
    let hours = json!({"startDate": "2025-03-03", "endDate": "2025-03-08", "by": "day"});
    let response = client.call("get_team_hours", &hours);
    assert_ne!(response["isError"], true, "{response}");
    let late = client.read();
    assert_eq!((&late["id"], error_code(&late["result"]).as_str()), (&json!(100), "TIMED_OUT"));
    await_end_of(&running);
    let response = client.call("get_team_hours", &hours);
    assert_ne!(response["isError"], true, "{response}");
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_and_timeout_at_the_command_line_are_the_limits_of_a_process() {
    let team = TestTeam::export().await;
    for (sql, refusal) in
        GREEDY.map(|sql| (sql, "memory")).into_iter().chain([(NESTED, "memory"), (LONG, "longer than")])
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dayledger-fleet"));
        command.args(["sql", "--memory", "96", "--timeout", "5", "--from"]).arg(team.folder()).arg(sql);
        let process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        #[cfg(target_os = "linux")]
        let memory = MemoryWatch::start(process.id());
        let ended = process.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&ended.stderr);
        assert!(complaint.contains(refusal) && complaint.contains("hint: "), "{sql}: {complaint}");
        #[cfg(target_os = "linux")]
        {
            let (asking, statement) = memory.end();
            assert!(asking < ROOM && statement < (96 << 20) + ROOM, "{sql}: {asking} and {statement} bytes");
        }
    }
}

/// If an older export replaces the export that the server knows, the statement fails. The process that runs the
/// statement checks this too.
#[tokio::test(flavor = "multi_thread")]
async fn statement_reads_no_older_export_than_its_server_knows() {
    let team = TestTeam::export().await;
    let old = TestTeam::export().await;
    team.export_again("bela");
    let statements = Statements::new(env!("CARGO_BIN_EXE_dayledger-fleet").into());
    let engine = statements.engine(&Team::open(team.folder()).unwrap()).unwrap();
    let sql = "SELECT count(*) FROM segments WHERE person = 'bela'";
    assert!(engine.query(sql, &QueryLimits::default()).await.is_ok());
    std::fs::remove_dir_all(team.person_folder("bela")).unwrap();
    std::fs::rename(old.person_folder("bela"), team.person_folder("bela")).unwrap();
    let refused = engine.query(sql, &QueryLimits::default()).await.unwrap_err().to_string();
    assert!(refused.contains("bela") && refused.contains("older"), "{refused}");
}

/// A newer version of the program may be installed while an older version is running.
#[tokio::test(flavor = "multi_thread")]
async fn process_with_the_setup_of_another_version_requests_a_restart() {
    let launch = Launch {
        program: env!("CARGO_BIN_EXE_dayledger-fleet").into(),
        name: "dayledger-fleet",
        arguments: vec![statements::COMMAND.into()],
        environment: Vec::new(),
        setup: r#"{"version": "0.0.1", "setup": {"bucket": 1}}"#.into(),
    };
    let engine = Engine::from_tables(Model::default()).unwrap().with_workers(launch);
    let error = engine.query("SELECT 1", &QueryLimits::default()).await.unwrap_err();
    let actual = [error.to_string(), error.hint()];
    assert_eq!(actual, ["dayledger-fleet 0.0.1 was replaced while it ran", "start it again"]);
}

/// Statements whose tasks on worker machines need more memory than the limit.
const GREEDY_ON_MACHINES: [&str; 3] = [
    "SELECT length(array_to_string(array_agg(repeat(application, 100000)), '')) FROM segments",
    "SELECT max(length(repeat(application, 10000000))) FROM segments",
    "SELECT max(array_length(range(0, 1000000000 + CAST(seconds AS BIGINT)))) FROM segments",
];

/// A statement that computes for minutes within a single batch on a worker machine.
#[cfg(target_os = "linux")]
const LONG_ON_MACHINES: &str = "SELECT max(levenshtein(repeat(person, 100000), repeat('b', 400000))) FROM day_summary";

fn engine_with_machine(machine: &Worker, team: &TestTeam, authority: &Authority) -> Engine {
    let statements = Statements::new(env!("CARGO_BIN_EXE_dayledger-fleet").into());
    let statements = statements.with_machines(std::slice::from_ref(&machine.url), authority.files());
    statements.engine(&Team::open(team.folder()).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_of_a_statement_is_its_limit_on_worker_machines_too() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let machine = Worker::start(team.folder(), &authority);
    let engine = engine_with_machine(&machine, &team, &authority);
    #[cfg(target_os = "linux")]
    let memory = MemoryWatch::start(machine.process.id());
    let limits = QueryLimits { memory_bytes: 96 << 20, ..QueryLimits::default() };
    for sql in GREEDY_ON_MACHINES {
        let refused = engine.query(sql, &limits).await.unwrap_err();
        assert!(matches!(refused, engine::Error::OutOfMemory), "{sql}: {refused:?}");
    }
    #[cfg(target_os = "linux")]
    {
        let (machine, tasks) = memory.end();
        assert!(machine < ROOM, "{machine} bytes of the machine's own process");
        // On a busy system, the memory is measured only a few times. So the lower bound only checks that the memory was
        // measured at least once.
        assert!(tasks > 0 && tasks < (96 << 20) + ROOM, "{tasks} bytes of the tasks");
    }
    let sql = "SELECT person, count(*) FROM segments GROUP BY person";
    assert_eq!(rows(&engine, sql).await, rows(&team.engine(), sql).await);
}

/// A worker machine must stop computing after the caller has stopped waiting.
#[cfg(target_os = "linux")] // The tests can find the processes of a machine only on Linux.
#[tokio::test(flavor = "multi_thread")]
async fn no_worker_machine_computes_for_a_caller_that_has_stopped_waiting() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let mut machine = Worker::start(team.folder(), &authority);
    let tasks_of = |machine: &Worker, count: usize| {
        let process = machine.process.id();
        loop {
            let running = workers_of(process);
            if running.len() == count {
                break running;
            }
            std::thread::yield_now();
        }
    };
    // The statement gets the process in reserve, and the machine starts another process for the reserve.
    let waiting = tasks_of(&machine, 1);
    let engine = engine_with_machine(&machine, &team, &authority);
    let limits = QueryLimits { deadline: Duration::from_secs(20), ..QueryLimits::default() };
    let late = tokio::spawn(async move { engine.query(LONG_ON_MACHINES, &limits).await });
    tasks_of(&machine, 2);
    let late = late.await.unwrap().unwrap_err();
    assert!(matches!(late, engine::Error::TimedOut { .. }), "{late:?}");
    await_end_of(&waiting);

    let waiting = tasks_of(&machine, 1);
    let mut command = Command::new(env!("CARGO_BIN_EXE_dayledger-fleet"));
    command.args(["sql", "--workers", machine.url.as_str(), "--from"]).arg(team.folder());
    command.args(authority.options("asker", Role::Caller)).arg(LONG_ON_MACHINES);
    let mut caller = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    tasks_of(&machine, 2);
    kill(caller.id());
    caller.wait().unwrap();
    await_end_of(&waiting);

    let waiting = tasks_of(&machine, 1);
    machine.kill();
    await_end_of(&waiting);
}
