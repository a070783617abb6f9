//! The definition of a tool: its name, its description for the model, its parameters, and the request that is built
//! from the parameters. A tool can also add content to its response.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use dayledger_engine::Progress;
use dayledger_request::{Error, Request, Truncate};
use dayledger_screenshots::AllowedDirectory;
use dayledger_timesheet_service::CallSession;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::task::JoinSet;

use super::{arguments, errors, flow::Lane, mentions, schema, size, toolset::Toolset};

/// Runs requests on the services of an app.
pub trait RequestHandler: Clone + Send + Sync + 'static {
    /// The type that contains the services of the requests.
    type App: 'static;

    /// Runs `request` and returns its response.
    fn handle<Q: Request + 'static>(&self, request: Q) -> impl Future<Output = Result<Q::Response, Error>> + Send
    where
        Self::App: AsRef<Q::Service>;
}

/// Calls the function for each request, and runs the request with the handler that the function returns.
impl<H: RequestHandler> RequestHandler for Arc<dyn Fn() -> H + Send + Sync> {
    type App = H::App;

    async fn handle<Q: Request + 'static>(&self, request: Q) -> Result<Q::Response, Error>
    where
        H::App: AsRef<Q::Service>,
    {
        self().handle(request).await
    }
}

/// The caller of a tool.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The folders in which files may be written. Folders that the client declares come first.
    pub writable: Vec<AllowedDirectory>,
    /// The timesheet session that the call belongs to.
    pub call_session: CallSession,
}

/// The changes that a tool makes. Clients get these changes as hints. For example, a client can ask the user before a
/// call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The tool changes nothing.
    None,
    /// The tool writes a file. It replaces an existing file only if the call requests that.
    Saves,
    /// The tool adds entries to a timesheet.
    Logs,
    /// The tool changes entries of a timesheet. Repeating the same call has no further effect.
    Changes,
    /// The tool replaces a note. Repeating the same call has no further effect, unless the note has changed.
    Replaces,
    /// The tool removes an entry or the timer of a timesheet. If a call that removes the last entry is repeated, the
    /// entry before that one is also removed.
    Removes,
}

/// A tool. The type that implements this trait contains the tool's parameters.
pub trait DataTool: DeserializeOwned + JsonSchema + 'static {
    /// The tool's name in the protocol.
    const NAME: &'static str;
    /// The tool's name for people.
    const TITLE: &'static str;
    /// The description for the model. The description states when to use the tool, when not to use it, and how large
    /// the response is.
    const DESCRIPTION: &'static str;
    /// The toolset that contains the tool.
    const TOOLSET: Toolset = Toolset::Activity;
    /// The tool's effect. Most tools change nothing.
    const EFFECT: Effect = Effect::None;
    /// The queue in which the tool's calls wait for their turn.
    const LANE: Lane = Lane::Requests;
    /// Whether the tool may use the network. Timesheet tools may use the network, because a company's server can store
    /// the entries.
    const REACHES_OUT: bool = matches!(Self::TOOLSET, Toolset::Timesheet);
    /// The URI of the page that shows the tool's response, for clients that support MCP Apps.
    const APP: Option<&'static str> = None;
    /// Whether the tool's response is plain text instead of a JSON object. The notes tools return plain text.
    const IS_TEXT: bool = matches!(Self::TOOLSET, Toolset::Notes);
    /// Optional parameters that accept an empty string as a value, including parameters inside objects. For all other
    /// parameters, an empty string means that the parameter is absent.
    const MAY_BE_EMPTY: &'static [&'static str] = &[];
    /// The request that the tool runs. Its response type defines the output schema. A response that is too large is
    /// truncated.
    type Request: Request<Response: Truncate + Clone> + 'static;

    /// Checks the parameters and builds the request. `caller` provides the session, and the folders in which files may
    /// be written.
    ///
    /// # Errors
    /// Fails if a parameter is invalid. The error contains the parameter's name as the caller wrote it.
    fn request(self, caller: &Caller) -> Result<Self::Request, Error>;

    /// Renames arguments to the names of the parameters, if a parameter has several accepted names.
    fn normalize_arguments(arguments: JsonObject) -> JsonObject {
        arguments
    }

    /// Returns additional content for the result, such as images.
    fn extra_content(_response: &<Self::Request as Request>::Response) -> Vec<ContentBlock> {
        Vec::new()
    }
}

