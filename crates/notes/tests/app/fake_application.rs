//! A simulated application for tests.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use dayledger_notes::Refusal;
use dayledger_notes::app::{App, Dial, Timeouts, Triggers};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async};

/// A transport that requests each stream from the fake application.
struct Pipes(mpsc::UnboundedSender<oneshot::Sender<DuplexStream>>);

impl Dial for Pipes {
    type Stream = DuplexStream;

    async fn dial(&mut self) -> io::Result<DuplexStream> {
        let (answer, stream) = oneshot::channel();
        let refused = || io::Error::from(io::ErrorKind::ConnectionRefused);
        self.0.send(answer).map_err(|_| refused())?;
        stream.await.map_err(|_| refused())
    }

    fn address(&self) -> SocketAddr {
        ([127, 0, 0, 1], 9847).into()
    }
}

/// The fake application, which receives the client's attempts to connect.
pub(super) struct FakeApplication {
    calls: mpsc::UnboundedReceiver<oneshot::Sender<DuplexStream>>,
}

/// Returns a client and the fake application that it connects to.
pub(super) fn fake_application() -> (App, Triggers, FakeApplication) {
    let (dial, calls) = mpsc::unbounded_channel();
    let (app, triggers) = App::new(Pipes(dial), Timeouts::default());
    (app, triggers, FakeApplication { calls })
}

/// Returns a connected client.
pub(super) async fn connect() -> (App, Triggers, FakeApplication, Socket) {
    let (app, triggers, mut stage) = fake_application();
    app.start();
    let socket = stage.accept().await;
    (app, triggers, stage, socket)
}

impl FakeApplication {
    /// Returns true if no attempt to connect is waiting.
    pub(super) fn is_quiet(&self) -> bool {
        self.calls.is_empty()
    }

    /// Rejects the next attempt to connect, and returns the time of the attempt.
    pub(super) async fn refuse(&mut self) -> Instant {
        self.calls.recv().await.unwrap();
        Instant::now()
    }

    /// Accepts the next attempt to connect. Returns Chronicle's end of the stream, before the WebSocket handshake.
    pub(super) async fn pick_up(&mut self) -> DuplexStream {
        let (theirs, ours) = tokio::io::duplex(1 << 16);
        self.calls.recv().await.unwrap().send(theirs).unwrap();
        ours
    }

    /// Accepts the next attempt to connect, with the WebSocket handshake.
    pub(super) async fn accept(&mut self) -> Socket {
        Socket(accept_async(self.pick_up().await).await.unwrap())
    }

    /// Waits for the next attempt to connect. Returns whether the client was dropped instead.
    pub(super) async fn is_over(&mut self) -> bool {
        self.calls.recv().await.is_none()
    }
}

/// Chronicle's end of a connection.
pub(super) struct Socket(WebSocketStream<DuplexStream>);

impl Socket {
    pub(super) async fn send(&mut self, message: impl Into<Message>) {
        self.0.send(message.into()).await.unwrap();
    }

    /// Whether the stream accepts a message within a second.
    pub(super) async fn is_taken(&mut self, message: Message) -> bool {
        timeout(Duration::from_secs(1), self.0.send(message)).await.is_ok()
    }

    pub(super) async fn say(&mut self, message: Value) {
        self.send(Message::text(message.to_string())).await;
    }

    /// Returns the next frame, or `None` after the connection is closed.
    pub(super) async fn next(&mut self) -> Option<Message> {
        self.0.next().await.and_then(Result::ok)
    }

    /// Returns the next message as JSON.
    pub(super) async fn hear(&mut self) -> Value {
        let message = self.next().await.unwrap();
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }

    /// Returns the ID of the next request, which must have this method.
    pub(super) async fn question(&mut self, method: &str) -> String {
        let question = self.hear().await;
        assert_eq!((&question["type"], &question["method"]), (&json!("request"), &json!(method)));
        question["id"].as_str().unwrap().to_owned()
    }

    /// Sends a result as the response to the next request.
    pub(super) async fn answer(&mut self, method: &str, result: Value) {
        let id = self.question(method).await;
        self.say(json!({"type": "response", "id": id, "result": result})).await;
    }
}

/// Returns Chronicle's response if the open note has this name.
pub(super) fn note(name: &str) -> Value {
    json!({"path": format!("/w/{name}"), "relativePath": name, "content": "# A", "session": null})
}

/// Sends a request for the open note in the background.
pub(super) fn request_current_file(app: &App) -> JoinHandle<Result<PathBuf, Refusal>> {
    let app = app.clone();
    tokio::spawn(async move { app.current_file().await })
}
