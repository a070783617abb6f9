//! Tests the server with an in-process client and a stub instead of the engine.

mod answers;
mod apps;
mod completion;
mod error_codes;
mod histories;
mod invalid_arguments;
mod prompts;
mod protocol_versions;
mod resources;
mod running;
mod selection;
mod subscriptions;
mod tool_list;

use std::{
    any::Any,
    sync::{Arc, Mutex, PoisonError},
};

use dayledger_mcp::{RequestHandler, ToolEntry};
use rmcp::{
    ClientHandler, RoleClient, ServiceError,
    model::{CallToolRequestParams, CallToolResult, ClientConfig, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt, RunningService},
};
use serde_json::Value;
use tokio::{io::DuplexStream, task::JoinHandle};

use super::{
    Selection, ServeError, ToolChoice, Toolset, history_handler::HistoryHandler, server::Server, tools::inventory,
};
use crate::App;
use crate::activity::{
    ActivitiesRequest, ComputerUsageRequest, CropRequest, DailySummaryRequest, DescribeModelRequest, FindRequest,
    HistoryBoundsRequest, NarrativeRequest, PeriodSummaryRequest, QueryRequest, RecentNamesRequest, SaveRequest,
    ScreenshotImagesRequest, ScreenshotsRequest, TagsRequest, TimelinesRequest, UsageRequest, WebsiteUsageRequest,
    codes,
};
use crate::request::{Error, Request};

type Reply = dyn Fn() -> Result<Box<dyn Any + Send>, Error> + Send + Sync;

/// Records every request, and returns the same reply to every request.
#[derive(Clone)]
struct StubHandler {
    reply: Arc<Reply>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl StubHandler {
    fn with_reply(reply: impl Fn() -> Result<Box<dyn Any + Send>, Error> + Send + Sync + 'static) -> Self {
        Self { reply: Arc::new(reply), requests: Arc::default() }
    }

    /// Fails every request, so that a test sees the request that a tool builds.
    fn with_refusal() -> Self {
        Self::with_reply(|| Err(Error::with_field(codes::UNKNOWN_DEVICE, "device", "no such device", "leave it out")))
    }

    /// Returns the requests so far, in order.
    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl RequestHandler for StubHandler {
    type App = App;

    async fn handle<Q: Request + 'static>(&self, request: Q) -> Result<Q::Response, Error>
    where
        App: AsRef<Q::Service>,
    {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(describe_request(&request));
        (self.reply)().map(|reply| *reply.downcast::<Q::Response>().expect("the reply has the type of the response"))
    }
}

fn describe_request(request: &dyn Any) -> String {
    macro_rules! first_of {
        ($($request:ty),+) => {
            [$(request.downcast_ref::<$request>().map(|request| format!("{request:?}"))),+]
        };
    }
    first_of!(
        NarrativeRequest,
        DailySummaryRequest,
        PeriodSummaryRequest,
        FindRequest,
        UsageRequest,
        WebsiteUsageRequest,
        TimelinesRequest,
        ActivitiesRequest,
        ComputerUsageRequest,
        TagsRequest,
        ScreenshotsRequest,
        ScreenshotImagesRequest,
        CropRequest,
        SaveRequest,
        QueryRequest,
        DescribeModelRequest,
        HistoryBoundsRequest,
        RecentNamesRequest
    )
    .into_iter()
    .flatten()
    .next()
    .expect("a request in the list above")
}

/// A client that speaks one protocol version.
#[derive(Clone)]
struct Client(ProtocolVersion);

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.protocol_version = self.0.clone();
        info
    }
}

struct Session {
    client: RunningService<RoleClient, Client>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Session {
    /// Starts a session with the protocol version that most clients use today.
    async fn connect(stand_in: &StubHandler) -> Self {
        Self::connect_with_version(stand_in, ProtocolVersion::V_2025_11_25).await
    }

    async fn connect_with_version(stand_in: &StubHandler, version: ProtocolVersion) -> Self {
        Self::connect_to(Server::new(stand_in.clone(), &every_tool()), version).await
    }

    /// Connects a client of this protocol version to `server`.
    async fn connect_to<R: HistoryHandler>(server: Server<R>, version: ProtocolVersion) -> Self {
        let (client_end, server) = spawn_server(server);
        let lifecycle = if version.has_initialize() {
            ClientLifecycleMode::Initialize
        } else {
            ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
        };
        let client = Client(version).serve_with_lifecycle(client_end, lifecycle).await.expect("connect");
        Self { client, server }
    }

    async fn try_call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.client.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)).await
    }

    async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        self.try_call(tool, arguments).await.expect("a result")
    }

    /// Calls a tool that must fail, and parses the error from the result's text.
    async fn call_error(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{result:?}");
        assert_eq!(result.structured_content, None, "clients check structured content against the output schema");
        let mut object: Value = serde_json::from_str(&text(&result)).expect("one JSON object");
        object["error"].take()
    }

    async fn end(self) {
        self.client.cancel().await.expect("client ends");
        self.server.await.expect("server does not panic").expect("server ends cleanly");
    }
}

/// Starts a server, and returns the client's end of its connection.
fn spawn_server<R: HistoryHandler>(server: Server<R>) -> (DuplexStream, JoinHandle<Result<(), ServeError>>) {
    let (client_end, server_end) = tokio::io::duplex(1 << 20);
    let (reader, writer) = tokio::io::split(server_end);
    (
        client_end,
        tokio::spawn(async move {
            let flow = server.calls.flow.clone();
            dayledger_mcp::serve(server, flow, reader, writer).await
        }),
    )
}

/// Returns the tools that read the history. They are the default tools. Timesheet and notes tools write, and are tested
/// in separate processes.
fn history_tools() -> Vec<ToolEntry<StubHandler>> {
    inventory().into_iter().filter(|entry| !matches!(entry.toolset(), Toolset::Timesheet | Toolset::Notes)).collect()
}

fn every_tool() -> Selection {
    Selection::from_choice(&ToolChoice::default()).expect("the inventory")
}

/// Returns the text of a result's only block.
fn text(result: &CallToolResult) -> String {
    assert_eq!(result.content.len(), 1);
    result.content[0].as_text().expect("text").text.clone()
}
