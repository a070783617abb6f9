//! Tests notifications about changed resources of a history that grows.

#![expect(deprecated, reason = "versions with a handshake subscribe by the older method")]

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use dayledger_mcp::Limits;
use rmcp::{
    ClientHandler, RoleClient, ServiceError,
    model::{
        ClientConfig, ErrorCode, ProtocolVersion, ResourceUpdatedNotificationParam, ServerNotification,
        SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RunningService},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    sync::mpsc,
    task::JoinHandle,
};

use super::{StubHandler, every_tool, spawn_server};
use crate::{
    activity::{HistoryBounds, Role, TimelineDates, TimelineRange},
    mcp::{ServeError, server::Server},
};

const DATES: &str = "manictime://data-range";
const TIMELINES: &str = "manictime://timelines";
const HEALTH: &str = "manictime://health";

/// A history that can grow.
#[derive(Clone, Default)]
struct History(Arc<Mutex<Vec<TimelineRange>>>);

impl History {
    fn with_timeline(id: i64) -> Self {
        let history = Self::default();
        history.add_timeline(id);
        history
    }

    fn add_timeline(&self, id: i64) {
        self.change(|timelines| {
            timelines.push(TimelineRange {
                timeline_id: id,
                role: Role::Applications,
                device: "DESK".to_owned(),
                activities: None,
                dates: TimelineDates::default(),
            });
        });
    }

    /// Moves the end of the first timeline to `end`.
    fn grow(&self, end: &str) {
        self.change(|timelines| timelines[0].dates.end = Some(end.to_owned()));
    }

    fn change(&self, change: impl FnOnce(&mut Vec<TimelineRange>)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn stand_in(&self) -> StubHandler {
        let timelines = Arc::clone(&self.0);
        StubHandler::with_reply(move || {
            let timelines = timelines.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Ok(Box::new(HistoryBounds { timelines }))
        })
    }
}

/// A client that records its notifications.
struct Listener {
    version: ProtocolVersion,
    updates: mpsc::UnboundedSender<String>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.protocol_version = self.version.clone();
        info
    }

    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.updates.send(params.uri).expect("somebody listens");
    }
}

struct Listening {
    client: RunningService<RoleClient, Listener>,
    server: JoinHandle<Result<(), ServeError>>,
    updates: mpsc::UnboundedReceiver<String>,
}

impl Listening {
    async fn connect(stand_in: &StubHandler, version: ProtocolVersion) -> Self {
        let limits = Limits { poll_interval: Duration::from_millis(1), ..Limits::default() };
        let (client_end, server) = spawn_server(Server::with_limits(limits, stand_in.clone(), &every_tool()));
        let lifecycle = if version.has_initialize() {
            ClientLifecycleMode::Initialize
        } else {
            ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
        };
        let (sender, updates) = mpsc::unbounded_channel();
        let client = Listener { version, updates: sender }.serve_with_lifecycle(client_end, lifecycle).await;
        Self { client: client.expect("connect"), server, updates }
    }

    async fn subscribe(&self, uri: &str) -> Result<(), ServiceError> {
        self.client.subscribe(SubscribeRequestParams::new(uri)).await
    }

    async fn unsubscribe(&self, uri: &str) {
        self.client.unsubscribe(UnsubscribeRequestParams::new(uri)).await.expect("unsubscribed");
    }

    /// Returns the URIs of the next `count` resources about which the client is notified.
    async fn next(&mut self, count: usize) -> Vec<String> {
        let mut notices = Vec::new();
        for _ in 0..count {
            notices.push(self.updates.recv().await.expect("a notification"));
        }
        notices.sort();
        notices
    }

    async fn end(self) {
        self.client.cancel().await.expect("client ends");
        self.server.await.expect("server does not panic").expect("server ends cleanly");
    }
}

