//! Tools for the user's saved questions. Each question is one tool of the toolset `questions`. The response is the same
//! as the response of the tool `query`.

use std::sync::{Arc, OnceLock};

use dayledger_activity::{QueryRequest, QueryResponse};
use dayledger_engine::{Engine, codes as engine_codes};
use dayledger_questions::{Kind, Parameter, Question, codes};
use dayledger_request::{Error, Limit};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::arguments;
use super::errors;
use super::flow::Lane;
use super::schema;
use super::tool::{Effect, RequestHandler, ToolEntry, structured_result};
use super::toolset::Toolset;

/// Returns the name of a question's tool. The prefix keeps the names of questions apart from other tools.
pub(super) fn tool_name(question: &Question) -> String {
    format!("ask_{}", question.name)
}

impl<D: RequestHandler> ToolEntry<D>
where
    D::App: AsRef<Engine>,
{
    /// Returns the entry of a question's tool.
    pub fn from_question(question: &Question) -> Self {
        let definition = definition(question);
        let question = Arc::new(question.clone());
        Self {
            // The name stays in memory until the process ends. A server reads its questions only when it starts.
            name: String::leak(tool_name(&question)),
            toolset: Toolset::Questions,
            effect: Effect::None,
            lane: Lane::Statements,
            app: None,
            define: Arc::new(move || definition.clone()),
            definition: OnceLock::new(),
            absent: Arc::default(),
            described_response_schema: schema::described_response_schema::<QueryResponse>,
            error_format: errors::result,
            call: Arc::new(move |handler, _, arguments, schema| {
                let question = Arc::clone(&question);
                Box::pin(async move {
                    let texts = argument_texts(arguments, &schema)?;
                    let value =
                        |name: &str| texts.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
                    let request = QueryRequest { statement: question.statement(value)?, max_rows: Limit::MAXIMUM };
                    let response = handler.handle(request).await;
                    structured_result(&response.map_err(|error| explain(&question, question.explain(error, value)))?)
                })
            }),
        }
    }
}

/// Returns the values of a call by name. All values become text, so that a question converts them like those of the
/// command line.
fn argument_texts(arguments: JsonObject, schema: &JsonObject) -> Result<Vec<(String, String)>, Error> {
    let arguments: JsonObject = arguments::parse(arguments, schema, &[])?;
    let texts = arguments.into_iter().map(|(name, value)| match value {
        Value::String(text) => Ok((name, text)),
        Value::Number(number) => Ok((name, number.to_string())),
        other => {
            let message = format!("`{name}` is {}, not a text or a number", arguments::describe_value(&other));
            Err(Error::with_field(codes::INVALID_VALUE, name, message, "pass a text or a number"))
        }
    });
    texts.collect()
}

/// Replaces the hint of an error in a question's statement. The model can't correct the statement.
fn explain(question: &Question, mut error: Error) -> Error {
    if error.code == engine_codes::QUERY_FAILED {
        let name = &question.name;
        error.hint = format!("the user can run `dayledger ask {name}` to see what to correct; use other tools");
    }
    error
}

fn definition(question: &Question) -> Tool {
    let properties: JsonObject =
        question.parameters.iter().map(|parameter| (parameter.name.clone(), property(parameter))).collect();
    let required: Vec<_> =
        question.parameters.iter().filter(|parameter| parameter.is_required).map(|parameter| &parameter.name).collect();
    let mut input = JsonObject::new();
    input.insert("type".to_owned(), "object".into());
    input.insert("properties".to_owned(), properties.into());
    input.insert("additionalProperties".to_owned(), false.into());
    if !required.is_empty() {
        input.insert("required".to_owned(), json!(required));
    }
    Tool::new(tool_name(question), question.description.clone(), input)
        .with_title(title(&question.name))
        .with_annotations(ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false))
        .with_raw_output_schema(Arc::new(schema::response_schema::<QueryResponse>()))
}

/// Returns the schema of a parameter.
fn property(parameter: &Parameter) -> Value {
    let Parameter { description, kind, default, .. } = parameter;
    let type_name = match kind {
        Kind::Day | Kind::Range | Kind::Text | Kind::Choice(_) => "string",
        Kind::Integer => "integer",
        Kind::Number => "number",
    };
    let format = match kind {
        Kind::Day => ". A day such as 2025-01-15 or yesterday",
        Kind::Range => ". A period such as 2025-W03, 2025-01 or last week",
        _ => "",
    };
    let description = format!("{}{format}", description.trim_end_matches('.'));
    let mut property = json!({ "type": type_name, "description": description });
    if let Kind::Choice(values) = kind {
        property["enum"] = json!(values);
    }
    if let Some(text) = default {
        // The default of a number is valid JSON, because it was read as a number.
        let is_number = matches!(kind, Kind::Integer | Kind::Number);
        let number = is_number.then(|| serde_json::from_str(text).ok()).flatten();
        property["default"] = number.unwrap_or_else(|| text.as_str().into());
    }
    property
}

/// Returns the name of a question for people. For example, `client_week` becomes `Client week`.
fn title(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect::<String>().replace('_', " ")
}
