//! The definition of a tool: its name, its description for the model, its parameters, the request that they become, and
//! additional content of its response.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
};

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use tokio::task::JoinSet;

use super::{apps::McpApp, arguments, errors, flow::Lane, mentions, schema, size, toolset::Toolset};
use crate::{
    App,
    engine::Progress,
    request::{Error, Request, Truncate},
    screenshots::AllowedDirectory,
    timesheet::CallSession,
};

/// Answers requests over an app.
pub trait RequestHandler: Clone + Send + Sync + 'static {
    /// The type that contains the services of the requests.
    type App: 'static;

    /// Answers `request`.
    fn handle<Q: Request + 'static>(&self, request: Q) -> impl Future<Output = Result<Q::Response, Error>> + Send
    where
        Self::App: AsRef<Q::Service>;
}

/// Answers the requests of an [`App`]: the app itself, or a stand-in of the tests.
pub(super) trait HistoryHandler: RequestHandler<App = App> {}

impl<D: RequestHandler<App = App>> HistoryHandler for D {}

impl RequestHandler for App {
    type App = Self;

    async fn handle<Q: Request + 'static>(&self, request: Q) -> Result<Q::Response, Error>
    where
        Self: AsRef<Q::Service>,
    {
        self.run(request).await
    }
}

/// Returns the current app, which is another one after the configuration changed. Called for each request.
pub type AppProvider = Arc<dyn Fn() -> App + Send + Sync>;

impl RequestHandler for AppProvider {
    type App = App;

    async fn handle<Q: Request + 'static>(&self, request: Q) -> Result<Q::Response, Error>
    where
        App: AsRef<Q::Service>,
    {
        self().run(request).await
    }
}

/// What a tool may know of who calls it.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Where files may be written, those first that the client itself declares.
    pub writable: Vec<AllowedDirectory>,
    /// Whose session the call belongs to.
    pub call_session: CallSession,
}

/// What a tool does beside answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// It writes a file, and may be asked to replace one.
    Saves,
    /// It adds entries to a timesheet.
    Logs,
    /// It changes entries of a timesheet; again does nothing more.
    Changes,
    /// It replaces a note; again does nothing more, unless the note is another.
    Replaces,
    /// It removes an entry of a timesheet; again it may remove another, the last one then.
    Removes,
}

/// A tool over data; everything about it stands together in one file of `tools/`.
pub trait DataTool: 'static {
    /// Name in the protocol.
    const NAME: &'static str;
    /// Name for a person.
    const TITLE: &'static str;
    /// For a model that must choose: when to use it, when not, what it costs.
    const DESCRIPTION: &'static str;
    /// The set that it is switched on and off with.
    const TOOLSET: Toolset = Toolset::Activity;
    /// What it does beside answering; most do nothing.
    const EFFECT: Effect = Effect::None;
    /// Among which calls its own wait.
    const LANE: Lane = Lane::Questions;
    /// Whether it may reach out of this machine, as a timesheet may that is a company's.
    const REACHES_OUT: bool = matches!(Self::TOOLSET, Toolset::Timesheet);
    /// The page that shows its answer, to clients that show pages.
    const APP: Option<McpApp> = None;
    /// Whether its answer is a text to read, as its contract has it, and not an object.
    const IS_TEXT: bool = false;
    /// Optional parameters, also inside objects, for which an empty text is a value. For all others it counts as absent.
    const MAY_BE_EMPTY: &'static [&'static str] = &[];
    /// The arguments as JSON.
    type Parameters: DeserializeOwned + JsonSchema;
    /// What is asked; its answer gives the output schema, and is cut where it would be too large.
    type Question: Request<Response: Truncate + Clone> + 'static;

    /// Checks the parameters and makes the question from them.
    ///
    /// # Errors
    /// What a request refuses; fields are named as the caller wrote them.
    fn question(parameters: Self::Parameters) -> Result<Self::Question, Error>;

    /// The arguments under their own names, where a tool knows several spellings of them.
    fn normalize_arguments(arguments: JsonObject) -> JsonObject {
        arguments
    }

    /// Adds to the question what only the caller can allow.
    fn with_caller(question: Self::Question, _caller: &Caller) -> Self::Question {
        question
    }

    /// What the answer shows beside its text.
    fn extra_content(_answer: &<Self::Question as Request>::Response) -> Vec<ContentBlock> {
        Vec::new()
    }
}

type AnswerFuture = Pin<Box<dyn Future<Output = Result<CallToolResult, Error>> + Send>>;

/// A tool of the inventory: what the list says, and how it is carried out.
#[derive(Debug)]
pub struct ToolEntry<D> {
    name: &'static str,
    toolset: Toolset,
    effect: Effect,
    lane: Lane,
    app: Option<McpApp>,
    define: fn() -> Tool,
    /// Made at first use: the start of the server does not wait for schemas.
    definition: OnceLock<Tool>,
    /// The tools that are not served beside this one.
    absent: Arc<[&'static str]>,
    explained_answer: fn() -> JsonObject,
    answer: fn(D, Caller, JsonObject, Arc<JsonObject>) -> AnswerFuture,
}

impl<D: RequestHandler> ToolEntry<D> {
    /// The entry of the tool `T`. The app of `D` has the service of its request.
    pub fn new<T: DataTool>() -> Self
    where
        D::App: AsRef<<T::Question as Request>::Service>,
    {
        Self {
            name: T::NAME,
            toolset: T::TOOLSET,
            effect: T::EFFECT,
            lane: T::LANE,
            app: T::APP,
            define: define::<T>,
            definition: OnceLock::new(),
            absent: Arc::default(),
            explained_answer: schema::described_answer_schema::<<T::Question as Request>::Response>,
            answer: |handler, caller, arguments, schema| {
                Box::pin(async move { answer::<T, D>(&handler, &caller, arguments, &schema).await })
            },
        }
    }

