//! Tests servers with a selection of tools.

use dayledger_mcp::ToolEntry;
use rmcp::{
    ServiceError,
    model::{ErrorCode, ProtocolVersion},
};
use serde_json::{Value, json};

use super::{Server, Session, StubHandler, history_tools};
use crate::mcp::{Selection, ToolChoice, Toolset, tools::inventory};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the tools that `choice` selects, in the order of the inventory.
fn select_tools(choice: &ToolChoice) -> Vec<&'static str> {
    let selection = Selection::from_choice(choice).expect("a selection");
    inventory::<StubHandler>().iter().map(ToolEntry::name).filter(|name| selection.contains(name)).collect()
}

/// Returns the names of the tools that a server with this `choice` lists.
async fn list_tools(choice: &ToolChoice) -> Vec<String> {
    let selection = Selection::from_choice(choice).expect("a selection");
    let session =
        Session::connect_to(Server::new(StubHandler::with_refusal(), &selection), ProtocolVersion::V_2025_11_25).await;
    let tools = session.client.list_all_tools().await.expect("list");
    session.end().await;
    tools.iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test]
async fn single_tools_add_to_toolsets_or_are_the_whole_list() {
    let unasked: Vec<String> = history_tools().iter().map(|entry| entry.name().to_owned()).collect();
    assert_eq!(list_tools(&ToolChoice::default()).await, unasked, "the timesheet's tools are not listed by default");
    let tools = Some(names(&["get_tags", "get_daily_summary"]));
    let alone = ToolChoice { tools: tools.clone(), ..ToolChoice::default() };
    assert_eq!(list_tools(&alone).await, ["get_daily_summary", "get_tags"], "in the order of the inventory");
    let beside = ToolChoice { toolsets: Some(names(&["activity"])), ..alone };
    let of_activity = inventory::<StubHandler>().into_iter().filter(|entry| entry.toolset() == Toolset::Activity);
    assert_eq!(list_tools(&beside).await, of_activity.map(|entry| entry.name().to_owned()).collect::<Vec<_>>());
    let tools = Some(names(&["get_tags", "get_daily_summary"]));
    let beside = ToolChoice { toolsets: Some(names(&["sql"])), tools, ..ToolChoice::default() };
    assert_eq!(list_tools(&beside).await, ["get_daily_summary", "get_tags", "describe_model", "query"]);
}

#[test]
fn read_only_and_exclusion_win_over_every_inclusion() {
    let choice = ToolChoice {
        tools: Some(names(&["get_tags", "get_timelines"])),
        exclude_tools: names(&["get_tags", "get_activities"]),
        ..ToolChoice::default()
    };
    assert_eq!(select_tools(&choice), ["get_timelines"]);
    let toolsets = Some(names(&["screenshots"]));
    let choice = ToolChoice { toolsets, tools: Some(names(&["save_screenshot"])), ..ToolChoice::default() };
    let reading = ["list_screenshots", "get_screenshot", "crop_screenshot"];
    assert_eq!(select_tools(&choice), [reading.as_slice(), &["save_screenshot"]].concat());
    assert_eq!(select_tools(&ToolChoice { read_only: true, ..choice.clone() }), reading);
    let alone = ToolChoice { toolsets: None, ..choice };
    assert!(Selection::from_choice(&ToolChoice { read_only: true, ..alone.clone() }).is_err());
    assert!(Selection::from_choice(&ToolChoice { exclude_tools: names(&["save_screenshot"]), ..alone }).is_err());
}