type ResultFuture = Pin<Box<dyn Future<Output = Result<CallToolResult, Error>> + Send>>;

/// Runs a tool with these arguments. The last parameter is the input schema.
type CallFunction<D> = dyn Fn(D, Caller, JsonObject, Arc<JsonObject>) -> ResultFuture + Send + Sync;

/// A tool of a server: its definition for `tools/list`, and the function that runs it.
pub struct ToolEntry<D> {
    pub(super) name: &'static str,
    pub(super) toolset: Toolset,
    pub(super) effect: Effect,
    /// The queue in which the tool's calls wait for their turn.
    pub(super) lane: Lane,
    /// The URI of the page that shows the tool's response.
    pub(super) app: Option<&'static str>,
    pub(super) define: Arc<dyn Fn() -> Tool + Send + Sync>,
    /// The definition. It is created at first use, so that the server can start before the schemas are generated.
    pub(super) definition: OnceLock<Tool>,
    /// The names of the tools that the server doesn't offer.
    pub(super) absent: Arc<[&'static str]>,
    pub(super) described_response_schema: fn() -> JsonObject,
    /// Converts the error of a call to a result.
    pub(super) error_format: fn(&Error) -> CallToolResult,
    pub(super) call: Arc<CallFunction<D>>,
}

impl<D> fmt::Debug for ToolEntry<D> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ToolEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<D: RequestHandler> ToolEntry<D> {
    /// Returns the entry of the tool `T`. The handler's app must contain the service that runs the requests of `T`.
    pub fn new<T: DataTool>() -> Self
    where
        D::App: AsRef<<T::Request as Request>::Service>,
    {
        Self {
            name: T::NAME,
            toolset: T::TOOLSET,
            effect: T::EFFECT,
            lane: T::LANE,
            app: T::APP,
            define: Arc::new(define::<T>),
            definition: OnceLock::new(),
            absent: Arc::default(),
            described_response_schema: schema::described_response_schema::<<T::Request as Request>::Response>,
            error_format: errors::result,
            call: Arc::new(|handler, caller, arguments, schema| {
                Box::pin(async move { call_tool::<T, D>(&handler, &caller, arguments, &schema).await })
            }),
        }
    }

    /// Returns this entry with another error format. The default format is [`errors::result`].
    #[must_use]
    pub fn with_error_format(self, error_format: fn(&Error) -> CallToolResult) -> Self {
        Self { error_format, ..self }
    }

    /// Returns this entry for a server without the tools in `absent`. The entry's description doesn't mention these
    /// tools.
    pub(super) fn with_absent_tools(self, absent: &Arc<[&'static str]>) -> Self {
        Self { definition: OnceLock::new(), absent: Arc::clone(absent), ..self }
    }

    /// Returns the tool's name in the protocol.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the toolset that contains the tool.
    pub fn toolset(&self) -> Toolset {
        self.toolset
    }

    /// Returns the changes that the tool makes.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns the URI of the page that shows the tool's response.
    pub fn app(&self) -> Option<&'static str> {
        self.app
    }

    /// Whether the tool changes nothing.
    pub fn is_read_only(&self) -> bool {
        self.effect == Effect::None
    }

    /// Returns the definition in `tools/list`.
    pub fn definition(&self) -> &Tool {
        self.definition.get_or_init(|| mentions::remove_mentions((self.define)(), &self.absent))
    }

    /// Returns the output schema with a description of every field. `tools/list` contains the schema without
    /// descriptions.
    pub fn described_response_schema(&self) -> JsonObject {
        (self.described_response_schema)()
    }

