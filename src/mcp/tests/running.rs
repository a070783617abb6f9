//! Tests the course and the end of calls, and their progress notifications. A stub takes as long as each test needs.

use std::{any::Any, sync::Arc, time::Duration};

use dayledger_mcp::{Limits, RequestHandler};
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    sync::Semaphore,
    task::JoinHandle,
};

use super::{Session, StubHandler, every_tool, spawn_server};
use crate::activity::codes;
use crate::{
    App,
    activity::TimelinesRequest,
    engine::MAX_PARALLEL_REQUESTS,
    mcp::{ServeError, history_handler::HistoryHandler, server::Server},
    request::{Error, Request},
};

/// A handler that never responds, except to the request for timelines, which fails immediately.
#[derive(Clone)]
struct StuckHandler {
    /// One permit for each request that has started.
    begun: Arc<Semaphore>,
    /// One permit for each request that was dropped.
    stopped: Arc<Semaphore>,
}

impl StuckHandler {
    fn new() -> Self {
        Self { begun: Arc::new(Semaphore::new(0)), stopped: Arc::new(Semaphore::new(0)) }
    }
}

struct Stopped(Arc<Semaphore>);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.add_permits(1);
    }
}

impl RequestHandler for StuckHandler {
    type App = App;

    async fn handle<Q: Request + 'static>(&self, request: Q) -> Result<Q::Response, Error>
    where
        App: AsRef<Q::Service>,
    {
        if (&request as &dyn Any).is::<TimelinesRequest>() {
            return Err(Error::with_field(codes::UNKNOWN_DEVICE, "device", "no", "leave it out"));
        }
        let _stopped = Stopped(Arc::clone(&self.stopped));
        self.begun.add_permits(1);
        std::future::pending().await
    }
}

async fn wait_for(permits: &Semaphore, number: usize) {
    let number = u32::try_from(number).expect("a few");
    permits.acquire_many(number).await.expect("the semaphore is never closed").forget();
}

/// Returns time limits that are too long to end a call, and no grace period.
fn limits() -> Limits {
    let hour = Duration::from_hours(1);
    Limits {
        deadline: hour,
        model_deadline: hour,
        report_every: hour,
        grace: Duration::ZERO,
        drain_timeout: hour,
        poll_interval: hour,
    }
}

/// A client that reads and writes lines.
struct Wire {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Wire {
    /// Starts a session with a handshake.
    async fn connect<R: HistoryHandler>(server: Server<R>) -> Self {
        let (end, server) = spawn_server(server);
        let (output, input) = tokio::io::split(end);
        let mut wire = Self { input, output: BufReader::new(output).lines(), server };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        wire.request(0, "initialize", hello).await;
        assert_eq!(wire.next().await["id"], 0);
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        wire
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.expect("write");
    }

    async fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
    }

    async fn call(&mut self, id: u64, tool: &str) {
        let arguments = json!({"startDate": "2025-01-15", "endDate": "2025-01-16"});
        let arguments = if tool == "get_timelines" { json!({}) } else { arguments };
        self.request(id, "tools/call", json!({"name": tool, "arguments": arguments})).await;
    }

    async fn cancel(&mut self, id: u64) {
        let params = json!({"requestId": id, "reason": "enough"});
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    }

    async fn next(&mut self) -> Value {
        let line = self.output.next_line().await.expect("read").expect("a line");
        serde_json::from_str(&line).expect("a message")
    }

    /// Ends the input. Returns the remaining messages, sorted by id.
    async fn end(mut self) -> Vec<Value> {
        self.input.shutdown().await.expect("end of input");
        let mut rest = Vec::new();
        while let Some(line) = self.output.next_line().await.expect("read") {
            rest.push(serde_json::from_str::<Value>(&line).expect("a message"));
        }
        self.server.await.expect("server does not panic").expect("server ends cleanly");
        rest.sort_by_key(|message| message["id"].as_u64());
        rest
    }
}

/// Returns the error in the response to a failed call.
fn error_of(answer: &Value) -> Value {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    serde_json::from_str::<Value>(text).expect("JSON")["error"].take()
}

#[tokio::test]
async fn a_call_that_takes_too_long_times_out_with_a_hint() {
    for version in [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28] {
        let stuck = StuckHandler::new();
        let limits = Limits { deadline: Duration::from_millis(1), ..limits() };
        let session = Session::connect_to(Server::with_limits(limits, stuck.clone(), &every_tool()), version).await;
        let error = session.call_error("get_tags", json!({"startDate": "2025-01-15", "endDate": "2025-01-16"})).await;
        assert_eq!(error["code"], "TIMED_OUT");
        assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("shorter range")), "{error}");
        wait_for(&stuck.stopped, 1).await;
        session.end().await;
    }
}