#[test]
fn more_toolsets_add_to_any_other_choice() {
    let of_notes: Vec<_> = inventory::<StubHandler>().into_iter().filter(|it| it.toolset() == Toolset::Notes).collect();
    let reading = of_notes.iter().filter(|entry| entry.is_read_only()).map(ToolEntry::name).collect::<Vec<_>>();
    let of_notes: Vec<_> = of_notes.iter().map(ToolEntry::name).collect();
    let more = ToolChoice { more_toolsets: names(&["notes"]), ..ToolChoice::default() };
    assert_eq!(select_tools(&more), [select_tools(&ToolChoice::default()), of_notes.clone()].concat());
    let alone = ToolChoice { tools: Some(Vec::new()), ..more };
    assert_eq!(select_tools(&alone), of_notes);
    assert_eq!(select_tools(&ToolChoice { read_only: true, ..alone }), reading);
}

#[tokio::test]
async fn a_tool_that_is_not_selected_does_not_exist() {
    let choice = ToolChoice { tools: Some(names(&["get_period_summary"])), ..ToolChoice::default() };
    let selection = Selection::from_choice(&choice).expect("a selection");
    let stand_in = StubHandler::with_refusal();
    let session = Session::connect_to(Server::new(stand_in.clone(), &selection), ProtocolVersion::V_2025_11_25).await;
    for unknown in ["get_tags", "get_nothing"] {
        let error = session.try_call(unknown, json!({})).await.expect_err("unknown");
        let ServiceError::McpError(error) = error else { panic!("{error}") };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(error.message.contains("unknown tool"), "{}", error.message);
    }
    let instructions = session.client.peer_info().expect("information").instructions.clone().expect("instructions");
    assert!(instructions.contains("Start with get_period_summary (up to 31 days). "), "{instructions}");
    for entry in inventory::<StubHandler>().iter().filter(|entry| !selection.contains(entry.name())) {
        assert!(!instructions.contains(entry.name()), "{instructions}");
    }
    session.end().await;
    assert_eq!(stand_in.requests(), [""; 0]);
}

#[tokio::test]
async fn descriptions_mention_only_served_tools() {
    let all: Vec<&str> = inventory::<StubHandler>().iter().map(ToolEntry::name).collect();
    let alone = all.iter().map(|name| ToolChoice { tools: Some(names(&[name])), ..ToolChoice::default() });
    let without = all.iter().map(|name| ToolChoice { exclude_tools: names(&[name]), ..ToolChoice::default() });
    for choice in alone.chain(without) {
        let selection = Selection::from_choice(&choice).expect("a selection");
        let session =
            Session::connect_to(Server::new(StubHandler::with_refusal(), &selection), ProtocolVersion::V_2025_11_25)
                .await;
        for tool in session.client.list_all_tools().await.expect("list") {
            let text = serde_json::to_string(&tool).expect("a tool");
            let words: Vec<&str> = text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_').collect();
            for absent in all.iter().filter(|name| !selection.contains(name)) {
                assert!(!words.contains(absent), "{text}");
            }
            assert!(
                tool.description.is_some_and(|text| text.len() > 40),
                "{}: the description still says when to use the tool",
                tool.name
            );
        }
        session.end().await;
    }
}

/// Collects the descriptions of a tool and its parameters.
fn collect_descriptions(tool: &Value, texts: &mut Vec<String>) {
    match tool {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "description" => texts.push(text.clone()),
                    _ => collect_descriptions(value, texts),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect_descriptions(value, texts)),
        _ => {}
    }
}

/// If a tool isn't served, the sentences that name it are removed from all descriptions. Therefore a sentence must not
/// contain the names of several tools.
#[test]
fn a_sentence_that_names_a_tool_can_be_removed_without_another_one() {
    let all: Vec<&str> = inventory::<StubHandler>().iter().map(ToolEntry::name).collect();
    let named_in = |text: &str| {
        let words = text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
        words.filter(|word| all.contains(word)).count()
    };
    let mut seen = 0;
    for entry in inventory::<StubHandler>() {
        let mut texts = Vec::new();
        collect_descriptions(&serde_json::to_value(entry.definition()).expect("a tool"), &mut texts);
        for text in texts.iter().filter(|text| named_in(text) > 0) {
            seen += 1;
            assert!(text.ends_with('.'), "{}: no full stop at the end: {text}", entry.name());
            // The text is split into sentences only at ". ".
            for wrong in ["\n", "! ", "? ", "e.g. ", "i.e. "] {
                assert!(!text.contains(wrong), "{}: {wrong:?} in: {text}", entry.name());
            }
            for sentence in text.split_inclusive(". ") {
                assert!(named_in(sentence) < 2, "{}: two tools in: {sentence}", entry.name());
            }
        }
    }
    assert!(seen > 10, "descriptions and parameters name tools");
}

