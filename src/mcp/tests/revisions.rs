//! What each revision of the protocol gets of titles, annotations, schemas and structure.

use rmcp::model::ProtocolVersion;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Session, StandIn, answers::tags, every_tool, histories, text};
use crate::mcp::server::Server;

/// What a revision knows.
struct Knows {
    version: ProtocolVersion,
    tool_annotations: bool,
    titles: bool,
    structure: bool,
}

const REVISIONS: [Knows; 4] = [
    Knows { version: ProtocolVersion::V_2024_11_05, tool_annotations: false, titles: false, structure: false },
    Knows { version: ProtocolVersion::V_2025_03_26, tool_annotations: true, titles: false, structure: false },
    Knows { version: ProtocolVersion::V_2025_06_18, tool_annotations: true, titles: true, structure: true },
    Knows { version: ProtocolVersion::V_2026_07_28, tool_annotations: true, titles: true, structure: true },
];

fn entries<T: Serialize>(list: &[T]) -> Vec<Value> {
    assert!(!list.is_empty());
    list.iter().map(|entry| serde_json::to_value(entry).expect("JSON")).collect()
}

#[tokio::test]
async fn tools_are_listed_with_what_the_revision_knows() {
    for knows in REVISIONS {
        let session = Session::of_version(&StandIn::refusing(), knows.version.clone()).await;
        for tool in entries(&session.client.list_all_tools().await.expect("list")) {
            let version = &knows.version;
            assert_eq!(tool.get("title").is_some(), knows.titles, "{version}: {tool}");
            assert_eq!(tool.get("outputSchema").is_some(), knows.structure, "{version}: {tool}");
            assert_eq!(tool.get("annotations").is_some(), knows.tool_annotations, "{version}: {tool}");
            // A person is shown a title wherever there is a place for one, and once.
            let in_annotations = tool["annotations"].get("title").is_some();
            assert_eq!(in_annotations, knows.tool_annotations && !knows.titles, "{version}: {tool}");
            let only_reads = json!(tool["name"] != "save_screenshot");
            assert_eq!(tool["annotations"].get("readOnlyHint"), knows.tool_annotations.then_some(&only_reads));
        }
        session.end().await;
    }
}

#[tokio::test]
async fn an_answer_is_text_and_structured_where_the_revision_knows_structure() {
    for knows in REVISIONS {
        let session = Session::of_version(&StandIn::replying(|| Ok(Box::new(tags()))), knows.version.clone()).await;
        let result = session.call("get_tags", json!({"startDate": "2025-01-15"})).await;
        assert_ne!(result.is_error, Some(true), "{}", knows.version);
        let told: Value = serde_json::from_str(&text(&result)).expect("JSON");
        assert_eq!(told, serde_json::to_value(tags()).expect("JSON"), "{}", knows.version);
        assert_eq!(result.structured_content, knows.structure.then_some(told), "{}", knows.version);
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_and_prompts_have_titles_where_the_revision_knows_them() {
    let nothing = tempfile::tempdir().expect("a folder");
    for knows in REVISIONS {
        let server = Server::new(histories::engine(nothing.path()), &every_tool());
        let session = Session::to(server, knows.version.clone()).await;
        let version = &knows.version;
        let resources = entries(&session.client.list_all_resources().await.expect("list"));
        for resource in &resources {
            assert_eq!(resource.get("title").is_some(), knows.titles, "{version}: {resource}");
            assert!(resource["annotations"].get("priority").is_some(), "{version}: {resource}");
        }
        let guide = &resources[0]["annotations"];
        assert_eq!(guide.get("lastModified").is_some(), knows.titles, "{version}: {guide}");
        for template in entries(&session.client.list_all_resource_templates().await.expect("list")) {
            assert_eq!(template.get("title").is_some(), knows.titles, "{version}: {template}");
        }
        for prompt in entries(&session.client.list_all_prompts().await.expect("list")) {
            assert_eq!(prompt.get("title").is_some(), knows.titles, "{version}: {prompt}");
            assert_eq!(prompt["arguments"][0].get("title").is_some(), knows.titles, "{version}: {prompt}");
        }
        session.end().await;
    }
}
