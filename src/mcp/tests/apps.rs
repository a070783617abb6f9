//! Tests that only some clients learn about the pages that show responses.

use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use super::{every_tool, histories::engine, protocol_versions::conversation_with};
use crate::App;
use crate::mcp::{Selection, ToolChoice, server::Server};

const PROTOCOL_VERSIONS: [ProtocolVersion; 2] = [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// Returns the capabilities of a client that shows pages of this type.
fn capabilities_for_pages(mime_type: &str) -> Value {
    json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": [mime_type]}}})
}

/// Returns the response of `server` to `method`, for a client with these capabilities and this protocol version.
async fn answer(
    version: &ProtocolVersion,
    server: Server<App>,
    capabilities: &Value,
    method: &str,
    mut params: Value,
) -> Value {
    let client = json!({"name": "test", "version": "1"});
    let mut lines = Vec::new();
    if version.has_initialize() {
        let start = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client});
        lines.push(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start}).to_string());
        lines.push(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    } else {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
            "io.modelcontextprotocol/clientInfo": client,
        });
    }
    lines.push(json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}).to_string());
    let answers = conversation_with(server, &lines).await;
    answers.into_iter().find(|answer| answer["id"] == 2).expect("an answer")
}

/// Returns a selection that includes the timesheet tools.
fn with_timesheet(is_read_only: bool) -> Selection {
    let more_toolsets = vec!["timesheet".to_owned()];
    let choice = ToolChoice { more_toolsets, read_only: is_read_only, ..ToolChoice::default() };
    Selection::from_choice(&choice).expect("the inventory")
}

/// Returns an app without a history. Lists and pages don't need a history.
fn app_without_history() -> (tempfile::TempDir, App) {
    let dir = tempfile::tempdir().expect("a folder");
    let app = engine(dir.path());
    (dir, app)
}

#[tokio::test]
async fn clients_without_pages_get_no_page_metadata() {
    let (_dir, app) = app_without_history();
    let server = || Server::new(app.clone(), &with_timesheet(false));
    for version in &PROTOCOL_VERSIONS {
        for list in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
            let mut responses = Vec::new();
            for capabilities in [
                json!({}),
                capabilities_for_pages("text/html"),
                json!({"extensions": {"io.modelcontextprotocol/ui": {}}}),
            ] {
                let list = answer(version, server(), &capabilities, list, json!({})).await;
                assert!(!list.to_string().contains("ui://"), "{version}: {list}");
                assert!(!list.to_string().contains("\"ui\""), "{version}: {list}");
                responses.push(without_times(list).to_string());
            }
            responses.dedup();
            assert_eq!(responses.len(), 1, "{version}: {list}");
        }
    }
}

/// Removes modification times from the list of resources, because they contain the start time of the server.
fn without_times(mut list: Value) -> Value {
    for resource in list["result"]["resources"].as_array_mut().into_iter().flatten() {
        if let Some(annotations) = resource["annotations"].as_object_mut() {
            annotations.remove("lastModified");
        }
    }
    list
}

#[tokio::test]
async fn clients_with_pages_get_the_page_of_each_tool() {
    let (_dir, app) = app_without_history();
    let server = || Server::new(app.clone(), &with_timesheet(false));
    let shows = capabilities_for_pages("text/html;profile=mcp-app");
    for version in &PROTOCOL_VERSIONS {
        let plain = answer(version, server(), &json!({}), "tools/list", json!({})).await;
        let mut actual = answer(version, server(), &shows, "tools/list", json!({})).await;
        let tools = actual["result"]["tools"].as_array_mut().expect("tools");
        let pages: Vec<_> = tools
            .iter_mut()
            .filter_map(|tool| Some((tool["name"].to_string(), tool.as_object_mut()?.remove("_meta")?)))
            .collect();
        let page = |tool: &str, uri: &str| (format!("\"{tool}\""), json!({"ui": {"resourceUri": uri}}));
        assert_eq!(
            pages,
            [
                page("get_daily_summary", "ui://dayledger/time"),
                page("get_activity_narrative", "ui://dayledger/time"),
                page("get_period_summary", "ui://dayledger/time"),
                page("suggest_time_entries", "ui://dayledger/draft"),
            ]
        );
        assert_eq!(actual["result"]["tools"], plain["result"]["tools"], "{version}");
        if !version.has_initialize() {
            assert_eq!([&plain["result"]["cacheScope"], &actual["result"]["cacheScope"]], ["public", "private"]);
        }
    }
}

#[tokio::test]
async fn a_page_can_be_read_if_a_served_tool_has_it() {
    let (_dir, app) = app_without_history();
    let server = |selection: &Selection| Server::new(app.clone(), selection);
    let read = |uri: &str| json!({"uri": uri});
    for version in &PROTOCOL_VERSIONS {
        let shows = capabilities_for_pages("text/html;profile=mcp-app");
        for uri in ["ui://dayledger/time", "ui://dayledger/draft"] {
            let page = answer(version, server(&with_timesheet(false)), &shows, "resources/read", read(uri)).await;
            let contents = &page["result"]["contents"][0];
            assert_eq!((&contents["uri"], &contents["mimeType"]), (&json!(uri), &json!("text/html;profile=mcp-app")));
            assert_eq!(contents["_meta"], json!({"ui": {"prefersBorder": true}}));
            assert!(contents["text"].as_str().is_some_and(|text| text.starts_with("<!doctype html>")), "{uri}");
        }
        let absent =
            answer(version, server(&every_tool()), &shows, "resources/read", read("ui://dayledger/draft")).await;
        assert!(absent["error"].is_object(), "{absent}");
    }
}

#[tokio::test]
async fn pages_contain_only_served_tools() {
    let (_dir, app) = app_without_history();
    let shows = capabilities_for_pages("text/html;profile=mcp-app");
    let read = json!({"uri": "ui://dayledger/draft"});
    for (is_read_only, has_log_time) in [(false, true), (true, false)] {
        let page = answer(
            &PROTOCOL_VERSIONS[0],
            Server::new(app.clone(), &with_timesheet(is_read_only)),
            &shows,
            "resources/read",
            read.clone(),
        )
        .await;
        let text = page["result"]["contents"][0]["text"].as_str().expect("a text");
        let tools = text.split("data-tools=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("its tools");
        assert_eq!(tools.split(' ').any(|tool| tool == "log_time"), has_log_time, "{tools}");
    }
}