    /// Runs the tool in its own task, so that a panic ends only this call. Dropping the future also ends the task.
    ///
    /// # Errors
    /// Fails with the error of the tool.
    pub(super) async fn call(
        &self,
        handler: D,
        caller: Caller,
        arguments: JsonObject,
    ) -> Result<CallToolResult, Error> {
        let long = arguments::long_texts(&arguments);
        let work = (self.call)(handler, caller, arguments, Arc::clone(&self.definition().input_schema));
        let mut tasks = JoinSet::new();
        // A new task doesn't inherit the call's progress, because the progress is a task-local value.
        tasks.spawn(Progress::current().track(work));
        let outcome = tasks.join_next().await.and_then(Result::ok).unwrap_or_else(|| {
            // The cause isn't logged here, because it may contain private data, and the panic hook has already logged
            // the panic.
            tracing::error!(tool = self.name, "a tool did not finish");
            Err(errors::internal_error())
        });
        outcome.map_err(|error| {
            tracing::debug!(tool = self.name, code = error.code.as_str(), "a tool failed");
            errors::shorten_texts(error, &long)
        })
    }

    /// Returns the error of a call that was stopped. If the tool can make changes, the hint advises to check whether
    /// the change was already made.
    pub(super) fn stopped_error(&self, mut error: Error) -> Error {
        if !self.is_read_only() {
            "check whether the change was made before you call again".clone_into(&mut error.hint);
        }
        error
    }
}

/// Returns the hints for clients. Without hints, a client assumes that a tool is destructive and uses the network.
fn annotations<T: DataTool>() -> ToolAnnotations {
    let reads_only = T::EFFECT == Effect::None;
    ToolAnnotations::new()
        .read_only(reads_only)
        // Directories of MCP servers require this hint for each tool that writes, so that clients ask the user first.
        .destructive(!reads_only)
        .idempotent(matches!(T::EFFECT, Effect::None | Effect::Changes))
        .open_world(T::REACHES_OUT)
}

fn define<T: DataTool>() -> Tool {
    let tool = Tool::new(T::NAME, T::DESCRIPTION, schema::arguments_schema::<T>())
        .with_title(T::TITLE)
        .with_annotations(annotations::<T>());
    if T::IS_TEXT {
        return tool;
    }
    tool.with_raw_output_schema(Arc::new(schema::response_schema::<<T::Request as Request>::Response>()))
}

async fn call_tool<T: DataTool, D: RequestHandler>(
    handler: &D,
    caller: &Caller,
    arguments: JsonObject,
    schema: &JsonObject,
) -> Result<CallToolResult, Error>
where
    D::App: AsRef<<T::Request as Request>::Service>,
{
    let request = arguments::parse::<T>(T::normalize_arguments(arguments), schema, T::MAY_BE_EMPTY)?.request(caller)?;
    let response = handler.handle(request).await?;
    if T::IS_TEXT {
        let text = serde_json::to_value(&response).ok().and_then(|text| text.as_str().map(size::limit_text));
        return Ok(CallToolResult::success(vec![ContentBlock::text(text.ok_or_else(errors::internal_error)?)]));
    }
    let mut result = structured_result(&response)?;
    result.content.extend(T::extra_content(&response));
    Ok(result)
}

/// Returns the result for a response: its JSON as text and as structured content.
pub(super) fn structured_result<R: Serialize + Truncate + Clone>(response: &R) -> Result<CallToolResult, Error> {
    // The text is written from the struct instead of `structured`, because the struct's fields are in a fixed order,
    // with totals before rows.
    let text = size::to_bounded_json(response).map_err(|_| errors::internal_error())?;
    let structured = serde_json::from_str(&text).map_err(|_| errors::internal_error())?;
    let mut result = CallToolResult::structured(structured);
    result.content = vec![ContentBlock::text(text)];
    Ok(result)
}
