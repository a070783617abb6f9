//! Broken and malicious clients. The server must keep responding, use a limited amount of memory, and end when its
//! input ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use super::workers::workers_of;
use super::{RANGE, handshake, request};
use crate::cli::program::{Home, demo, endless};

/// The memory limit of the server, in bytes. It is several times the memory that the server normally uses.
const MEMORY_BYTES: u64 = 400 << 20;

/// A client that can write any bytes to its server.
pub(super) struct Client {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    // The home folder must exist as long as the server runs.
    _home: Home,
}

impl Client {
    /// Starts a server over the history in `data`. Returns its client after the handshake.
    pub(super) fn connect(data: &Path) -> Self {
        Self::with_log(data, "warn")
    }

    fn with_log(data: &Path, level: &str) -> Self {
        Self::start(data, level, &["serve"])
    }

    /// Starts a server with these arguments. Returns its client.
    pub(super) fn start(data: &Path, level: &str, arguments: &[&str]) -> Self {
        Self::start_in_home(Home::new(), data, level, arguments)
    }

    /// Starts a server like [`Self::start`], with the configuration in `home`.
    pub(super) fn start_in_home(home: Home, data: &Path, level: &str, arguments: &[&str]) -> Self {
        let mut command = home.program_for(data, arguments);
        command.env("DAYLEDGER_LOG", level);
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (input, output) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        let mut client = Self { server, input, output: BufReader::new(output), _home: home };
        for line in handshake() {
            client.send(&line);
        }
        assert_eq!(client.answer()["id"], 0);
        client
    }

    fn send(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).unwrap();
        self.input.write_all(b"\n").unwrap();
    }

    pub(super) fn call(&mut self, id: usize, tool: &str, arguments: &Value) {
        self.send(&request(id, "tools/call", &json!({"name": tool, "arguments": arguments})));
    }

    pub(super) fn list_tools(&mut self, id: usize) {
        self.send(&request(id, "tools/list", &json!({})));
    }

    /// Starts a call over an endless history, which `SQLite` never finishes reading.
    fn endless_call(&mut self, id: usize) {
        self.call(id, "get_document_usage", &json!({"startDate": RANGE.0, "endDate": RANGE.1}));
    }

    pub(super) fn cancel(&mut self, id: usize) {
        let params = json!({"requestId": id, "reason": "private-words"});
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string());
    }

    /// Returns the next message from the server.
    pub(super) fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        message(&line)
    }

    pub(super) fn process(&self) -> u32 {
        self.server.id()
    }

    /// Waits until `are_wanted` accepts the list of the server's workers. Returns the list.
    #[cfg(target_os = "linux")]
    pub(super) fn await_workers(&self, are_wanted: impl Fn(&[u32]) -> bool) -> Vec<u32> {
        loop {
            let running = workers_of(self.server.id());
            if are_wanted(&running) {
                return running;
            }
            std::thread::yield_now();
        }
    }

    /// Kills the server.
    #[cfg(target_os = "linux")]
    pub(super) fn kill(mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    /// Returns the peak memory of the server in bytes, or 0 if the system doesn't report it.
    pub(super) fn peak_memory(&self) -> u64 {
        peak_memory(self.server.id()).unwrap_or(0)
    }

    /// Ends the input. Returns the remaining output, stderr and the exit status.
    fn end(self) -> (Vec<Value>, String, ExitStatus) {
        let Self { mut server, input, mut output, _home } = self;
        drop(input);
        let (mut rest, mut complaints) = (String::new(), String::new());
        output.read_to_string(&mut rest).unwrap();
        server.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        (rest.lines().map(message).collect(), complaints, server.wait().unwrap())
    }

    /// Ends the input. Checks that the server writes no more output and ends with success.
    pub(super) fn end_in_silence(self) {
        let (output, complaints, status) = self.end();
        assert_eq!((output, complaints.as_str(), status.code()), (Vec::new(), "", Some(0)));
    }
}

#[track_caller]
fn message(line: &str) -> Value {
    let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    message
}

fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// Returns the error in the response to a failed call.
#[track_caller]
pub(super) fn error_of(answer: &Value) -> Value {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    serde_json::from_str::<Value>(text).unwrap()["error"].take()
}

