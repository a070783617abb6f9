//! Tests the responses and errors that a client receives.

use dayledger_mcp::errors;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use super::{Session, StubHandler, history_tools, text};
use crate::{
    activity::{
        Detail, Diagnostics, NamedTotal, Narrative, Sampling, ScreenshotEntry, ScreenshotList, TagEntry, Tags,
        TimeBasis, Timelines,
    },
    request::{Error, Truncation, minutes},
    source,
};

fn tags() -> Tags {
    Tags {
        start_date: "2025-01-15".to_owned(),
        end_date: "2025-01-16".to_owned(),
        time_basis: TimeBasis::Recorded,
        tags: vec![TagEntry {
            start: "2025-01-15T09:00:00".to_owned(),
            end: "2025-01-15T10:30:00".to_owned(),
            duration_minutes: minutes(5400),
            name: "Harbour, Survey".to_owned(),
            path: None,
            billable: Some(true),
            notes: None,
        }],
        totals: vec![NamedTotal { name: "Harbour, Survey".to_owned(), total_minutes: minutes(5400) }],
        total_minutes: minutes(5400),
        groups: None,
        untagged_minutes: None,
        clients: None,
        truncation: Truncation::new(1, 1),
        diagnostics: Diagnostics::healthy(),
    }
}

fn one_screenshot() -> ScreenshotList {
    ScreenshotList {
        sampling: Sampling::Interval,
        screenshots_in_range: 1,
        screenshots: vec![ScreenshotEntry {
            screenshot_ref: "harbour".to_owned(),
            timestamp: "2025-01-15T09:00:00".to_owned(),
            display_local_time: "2025-01-15 09:00:00".to_owned(),
            width: None,
            height: None,
            monitor: None,
            has_thumbnail: false,
            has_full_image: None,
            resource_uri: "manictime://screenshot/harbour".to_owned(),
        }],
        truncation: Truncation::new(1, 1),
        diagnostics: Diagnostics::healthy(),
    }
}

const ONE_DAY: [&str; 2] = ["2025-01-15", "2025-01-16"];

fn one_day() -> Value {
    json!({"startDate": ONE_DAY[0], "endDate": ONE_DAY[1]})
}

#[tokio::test]
async fn an_answer_comes_as_structure_and_as_the_same_compact_text() {
    for version in ProtocolVersion::KNOWN_VERSIONS {
        let session =
            Session::connect_with_version(&StubHandler::with_reply(|| Ok(Box::new(tags()))), version.clone()).await;
        let result = session.call("get_tags", one_day()).await;
        assert_ne!(result.is_error, Some(true), "{version}");
        let structured = result.structured_content.clone().expect("structured content");
        assert_eq!(structured, serde_json::to_value(tags()).expect("a value"), "{version}");
        let text = text(&result);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), structured, "{version}");
        assert_eq!(text.len(), structured.to_string().len(), "no whitespace outside of strings");
        assert!(
            text.starts_with(r#"{"startDate":"2025-01-15","endDate":"2025-01-16","timeBasis":"recorded""#),
            "{text}"
        );
        session.end().await;
    }
}

/// Older clients reject a response that contains a link.
#[tokio::test]
async fn link_is_text_for_versions_of_the_protocol_without_links() {
    let without_links = [ProtocolVersion::V_2024_11_05, ProtocolVersion::V_2025_03_26];
    for version in ProtocolVersion::KNOWN_VERSIONS {
        let session =
            Session::connect_with_version(&StubHandler::with_reply(|| Ok(Box::new(one_screenshot()))), version.clone())
                .await;
        let result = session.call("list_screenshots", one_day()).await;
        let [_, link] = result.content.as_slice() else { panic!("{version}: {result:?}") };
        let is_text = link.as_text().is_some_and(|text| text.text.ends_with(": manictime://screenshot/harbour"));
        assert_eq!(
            (is_text, link.as_resource_link().is_some()),
            (without_links.contains(version), !without_links.contains(version)),
            "{version}: {link:?}"
        );
        session.end().await;
    }
}

/// The schema must not require a field that is left out when it is empty. Otherwise strict clients would reject the
/// response.
#[tokio::test]
async fn the_smallest_answer_has_every_required_field() {
    let least = || Narrative {
        start_date: ONE_DAY[0].to_owned(),
        end_date: ONE_DAY[1].to_owned(),
        day_start: None,
        time_basis: TimeBasis::Active,
        detail: Detail::Full,
        total_active_minutes: minutes(0),
        matching_minutes: None,
        top_documents: None,
        presence: None,
        notes_taken: None,
        notes_taken_available: None,
        segments: None,
        tagged: None,
        clients: None,
        top_applications: None,
        top_websites: None,
        top_applications_available: None,
        top_websites_available: None,
        suggested_screenshots: None,
        truncation: Truncation::new(0, 0),
        diagnostics: Diagnostics::healthy(),
    };
    let session = Session::connect(&StubHandler::with_reply(move || Ok(Box::new(least())))).await;
    let listed = session.client.list_all_tools().await.expect("list");
    let explained = crate::mcp::described_response_schemas();
    for (tool, arguments) in [("get_activity_narrative", one_day()), ("get_daily_summary", json!({"date": ONE_DAY[0]}))]
    {
        let answer = session.call(tool, arguments).await.structured_content.expect("structured content");
        let definition = listed.iter().find(|listed| listed.name == tool).expect("listed");
        let schema = definition.output_schema.as_ref().expect("a schema");
        for name in explained[tool]["required"].as_array().expect("required names") {
            assert!(answer.get(name.as_str().expect("a name")).is_some(), "{tool}: {name}");
        }
        for name in answer.as_object().expect("an object").keys() {
            assert!(schema["properties"].get(name).is_some(), "{tool}: {name}");
        }
    }
    session.end().await;
}

#[tokio::test]
async fn a_tool_without_parameters_may_be_called_without_arguments() {
    let session = Session::connect(&StubHandler::with_reply(|| {
        Ok(Box::new(Timelines { timelines: Vec::new(), truncation: None }))
    }))
    .await;
    let request = rmcp::model::CallToolRequestParams::new("get_timelines");
    let result = session.client.call_tool(request).await.expect("a result");
    assert_eq!(text(&result), r#"{"timelines":[]}"#);
    session.end().await;
}

#[tokio::test]
async fn a_panic_is_an_internal_error_without_details_and_the_server_continues() {
    let session = Session::connect(&StubHandler::with_reply(|| panic!("secret-plan.docx"))).await;
    for _ in 0..2 {
        let error = session.call_error("get_tags", one_day()).await;
        assert_eq!(error["code"], "INTERNAL");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    assert_eq!(session.client.list_all_tools().await.expect("still serving").len(), history_tools().len());
    session.end().await;
}

#[test]
fn a_failure_of_the_engine_keeps_its_code_and_hint() {
    let code = source::codes::DATABASE_NOT_FOUND;
    let result = errors::result(&Error::new(code, "no database in `/data`", "say where it is"));
    assert_eq!(
        text(&result),
        r#"{"error":{"code":"DATABASE_NOT_FOUND","hint":"say where it is","message":"no database in `/data`"}}"#
    );
}
