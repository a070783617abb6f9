//! Notes are processed by a local model, or by the note-taking application.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread::JoinHandle;

use futures::{SinkExt, StreamExt};
use rmcp::model::{ServerNotification, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::notes::{KICKOFF, RECORD, processed_note, workspace};
use super::session::{Session, VERSIONS, text};
use crate::cli::program::{Home, demo};

const NOTE: &str = "2024-12-10-project-kickoff.md";

/// Returns a home folder with notes and this configuration.
fn home(configuration: &str) -> (Home, PathBuf, tempfile::TempDir) {
    let (home, data) = (Home::new(), demo());
    let folder = workspace(&home);
    let configuration = format!("[notes]\nworkspace = '{}'\n{configuration}", folder.display());
    home.configure(&configuration);
    (home, folder, data)
}

/// Starts a local model that responds once. Returns the model's URL, and a task that returns the received request.
fn model(status: &'static str, answer: String) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let request_thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).unwrap() > 2 {
            if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
                length = number.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}", answer.len());
        stream.write_all(format!("{head}\r\nconnection: close\r\n\r\n{answer}").as_bytes()).unwrap();
        String::from_utf8(body).unwrap()
    });
    (address, request_thread)
}

#[tokio::test(flavor = "multi_thread")]
async fn local_model_creates_the_record() {
    for version in VERSIONS {
        let choice = json!({"message": {"role": "assistant", "content": RECORD}, "finish_reason": "stop"});
        let answer =
            json!({"model": "small-local", "choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 7}});
        let (address, received) = model("200 OK", answer.to_string());
        let (home, folder, data) = home(&format!("model_url = '{address}'\n"));
        let session = Session::start_in_home(home, data.path(), version, &["--toolsets", "notes"]).await;
        let response = session.text("process_meeting", json!({"path": NOTE})).await;
        assert!(response.contains("✓ Extracted 2 action items") && response.contains("small-local"), "{response}");
        assert!(response.contains("5 tokens in, 7 out"), "{response}");
        assert!(received.join().unwrap().contains("weekly exports are required"));
        let written = fs::read_to_string(folder.join(NOTE)).unwrap();
        assert_eq!(written, processed_note(RECORD, KICKOFF));
        let meta: Value =
            serde_json::from_str(&fs::read_to_string(folder.join(".meta/2024-12-10-project-kickoff.json")).unwrap())
                .unwrap();
        assert_eq!(
            (&meta["processing"]["model"], &meta["processing"]["style"]),
            (&json!("small-local"), &json!("standard"))
        );
        let response = session.end().await;
        assert!(response.contains("127.0.0.1"), "stderr shows the address that receives notes: {response}");
    }
}

/// Redaction protects text from the assistant. It doesn't apply to the local model, because the user has set it up.
#[tokio::test(flavor = "multi_thread")]
async fn local_model_receives_the_unredacted_note() {
    let choice = json!({"message": {"role": "assistant", "content": RECORD.replace("Kickoff", "https://portal.example/zqtitle")},
                        "finish_reason": "stop"});
    let (address, received) = model("200 OK", json!({"model": "small-local", "choices": [choice]}).to_string());
    let (home, folder, data) = home(&format!("model_url = '{address}'\n"));
    let secrets = "! see https://portal.example/zqurl\n? pay at https://login.bank.example/zqbank\n";
    fs::write(folder.join(NOTE), format!("{KICKOFF}{secrets}")).unwrap();
    let flags = ["--toolsets", "notes", "--redact", "urls,paths", "--hide-site", "*.bank.example"];
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), &flags).await;
    let response = session.text("process_meeting", json!({"path": NOTE})).await;
    assert!(response.contains("Processed note: Project Kickoff") && !response.contains("zqtitle"), "{response}");
    let received = received.join().unwrap();
    assert!(
        received.contains("https://portal.example/zqurl") && received.contains("login.bank.example/zqbank"),
        "{received}"
    );
    let written = fs::read_to_string(folder.join(NOTE)).unwrap();
    assert!(written.contains("https://portal.example/zqtitle") && written.contains(secrets), "{written}");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn model_with_an_api_key_creates_the_record_and_the_key_does_not_leak() {
    const KEY: &str = "sk-zqkey";
    for version in VERSIONS {
        let answer = json!({"model": "of-the-company", "content": [{"type": "text", "text": RECORD}],
                            "stop_reason": "end_turn", "usage": {"input_tokens": 5, "output_tokens": 7}});
        let (address, received) = model("200 OK", answer.to_string());
        let (home, folder, data) = home("");
        let variables = [
            ("ANTHROPIC_API_KEY", KEY),
            ("ANTHROPIC_BASE_URL", address.trim_end_matches("/v1")),
            ("DAYLEDGER_LOG", "trace"),
        ];
        let session =
            Session::start_with_environment(home, data.path(), version, &["--toolsets", "notes,sql"], &variables).await;
        let response = session.text("process_meeting", json!({"path": NOTE, "style": "brief"})).await;
        assert!(response.contains("✓ Extracted 2 action items") && response.contains("of-the-company"), "{response}");
        let received: Value = serde_json::from_str(&received.join().unwrap()).unwrap();
        assert!(received["messages"].to_string().contains("weekly exports are required"), "{received}");
        let written = fs::read_to_string(folder.join(NOTE)).unwrap();
        assert_eq!(written, processed_note(RECORD, KICKOFF));
        let actions = session.text("query", json!({"sql": "SELECT action, owner FROM note_actions"})).await;
        assert!(actions.contains("Set up evidence automation") && actions.contains("sarah"), "{actions}");
        let logged = session.end().await;
        assert!(logged.contains("127.0.0.1") && !logged.contains(KEY), "{logged}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_model_leaves_the_note_unchanged() {
    let (address, _asked) = model("400 Bad Request", json!({"error": {"message": "no such model"}}).to_string());
    let (home, folder, data) = home(&format!("model_url = '{address}'\n"));
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), &["--toolsets", "notes"]).await;
    let result = session.call("process_meeting", json!({"path": NOTE})).await;
    assert!(result.is_error == Some(true) && text(&result).starts_with("Error: API_ERROR: "), "{result:?}");
    assert_eq!(fs::read_to_string(folder.join(NOTE)).unwrap(), KICKOFF);
    assert!(!folder.join(".raw").exists() && !folder.join(".meta").exists());
    session.end().await;
}

/// Acts as the application with the note open, and requests the processing of the note `requests` times. Returns the
/// messages that the application received: two for each request.
async fn application(listener: tokio::net::TcpListener, note: PathBuf, requests: usize) -> Vec<Value> {
    let (stream, _) = listener.accept().await.unwrap();
    let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
    let trigger =
        json!({"type": "request", "id": "trigger-1", "method": "triggerProcessing", "data": {"style": "brief"}});
    for _ in 0..requests {
        socket.send(Message::text(trigger.to_string())).await.unwrap();
    }
    let mut events = Vec::new();
    while events.len() < 2 * requests {
        let Message::Text(text) = socket.next().await.unwrap().unwrap() else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        if message["method"] == "getCurrentFile" {
            let result = json!({"path": note, "relativePath": NOTE, "content": KICKOFF, "session": null});
            let response = json!({"type": "response", "id": message["id"], "result": result});
            socket.send(Message::text(response.to_string())).await.unwrap();
        } else {
            events.push(message);
        }
    }
    events
}

/// The second request is for the same text. Therefore the note must not be sent to the model again.
#[tokio::test(flavor = "multi_thread")]
async fn application_gets_a_note_processed_once_until_it_changes() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let (home, folder, data) = home("model = 'none'\n");
    let application = tokio::spawn(application(listener, folder.join(NOTE), 2));
    let variables = [("CHRONICLE_WS_PORT", port.as_str())];
    let session =
        Session::start_with_environment(home, data.path(), VERSIONS[1].clone(), &["--toolsets", "notes"], &variables)
            .await;
    let events = application.await.unwrap();
    assert_eq!((&events[0]["event"], &events[0]["data"]["style"]), (&json!("processingStarted"), &json!("brief")));
    assert_eq!((&events[1]["event"], &events[1]["data"]["path"]), (&json!("processingComplete"), &json!(NOTE)));
    let result = &events[1]["data"]["result"];
    let action = json!({"text": "set up evidence automation", "owner": null, "urgent": false});
    assert_eq!((&result["actionItems"], &result["questions"]), (&json!([action]), &json!(["IAM rollout?"])));
    assert_eq!(result["keyPoints"][0], "weekly exports are required");
    assert_eq!((&events[2]["event"], &events[3]["event"]), (&json!("processingStarted"), &json!("processingError")));
    let error = events[3]["data"]["error"].as_str().unwrap();
    assert!(error.contains("has not changed since it was processed"), "{error}");
    let written = fs::read_to_string(folder.join(NOTE)).unwrap();
    assert!(written.contains("## Action Items") && written.contains("set up evidence automation"), "{written}");
    session.end().await;
}