#[test]
fn invalid_requests_are_rejected_and_the_server_keeps_running() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    let deep = "[".repeat(100_000);
    for (line, code, id) in [
        ("GET / HTTP/1.1", -32700, Value::Null),
        (&deep, -32700, Value::Null),
        ("{\"jsonrpc\":\"2.0\",\"id\":2}", -32600, json!(2)),
        ("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":[1]}", -32602, json!(4)),
        ("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":{}}}", -32602, json!(5)),
        ("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/everything\"}", -32601, json!(6)),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"tools/all\",\"params\":[]}", -32601, json!("7")),
    ] {
        client.send(line);
        let answer = client.answer();
        let line_start: String = line.chars().take(100).collect();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line_start}: {answer}");
        assert!(answer.to_string().len() < 500, "{line_start}: the error does not repeat the request");
    }
    client.input.write_all(b"\xff\xfe\x00\x01{\"jsonrpc\"\n\x00\n").unwrap();
    for _ in 0..2 {
        assert_eq!(client.answer()["error"]["code"], -32700, "bytes that are not text");
    }
    for line in ["", " ", "\r", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/everything\"}"] {
        client.send(line);
    }
    for arguments in ["[1]", "\"{}\"", "5"] {
        let params = format!("{{\"name\":\"get_tags\",\"arguments\":{arguments}}}");
        client.send(&format!("{{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{params}}}"));
        assert_eq!(error_of(&client.answer())["code"], "INVALID_ARGUMENT", "{arguments}");
    }
    client.call(9, "get_timelines", &json!({}));
    assert_eq!(client.answer()["id"], 9);
    client.end_in_silence();
}

#[test]
fn ten_megabytes_of_arguments_are_rejected() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    let before = client.peak_memory();
    let many: Vec<Value> = (0..500_000).map(|_| json!({"private-words": 1})).collect();
    for (id, arguments) in [
        (1, json!({"startDate": "x".repeat(10_000_000)})),
        (2, json!({"x".repeat(10_000_000): 1})),
        (3, json!({"startDate": many})),
    ] {
        client.call(id, "get_tags", &arguments);
        let answer = client.answer();
        assert_eq!(answer["id"], json!(id));
        let error = error_of(&answer);
        assert_eq!(error["code"], "ARGUMENTS_TOO_LONG");
        assert!(error.to_string().len() < 500 && !error.to_string().contains("private-words"));
    }
    client.send(&"x".repeat(40 << 20));
    let answer = client.answer();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)), "the line exceeds the limit");
    client.call(4, "get_timelines", &json!({}));
    assert_eq!(client.answer()["id"], 4);
    assert!(client.peak_memory() < before + MEMORY_BYTES, "{} bytes", client.peak_memory());
    client.end_in_silence();
}

#[test]
fn all_of_a_thousand_simultaneous_calls_get_a_response() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    for id in 1..=1000 {
        client.call(id, "get_timelines", &json!({}));
    }
    let mut answered: Vec<u64> = (0..1000)
        .map(|_| {
            let answer = client.answer();
            assert_ne!(answer["result"]["isError"], true, "{answer}");
            answer["id"].as_u64().unwrap()
        })
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, (1..=1000).collect::<Vec<_>>());
    assert!(client.peak_memory() < MEMORY_BYTES, "{} bytes", client.peak_memory());
    client.end_in_silence();
}

#[test]
fn input_that_ends_within_a_line_gets_a_response() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    client.input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"met").unwrap();
    let (output, complaints, status) = client.end();
    assert_eq!(output.len(), 1);
    assert_eq!(output[0]["error"]["code"], -32700);
    assert_eq!((complaints.as_str(), status.code()), ("", Some(0)));

    // A last line without a line ending is also read.
    let mut client = Client::connect(dir.path());
    client.input.write_all(request(1, "ping", &json!({})).as_bytes()).unwrap();
    let (output, _, status) = client.end();
    assert_eq!((&output[0]["id"], output.len(), status.code()), (&json!(1), 1, Some(0)));
}

#[test]
fn endless_call_does_not_keep_the_process_running() {
    let dir = endless();
    let mut client = Client::connect(dir.path());
    for id in 1..=20 {
        client.endless_call(id);
    }
    let (output, complaints, status) = client.end();
    assert_eq!((complaints.as_str(), status.code()), ("", Some(0)));
    assert_eq!(output.len(), 20);
    for answer in output {
        let error = error_of(&answer);
        assert_eq!(error["code"], "TIMED_OUT");
        assert!(error["message"].as_str().unwrap().contains("input ended"), "{error}");
    }
}

#[test]
fn locked_file_does_not_keep_the_process_running() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    let other = rusqlite::Connection::open(dir.path().join("ManicTimeReports.db")).unwrap();
    other.execute_batch("PRAGMA journal_mode = delete; BEGIN EXCLUSIVE").unwrap();
    client.call(1, "get_timelines", &json!({}));
    let (output, _, status) = client.end();
    assert_eq!(status.code(), Some(0));
    // If the end of the input didn't stop the call, the call would wait for the lock and fail with `DATABASE_BUSY`.
    assert_eq!(error_of(&output[0])["code"], "TIMED_OUT");
}

