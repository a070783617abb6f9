//! Tests the times at which the client connects, and the errors of requests without a connection.

use std::path::Path;
use std::time::Duration;

use dayledger_notes::Code;
use futures::FutureExt;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Bytes;
use tokio_tungstenite::tungstenite::Message;

use super::fake_application::{connect, fake_application, note, request_current_file};

/// Returns a duration in seconds, rounded to 0.1, because timers have a resolution of milliseconds.
fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 10.0).round() / 10.0
}

#[tokio::test(start_paused = true)]
async fn reconnect_attempts_back_off() {
    let (app, _triggers, mut stage) = fake_application();
    app.start();
    let mut last = stage.refuse().await;
    for expected in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0] {
        let next = stage.refuse().await;
        assert!((seconds(next - last) - expected).abs() < 0.05, "{:?} instead of {expected}", next - last);
        last = next;
    }
    drop(stage.accept().await);
    let dropped = Instant::now();
    let next = stage.refuse().await;
    assert!(
        (seconds(next - dropped) - 1.0).abs() < 0.05,
        "a connection resets the number of attempts: {:?}",
        next - dropped
    );
}

#[tokio::test(start_paused = true)]
async fn connection_opens_with_the_first_request_and_closes_with_the_last_handle() {
    let (app, mut triggers, mut stage) = fake_application();
    tokio::time::sleep(Duration::from_mins(5)).await;
    assert!(stage.is_quiet());
    let waiting = request_current_file(&app);
    let mut socket = stage.accept().await;
    socket.answer("getCurrentFile", note("")).await;
    waiting.await.unwrap().unwrap();
    let clone = app.clone();
    drop(app);
    assert!(socket.next().now_or_never().is_none(), "a clone holds the connection");
    drop(clone);
    assert!(matches!(socket.next().await, Some(Message::Close(_))));
    assert!(stage.is_over().await);
    assert_eq!(triggers.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn unstarted_connection_ends_with_its_handle() {
    let (app, _triggers, mut stage) = fake_application();
    drop(app);
    assert!(stage.is_over().await);
}

#[tokio::test(start_paused = true)]
async fn reconnecting_ends_with_its_handle() {
    let (app, _triggers, mut stage) = fake_application();
    app.start();
    stage.refuse().await;
    drop(app);
    assert!(stage.is_over().await);
}

#[tokio::test(start_paused = true)]
async fn request_times_out_after_30_seconds_and_a_late_answer_is_ignored() {
    let (app, _triggers, _stage, mut socket) = connect().await;
    let started = Instant::now();
    let refusal = app.current_file().await.unwrap_err();
    assert_eq!((refusal.code, seconds(started.elapsed())), (Code::AppNotConnected, 30.0));
    assert!(refusal.to_string().contains("30 seconds"), "{refusal}");
    let late = socket.question("getCurrentFile").await;
    let again = request_current_file(&app);
    let id = socket.question("getCurrentFile").await;
    assert_ne!(id, late);
    for (id, content) in [(late, "late"), (id, "in-time")] {
        socket.say(json!({"type": "response", "id": id, "result": note(content)})).await;
    }
    assert_eq!(again.await.unwrap().unwrap(), Path::new("/w/in-time"));
}

#[tokio::test(start_paused = true)]
async fn dropped_socket_fails_waiting_requests_immediately() {
    let (app, _triggers, mut stage, mut socket) = connect().await;
    let (first, second) = (request_current_file(&app), request_current_file(&app));
    socket.question("getCurrentFile").await;
    socket.question("getCurrentFile").await;
    let started = Instant::now();
    drop(socket);
    for request in [first, second] {
        let refusal = request.await.unwrap().unwrap_err();
        assert_eq!(refusal.code, Code::AppNotConnected);
        assert!(refusal.to_string().contains("was lost"), "{refusal}");
    }
    assert!(started.elapsed() < Duration::from_millis(10));
    let mut socket = stage.accept().await;
    let (file, ()) = tokio::join!(app.current_file(), socket.answer("getCurrentFile", note("back")));
    assert_eq!(file.unwrap(), Path::new("/w/back"));
}

/// A connection that is closed with a handshake has the same effect as a connection that is dropped.
#[tokio::test(start_paused = true)]
async fn closed_connection_fails_waiting_requests_immediately() {
    let (app, _triggers, mut stage, mut socket) = connect().await;
    let waiting = request_current_file(&app);
    socket.question("getCurrentFile").await;
    socket.send(Message::Close(None)).await;
    assert_eq!(waiting.await.unwrap().unwrap_err().code, Code::AppNotConnected);
    stage.accept().await;
}

#[tokio::test(start_paused = true)]
async fn request_while_disconnected_fails_immediately_and_reconnects() {
    let (app, _triggers, mut stage) = fake_application();
    app.start();
    let first = stage.refuse().await;
    for _ in 0..6 {
        stage.refuse().await;
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    let started = Instant::now();
    let (answer, _) = tokio::join!(app.current_file(), stage.refuse());
    let refusal = answer.unwrap_err();
    assert_eq!(refusal.code, Code::AppNotConnected);
    assert!(refusal.to_string().contains("127.0.0.1:9847"), "{refusal}");
    assert!(started.elapsed() < Duration::from_millis(10), "{:?}", started.elapsed());
    let next = stage.refuse().await;
    assert!(
        (seconds(next - first) - 123.0).abs() < 0.15,
        "the other attempts have the usual pauses: {:?}",
        next - first
    );
    let waiting = request_current_file(&app);
    let mut socket = stage.accept().await;
    socket.answer("getCurrentFile", note("meanwhile")).await;
    assert_eq!(waiting.await.unwrap().unwrap(), Path::new("/w/meanwhile"));
}

#[tokio::test(start_paused = true)]
async fn connection_ends_after_a_silent_minute_and_a_ping_extends_it() {
    let (_app, _triggers, mut stage, mut socket) = connect().await;
    let started = Instant::now();
    tokio::time::sleep(Duration::from_secs(59)).await;
    socket.send(Message::Ping(Bytes::from_static(b"well?"))).await;
    assert_eq!(socket.next().await, Some(Message::Pong(Bytes::from_static(b"well?"))));
    assert!(matches!(socket.next().await, Some(Message::Close(_))));
    let elapsed = started.elapsed();
    assert!((seconds(elapsed) - 119.0).abs() < 0.05, "{elapsed:?}");
    stage.accept().await;
}

#[tokio::test(start_paused = true)]
async fn connection_attempt_times_out() {
    let (app, _triggers, mut stage) = fake_application();
    let started = Instant::now();
    let waiting = request_current_file(&app);
    let stream = stage.pick_up().await;
    let refusal = waiting.await.unwrap().unwrap_err();
    assert_eq!((refusal.code, seconds(started.elapsed())), (Code::AppNotConnected, 10.0));
    drop(stream);
    stage.accept().await;
}

#[tokio::test(start_paused = true)]
async fn another_program_at_the_port_is_reported() {
    let (app, _triggers, mut stage) = fake_application();
    for page in [
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi",
        "HTTP/1.1 302 Found\r\nlocation: ws://a/\r\n\r\n",
        "SSH-2.0-x\r\n",
    ] {
        let waiting = request_current_file(&app);
        let mut stream = stage.pick_up().await;
        stream.write_all(page.as_bytes()).await.unwrap();
        let refusal = waiting.await.unwrap().unwrap_err();
        assert_eq!(refusal.code, Code::AppNotConnected);
        assert!(refusal.to_string().contains("is not Chronicle"), "{refusal}");
    }
}

/// Pongs that Chronicle doesn't read must not fill the memory. Without a limit, the pongs took 3 GB after 40 seconds.
#[tokio::test(start_paused = true)]
async fn application_that_pings_without_reading_is_disconnected() {
    let (_app, _triggers, mut stage, mut socket) = connect().await;
    let most = 10_000;
    let mut pings = 0;
    while pings < most && socket.is_taken(Message::Ping(Bytes::from_static(&[b'x'; 125]))).await {
        pings += 1;
    }
    assert!(pings < most, "the client keeps reading");
    stage.accept().await;
}
