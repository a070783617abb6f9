//! Tests the connection over a real socket on this machine.

use std::path::Path;

use dayledger_notes::Code;
use dayledger_notes::app::{App, Loopback, Push, Timeouts};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message;

use super::fake_application::note;

#[tokio::test]
async fn request_and_answer_cross_a_real_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (app, _triggers) = App::new(Loopback { port }, Timeouts::default());
    app.send(&Push::Error { path: None, error: "first".to_owned() });
    let serving = tokio::spawn(async move {
        let mut socket = accept_async(listener.accept().await.unwrap().0).await.unwrap();
        socket.send(Message::Ping("at once".into())).await.unwrap();
        let mut pushes = Vec::new();
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["type"] == "push" {
                pushes.push(message["data"]["error"].clone());
                continue;
            }
            let answer = json!({"type": "response", "id": message["id"], "result": note("a.md")});
            socket.send(Message::text(answer.to_string())).await.unwrap();
        }
        pushes
    });
    assert_eq!(app.current_file().await.unwrap(), Path::new("/w/a.md"));
    app.send(&Push::Error { path: None, error: "last".to_owned() });
    drop(app);
    assert_eq!(serving.await.unwrap(), ["first", "last"], "messages sent before the end arrive");
}

#[tokio::test]
async fn closed_port_fails_immediately() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let (app, _triggers) = App::new(Loopback { port: free }, Timeouts::default());
    let refusal = app.current_file().await.unwrap_err();
    assert_eq!(refusal.code, Code::AppNotConnected);
    assert!(refusal.to_string().contains("CHRONICLE_WS_PORT"), "{refusal}");
}