#[tokio::test]
async fn a_cancelled_call_stops_its_request_and_is_never_answered() {
    let stuck = StuckHandler::new();
    let mut wire = Wire::connect(Server::with_limits(limits(), stuck.clone(), &every_tool())).await;
    wire.call(5, "get_tags").await;
    wait_for(&stuck.begun, 1).await;
    wire.cancel(5).await;
    wait_for(&stuck.stopped, 1).await;
    wire.request(6, "ping", json!({})).await;
    assert_eq!(wire.next().await["id"], 6);
    assert_eq!(wire.end().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_can_be_cancelled() {
    let stuck = StuckHandler::new();
    let mut wire = Wire::connect(Server::with_limits(limits(), stuck.clone(), &every_tool())).await;
    let running = MAX_PARALLEL_REQUESTS as u64;
    for id in 1..=running + 1 {
        wire.call(id, "get_tags").await;
    }
    wait_for(&stuck.begun, MAX_PARALLEL_REQUESTS).await;
    wire.cancel(running + 1).await;
    wire.cancel(1).await;
    wait_for(&stuck.stopped, 1).await;
    wire.call(100, "get_timelines").await;
    assert_eq!(
        wire.next().await["id"],
        100,
        "the first call has freed its turn, and the cancelled last call does not take it"
    );
    assert_eq!(stuck.begun.available_permits(), 0);
    let actual: Vec<u64> = wire.end().await.iter().filter_map(|answer| answer["id"].as_u64()).collect();
    assert_eq!(actual, (2..=running).collect::<Vec<_>>());
}

#[tokio::test]
async fn calls_that_run_at_the_end_of_input_are_stopped_with_an_error() {
    let stuck = StuckHandler::new();
    let mut wire = Wire::connect(Server::with_limits(limits(), stuck.clone(), &every_tool())).await;
    for id in 1..=20 {
        wire.call(id, "get_tags").await;
    }
    wait_for(&stuck.begun, MAX_PARALLEL_REQUESTS).await;
    let answers = wire.end().await;
    assert_eq!(answers.len(), 20, "calls that had not begun are answered too");
    for answer in answers {
        let error = error_of(&answer);
        assert_eq!(error["code"], "TIMED_OUT");
        assert!(error["message"].as_str().is_some_and(|message| message.contains("input ended")), "{error}");
    }
    wait_for(&stuck.stopped, MAX_PARALLEL_REQUESTS).await;
}

#[tokio::test]
async fn a_long_call_reports_progress_that_grows() {
    let stuck = StuckHandler::new();
    let limits = Limits { report_every: Duration::from_millis(1), ..limits() };
    let mut wire = Wire::connect(Server::with_limits(limits, stuck.clone(), &every_tool())).await;
    let arguments = json!({"startDate": "2025-01-15", "endDate": "2025-01-16"});
    let params = json!({"name": "get_tags", "arguments": arguments, "_meta": {"progressToken": "mine"}});
    wire.request(1, "tools/call", params).await;
    let mut last = 0.0;
    for _ in 0..3 {
        let report = wire.next().await;
        assert_eq!(report["method"], "notifications/progress");
        assert_eq!(report["params"]["progressToken"], "mine");
        assert_eq!(report["params"]["message"], "waiting for other requests");
        let progress = report["params"]["progress"].as_f64().expect("a number");
        assert!(progress > last, "{progress} after {last}");
        last = progress;
    }
    let rest = wire.end().await;
    assert_eq!(rest.iter().filter(|message| message["id"] == 1).count(), 1);
    let answer = rest.iter().position(|message| message["id"] == 1);
    let reports = rest.iter().filter(|message| message["method"] == "notifications/progress").count();
    assert_eq!(answer, Some(reports), "no report comes after the answer: {rest:?}");
}

#[tokio::test]
async fn short_calls_and_calls_without_a_progress_token_report_no_progress() {
    let stuck = StuckHandler::new();
    let mut wire = Wire::connect(Server::with_limits(limits(), stuck.clone(), &every_tool())).await;
    let params = json!({"name": "get_timelines", "arguments": {}, "_meta": {"progressToken": 1}});
    wire.request(1, "tools/call", params).await;
    assert_eq!(wire.next().await["id"], 1);
    assert_eq!(wire.end().await, Vec::<Value>::new());

    let limits = Limits { report_every: Duration::from_millis(1), deadline: Duration::from_millis(20), ..limits() };
    let mut wire = Wire::connect(Server::with_limits(limits, stuck, &every_tool())).await;
    wire.call(1, "get_tags").await;
    assert_eq!(error_of(&wire.next().await)["code"], "TIMED_OUT");
    wire.end().await;
}

#[tokio::test]
async fn a_request_with_the_id_of_another_is_refused() {
    let stuck = StuckHandler::new();
    let mut wire = Wire::connect(Server::with_limits(limits(), stuck.clone(), &every_tool())).await;
    wire.call(1, "get_tags").await;
    wait_for(&stuck.begun, 1).await;
    wire.call(1, "get_timelines").await;
    let answer = wire.next().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32600)), "{answer}");
    wire.call(2, "get_timelines").await;
    assert_eq!(wire.next().await["id"], 2);
    assert_eq!(wire.end().await.len(), 1, "the first call gets one answer");
}

