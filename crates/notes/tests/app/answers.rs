//! Tests the handling of Chronicle's responses and other messages.

use std::path::Path;

use dayledger_notes::Code;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::fake_application::{connect, note, request_current_file};

#[tokio::test(start_paused = true)]
async fn open_note_is_read_from_its_path_alone() {
    let (app, _triggers, _stage, mut socket) = connect().await;
    for answer in [
        note("b.md"),
        json!({"path": "/w/b.md", "content": "", "unknown": [1]}),
        json!({"path": "/w/b.md"}),
        json!({"path": "/w/b.md", "content": null, "relativePath": null, "error": null}),
    ] {
        let (path, ()) = tokio::join!(app.current_file(), socket.answer("getCurrentFile", answer.clone()));
        assert_eq!(path.unwrap(), Path::new("/w/b.md"), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn missing_open_note_differs_from_other_errors() {
    let (app, _triggers, _stage, mut socket) = connect().await;
    let none = json!({"path": null, "relativePath": null, "content": null, "error": "No file currently open"});
    for (result, code, hint) in [
        (none, Code::FileNotFound, "open one"),
        (json!({"path": null}), Code::FileNotFound, "open one"),
        (json!({"error": "Unknown method: getCurrentFile"}), Code::ApiError, "Unknown method"),
        (json!({"path": 3, "content": ""}), Code::ParseError, "`path`"),
        (json!(null), Code::ParseError, "`path`"),
        (json!(["path"]), Code::ParseError, "`path`"),
    ] {
        let (file, ()) = tokio::join!(app.current_file(), socket.answer("getCurrentFile", result.clone()));
        let refusal = file.unwrap_err();
        assert_eq!(refusal.code, code, "{result}");
        assert!(refusal.to_string().contains(hint), "{refusal}");
    }
}

#[tokio::test(start_paused = true)]
async fn error_next_to_a_result_is_reported() {
    let (app, _triggers, _stage, mut socket) = connect().await;
    let request = request_current_file(&app);
    let id = socket.question("getCurrentFile").await;
    socket.say(json!({"type": "response", "id": id, "error": "it\nbroke"})).await;
    let refusal = request.await.unwrap().unwrap_err();
    assert_eq!(refusal.code, Code::ApiError);
    assert!(refusal.to_string().contains("it broke"), "{refusal}");
}

#[tokio::test(start_paused = true)]
async fn answers_match_their_requests_in_any_order() {
    let (app, _triggers, _stage, mut socket) = connect().await;
    let first = request_current_file(&app);
    let first_id = socket.question("getCurrentFile").await;
    let second = request_current_file(&app);
    let second_id = socket.question("getCurrentFile").await;
    assert_eq!((first_id.as_str(), second_id.as_str()), ("req-1", "req-2"));
    for (id, content) in [(second_id, "second"), (first_id, "first")] {
        socket.say(json!({"type": "response", "id": id, "result": note(content)})).await;
    }
    assert_eq!(first.await.unwrap().unwrap(), Path::new("/w/first"));
    assert_eq!(second.await.unwrap().unwrap(), Path::new("/w/second"));
}

/// Unexpected messages don't affect the response. If two responses arrive, the first one is used.
#[tokio::test(start_paused = true)]
async fn unknown_messages_are_ignored() {
    let (app, _triggers, stage, mut socket) = connect().await;
    let first_request = request_current_file(&app);
    let id = socket.question("getCurrentFile").await;
    for text in ["", "{", "null", "[]", "3", r#"{"type":3}"#, r#"{"type":"response"}"#, r#"{"type":"response","id":1}"#]
    {
        socket.send(Message::text(text)).await;
    }
    socket.send(Message::binary(vec![0xff; 9])).await;
    socket.say(json!({"type": "response", "id": "req-77", "result": note("of nobody")})).await;
    socket.say(json!({"type": "request", "id": "x", "method": "formatDisk"})).await;
    socket.say(json!({"type": "push", "event": "hello", "data": {}})).await;
    for content in ["first", "again"] {
        socket.say(json!({"type": "response", "id": id, "result": note(content), "extra": Value::Null})).await;
    }
    assert_eq!(first_request.await.unwrap().unwrap(), Path::new("/w/first"));
    let (file, ()) = tokio::join!(app.current_file(), socket.answer("getCurrentFile", note("second")));
    assert_eq!(file.unwrap(), Path::new("/w/second"));
    assert!(stage.is_quiet(), "the client does not connect again");
}

#[tokio::test(start_paused = true)]
async fn messages_over_ten_megabytes_are_refused() {
    let (app, _triggers, mut stage, mut socket) = connect().await;
    let first_request = request_current_file(&app);
    let id = socket.question("getCurrentFile").await;
    let message = |length: usize| {
        let whole =
            |more: &str| json!({"type": "response", "id": id, "result": note("large"), "extra": more}).to_string();
        whole(&"x".repeat(length - whole("").len()))
    };
    socket.send(Message::text(message(10 << 20))).await;
    first_request.await.unwrap().unwrap();
    let second_request = request_current_file(&app);
    socket.question("getCurrentFile").await;
    let sending = tokio::spawn(async move {
        socket.send(Message::text("x".repeat((10 << 20) + 1))).await;
    });
    let refusal = second_request.await.unwrap().unwrap_err();
    assert_eq!(refusal.code, Code::AppNotConnected);
    assert!(refusal.to_string().contains("more than 10 MB"), "{refusal}");
    let mut socket = stage.accept().await;
    let (file, ()) = tokio::join!(app.current_file(), socket.answer("getCurrentFile", note("small")));
    assert_eq!(file.unwrap(), Path::new("/w/small"));
    sending.abort();
}