/// If the application had processed a note, the note's key points and questions used to be empty in SQL.
#[tokio::test(flavor = "multi_thread")]
async fn records_created_by_the_application_are_in_sql() {
    let (home, folder, data) = home("");
    let record = json!({"tldr": "Short.", "keyPoints": ["one", {"text": "two", "sourceLines": [1]}], "questions": ["why?"],
                        "actionItems": [{"text": "Send it (due 2024-12-12)", "owner": "bo", "done": false}]});
    fs::create_dir_all(folder.join(".chronicle/processed")).unwrap();
    fs::write(folder.join(".chronicle/processed/2024-12-09-research.json"), record.to_string()).unwrap();
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), &["--toolsets", "notes,sql"]).await;
    let sql = "SELECT summary, key_points[1], key_points[2], questions[1] FROM notes WHERE is_processed";
    let answer = session.answer("query", json!({"sql": sql})).await;
    assert_eq!(answer["rows"], json!([["Short.", "one", "two", "why?"]]));
    let sql = "SELECT action, owner, due_date, is_done FROM note_actions";
    let answer = session.answer("query", json!({"sql": sql})).await;
    assert_eq!(answer["rows"], json!([["Send it", "bo", "2024-12-12", false]]));
    session.end().await;
}

/// The summary of a session used to omit logged entries and processed notes.
#[tokio::test(flavor = "multi_thread")]
async fn timesheet_session_lists_processed_notes() {
    let projects = "[[timesheet.projects]]\ncode = 'A'\nname = 'A'\ntasks = ['T']\n";
    let (home, _folder, data) = home(&format!("model = 'none'\n{projects}"));
    let session =
        Session::start_in_home(home, data.path(), VERSIONS[0].clone(), &["--toolsets", "notes,timesheet"]).await;
    session.text("process_meeting", json!({"path": NOTE})).await;
    let entry = json!({"projectCode": "A", "task": "T", "standardHours": 1, "startDate": "2024-12-10", "description": "Kickoff"});
    let logged = session.answer("log_time", entry).await;
    assert!(logged["session"].is_string(), "the first call of the timesheet returns the handle: {logged}");
    let context: Value = serde_json::from_str(&session.read("timesheet://context").await).unwrap();
    assert_eq!(context["accumulatedDescription"], json!(["Processed note: Project Kickoff", "Kickoff"]));
    session.end().await;
}