#[tokio::test]
async fn messages_before_the_first_request_do_not_end_the_connection() {
    let (mut end, server) = spawn_server(Server::new(StubHandler::with_refusal(), &every_tool()));
    for line in [
        "nonsense",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
    ] {
        end.write_all(format!("{line}\n").as_bytes()).await.expect("write");
    }
    let mut lines = BufReader::new(end).lines();
    for (field, value) in [("error", json!(-32700)), ("id", json!(2))] {
        let line = lines.next_line().await.expect("read").expect("a line");
        let answer: Value = serde_json::from_str(&line).expect("a message");
        let response = if field == "error" { &answer["error"]["code"] } else { &answer["id"] };
        assert_eq!(*response, value, "{line}");
    }
    drop(lines);
    server.await.expect("server does not panic").expect("server ends cleanly");
}

/// Writes lines until the server stops reading. The server counts as stopped if a line can't be written although all
/// tasks have run many times. Returns the number of lines that the server read, at most 2,000.
async fn fill(end: &mut DuplexStream, line: impl Fn(usize) -> String) -> usize {
    let mut taken = 0;
    loop {
        let line = line(taken);
        let write = end.write_all(line.as_bytes());
        tokio::pin!(write);
        let mut turns = 0;
        loop {
            tokio::select! {
                biased;
                written = &mut write => break written.expect("write"),
                () = tokio::task::yield_now() => turns += 1,
            }
            if turns == 10_000 || taken == 2000 {
                return taken;
            }
        }
        taken += 1;
    }
}

#[tokio::test]
async fn input_of_a_client_that_never_reads_is_bounded() {
    let (mut end, server) = spawn_server(Server::with_limits(limits(), StubHandler::with_refusal(), &every_tool()));
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    end.write_all(format!("{hello}\n").as_bytes()).await.expect("write");
    // The lines are long, so that the server reads only a few lines ahead. Every response contains the complete list of
    // tools, so that unread output grows quickly.
    let padding = " ".repeat(64 << 10);
    let list = |number| json!({"jsonrpc": "2.0", "id": format!("list {number}"), "method": "tools/list"});
    let taken = fill(&mut end, |number| format!("{}{padding}\n", list(number))).await;
    assert!((100..2000).contains(&taken), "{taken} requests of a client that reads nothing");

    // All responses are still sent if the client starts to read later.
    let (output, mut input) = tokio::io::split(end);
    let ending = tokio::spawn(async move {
        input.shutdown().await.expect("end of input");
        input
    });
    let mut lines = BufReader::new(output).lines();
    let mut answers = 0;
    while lines.next_line().await.expect("read").is_some() {
        answers += 1;
    }
    assert!(answers > 100, "{answers} answers");
    ending.await.expect("ended");
    server.await.expect("server does not panic").expect("server ends cleanly");
}

/// On a busy machine, the last line was once cut off. The test's clock advances only while all tasks sleep.
#[tokio::test(start_paused = true)]
async fn client_that_reads_slowly_after_the_end_of_its_input_gets_every_answer_whole() {
    const LISTS: usize = 200;
    let limits = Limits { grace: Duration::from_hours(1), drain_timeout: Duration::from_millis(200), ..limits() };
    let (end, server) = spawn_server(Server::with_limits(limits, StubHandler::with_refusal(), &every_tool()));
    let (mut output, mut input) = tokio::io::split(end);
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    input.write_all(format!("{hello}\n").as_bytes()).await.expect("write");
    for id in 1..=LISTS {
        let list = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"});
        input.write_all(format!("{list}\n").as_bytes()).await.expect("write");
    }
    input.shutdown().await.expect("end of input");
    let (mut received, mut part) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        tokio::time::sleep(limits.drain_timeout * 3 / 4).await;
        match output.read(&mut part).await.expect("read") {
            0 => break,
            read => received.extend_from_slice(&part[..read]),
        }
    }
    assert!(received.len() > 2 << 20, "{} bytes fit between server and client at once", received.len());
    let lines = received.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let answers = lines.map(|line| serde_json::from_slice::<Value>(line).expect("a whole message"));
    assert_eq!(answers.count(), 1 + LISTS);
    server.await.expect("server does not panic").expect("server ends cleanly");
}
