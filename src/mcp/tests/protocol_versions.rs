//! Tests protocol versions with and without a handshake, from the first message to the end of the input.

use rmcp::model::{CacheScope, ProtocolVersion};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Session, StubHandler, every_tool, history_tools, spawn_server};
use crate::mcp::{history_handler::HistoryHandler, server::Server};

fn call(id: u64) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": "get_tags", "arguments": {"startDate": "x", "endDate": "y"}}})
    .to_string()
}

fn initialize() -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}})
    .to_string()
}

/// Sends `lines` to a stub's server, ends the input, and returns every line of the output.
async fn conversation(lines: &[String]) -> Vec<Value> {
    conversation_with(Server::new(StubHandler::with_refusal(), &every_tool()), lines).await
}

/// Sends `lines` to `server`, ends the input, and returns every line of the output.
pub(super) async fn conversation_with<R: HistoryHandler>(server: Server<R>, lines: &[String]) -> Vec<Value> {
    let (mut end, server) = spawn_server(server);
    for line in lines {
        end.write_all(line.as_bytes()).await.expect("write");
        end.write_all(b"\n").await.expect("write");
    }
    end.shutdown().await.expect("end of input");
    let mut output = String::new();
    end.read_to_string(&mut output).await.expect("read");
    server.await.expect("server does not panic").expect("server ends cleanly");
    output.lines().map(|line| serde_json::from_str(line).expect("every line is a message")).collect()
}

#[tokio::test]
async fn every_version_lists_and_calls_tools() {
    for version in ProtocolVersion::KNOWN_VERSIONS {
        let session = Session::connect_with_version(&StubHandler::with_refusal(), version.clone()).await;
        assert_eq!(
            session.client.list_tools(None).await.expect("list").tools.len(),
            history_tools().len(),
            "{version}"
        );
        let error = session.call_error("get_tags", json!({})).await;
        assert_eq!(error["code"], "MISSING_ARGUMENT", "{version}");
        session.end().await;
    }
}

#[tokio::test]
async fn only_the_current_protocol_version_has_cache_hints_for_lists() {
    for (version, ttl, scope) in [
        (ProtocolVersion::V_2026_07_28, Some(3_600_000), Some(CacheScope::Public)),
        (ProtocolVersion::V_2025_11_25, None, None),
    ] {
        let session = Session::connect_with_version(&StubHandler::with_refusal(), version).await;
        let list = session.client.list_tools(None).await.expect("list");
        assert_eq!((list.ttl_ms, list.cache_scope), (ttl, scope));
        session.end().await;
    }
}

#[tokio::test]
async fn the_discovery_result_may_be_cached() {
    let discover = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}}});
    let answers = conversation(&[discover.to_string()]).await;
    assert_eq!(answers.len(), 1);
    let result = &answers[0]["result"];
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(3_600_000), &json!("public")), "{result}");
}

#[tokio::test]
async fn the_server_reports_its_name_and_capabilities() {
    for version in [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25] {
        let session = Session::connect_with_version(&StubHandler::with_refusal(), version.clone()).await;
        let peer = session.client.peer_info().expect("the server's information");
        let server = peer.server_info.as_ref().expect("a name");
        assert_eq!((server.name.as_str(), server.version.as_str()), ("dayledger", env!("CARGO_PKG_VERSION")));
        let icons = server.icons.as_deref().unwrap_or_default();
        assert!(icons.len() == 1 && icons[0].mime_type.as_deref() == Some("image/png"), "{version}: {icons:?}");
        assert_eq!(server.website_url, None, "{version}: the address of the project isn't known yet");
        // The lists never change, so the server doesn't declare notifications about changed lists.
        let claimed = json!({"tools": {}, "resources": {"subscribe": true}, "prompts": {}, "completions": {},
            "extensions": {"io.modelcontextprotocol/skills": {}}});
        assert_eq!(serde_json::to_value(&peer.capabilities).expect("capabilities"), claimed);
        assert!(peer.instructions.as_ref().is_some_and(|text| text.contains("get_daily_summary")));
        session.end().await;
    }
}

#[tokio::test]
async fn calls_before_the_end_of_input_are_answered() {
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let answers = conversation(&[initialize(), initialized, call(2), call(3)]).await;
    let mut ids: Vec<u64> = answers.iter().filter_map(|answer| answer["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
}
