//! A client that talks to a server in a separate process.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, LazyLock};

use dayledger::mcp::error_codes;
use jsonschema::Validator;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, JsonObject, ProtocolVersion, ReadResourceRequestParams, ResourceContents,
    ResourceUpdatedNotificationParam, Tool,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RequestContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ErrorData, Peer, RoleClient, ServiceError};
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, Command};
use tokio::sync::mpsc;

use super::schema;
use crate::cli::program::Home;

/// One protocol version with a handshake, and one without a handshake.
pub(crate) const VERSIONS: [ProtocolVersion; 2] = [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// The complete output schemas. The lists of tools contain shorter schemas, without the required fields and the
/// possible values of each field.
static EXPLAINED: LazyLock<BTreeMap<&'static str, JsonObject>> =
    LazyLock::new(dayledger::mcp::described_response_schemas);

/// Answers the question of a form in the user's place.
pub(crate) type AnswerForm = dyn Fn(&str) -> ElicitationAction + Send + Sync;

/// A client that records the URIs of changed resources. It can show forms if `answer_form` is set.
struct Client {
    version: ProtocolVersion,
    updated: mpsc::UnboundedSender<String>,
    answer_form: Option<Box<AnswerForm>>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.protocol_version = self.version.clone();
        if self.answer_form.is_some() {
            info.capabilities = ClientCapabilities::builder().enable_elicitation().build();
        }
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let answer = self.answer_form.as_ref().expect("only a client with forms is asked");
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else { panic!("{request:?}") };
        Ok(ElicitResult::new(answer(&message)))
    }

    async fn on_resource_updated(
        &self,
        notification: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let _ = self.updated.send(notification.uri);
    }
}

/// A running server and its client.
pub(crate) struct Session {
    client: RunningService<RoleClient, Client>,
    tools: Vec<Tool>,
    answers: BTreeMap<String, [Arc<Validator>; 2]>,
    stderr: ChildStderr,
    updated: mpsc::UnboundedReceiver<String>,
    // The home folder must exist as long as the server runs.
    _home: Home,
}

impl Session {
    /// Starts a server over the history in `data`, with a client of this protocol version.
    pub(crate) async fn start(data: &Path, version: ProtocolVersion) -> Self {
        Self::start_in_home(Home::new(), data, version, &[]).await
    }

    /// Starts a server like [`Self::start`], in the home folder `home`. The arguments in `more` follow after `serve`.
    pub(crate) async fn start_in_home(home: Home, data: &Path, version: ProtocolVersion, more: &[&str]) -> Self {
        Self::start_with_environment(home, data, version, more, &[]).await
    }

    /// Starts a server like [`Self::start_in_home`], with additional environment variables.
    pub(crate) async fn start_with_environment(
        home: Home,
        data: &Path,
        version: ProtocolVersion,
        more: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let mut command = home.program_for(data, [&["serve"], more].concat());
        command.envs(variables.iter().copied());
        Self::connect(home, command, version, None).await
    }

    /// Starts a server like [`Self::start_in_home`], with a client that shows forms. `answer_form` answers them.
    pub(crate) async fn start_with_forms(
        home: Home,
        data: &Path,
        version: ProtocolVersion,
        more: &[&str],
        answer_form: Box<AnswerForm>,
    ) -> Self {
        let command = home.program_for(data, [&["serve"], more].concat());
        Self::connect(home, command, version, Some(answer_form)).await
    }

    /// Starts a server over the demo in the cache of `home`.
    pub(crate) async fn demo(home: Home, version: ProtocolVersion, more: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = home.program([&["--demo", "serve"], more].concat());
        command.envs(variables.iter().copied());
        Self::connect(home, command, version, None).await
    }

    async fn connect(
        home: Home,
        command: std::process::Command,
        version: ProtocolVersion,
        answer_form: Option<Box<AnswerForm>>,
    ) -> Self {
        let command = Command::from(command);
        let (process, stderr) = TokioChildProcess::builder(command).stderr(Stdio::piped()).spawn().unwrap();
        let lifecycle = if version.has_initialize() {
            ClientLifecycleMode::Initialize
        } else {
            ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
        };
        let (sender, updated) = mpsc::unbounded_channel();
        let client = Client { version, updated: sender, answer_form };
        let client = client.serve_with_lifecycle(process, lifecycle).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        let fitting = |tool: &Tool| {
            let listed = schema::output_validator(tool.output_schema.as_ref().unwrap());
            (tool.name.to_string(), [listed, schema::output_validator(&EXPLAINED[tool.name.as_ref()])])
        };
        let answers = tools.iter().filter(|tool| tool.output_schema.is_some()).map(fitting).collect();
        Self { client, tools, answers, stderr: stderr.unwrap(), updated, _home: home }
    }