/// In this test, another program changes a note.
#[tokio::test(flavor = "multi_thread")]
#[expect(deprecated, reason = "versions with a handshake subscribe by the older method")]
async fn subscribers_are_notified_of_changed_notes() {
    let (home, folder, data) = home("");
    let mut session = Session::start_in_home(home, data.path(), VERSIONS[0].clone(), &["--toolsets", "notes"]).await;
    let (this, other) = (format!("note://file/{NOTE}"), "note://file/clients/2024-12-09-research.md");
    for uri in [this.as_str(), other] {
        session.peer().subscribe(SubscribeRequestParams::new(uri)).await.unwrap();
    }
    fs::write(folder.join(NOTE), format!("{KICKOFF}! one more\n")).unwrap();
    assert_eq!(session.next_updated_resource().await, this);
    session.peer().unsubscribe(UnsubscribeRequestParams::new(this)).await.unwrap();
    session.peer().subscribe(SubscribeRequestParams::new("note://today")).await.unwrap();
    fs::write(folder.join("new.md"), "# New\n").unwrap();
    assert_eq!(
        session.next_updated_resource().await,
        "note://today",
        "subscribers are not notified about unchanged notes"
    );
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_of_the_newer_protocol_are_notified_too() {
    let (home, folder, data) = home("");
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), &["--toolsets", "notes"]).await;
    let filter = SubscriptionFilter::builder().resource_subscriptions(["note://recent"]).build();
    let mut subscription = session.client().listen(filter).await.unwrap();
    // The subscription is acknowledged before the server starts to watch. All writes until the first notification
    // therefore count as one change.
    let notice = loop {
        fs::write(folder.join("new.md"), "# New\n").unwrap();
        let next = tokio::time::timeout(std::time::Duration::from_secs(1), subscription.next());
        if let Ok(notice) = next.await {
            break notice.unwrap().unwrap();
        }
    };
    let ServerNotification::ResourceUpdatedNotification(updated) = notice else { panic!("{notice:?}") };
    assert_eq!(updated.params.uri, "note://recent");
    subscription.cancel().await.unwrap();
    session.end().await;
}