#[test]
fn the_error_for_an_unknown_name_lists_the_known_names() {
    let refused = |choice: ToolChoice| Selection::from_choice(&choice).expect_err("refused");
    let toolset = refused(ToolChoice { toolsets: Some(names(&["activty"])), ..ToolChoice::default() });
    assert_eq!(toolset.to_string(), "unknown toolset `activty`; did you mean `activity`?");
    assert_eq!(toolset.hint, "the toolsets are `activity`, `screenshots`, `sql`, `questions`, `timesheet`, `notes`");
    for choice in [
        ToolChoice { tools: Some(names(&["get_tag"])), ..ToolChoice::default() },
        ToolChoice { exclude_tools: names(&["get_tag"]), ..ToolChoice::default() },
    ] {
        let tool = refused(choice);
        assert_eq!(tool.to_string(), "unknown tool `get_tag`; did you mean `get_tags`?");
        assert!(inventory::<StubHandler>().iter().all(|entry| tool.hint.contains(entry.name())), "{}", tool.hint);
    }
}

#[test]
fn a_server_without_tools_is_refused() {
    let refused = |choice: ToolChoice| Selection::from_choice(&choice).expect_err("refused");
    let empty = refused(ToolChoice { toolsets: Some(Vec::new()), ..ToolChoice::default() });
    assert_eq!(empty.to_string(), "invalid options: they exclude every tool");
    assert!(
        empty.hint.ends_with("add a toolset: `activity`, `screenshots`, `sql`, `questions`, `timesheet`, `notes`"),
        "{}",
        empty.hint
    );
    let everything = inventory::<StubHandler>().iter().map(|entry| entry.name().to_owned()).collect();
    let excluded = refused(ToolChoice { exclude_tools: everything, ..ToolChoice::default() });
    assert_eq!(excluded.to_string(), "invalid options: they exclude every tool");
    let none = refused(ToolChoice { tools: Some(Vec::new()), ..ToolChoice::default() });
    assert_eq!(none.to_string(), "invalid options: they exclude every tool");
}

#[test]
fn every_tool_is_in_a_toolset_and_read_only_keeps_those_that_read() {
    let toolsets = Some(Toolset::ALL.map(|toolset| toolset.as_str().to_owned()).to_vec());
    let read_only =
        Selection::from_choice(&ToolChoice { toolsets, read_only: true, ..ToolChoice::default() }).expect("tools");
    for entry in inventory::<StubHandler>() {
        let hint = entry.definition().annotations.as_ref().and_then(|annotations| annotations.read_only_hint);
        assert_eq!(hint, Some(entry.is_read_only()), "{}", entry.name());
        assert_eq!(read_only.contains(entry.name()), entry.is_read_only(), "{}", entry.name());
        assert_eq!(entry.definition().name, entry.name());
        let expected = match entry.name() {
            "query" | "describe_model" => Toolset::Sql,
            name if name.contains("_screenshot") => Toolset::Screenshots,
            "log_time" | "get_available_projects" | "move_task_to_project" => Toolset::Timesheet,
            name if name.contains("_time_entr") || name.ends_with("_timer") => Toolset::Timesheet,
            "list_notes" | "get_actions" | "process_meeting" | "write_processed" | "get_history" | "get_version"
            | "compare_versions" => Toolset::Notes,
            _ => Toolset::Activity,
        };
        assert_eq!(entry.toolset(), expected, "{}", entry.name());
    }
}
