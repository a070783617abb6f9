//! Tests the content of `tools/list`.

use dayledger_mcp::ToolEntry;
use rmcp::model::Tool;
use serde_json::{Value, json};

use super::{Session, StubHandler, history_tools};
use crate::mcp::tools::inventory;

fn tools() -> Vec<Tool> {
    inventory::<StubHandler>().iter().map(ToolEntry::definition).cloned().collect()
}

#[tokio::test]
async fn the_list_begins_with_the_most_general_tools() {
    let session = Session::connect(&StubHandler::with_refusal()).await;
    let listed: Vec<String> =
        session.client.list_all_tools().await.expect("list").iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(
        listed,
        [
            "get_daily_summary",
            "get_activity_narrative",
            "get_period_summary",
            "find_activity",
            "get_application_usage",
            "get_document_usage",
            "get_website_usage",
            "get_tags",
            "get_computer_usage",
            "get_timelines",
            "get_activities",
            "list_screenshots",
            "get_screenshot",
            "crop_screenshot",
            "save_screenshot",
            "describe_model",
            "query",
        ]
    );
    session.end().await;
}

#[test]
fn every_tool_states_what_it_does() {
    for tool in tools() {
        let annotations = serde_json::to_value(tool.annotations).expect("annotations");
        let (reads, destroys, repeats, reaches_out) = match &*tool.name {
            "save_screenshot" | "write_processed" => (false, true, false, false),
            "log_time" | "start_timer" | "stop_timer" | "process_meeting" | "delete_time_entry" => {
                (false, true, false, true)
            }
            "update_time_entry" | "move_task_to_project" | "submit_time_entry" => (false, true, true, true),
            "query_time_entries" | "get_available_projects" | "suggest_time_entries" | "get_timer" => {
                (true, false, true, true)
            }
            _ => (true, false, true, false),
        };
        let expected = json!({
            "readOnlyHint": reads,
            "destructiveHint": destroys,
            "idempotentHint": repeats,
            "openWorldHint": reaches_out,
        });
        assert_eq!(annotations, expected, "{}", tool.name);
    }
}

#[test]
fn schemas_are_accepted_by_strict_clients() {
    for tool in tools() {
        // The output schema is optional, because the notes tools return text without a schema.
        for schema in std::iter::once(&tool.input_schema).chain(tool.output_schema.as_ref()) {
            assert_eq!(schema.get("type"), Some(&json!("object")), "{}", tool.name);
            let text = serde_json::to_string(schema).expect("a schema");
            for noise in ["$schema", "$defs", "$ref", "uint", "int64", "double", "\"null\"", "null"] {
                assert!(!text.contains(noise), "{} has `{noise}`", tool.name);
            }
        }
        assert_eq!(tool.input_schema.get("additionalProperties"), Some(&json!(false)), "{}", tool.name);
    }
}

/// In a schema, a property with the name `title` is data. Unlike the keyword `title`, the property must not be removed.
#[test]
fn segments_keep_their_title() {
    let narrative = tools().into_iter().find(|tool| tool.name == "get_activity_narrative").expect("the tool");
    let schema = Value::Object(narrative.output_schema.expect("a schema").as_ref().clone());
    assert_eq!(
        schema.pointer("/properties/segments/items/properties/title/type"),
        Some(&json!("string")),
        "{schema:#}"
    );
}

/// Returns the paths of the parameters in `schema` that have no description. Includes parameters inside objects.
fn parameters_without_description(schema: &Value) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .flat_map(|(name, property)| {
            let has_text = property.get("description").and_then(Value::as_str).is_some_and(|text| !text.is_empty());
            let inside = parameters_without_description(property).into_iter().map(|path| format!("{name}.{path}"));
            inside.chain((!has_text).then(|| name.clone())).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_parameter_has_a_description() {
    for tool in tools() {
        let missing = parameters_without_description(&Value::Object(tool.input_schema.as_ref().clone()));
        assert!(missing.is_empty(), "{}: {missing:?}", tool.name);
    }
}

/// A model reads the list in every conversation, so the list's length is limited. The limits still allow a description
/// of every parameter, which takes about 500 tokens in the default list. Without a description, models guess the
/// meaning of a parameter.
#[test]
fn the_list_stays_short() {
    let of_history: Vec<_> = history_tools().iter().map(ToolEntry::definition).cloned().collect();
    for (tools, most) in [(of_history, 8_000), (tools(), 14_000)] {
        let list = json!({ "tools": tools }).to_string();
        let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(&list).len();
        assert!(tokens < most, "{tokens} tokens");
    }
}
