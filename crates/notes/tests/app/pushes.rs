//! Tests messages to Chronicle, and requests from Chronicle.

use std::time::Duration;

use dayledger_notes::app::{Complete, Push, Trigger};
use dayledger_notes::model::Tokens;
use dayledger_notes::prompt::Style;
use dayledger_notes::sections::Sections;
use futures::FutureExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::fake_application::{Socket, connect, fake_application};

fn error(text: impl Into<String>) -> Push {
    Push::Error { path: None, error: text.into() }
}

fn trigger(data: &Value) -> Value {
    json!({"type": "request", "id": "trigger-1", "method": "triggerProcessing", "data": data})
}

/// Waits until the client has read all messages that were sent before.
async fn is_read(socket: &mut Socket) {
    socket.send(Message::Ping("read?".into())).await;
    assert_eq!(socket.next().await, Some(Message::Pong("read?".into())));
}

async fn errors(socket: &mut Socket, count: usize) -> Vec<Value> {
    let mut errors = Vec::new();
    for _ in 0..count {
        errors.push(socket.hear().await["data"]["error"].clone());
    }
    errors
}

#[tokio::test(start_paused = true)]
async fn messages_sent_while_disconnected_arrive_in_order() {
    let (app, _triggers, mut stage) = fake_application();
    app.send(&error("1"));
    stage.refuse().await;
    app.send(&error("2"));
    stage.refuse().await;
    app.send(&error("3"));
    let mut socket = stage.accept().await;
    app.send(&error("4"));
    assert_eq!(errors(&mut socket, 4).await, ["1", "2", "3", "4"]);
}

#[tokio::test(start_paused = true)]
async fn oldest_of_too_many_messages_are_dropped() {
    let (app, _triggers, mut stage) = fake_application();
    for place in 0..300 {
        app.send(&error(place.to_string()));
    }
    stage.refuse().await;
    let mut socket = stage.accept().await;
    let messages = errors(&mut socket, 256).await;
    assert_eq!((&messages[0], &messages[255]), (&json!("44"), &json!("299")));
}

#[tokio::test(start_paused = true)]
async fn a_trigger_is_served_and_acknowledged() {
    let (app, mut triggers, _stage, mut socket) = connect().await;
    socket.say(trigger(&json!({"style": "brief"}))).await;
    assert_eq!(triggers.next().await, Some(Trigger { style: Style::Brief }));
    app.send(&Push::Started { style: Style::Brief });
    assert_eq!(socket.hear().await, json!({"type": "push", "event": "processingStarted", "data": {"style": "brief"}}));
    let tokens = Tokens { input: 9, output: 8, cache_creation: 7, cache_read: 6 };
    let record = format!(
        "{}\n## Key Points\n- k\n## Action Items\n- [ ] a — me (urgent)\n## Open Questions\n- q",
        "ü".repeat(501)
    );
    let sections = Sections::read(&record, None).unwrap();
    app.send(&Push::Complete(Complete { path: "a.md".to_owned(), record, sections, style: Style::Brief, tokens }));
    let usage = json!({
        "input_tokens": 9,
        "output_tokens": 8,
        "cache_creation_input_tokens": 7,
        "cache_read_input_tokens": 6,
    });
    let actions = json!([{"text": "a", "owner": "self", "urgent": true}]);
    let result = json!({"summary": "ü".repeat(500), "keyPoints": ["k"], "actionItems": actions, "questions": ["q"],
                        "style": "brief", "tokens": usage});
    let data = json!({"path": "a.md", "result": result});
    assert_eq!(socket.hear().await, json!({"type": "push", "event": "processingComplete", "data": data}));
    app.send(&error("RATE_LIMITED: later"));
    let data = json!({"error": "RATE_LIMITED: later"});
    assert_eq!(socket.hear().await, json!({"type": "push", "event": "processingError", "data": data}));
    app.send(&Push::Error { path: Some("a.md".to_owned()), error: "later".to_owned() });
    assert_eq!(socket.hear().await["data"], json!({"path": "a.md", "error": "later"}));
    for data in [json!({"style": "haiku"}), json!({}), json!(null)] {
        socket.say(trigger(&data)).await;
        assert_eq!(triggers.next().await, Some(Trigger { style: Style::Standard }));
    }
}

/// If no receiver reads the triggers, they are ignored and the connection stays open.
#[tokio::test(start_paused = true)]
async fn unserved_triggers_are_ignored() {
    let (app, triggers, _stage, mut socket) = connect().await;
    for _ in 0..100 {
        socket.say(trigger(&json!({"style": "brief"}))).await;
    }
    drop(triggers);
    socket.say(trigger(&json!({"style": "brief"}))).await;
    is_read(&mut socket).await;
    app.send(&error("still here"));
    assert_eq!(errors(&mut socket, 1).await, ["still here"]);
}

#[tokio::test(start_paused = true)]
async fn six_triggers_a_minute_are_served_over_all_connections() {
    let (_app, mut triggers, mut stage, mut socket) = connect().await;
    for connection in 0..3 {
        for _ in 0..4 {
            socket.say(trigger(&json!(null))).await;
        }
        is_read(&mut socket).await;
        for _ in 0..[4, 2, 0][connection] {
            triggers.next().await.unwrap();
        }
        assert!(triggers.next().now_or_never().is_none(), "connection {connection}");
        drop(socket);
        socket = stage.accept().await;
    }
    tokio::time::advance(Duration::from_mins(1)).await;
    let mut socket = stage.accept().await;
    socket.say(trigger(&json!(null))).await;
    triggers.next().await.unwrap();
}

/// A record can have up to 50 MB, but Chronicle rejects messages of more than 10 MB.
#[tokio::test(start_paused = true)]
async fn application_gets_the_beginning_of_a_long_record() {
    let (app, _triggers, _stage, mut socket) = connect().await;
    let long = "x".repeat(100_000);
    let items = |mark: &str| format!("- {mark}{long}\n").repeat(200);
    let record = format!("## TL;DR\n{long}\n## Key Points\n{}## Action Items\n{}", items(""), items("[ ] "));
    let sections = Sections::read(&record, None).unwrap();
    let (path, style, tokens) = ("a.md".to_owned(), Style::Standard, Tokens::default());
    app.send(&Push::Complete(Complete { path, record, sections, style, tokens }));
    let result = &socket.hear().await["data"]["result"];
    for list in [&result["keyPoints"], &result["actionItems"]] {
        assert_eq!(list.as_array().unwrap().len(), 100);
    }
    assert_eq!(result["keyPoints"][99], "x".repeat(500));
    assert_eq!(result["actionItems"][99]["text"], "x".repeat(500));
}