#[test]
fn endless_call_does_not_block_others_and_can_be_cancelled() {
    let dir = endless();
    let mut client = Client::connect(dir.path());
    client.endless_call(1);
    client.call(2, "get_timelines", &json!({}));
    assert_eq!(client.answer()["id"], 2);
    client.cancel(1);
    for id in 3..30 {
        client.endless_call(id);
        client.cancel(id);
    }
    client.call(30, "get_timelines", &json!({}));
    assert_eq!(client.answer()["id"], 30, "a cancelled call gets no answer and blocks no other call");
    client.end_in_silence();
}

#[test]
fn long_call_reports_progress() {
    let dir = endless();
    let mut client = Client::connect(dir.path());
    let arguments = json!({"startDate": RANGE.0, "endDate": RANGE.1});
    let params = json!({"name": "get_document_usage", "arguments": arguments, "_meta": {"progressToken": 7}});
    client.send(&request(1, "tools/call", &params));
    let mut last = 0.0;
    for _ in 0..2 {
        let report = client.answer();
        assert_eq!(
            (&report["method"], &report["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!(7))
        );
        let progress = report["params"]["progress"].as_f64().unwrap();
        assert!(progress > last, "{progress} after {last}");
        last = progress;
        let message = report["params"]["message"].as_str().unwrap();
        assert!(message == "preparing the request" || message.starts_with("reading the history, "), "{message}");
    }
    client.cancel(1);
    let (output, _, status) = client.end();
    assert!(output.iter().all(|message| message["method"] == "notifications/progress"), "{output:?}");
    assert_eq!(status.code(), Some(0));
}

/// Waits until a server has ended. The server's input must already have ended. Checks the server's peak memory.
fn watch_to_its_end(mut server: Child) {
    let (mut peak, mut status) = (0, None);
    while status.is_none() {
        peak = peak_memory(server.id()).unwrap_or(0).max(peak);
        status = server.try_wait().unwrap();
        std::thread::yield_now();
    }
    assert_eq!(status.and_then(|status| status.code()), Some(0));
    assert!(peak < MEMORY_BYTES, "{peak} bytes");
}

#[test]
fn client_that_never_reads_uses_little_memory_and_the_process_ends_with_its_input() {
    let dir = demo();
    let mut client = Client::connect(dir.path());
    for id in 1..=5000 {
        client.send(&request(id, "tools/list", &json!({})));
    }
    let Client { server, input, output, _home } = client;
    drop(input);
    watch_to_its_end(server);
    // All lines in the pipe are valid, except for the last one, which was cut off because the pipe was full.
    let mut lines: Vec<_> = output.lines().map(Result::unwrap).collect();
    lines.pop();
    for line in lines {
        message(&line);
    }
}

/// Some clients connect through sockets. Sockets are read and written in a different way than pipes.
#[cfg(unix)] // only Unix starts a program on sockets
#[test]
fn socket_client_that_never_reads_does_not_keep_the_process_running() {
    use std::os::{fd::OwnedFd, unix::net::UnixStream};

    let dir = demo();
    let home = Home::new();
    let (mut input, stdin) = UnixStream::pair().unwrap();
    let (_output, stdout) = UnixStream::pair().unwrap();
    let mut command = home.program_for(dir.path(), ["serve"]);
    command.stdin(OwnedFd::from(stdin)).stdout(OwnedFd::from(stdout));
    let server = command.spawn().unwrap();
    // The command also holds the server's ends of the sockets, so the command is dropped.
    drop(command);
    for line in handshake().into_iter().chain((1..=5000).map(|id| request(id, "tools/list", &json!({})))) {
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }
    drop(input);
    watch_to_its_end(server);
}

#[test]
fn disconnected_client_is_noticed_while_its_input_stays_open() {
    let dir = demo();
    let client = Client::connect(dir.path());
    let Client { mut server, mut input, output, _home } = client;
    drop(output);
    // The response can't be written. If this write fails, the server has already ended.
    let _ = input.write_all(format!("{}\n", request(1, "ping", &json!({}))).as_bytes());
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn logs_above_debug_contain_no_client_input() {
    let dir = demo();
    for level in ["info", "rmcp=info,info"] {
        let mut client = Client::with_log(dir.path(), level);
        client.cancel(99);
        for line in [
            r#"{"jsonrpc":"2.0","method":"notifications/private-words","params":{"text":"private-words"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"message":"private-words"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"private-words","params":{"text":"private-words"}}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"private-words"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_tags","arguments":{"startDate":"private-words"}}}"#,
            "private-words",
        ] {
            client.send(line);
        }
        let (output, complaints, _) = client.end();
        assert_eq!(output.len(), 4, "{output:?}");
        assert!(!complaints.contains("private-words"), "{level}: {complaints}");
    }
}
