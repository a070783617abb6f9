//! Tests the list and the content of resources.

use rmcp::{
    ServiceError,
    model::{
        CacheScope, ErrorCode, ErrorData, GetSkillRequestParams, ProtocolVersion, ReadResourceRequestParams,
        ResourceContents, Role, Skill, SkillResources,
    },
};
use serde_json::{Value, json};

use super::{Session, every_tool, histories};
use crate::mcp::server::Server;

const PROTOCOL_VERSIONS: [ProtocolVersion; 2] = [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// Starts a session over the history in `dir`.
async fn connect(dir: &tempfile::TempDir, version: ProtocolVersion) -> Session {
    Session::connect_to(Server::new(histories::engine(dir.path()), &every_tool()), version).await
}

async fn read(session: &Session, uri: &str) -> Result<String, ErrorData> {
    match session.client.read_resource(ReadResourceRequestParams::new(uri)).await {
        Ok(result) => match result.contents.as_slice() {
            [ResourceContents::TextResourceContents { uri: address, text, .. }] => {
                assert_eq!(address, uri);
                Ok(text.clone())
            }
            other => panic!("one text is expected: {other:?}"),
        },
        Err(ServiceError::McpError(error)) => Err(error),
        Err(error) => panic!("{uri}: {error}"),
    }
}

async fn json(session: &Session, uri: &str) -> Value {
    let text = read(session, uri).await.expect("the resource can be read");
    assert!(!text.contains('\n'), "{uri}: compact");
    serde_json::from_str(&text).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_listed_resource_can_be_read_and_matches_the_list() {
    let dir = tempfile::tempdir().expect("a folder");
    histories::write(dir.path());
    for version in PROTOCOL_VERSIONS {
        let session = connect(&dir, version.clone()).await;
        let list = session.client.list_resources(None).await.expect("a list");
        assert_eq!(list.resources.len(), 6);
        for resource in &list.resources {
            let uri = resource.uri.as_str();
            assert_eq!(uri, format!("manictime://{}", resource.name));
            assert!(resource.title.is_some() && resource.description.is_some(), "{uri}");
            let annotations = resource.annotations.as_ref().expect("annotations");
            assert!(annotations.audience.as_ref().is_some_and(|audience| audience.contains(&Role::Assistant)), "{uri}");
            assert!(annotations.priority.is_some_and(|priority| (0.0..=1.0).contains(&priority)), "{uri}");
            assert!(annotations.last_modified.is_some(), "{uri}");
            let mime_type = resource.mime_type.as_deref().expect("a type");
            let text = read(&session, uri).await.expect("text");
            match mime_type {
                "application/json" => assert!(serde_json::from_str::<Value>(&text).is_ok_and(|it| it.is_object())),
                _ => assert_eq!((mime_type, resource.size), ("text/markdown", Some(text.len() as u64)), "{uri}"),
            }
        }
        session.end().await;
    }
}

/// A client checks the digest of a skill's file, so the content must be exactly the listed one.
#[tokio::test(flavor = "multi_thread")]
async fn every_listed_skill_can_be_read_and_matches_the_list() {
    let dir = tempfile::tempdir().expect("a folder");
    for version in PROTOCOL_VERSIONS {
        let session = connect(&dir, version.clone()).await;
        let skills = session.client.list_all_skills().await.expect("a list");
        let names: Vec<_> = skills.iter().map(Skill::name).collect();
        // The default tools can't log hours.
        assert_eq!(names, ["day-review", "week-review", "screenshot-investigation"], "{version}");
        for skill in &skills {
            let found =
                session.client.get_skill(GetSkillRequestParams::new(skill.uri.as_str())).await.expect("a skill");
            assert_eq!(&found.skill, skill);
            assert_eq!(found.ttl_ms.is_some(), !version.has_initialize());
            let SkillResources::Files(files) = &skill.resources else { panic!("files") };
            for file in files {
                let text = read(&session, &file.uri).await.expect("text");
                assert_eq!(file.verify(text.as_bytes()), Ok(()), "{}", file.uri);
            }
        }
        let unknown = session.client.get_skill(GetSkillRequestParams::new("skill://timesheet/SKILL.md")).await;
        assert!(matches!(unknown, Err(ServiceError::McpError(error)) if error.code == ErrorCode::INVALID_PARAMS));
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_versions_that_know_cache_hints_get_them() {
    let dir = tempfile::tempdir().expect("a folder");
    histories::write(dir.path());
    for (version, of_guide, of_dates) in [
        (PROTOCOL_VERSIONS[0].clone(), (None, None), (None, None)),
        (
            PROTOCOL_VERSIONS[1].clone(),
            (Some(3_600_000), Some(CacheScope::Public)),
            (Some(10_000), Some(CacheScope::Private)),
        ),
    ] {
        let session = connect(&dir, version).await;
        for (uri, hints) in [("manictime://guide", of_guide), ("manictime://data-range", of_dates)] {
            let result = session.client.read_resource(ReadResourceRequestParams::new(uri)).await.expect("text");
            assert_eq!((result.ttl_ms, result.cache_scope), hints, "{uri}");
        }
        let list = session.client.list_resource_templates(None).await.expect("a list");
        assert_eq!(list.ttl_ms.is_some(), list.cache_scope.is_some());
        assert_eq!(list.ttl_ms.is_some(), session.client.list_prompts(None).await.expect("a list").ttl_ms.is_some());
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_uri_is_not_found_in_every_protocol_version() {
    let dir = tempfile::tempdir().expect("a folder");
    histories::write(dir.path());
    for (version, code) in PROTOCOL_VERSIONS.into_iter().zip([ErrorCode::RESOURCE_NOT_FOUND, ErrorCode::INVALID_PARAMS])
    {
        let session = connect(&dir, version).await;
        for uri in ["manictime://nothing", "manictime://timelines/3", "manictime://timelines/x", "file:///etc/passwd"] {
            let error = read(&session, uri).await.expect_err("no such resource");
            assert_eq!((error.code, &error.data.expect("data")["uri"]), (code, &json!(uri)));
            assert!(error.message.contains(uri) && error.message.contains("resources/list"), "{}", error.message);
        }
        let long = format!("manictime://{}", "x".repeat(500));
        let error = read(&session, &long).await.expect_err("no such resource");
        assert!(error.message.len() < 200);
        assert_eq!(error.data.expect("data")["uri"], long);
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn config_reports_the_history_the_tools_and_the_limits() {
    let dir = tempfile::tempdir().expect("a folder");
    histories::write(dir.path());
    let session = connect(&dir, PROTOCOL_VERSIONS[0].clone()).await;
    let config = json(&session, "manictime://config").await;
    assert_eq!(config["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(config["history"]["foundBy"], "--data-dir");
    assert!(config["history"]["database"].as_str().is_some_and(|path| path.ends_with("ManicTimeReports.db")));
    let listed = session.client.list_all_tools().await.expect("tools");
    assert_eq!(config["tools"], json!(listed.iter().map(|tool| &tool.name).collect::<Vec<_>>()));
    assert_eq!(config["limits"]["maxDays"], 31);
    assert_eq!(config["limits"]["parameters"]["get_activities"]["limit"], json!({"default": 100, "max": 5000}));
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_history_is_reported_and_fails_only_requests_that_need_it() {
    let dir = tempfile::tempdir().expect("a folder");
    for version in PROTOCOL_VERSIONS {
        let session = connect(&dir, version).await;
        let health = json(&session, "manictime://health").await;
        assert_eq!(
            (&health["status"], &health["error"]["code"]),
            (&json!("unavailable"), &json!("DATABASE_NOT_FOUND"))
        );
        assert!(health["error"]["hint"].as_str().is_some_and(|hint| hint.contains("--data-dir")), "{health}");
        assert!(["running", "not_running", "unknown"].contains(&health["manicTime"].as_str().expect("a state")));
        let config = json(&session, "manictime://config").await;
        assert_eq!(config["history"]["error"]["code"], "DATABASE_NOT_FOUND");
        assert!(read(&session, "manictime://guide").await.is_ok());
        let list = session.client.list_all_resources().await.expect("a list");
        assert_eq!(list.len(), 6, "the list does not depend on the history");
        for uri in ["data-range", "timelines", "environment", "timelines/2"].map(|name| format!("manictime://{name}")) {
            let error = read(&session, &uri).await.expect_err("it needs the history");
            assert_eq!(error.code, ErrorCode::INTERNAL_ERROR);
            assert_eq!(error.data.expect("data")["code"], "DATABASE_NOT_FOUND");
            assert!(error.message.contains("--data-dir"), "clients show the message alone: {}", error.message);
        }
        session.end().await;
    }
}

/// Missing data must have the same code in the health report and in each affected response.
#[tokio::test(flavor = "multi_thread")]
async fn a_degraded_capability_shows_in_the_health_and_in_the_affected_answers() {
    let dir = tempfile::tempdir().expect("a folder");
    histories::write(dir.path());
    let session = connect(&dir, PROTOCOL_VERSIONS[0].clone()).await;
    let health = json(&session, "manictime://health").await;
    assert_eq!(health["status"], "degraded");
    let degraded = health["degraded"].as_array().expect("a list");
    let reason = |missing: &str| {
        let entry = degraded.iter().find(|entry| entry["missing"] == missing).expect("an entry");
        assert!(entry["effect"].is_string() && entry["remedy"].is_string());
        entry["reasonCode"].clone()
    };
    let diagnostics = async |tool: &str, arguments: Value| {
        let answer = session.call(tool, arguments).await.structured_content.expect("an answer");
        assert_eq!(answer["diagnostics"]["degraded"], true, "{tool}: {answer}");
        answer["diagnostics"]["reasonCode"].clone()
    };
    let of_travel = diagnostics("get_daily_summary", json!({"date": "2025-01-12", "device": "Travel"})).await;
    assert_eq!((reason("computer_usage"), of_travel), (json!("NO_COMPUTER_USAGE"), json!("NO_COMPUTER_USAGE")));
    let last_day = json!({"startDate": "2025-01-15", "endDate": "2025-01-16"});
    let of_last_day = diagnostics("get_application_usage", last_day).await;
    assert_eq!(
        (reason("hourly_applications"), of_last_day),
        (json!("FALLBACK_COMPUTATION"), json!("FALLBACK_COMPUTATION"))
    );
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_reports_the_lag_of_hourly_totals_and_the_manictime_version() {
    let dir = tempfile::tempdir().expect("a folder");
    histories::write(dir.path());
    let session = connect(&dir, PROTOCOL_VERSIONS[0].clone()).await;
    let health = json(&session, "manictime://health").await;
    assert_eq!(
        health["hourly"][0],
        json!({"timelineId": 2, "role": "applications", "device": "DESK", "newestActivity": "2025-01-15T10:00:00",
            "newestHour": "2025-01-12T09:00:00", "lagHours": 72, "daysWithoutTotals": 1})
    );
    assert_eq!(health["hourly"][1]["lagHours"], 0);
    assert_eq!(health["schemaVersion"], "2.2.0.0");
    assert_eq!(health["manicTimeVersions"], json!([{"device": "DESK", "version": "2024.3.3.0"}]));
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn days_with_only_hourly_totals_show_in_health_and_answers() {
    let dir = tempfile::tempdir().expect("a folder");
    histories::write(dir.path());
    let connection = rusqlite::Connection::open(dir.path().join("ManicTimeReports.db")).expect("the file");
    connection.execute("DELETE FROM Ar_Activity WHERE StartLocalTime < '2025-01-12'", []).expect("retention");
    drop(connection);
    let session = connect(&dir, PROTOCOL_VERSIONS[0].clone()).await;
    let health = json(&session, "manictime://health").await;
    let entry = health["degraded"].as_array().and_then(|all| all.iter().find(|it| it["missing"] == "activities"));
    let entry = entry.expect("an entry");
    assert_eq!(entry["reasonCode"], "ACTIVITIES_PARTLY_KEPT");
    assert!(entry["effect"].as_str().is_some_and(|text| text.contains("2025-01-10")), "{entry}");
    let range = json!({"startDate": "2025-01-10", "endDate": "2025-01-13"});
    let summary = session.call("get_period_summary", range).await.structured_content.expect("an answer");
    assert_eq!(summary["diagnostics"]["reasonCode"], "ACTIVITIES_PARTLY_KEPT");
    session.end().await;
}
