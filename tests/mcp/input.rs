//! Mistakes of a model that depend on the tool or the history; those that every parameter has are in `contract`.

use serde_json::{Value, json};

use super::session::{LIVES, Session};
use super::{RANGE, one_call_each};
use crate::cli::program::demo;

/// Tool, arguments, code, and the field that the error names (none: empty).
fn mistakes() -> Vec<(&'static str, Value, &'static str, &'static str)> {
    let huge = "x".repeat(200_000);
    let range = |start: &str, end: &str| json!({"startDate": start, "endDate": end});
    let tags = |start: &str, end: &str| ("get_tags", range(start, end));
    let with = |tool: &'static str, more: Value| {
        let mut arguments = range(RANGE.0, RANGE.1);
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (tool, arguments)
    };
    let mut mistakes = Vec::new();
    let mut add = |(tool, arguments): (&'static str, Value), code, field| {
        mistakes.push((tool, arguments, code, field));
    };
    add(tags(&huge, "2026-12-01"), "INVALID_DATE", "startDate");
    add(tags("2020-01-01", &huge), "INVALID_DATE", "endDate");
    add(("get_daily_summary", json!({"date": "2026-11-18T10:00"})), "INVALID_DATE", "date");
    for id in [0, 99, i64::MIN] {
        add(with("get_activities", json!({"timelineId": id})), "UNKNOWN_TIMELINE", "timelineId");
    }
    for cursor in ["after-5", "0123abcd-5", "0123abcd--1", "page2", &huge] {
        add(with("get_activities", json!({"timelineId": 2, "cursor": cursor})), "INVALID_CURSOR", "cursor");
    }
    for tool in ["get_computer_usage", "get_activity_narrative", "get_period_summary"] {
        add(with(tool, json!({"device": huge})), "UNKNOWN_DEVICE", "device");
    }
    add(("get_daily_summary", json!({"date": RANGE.0, "device": huge})), "UNKNOWN_DEVICE", "device");
    for tool in ["get_application_usage", "get_document_usage", "get_website_usage"] {
        let recorded = json!({"timeBasis": "recorded", "filter": {"tag": "northwind"}});
        add(with(tool, recorded), "FILTER_NEEDS_ACTIVE_TIME", "timeBasis");
        add(with(tool, json!({"device": "X"})), "UNKNOWN_DEVICE", "device");
    }
    for tool in ["get_activity_narrative", "get_period_summary", "get_application_usage", "get_tags"] {
        add(with(tool, json!({"filter": {"colour": "blue"}})), "UNKNOWN_ARGUMENT", "filter.colour");
        add(with(tool, json!({"filter": {"tag": ["a"]}})), "INVALID_ARGUMENT", "filter.tag");
        add(with(tool, json!({"filter": "northwind"})), "INVALID_ARGUMENT", "filter");
    }
    mistakes
}

#[tokio::test(flavor = "multi_thread")]
async fn every_mistake_is_told_and_the_server_goes_on() {
    let dir = demo();
    // Both lives read arguments in one place: a sample is enough for the second.
    for (version, every) in LIVES.into_iter().zip([1, 5]) {
        let session = Session::of(dir.path(), version).await;
        for (tool, arguments, code, field) in mistakes().into_iter().step_by(every) {
            let error = session.refusal(tool, arguments.clone()).await;
            let shown: String = arguments.to_string().chars().take(200).collect();
            assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)), "{tool} {shown}: {error}");
            assert!(error.to_string().len() < 2000, "{tool} {shown}: a huge argument is not echoed");
        }
        session.answer("get_tags", json!({"startDate": RANGE.0, "endDate": RANGE.1})).await;
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_lists_what_would_do_where_there_is_little() {
    let dir = demo();
    let session = Session::over(dir.path()).await;
    let range = json!({"startDate": RANGE.0, "endDate": RANGE.1});
    let with = |field: &str, value: Value| {
        let mut arguments = range.clone();
        arguments[field] = value;
        arguments
    };
    let error = session.refusal("get_activities", with("timelineId", json!(99))).await;
    assert_eq!(error["allowed"], json!(["1", "2", "3", "4", "5", "6", "7", "8"]));
    let error = session.refusal("get_period_summary", with("device", json!("?"))).await;
    assert!(error["allowed"].as_array().unwrap().contains(&json!("LAPTOP")), "{error}");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_without_data_is_an_answer() {
    let dir = demo();
    let session = Session::over(dir.path()).await;
    for (tool, arguments) in one_call_each("2031-01-01", "2031-01-15") {
        let answer = session.answer(tool, arguments).await;
        if !["get_timelines", "describe_model", "query"].contains(&tool) {
            assert_eq!(answer["diagnostics"]["degraded"], false, "{tool}");
            let reason = if tool == "list_screenshots" { "DIRECTORY_MISSING" } else { "NO_DATA_IN_RANGE" };
            assert_eq!(answer["diagnostics"]["reasonCode"], reason, "{tool}");
            assert!(answer["diagnostics"]["remediationHint"].is_string(), "{tool}");
        }
    }
    session.end().await;
}