    /// The same entry of a server that has no tool of `absent`: what it says of itself names none of them.
    pub(super) fn with_absent_tools(self, absent: &Arc<[&'static str]>) -> Self {
        Self { definition: OnceLock::new(), absent: Arc::clone(absent), ..self }
    }

    /// The tool's name in the protocol.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The set that the tool is switched on and off with.
    pub(super) fn toolset(&self) -> Toolset {
        self.toolset
    }

    /// Among which calls its own wait.
    pub(super) fn lane(&self) -> Lane {
        self.lane
    }

    /// The page that shows the tool's answer.
    pub(super) fn app(&self) -> Option<McpApp> {
        self.app
    }

    /// What the tool does beside answering.
    pub(super) fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether the tool says of itself that it changes nothing.
    pub(super) fn is_read_only(&self) -> bool {
        self.effect == Effect::None
    }

    /// What `tools/list` says.
    pub(super) fn definition(&self) -> &Tool {
        self.definition.get_or_init(|| mentions::remove_mentions((self.define)(), &self.absent))
    }

    /// The output schema with a description of every field, which the list leaves out.
    pub(super) fn described_answer_schema(&self) -> JsonObject {
        (self.explained_answer)()
    }

    /// Carries the tool out in a task of its own, so that a panic ends the task and nothing else. Who drops the future
    /// ends the task too.
    pub(super) async fn call(&self, handler: D, caller: Caller, arguments: JsonObject) -> CallToolResult {
        let long = arguments::long_texts(&arguments);
        let answering = (self.answer)(handler, caller, arguments, Arc::clone(&self.definition().input_schema));
        let mut tasks = JoinSet::new();
        tasks.spawn(Progress::current().track(answering));
        let outcome = tasks.join_next().await.and_then(Result::ok).unwrap_or_else(|| {
            // The cause may hold private data, and the panic hook has had it.
            tracing::error!(tool = self.name, "a tool did not come to its end");
            Err(errors::internal_error())
        });
        outcome.unwrap_or_else(|error| {
            tracing::debug!(tool = self.name, code = error.code.as_str(), "a tool failed");
            self.error_result(&errors::shorten_texts(error, &long))
        })
    }

    /// The result of a call that was stopped. A tool that writes may have done so by then.
    pub(super) fn stopped_result(&self, mut error: Error) -> CallToolResult {
        if !self.is_read_only() {
            "look whether it was done before you call again".clone_into(&mut error.hint);
        }
        self.error_result(&error)
    }

    /// The result of a call that failed, in the words of the tool's contract.
    pub(super) fn error_result(&self, error: &Error) -> CallToolResult {
        match self.toolset {
            Toolset::Timesheet => errors::result_of_timesheet(error),
            Toolset::Notes => errors::result_of_notes(error),
            _ => errors::result(error),
        }
    }
}

/// What a tool says of itself. Absent hints would mean: destructive, and reaching out into the world.
fn annotations<T: DataTool>() -> ToolAnnotations {
    let changes = matches!(T::EFFECT, Effect::Saves | Effect::Changes | Effect::Replaces | Effect::Removes);
    ToolAnnotations::new()
        .read_only(T::EFFECT == Effect::None)
        .destructive(changes)
        .idempotent(matches!(T::EFFECT, Effect::None | Effect::Changes))
        .open_world(T::REACHES_OUT)
}

fn define<T: DataTool>() -> Tool {
    let tool = Tool::new(T::NAME, T::DESCRIPTION, schema::arguments_schema::<T::Parameters>())
        .with_title(T::TITLE)
        .with_annotations(annotations::<T>());
    if T::IS_TEXT {
        return tool;
    }
    tool.with_raw_output_schema(Arc::new(schema::answer_schema::<<T::Question as Request>::Response>()))
}

async fn answer<T: DataTool, D: RequestHandler>(
    handler: &D,
    caller: &Caller,
    arguments: JsonObject,
    schema: &JsonObject,
) -> Result<CallToolResult, Error>
where
    D::App: AsRef<<T::Question as Request>::Service>,
{
    let question = T::question(arguments::parse(T::normalize_arguments(arguments), schema, T::MAY_BE_EMPTY)?)?;
    let answer = handler.handle(T::with_caller(question, caller)).await?;
    if T::IS_TEXT {
        let text = serde_json::to_value(&answer).ok().and_then(|text| text.as_str().map(size::limit_text));
        return Ok(CallToolResult::success(vec![ContentBlock::text(text.ok_or_else(errors::internal_error)?)]));
    }
    // Not printed from `structured`: the struct keeps its order, with totals before rows.
    let text = size::to_bounded_json(&answer).map_err(|_| errors::internal_error())?;
    let structured = serde_json::from_str(&text).map_err(|_| errors::internal_error())?;
    let mut result = CallToolResult::structured(structured);
    result.content = vec![ContentBlock::text(text)];
    result.content.extend(T::extra_content(&answer));
    Ok(result)
}
