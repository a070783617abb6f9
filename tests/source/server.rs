//! Tests the MCP server over rows in memory. The server runs in this process.

use std::collections::BTreeSet;
use std::sync::Arc;

use dayledger::mcp::{self, AppProvider, Selection, ToolChoice};
use rmcp::ClientHandler;
use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion, ReadResourceRequestParams, ResourceContents};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt};
use serde_json::Value;

use super::week::RANGES;
use super::week_app;
use crate::mcp::one_call_each;

/// The tools that aren't called, because they need a screenshot.
const NOT_CALLED: [&str; 3] = ["crop_screenshot", "get_screenshot", "save_screenshot"];

struct Client;

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.protocol_version = ProtocolVersion::V_2025_11_25;
        info
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_and_resource_returns_complete_data() {
    let app = week_app();
    let provider: AppProvider = Arc::new(move || app.clone());
    let selection = Selection::from_choice(&ToolChoice::default()).unwrap();
    let (client_end, server_end) = tokio::io::duplex(1 << 20);
    let (reader, writer) = tokio::io::split(server_end);
    let calls = async {
        let client = Client.serve_with_lifecycle(client_end, ClientLifecycleMode::Initialize).await.unwrap();
        let tools = client.peer().list_all_tools().await.unwrap();
        let mut tools: BTreeSet<_> = tools.iter().map(|tool| tool.name.to_string()).collect();
        for (tool, arguments) in one_call_each(RANGES[0].0, RANGES[0].1) {
            let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
            let request = CallToolRequestParams::new(tool).with_arguments(arguments);
            let result = client.call_tool(request).await.unwrap();
            assert_ne!(result.is_error, Some(true), "{tool}: {result:?}");
            let answer = result.structured_content.unwrap();
            assert_ne!(answer["diagnostics"]["degraded"], true, "{tool}: {answer}");
            tools.remove(tool);
        }
        assert_eq!(tools.iter().map(String::as_str).collect::<Vec<_>>(), NOT_CALLED);
        let resources = client.peer().list_all_resources().await.unwrap();
        assert!(!resources.is_empty());
        for resource in resources {
            let request = ReadResourceRequestParams::new(resource.uri.as_str());
            for content in client.peer().read_resource(request).await.unwrap().contents {
                let ResourceContents::TextResourceContents { text, .. } = content else { continue };
                let text: String = text.split_whitespace().collect();
                for degraded in [r#""degraded":true"#, r#""status":"degraded""#, r#""status":"unavailable""#] {
                    assert!(!text.contains(degraded), "{}: {text}", resource.uri);
                }
            }
        }
        client.cancel().await.unwrap();
    };
    let (served, ()) = tokio::join!(mcp::serve(provider, &selection, reader, writer), calls);
    served.unwrap();
}
