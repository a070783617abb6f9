//! Tests that an assistant gets team hours, and data about individual people only if the operator enables it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use assert_cmd::assert::OutputAssertExt;
use serde_json::{Value, json};

use crate::test_team::TestTeam;

/// A client of the MCP server.
pub(crate) struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: u32,
}

impl Client {
    pub(crate) fn start(team: &TestTeam, options: &[&str]) -> Self {
        let mut process = serve(team, options).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut client = Self { process, input, output, last_id: 0 };
        let about = json!({"name": "test", "version": "1"});
        client.ask("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    /// Sends a request and returns its result.
    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.last_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": parameters}));
        self.read()["result"].take()
    }

    /// Reads the next message from the server.
    pub(crate) fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Calls a tool without waiting for the response.
    #[cfg(target_os = "linux")] // Only tests on Linux use this function.
    pub(crate) fn send_call(&mut self, id: u32, tool: &str, arguments: &Value) {
        let parameters = json!({"name": tool, "arguments": arguments});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": parameters}));
    }

    #[cfg(target_os = "linux")] // The tests can find the processes of a server only on Linux.
    pub(crate) fn process(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", &json!({}));
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The process may have ended already, so errors are ignored.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve(team: &TestTeam, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dayledger-fleet"));
    command.arg("serve").args(options).arg("--from").arg(team.folder());
    command.arg("--record").arg(team.folder().join("hours.jsonl"));
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn assistant_gets_team_hours_and_no_individual_rows() {
    let team = TestTeam::export_without_titles().await;
    let mut client = Client::start(&team, &["--at-least", "2"]);
    assert_eq!(client.tools(), ["get_team_hours"]);
    let response =
        client.call("get_team_hours", &json!({"startDate": "2025-03-03", "endDate": "2025-03-08", "by": "day"}));
    let rows = response["structuredContent"]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row[0] == "2025-03-07" && row[1] == 3), "{response}");
    assert!(rows.iter().all(|row| row[1].as_u64().unwrap() >= 2), "{response}");
    let kept = std::fs::read_to_string(team.folder().join("hours.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 1);
    for (tool, arguments) in [
        ("get_team_hours", json!({"startDate": "never"})),
        ("get_team_hours", json!({"startDate": "2025-03-03", "atLeast": 1})),
        ("get_team_hours", json!({"startDate": "2025-03-03", "by": "person"})),
    ] {
        let response = client.call(tool, &arguments);
        assert!(response["isError"] == true && response.to_string().contains("hint"), "{response}");
    }
    assert_eq!(client.call("query", &json!({"sql": "SELECT person FROM segments"})), Value::Null);
    // The range must consist of whole days. Otherwise, the difference between two ranges would show the hours of a
    // single evening.
    let response = client.call("get_team_hours", &json!({"startDate": "2025-03-03", "endDate": "2025-03-07T18:00"}));
    assert!(response["isError"] == true && response.to_string().contains("whole days"), "{response}");
    let future = client.call("get_team_hours", &json!({"startDate": "2025-04"}));
    assert!(future["isError"] == true && future.to_string().contains("NOT_ANSWERED"), "{future}");
    // A response must not contain the names of people who are left out.
    std::fs::remove_dir_all(team.person_folder("bela").join("activities")).unwrap();
    team.set_coverage("chris", "2025-03-05T00:00:00", "2025-03-15T00:00:00");
    let one = client.call("get_team_hours", &json!({"startDate": "2025-03-06", "by": "all"}));
    let answer = &one["structuredContent"];
    assert!(answer["rows"][0][1] == 2 && answer["peopleLeftOut"] == 1, "{one}");
    assert_eq!(answer["leftOutReasons"], json!(["DAMAGED"]), "{one}");
    assert!(answer.get("uncountedDays").is_none() && answer["endDate"] == "2025-03-07", "{one}");
    let none = client.call("get_team_hours", &json!({"startDate": "2025-03-04"}));
    assert!(none["isError"] == true, "{none}");
    for response in [one, none] {
        assert!(
            ["anna", "bela", "chris", "2025-02", "/"].iter().all(|word| !response.to_string().contains(word)),
            "{response}"
        );
    }
}

/// A person whose export doesn't cover one day must still be counted on the other days. Otherwise, the difference to a
/// shorter range would show the hours of this person.
#[tokio::test(flavor = "multi_thread")]
async fn overlapping_ranges_do_not_show_hours_of_a_new_person() {
    let team = TestTeam::export_without_titles().await;
    team.set_coverage("chris", "2025-03-06T00:00:00", "2025-03-15T00:00:00");
    let mut client = Client::start(&team, &["--at-least", "2"]);
    let mut hours = |start: &str, end: &str| {
        let response = client.call("get_team_hours", &json!({"startDate": start, "endDate": end, "by": "all"}));
        response["structuredContent"]["rows"][0][2].as_f64().unwrap()
    };
    let (before, after) = (hours("2025-03-03", "2025-03-06"), hours("2025-03-06", "2025-03-12"));
    assert!((hours("2025-03-03", "2025-03-12") - before - after).abs() < 0.05);
}

#[tokio::test(flavor = "multi_thread")]
async fn new_people_and_changed_exports_are_seen_while_serving() {
    let (team, titled) = (TestTeam::export_without_titles().await, TestTeam::export().await);
    let (chris, elsewhere) = (team.person_folder("chris"), team.folder().join("elsewhere"));
    std::fs::rename(&chris, &elsewhere).unwrap();
    let mut client = Client::start(&team, &["--at-least", "2", "--persons"]);
    let mut names = || {
        let response = client.call("query", &json!({"sql": "SELECT DISTINCT person FROM segments ORDER BY person"}));
        response["structuredContent"]["rows"].clone()
    };
    assert_eq!(names(), json!([["anna"], ["bela"]]));
    std::fs::rename(&elsewhere, &chris).unwrap();
    assert_eq!(names(), json!([["anna"], ["bela"], ["chris"]]));
    std::fs::remove_dir_all(team.person_folder("anna")).unwrap();
    std::fs::rename(titled.person_folder("anna"), team.person_folder("anna")).unwrap();
    assert_eq!(names(), Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn individual_queries_need_the_persons_option() {
    let team = TestTeam::export_without_titles().await;
    let mut client = Client::start(&team, &["--at-least", "2", "--persons"]);
    assert_eq!(client.tools(), ["get_team_hours", "describe_model", "query"]);
    let actual = client.call("query", &json!({"sql": "SELECT DISTINCT person FROM segments ORDER BY person"}));
    assert_eq!(actual["structuredContent"]["rows"], json!([["anna"], ["bela"], ["chris"]]));
    let actual = client.call("describe_model", &json!({"name": "segments"}));
    assert!(actual.to_string().contains("person"), "{actual}");
    let actual = client.call("query", &json!({"sql": "SELECT title FROM segments"}));
    assert!(actual["isError"] == true && actual.to_string().contains("title"), "{actual}");
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_with_titles_and_too_few_people_are_not_served() {
    let team = TestTeam::export().await;
    for (options, word) in [(&["--at-least", "2"][..], "contains titles"), (&[][..], "--at-least")] {
        let refused = serve(&team, options).stdin(Stdio::null()).assert().failure();
        let message = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(message.contains(word) && message.lines().count() == 2, "{message}");
    }
}
