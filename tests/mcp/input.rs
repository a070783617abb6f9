//! Mistakes in arguments that the server can detect only with the history. Each mistake must cause an error with a code
//! and a hint, and the server must keep running.
//!
//! Mistakes that are visible in the arguments alone are tested with the schemas (`contract::errors`) and in the tests
//! of `src/mcp`.

use serde_json::{Value, json};

use super::RANGE;
use super::session::{Session, VERSIONS};
use crate::cli::program::demo;

/// Returns the range of the demo together with the arguments in `more`.
fn with(more: Value) -> Value {
    let mut arguments = json!({"startDate": RANGE.0, "endDate": RANGE.1});
    let Value::Object(more) = more else { panic!("arguments are an object") };
    arguments.as_object_mut().unwrap().extend(more);
    arguments
}

/// Returns the mistakes. Each item contains the tool, the arguments, the expected code and the expected field.
fn mistakes() -> Vec<(&'static str, Value, &'static str, &'static str)> {
    let huge = "x".repeat(200_000);
    let mut mistakes = vec![
        ("get_daily_summary", json!({"date": RANGE.0, "device": huge}), "UNKNOWN_DEVICE", "device"),
        ("get_tags", with(json!({"startDate": huge})), "INVALID_DATE", "startDate"),
        ("get_application_usage", with(json!({"limit": i64::MIN})), "INVALID_NUMBER", "limit"),
        ("get_tags", with(json!({"start_date": RANGE.0})), "UNKNOWN_ARGUMENT", "start_date"),
        ("get_application_usage", with(json!({"limit": "many"})), "INVALID_ARGUMENT", "limit"),
    ];
    for tool in ["get_website_usage", "get_period_summary"] {
        let long = json!({"startDate": "2026-10-01", "endDate": "2026-11-02"});
        mistakes.push((tool, long, "RANGE_TOO_LONG", "endDate"));
    }
    for id in [0, 99, i64::MIN] {
        mistakes.push(("get_activities", with(json!({"timelineId": id})), "UNKNOWN_TIMELINE", "timelineId"));
    }
    for cursor in ["after-5", "0123abcd-5", "0123abcd--1", "page2", &huge] {
        let arguments = with(json!({"timelineId": 2, "cursor": cursor}));
        mistakes.push(("get_activities", arguments, "INVALID_CURSOR", "cursor"));
    }
    for tool in ["get_computer_usage", "get_activity_narrative", "get_period_summary"] {
        mistakes.push((tool, with(json!({"device": huge})), "UNKNOWN_DEVICE", "device"));
    }
    for tool in ["get_application_usage", "get_document_usage", "get_website_usage"] {
        let recorded = json!({"timeBasis": "recorded", "filter": {"tag": "northwind"}});
        mistakes.push((tool, with(recorded), "FILTER_NEEDS_ACTIVE_TIME", "timeBasis"));
        mistakes.push((tool, with(json!({"device": "X"})), "UNKNOWN_DEVICE", "device"));
    }
    for tool in ["get_activity_narrative", "get_period_summary", "get_application_usage", "get_tags"] {
        let unknown = with(json!({"filter": {"colour": "blue"}}));
        mistakes.push((tool, unknown, "UNKNOWN_ARGUMENT", "filter.colour"));
        mistakes.push((tool, with(json!({"filter": {"tag": ["a"]}})), "INVALID_ARGUMENT", "filter.tag"));
        mistakes.push((tool, with(json!({"filter": "northwind"})), "INVALID_ARGUMENT", "filter"));
    }
    mistakes
}

#[tokio::test(flavor = "multi_thread")]
async fn every_invalid_argument_is_reported_and_the_server_keeps_running() {
    let dir = demo();
    for version in VERSIONS {
        let session = Session::start(dir.path(), version).await;
        for (tool, arguments, code, field) in mistakes() {
            let error = session.refusal(tool, arguments.clone()).await;
            let arguments_start: String = arguments.to_string().chars().take(200).collect();
            assert_eq!(
                (&error["code"], &error["field"]),
                (&json!(code), &json!(field)),
                "{tool} {arguments_start}: {error}"
            );
            assert!(error.to_string().len() < 2000, "{tool} {arguments_start}: a huge argument is not echoed");
        }
        let error = session.refusal("get_activities", with(json!({"timelineId": 99}))).await;
        assert_eq!(error["allowed"], json!(["1", "2", "3", "4", "5", "6", "7", "8"]));
        let error = session.refusal("get_period_summary", with(json!({"device": "?"}))).await;
        assert!(error["allowed"].as_array().unwrap().contains(&json!("LAPTOP")), "{error}");
        session.answer("get_tags", with(json!({}))).await;
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_above_a_maximum_are_clamped_and_null_counts_as_absent() {
    let dir = demo();
    let session = Session::start_default(dir.path()).await;
    for (tool, field, cap) in [("get_activities", "limit", 5000), ("get_activity_narrative", "maxSegments", 2000)] {
        let mut arguments = with(if tool == "get_activities" { json!({"timelineId": 2}) } else { json!({}) });
        let default = session.answer(tool, arguments.clone()).await;
        arguments[field] = json!(null);
        assert_eq!(session.answer(tool, arguments.clone()).await, default, "{tool}");
        arguments[field] = json!(cap);
        let most = session.answer(tool, arguments.clone()).await;
        for above in [json!(1_000_000_000), json!(1e30), json!(u64::MAX)] {
            arguments[field] = above;
            assert_eq!(session.answer(tool, arguments.clone()).await, most, "{tool}");
        }
    }
    session.end().await;
}