/// Waits until the stub has at most `others` owners in addition to the test. A server that uses the stub is also an
/// owner.
async fn is_released(stand_in: &StubHandler, others: usize) -> bool {
    for _ in 0..100_000 {
        if Arc::strong_count(&stand_in.reply) <= others + 1 {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

#[tokio::test]
async fn new_data_updates_the_resources_with_dates() {
    let history = History::with_timeline(2);
    let mut listening = Listening::connect(&history.stand_in(), ProtocolVersion::V_2025_11_25).await;
    for uri in [DATES, TIMELINES, HEALTH, "manictime://guide", "manictime://timelines/2"] {
        listening.subscribe(uri).await.expect("subscribed");
    }
    history.grow("2025-01-15T10:00:00");
    assert_eq!(listening.next(3).await, [DATES, HEALTH, "manictime://timelines/2"]);
    history.add_timeline(3);
    assert_eq!(listening.next(3).await, [DATES, HEALTH, TIMELINES]);
    listening.end().await;
}

#[tokio::test]
async fn no_updates_arrive_after_unsubscribing() {
    let history = History::with_timeline(2);
    let mut listening = Listening::connect(&history.stand_in(), ProtocolVersion::V_2025_11_25).await;
    listening.subscribe(DATES).await.expect("subscribed");
    listening.subscribe(DATES).await.expect("a repeated subscription is accepted");
    listening.subscribe(TIMELINES).await.expect("subscribed");
    history.grow("2025-01-15T10:00:00");
    assert_eq!(listening.next(1).await, [DATES]);
    listening.unsubscribe(DATES).await;
    // If the first change caused a wrong notification, it would arrive before the notification about the second change.
    for timeline in [3, 4] {
        history.add_timeline(timeline);
        assert_eq!(listening.next(1).await, [TIMELINES]);
    }
    listening.end().await;
}

#[tokio::test]
async fn the_history_is_watched_only_during_subscriptions() {
    let history = History::with_timeline(2);
    let stand_in = history.stand_in();
    let listening = Listening::connect(&stand_in, ProtocolVersion::V_2025_11_25).await;
    assert_eq!(stand_in.requests(), [""; 0]);
    let idle = Arc::strong_count(&stand_in.reply) - 1;
    listening.subscribe(DATES).await.expect("subscribed");
    listening.subscribe(HEALTH).await.expect("subscribed");
    assert_eq!(Arc::strong_count(&stand_in.reply) - 1, idle + 2);
    listening.unsubscribe(DATES).await;
    listening.unsubscribe(HEALTH).await;
    assert!(is_released(&stand_in, idle).await, "the watch is still running");
    listening.subscribe(DATES).await.expect("subscribed again");
    listening.end().await;
    assert!(is_released(&stand_in, 0).await, "the watch outlives the session");
}

/// The test's clock advances only while all tasks sleep.
#[tokio::test(start_paused = true)]
async fn history_is_not_read_again_for_a_resource_that_never_changes() {
    let stand_in = History::with_timeline(2).stand_in();
    let listening = Listening::connect(&stand_in, ProtocolVersion::V_2025_11_25).await;
    listening.subscribe("manictime://guide").await.expect("subscribed");
    let request_count = stand_in.requests();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(stand_in.requests(), request_count);
    listening.end().await;
}

#[tokio::test]
async fn a_resource_that_does_not_exist_cannot_be_subscribed() {
    let listening = Listening::connect(&History::with_timeline(2).stand_in(), ProtocolVersion::V_2025_11_25).await;
    for uri in ["manictime://nothing", "manictime://timelines/3"] {
        let refused = listening.subscribe(uri).await;
        let Err(ServiceError::McpError(error)) = refused else { panic!("{refused:?}") };
        assert_eq!(error.code, ErrorCode::RESOURCE_NOT_FOUND, "{uri}");
    }
    listening.end().await;
}

/// Returns a request of the protocol version without a handshake, as a line.
fn current_request(id: &str, method: &str, params: Value) -> String {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}});
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

#[tokio::test]
async fn open_subscriptions_do_not_block_other_requests() {
    let (end, server) = spawn_server(Server::new(History::with_timeline(2).stand_in(), &every_tool()));
    let (output, mut input) = tokio::io::split(end);
    let listen = json!({"notifications": {"resourceSubscriptions": [DATES]}});
    for number in 0..1100 {
        let line = current_request(&format!("listen {number}"), "subscriptions/listen", listen.clone());
        input.write_all(line.as_bytes()).await.expect("write");
    }
    input.write_all(current_request("list", "tools/list", json!({})).as_bytes()).await.expect("write");
    let mut lines = BufReader::new(output).lines();
    let mut refused = 0;
    loop {
        let line = lines.next_line().await.expect("read").expect("a line");
        let message: Value = serde_json::from_str(&line).expect("a message");
        refused += usize::from(message["error"]["code"] == -32600);
        if message["id"] == "list" {
            break;
        }
    }
    assert_eq!(refused, 1100 - 64);
    input.shutdown().await.expect("end of input");
    while lines.next_line().await.expect("read").is_some() {}
    server.await.expect("server does not panic").expect("server ends cleanly");
}

#[tokio::test]
async fn the_current_protocol_version_subscribes_to_existing_resources() {
    let history = History::with_timeline(2);
    let stand_in = history.stand_in();
    let listening = Listening::connect(&stand_in, ProtocolVersion::V_2026_07_28).await;
    let idle = Arc::strong_count(&stand_in.reply) - 1;
    let filter = SubscriptionFilter::builder()
        .resource_subscriptions([DATES, TIMELINES, "manictime://nothing", DATES])
        .tools_list_changed()
        .build();
    let mut subscription = listening.client.listen(filter).await.expect("listening");
    let accepted = subscription.acknowledged().clone();
    assert_eq!(accepted.resource_subscriptions, Some([DATES, TIMELINES, DATES].map(str::to_owned).to_vec()));
    assert_eq!(accepted.tools_list_changed, None, "the list never changes");
    // Later checks are compared with the first check. The first check has ended when the second one begins.
    while stand_in.requests().len() < 2 {
        tokio::task::yield_now().await;
    }
    history.grow("2025-01-15T10:00:00");
    let notice = subscription.next().await.expect("no error").expect("a notice");
    let ServerNotification::ResourceUpdatedNotification(updated) = notice else { panic!("{notice:?}") };
    assert_eq!(updated.params.uri, DATES);
    // A resource that the client lists twice causes one notification, so the next notification is about the next
    // change.
    history.add_timeline(3);
    let mut next = Vec::new();
    for _ in 0..2 {
        let notice = subscription.next().await.expect("no error").expect("a notice");
        let ServerNotification::ResourceUpdatedNotification(updated) = notice else { panic!("{notice:?}") };
        next.push(updated.params.uri);
    }
    assert_eq!(next, [DATES, TIMELINES]);
    subscription.cancel().await.expect("cancelled");
    assert!(is_released(&stand_in, idle).await, "the watch is still running");
    listening.end().await;
}
