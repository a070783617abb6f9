//! A client that talks to the program's own process.

use std::path::Path;
use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, ProtocolVersion, Tool};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient};
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, Command};

use super::schema;
use crate::cli::program::Home;

/// The two lives of the protocol: with a handshake, and without.
pub(crate) const LIVES: [ProtocolVersion; 2] = [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

struct Client(ProtocolVersion);

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.protocol_version = self.0.clone();
        info
    }
}

/// A running server and its client.
pub(crate) struct Session {
    client: RunningService<RoleClient, Client>,
    tools: Vec<Tool>,
    stderr: ChildStderr,
    // The server's home lives as long as the server.
    _home: Home,
}

impl Session {
    /// A server over the history in `data`, asked by a client of `version`.
    pub(crate) async fn of(data: &Path, version: ProtocolVersion) -> Self {
        Self::started(Home::new(), data, version, &[]).await
    }

    /// The same started in `home` with more arguments than `serve`.
    pub(crate) async fn started(home: Home, data: &Path, version: ProtocolVersion, more: &[&str]) -> Self {
        let command = Command::from(home.over(data, [&["serve"], more].concat()));
        let (process, stderr) = TokioChildProcess::builder(command).stderr(Stdio::piped()).spawn().unwrap();
        let lifecycle = if version.has_initialize() {
            ClientLifecycleMode::Initialize
        } else {
            ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
        };
        let client = Client(version).serve_with_lifecycle(process, lifecycle).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        Self { client, tools, stderr: stderr.unwrap(), _home: home }
    }

    /// A server over `data`, asked by a client as most are today.
    pub(crate) async fn over(data: &Path) -> Self {
        Self::of(data, LIVES[0].clone()).await
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.client.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)).await.unwrap()
    }

    /// The answer of a call that must succeed; it fits the tool's output schema, and its text says the same.
    pub(crate) async fn answer(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        let text = text(&result);
        assert_ne!(result.is_error, Some(true), "{tool} {arguments}: {text}");
        let answer = result.structured_content.expect("structured content");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), answer, "{tool}: text and structure differ");
        assert!(!text.contains('\n'), "{tool}: compact");
        let definition = self.tools.iter().find(|definition| definition.name == tool).unwrap();
        let schema = Value::Object(definition.output_schema.as_ref().unwrap().as_ref().clone());
        schema::assert_fits(&answer, &schema, tool);
        answer
    }

    /// The error of a call that must fail: code, message, hint and what else it says.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        assert_eq!(result.is_error, Some(true), "{tool} {arguments} was not refused");
        assert_eq!(result.structured_content, None, "{tool} {arguments}");
        let mut object: Value = serde_json::from_str(&text(&result)).unwrap();
        assert_eq!(object.as_object().unwrap().len(), 1, "{object}");
        let error = object["error"].take();
        for field in ["code", "message", "hint"] {
            assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "{tool} {arguments}: {error}");
        }
        error
    }

    /// Ends the session; what the server wrote to stderr.
    pub(crate) async fn end(mut self) -> String {
        self.client.cancel().await.unwrap();
        let mut talk = String::new();
        self.stderr.read_to_string(&mut talk).await.unwrap();
        talk
    }
}

fn text(result: &CallToolResult) -> String {
    assert_eq!(result.content.len(), 1);
    result.content[0].as_text().unwrap().text.clone()
}
