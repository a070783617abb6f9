//! Formats a schema as a table for people.

use std::fmt::Write as _;

use rmcp::model::{JsonObject, PromptArgument};
use serde_json::Value;

/// Returns a table of the parameters of an input schema. Required parameters come first.
pub(super) fn parameters(schema: &JsonObject) -> String {
    let named = properties_required_first(schema);
    if named.is_empty() {
        return "No parameters.\n".to_owned();
    }
    let mut table = String::from("| parameter | type | default | |\n|---|---|---|---|\n");
    for (name, property) in named {
        let default = match property.get("default") {
            _ if is_required(schema, name) => "required".to_owned(),
            Some(default) => format!("`{default}`"),
            None => "none".to_owned(),
        };
        let _ = writeln!(table, "| `{name}` | {} | {default} | {} |", kind(property), description(property));
    }
    table
}

/// Returns the names of the parameters. Optional parameters are in brackets.
pub(super) fn names(schema: &JsonObject) -> String {
    let named = properties_required_first(schema)
        .into_iter()
        .map(|(name, _)| if is_required(schema, name) { format!("`{name}`") } else { format!("[`{name}`]") });
    let named: Vec<_> = named.collect();
    if named.is_empty() { "–".to_owned() } else { named.join(", ") }
}

/// Returns a table of the fields of an output schema, including nested fields. The nested fields of the fields in
/// `closed` are left out.
pub(super) fn fields(schema: &JsonObject, closed: &[&str]) -> String {
    let mut table = String::from("| field | type | |\n|---|---|---|\n");
    add_fields(schema, "", closed, &mut table);
    table
}

/// Returns a table of the arguments of a prompt.
pub(super) fn prompt_arguments(arguments: &[PromptArgument]) -> String {
    let mut table = String::from("| argument | | |\n|---|---|---|\n");
    for argument in arguments {
        let required = if argument.required == Some(true) { "required" } else { "optional" };
        let description = argument.description.as_deref().unwrap_or_default();
        let _ = writeln!(table, "| `{}` | {required} | {description} |", argument.name);
    }
    table
}

fn add_fields(schema: &JsonObject, path: &str, closed: &[&str], table: &mut String) {
    for (name, property) in properties_required_first(schema) {
        let optional = if is_required(schema, name) { "" } else { ", optional" };
        let _ = writeln!(table, "| `{path}{name}` | {}{optional} | {} |", kind(property), description(property));
        if path.is_empty() && closed.contains(&name.as_str()) {
            continue;
        }
        if let Some(items) = property.get("items").and_then(Value::as_object) {
            add_fields(items, &format!("{path}{name}[]."), closed, table);
        } else if let Some(object) = property.as_object() {
            add_fields(object, &format!("{path}{name}."), closed, table);
        }
    }
}

/// Returns the required properties in the order of the schema's list. The optional properties follow, sorted by name.
pub(super) fn properties_required_first(schema: &JsonObject) -> Vec<(&String, &Value)> {
    let mut named: Vec<_> = properties(schema).collect();
    named.sort_by_key(|(name, _)| required_names(schema).position(|required| required == *name).unwrap_or(usize::MAX));
    named
}

fn properties(schema: &JsonObject) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn required_names(schema: &JsonObject) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn is_required(schema: &JsonObject, name: &str) -> bool {
    required_names(schema).any(|required| required == name)
}

fn description(property: &Value) -> String {
    property.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ")
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
