//! What the repository's pages say of the tools, held to the inventory, so that it cannot go stale.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::StandIn;
use crate::activity::ReasonCode;
use crate::mcp::{ErrorCode, tools::inventory};
use crate::{engine, manictime};

const CONTRACT: &str = include_str!("../../../docs/contract.md");
const README: &str = include_str!("../../../README.md");

/// Answers' parts that every tool has; the page tells them once.
const COMMON: [&str; 2] = ["truncation", "diagnostics"];

#[test]
fn the_contract_page_tells_every_tool_as_it_is() {
    let mut expected = String::new();
    for entry in &inventory::<StandIn>() {
        let tool = entry.definition();
        let _ = write!(
            expected,
            "### `{}`\n\n{}\n\n{}\nAnswer:\n\n{}\n",
            tool.name,
            tool.description.as_ref().expect("a description"),
            parameters(&tool.input_schema),
            fields(entry.explained_answer())
        );
    }
    assert_eq!(block("tools"), expected.trim_end(), "docs/contract.md is stale; it should say:\n{expected}");
}

#[test]
fn the_contract_page_lists_every_reason_code() {
    let mut expected = String::from("| code | what to do |\n|---|---|\n");
    for code in ReasonCode::ALL {
        let name = serde_json::to_value(code).expect("a code");
        let _ = writeln!(expected, "| `{}` | {} |", name.as_str().expect("a text"), code.hint());
    }
    assert_eq!(block("reason codes"), expected.trim_end(), "docs/contract.md is stale; it should say:\n{expected}");
}

#[test]
fn the_contract_page_lists_every_error_code_and_no_other() {
    let listed: BTreeSet<&str> =
        block("error codes").lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let own = OWN_CODES.into_iter().map(ErrorCode::as_str);
    let expected: BTreeSet<&str> = own.chain(engine_errors().iter().map(engine::Error::code)).collect();
    assert_eq!(listed, expected);
}

#[test]
fn the_readme_names_every_tool_with_its_parameters() {
    for entry in &inventory::<StandIn>() {
        let tool = entry.definition();
        let schema = &tool.input_schema;
        let optional = properties(schema).map(|(name, _)| name.as_str()).filter(|name| !is_required(schema, name));
        let named = required(schema).map(|name| format!("`{name}`"));
        let named: Vec<_> = named.chain(optional.map(|name| format!("[`{name}`]"))).collect();
        let cells = format!("| `{}` | {} |", tool.name, if named.is_empty() { "–".into() } else { named.join(", ") });
        assert!(README.contains(&cells), "README.md should have a row that begins with\n{cells}");
    }
}

/// The part of the contract page between the marks of `name`.
fn block(name: &str) -> &'static str {
    let begin = format!("<!-- {name}: begin -->");
    let start = CONTRACT.find(&begin).expect("a mark where the block begins") + begin.len();
    let rest = &CONTRACT[start..];
    rest[..rest.find(&format!("<!-- {name}: end -->")).expect("a mark where the block ends")].trim()
}

fn properties(schema: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn is_required(schema: &Map<String, Value>, name: &str) -> bool {
    required(schema).any(|required| required == name)
}

fn parameters(schema: &Map<String, Value>) -> String {
    if properties(schema).next().is_none() {
        return "No parameters.\n".to_owned();
    }
    let mut table = String::from("| parameter | type | default | |\n|---|---|---|---|\n");
    for (name, property) in properties(schema) {
        let default = match property.get("default") {
            _ if is_required(schema, name) => "required".to_owned(),
            Some(default) => format!("`{default}`"),
            None => "none".to_owned(),
        };
        let _ = writeln!(table, "| `{name}` | {} | {default} | {} |", kind(property), description(property));
    }
    table
}

fn fields(schema: &Map<String, Value>) -> String {
    let mut table = String::from("| field | type | |\n|---|---|---|\n");
    add_fields(schema, "", &mut table);
    table
}

fn add_fields(schema: &Map<String, Value>, path: &str, table: &mut String) {
    for (name, property) in properties(schema) {
        let optional = if is_required(schema, name) { "" } else { ", optional" };
        let _ = writeln!(table, "| `{path}{name}` | {}{optional} | {} |", kind(property), description(property));
        if path.is_empty() && COMMON.contains(&name.as_str()) {
            continue;
        }
        if let Some(items) = property.get("items").and_then(Value::as_object) {
            add_fields(items, &format!("{path}{name}[]."), table);
        } else if let Some(object) = property.as_object() {
            add_fields(object, &format!("{path}{name}."), table);
        }
    }
}

fn description(property: &Value) -> &str {
    property.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn kind(property: &Value) -> String {
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        let values: Vec<_> = values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`")).collect();
        return values.join(", ");
    }
    let kind = property.get("type").and_then(Value::as_str).unwrap_or_default();
    match (property.get("minimum"), property.get("maximum")) {
        (Some(least), Some(most)) => format!("{kind}, {least} to {most}"),
        (Some(least), None) => format!("{kind}, from {least}"),
        _ => kind.to_owned(),
    }
}

/// Every code that is not the engine's; the function below fails to compile when one is added.
const OWN_CODES: [ErrorCode; 11] = [
    ErrorCode::InvalidArgument,
    ErrorCode::UnknownArgument,
    ErrorCode::MissingArgument,
    ErrorCode::InvalidDate,
    ErrorCode::InvalidRange,
    ErrorCode::RangeTooLong,
    ErrorCode::InvalidNumber,
    ErrorCode::UnknownTimeline,
    ErrorCode::UnknownDevice,
    ErrorCode::InvalidCursor,
    ErrorCode::Internal,
];

const _: fn(ErrorCode) = |code| match code {
    ErrorCode::InvalidArgument
    | ErrorCode::UnknownArgument
    | ErrorCode::MissingArgument
    | ErrorCode::InvalidDate
    | ErrorCode::InvalidRange
    | ErrorCode::RangeTooLong
    | ErrorCode::InvalidNumber
    | ErrorCode::UnknownTimeline
    | ErrorCode::UnknownDevice
    | ErrorCode::InvalidCursor
    | ErrorCode::Internal
    | ErrorCode::Engine(_) => (),
};

/// One error of every kind that a tool can meet in the engine; the function below fails to compile when reading the
/// history can go wrong in a new way.
fn engine_errors() -> Vec<engine::Error> {
    let path = std::path::PathBuf::new;
    let text = String::new;
    let history = [
        manictime::Error::NotFound { searched: Vec::new() },
        manictime::Error::NotSqlite { path: path() },
        manictime::Error::TooOld { path: path() },
        manictime::Error::PermissionDenied { path: path() },
        manictime::Error::MissingTable { path: path(), table: text() },
        manictime::Error::MissingColumn { path: path(), table: text(), column: text() },
        manictime::Error::Busy { path: path(), waited_seconds: 0 },
        manictime::Error::Sqlite { path: path(), message: text() },
    ];
    let others = [engine::Error::Query { message: text() }, engine::Error::Internal];
    history.into_iter().map(engine::Error::from).chain(others).collect()
}

const _: fn(&manictime::Error) = |error| match error {
    manictime::Error::NotFound { .. }
    | manictime::Error::NotSqlite { .. }
    | manictime::Error::TooOld { .. }
    | manictime::Error::PermissionDenied { .. }
    | manictime::Error::MissingTable { .. }
    | manictime::Error::MissingColumn { .. }
    | manictime::Error::Busy { .. }
    | manictime::Error::Sqlite { .. } => (),
};