    /// Starts a server over `data`, with a client of the protocol version that most clients use.
    pub(crate) async fn start_default(data: &Path) -> Self {
        Self::start(data, VERSIONS[0].clone()).await
    }

    /// Returns the client's peer, for requests other than tool calls.
    pub(crate) fn peer(&self) -> &Peer<RoleClient> {
        self.client.peer()
    }

    /// Returns the running client.
    pub(crate) fn client(&self) -> &RunningService<RoleClient, impl ClientHandler> {
        &self.client
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.client.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)).await.unwrap()
    }

    /// Returns the response of a call that must succeed. Checks that the response matches the tool's output schema, and
    /// that the response's text has the same content.
    pub(crate) async fn answer(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        self.check_result(tool, &arguments, result).unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"))
    }

    /// Returns the text of a response. Most models read only this text.
    pub(crate) async fn text(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{tool}: {result:?}");
        text(&result)
    }

    /// Returns the error of a call that must fail. The error contains a code, a message, a hint and other fields.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        self.check_result(tool, &arguments, result).expect_err(&format!("{tool} {arguments} was not refused"))
    }

    /// Returns the response or the error of a call. Checks the response or error against the contract.
    pub(crate) async fn outcome(&self, tool: &str, arguments: Value) -> Result<Value, Value> {
        let result = self.call(tool, arguments.clone()).await;
        self.check_result(tool, &arguments, result)
    }

    fn check_result(&self, tool: &str, arguments: &Value, result: CallToolResult) -> Result<Value, Value> {
        let text = text(&result);
        assert!(!text.contains('\n'), "{tool} {arguments}: compact");
        let mut content: Value = serde_json::from_str(&text).unwrap();
        if result.is_error == Some(true) {
            assert_eq!(result.structured_content, None, "{tool} {arguments}");
            // The timesheet's contract requires `success` in the text, too.
            assert!(
                content.as_object_mut().unwrap().remove("success").is_none_or(|success| success == false),
                "{content}"
            );
            assert_eq!(content.as_object().unwrap().len(), 1, "{content}");
            let error = content["error"].take();
            for field in ["code", "message", "hint"] {
                assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "{tool} {arguments}: {error}");
            }
            let known = error_codes().any(|code| error["code"] == code.as_str());
            assert!(known, "{tool} {arguments}: the table of error codes lacks {error}");
            return Err(error);
        }
        let answer = result.structured_content.expect("structured content");
        assert_eq!(content, answer, "{tool} {arguments}: text and structure differ");
        for schema in &self.answers[tool] {
            schema::assert_fits(&answer, schema, &format!("the answer of {tool} {arguments}"));
        }
        Ok(answer)
    }

    /// Returns the URI of the next resource for which the client gets a notification.
    pub(crate) async fn next_updated_resource(&mut self) -> String {
        self.updated.recv().await.unwrap()
    }

    /// Returns the text of the resource at `uri`.
    pub(crate) async fn read(&self, uri: &str) -> String {
        let result = self.peer().read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
        match result.contents.as_slice() {
            [ResourceContents::TextResourceContents { text, .. }] => text.clone(),
            other => panic!("{uri}: one text is expected: {other:?}"),
        }
    }

    /// Returns the protocol error for a resource that can't be read.
    pub(crate) async fn read_error(&self, uri: &str) -> ErrorData {
        match self.peer().read_resource(ReadResourceRequestParams::new(uri)).await {
            Err(ServiceError::McpError(error)) => error,
            other => panic!("{uri}: an error is expected: {other:?}"),
        }
    }

    /// Ends the session. Returns the server's stderr.
    pub(crate) async fn end(mut self) -> String {
        self.client.cancel().await.unwrap();
        let mut talk = String::new();
        self.stderr.read_to_string(&mut talk).await.unwrap();
        talk
    }
}

/// Returns the first text of a result. Checks that the content after this text consists only of images and links.
pub(crate) fn text(result: &CallToolResult) -> String {
    let (first, rest) = result.content.split_first().unwrap();
    assert!(rest.iter().all(|block| block.as_text().is_none()), "one text is expected: {rest:?}");
    first.as_text().unwrap().text.clone()
}
