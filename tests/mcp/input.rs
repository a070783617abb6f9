//! What a model may get wrong: each mistake is told with a code and a hint, and the server goes on.

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
    for text in ["2026-02-29", "2026-13-01", "15/01/2026", "next week", "2026-11-18T25:00", "2026-11-18Z", &huge] {
        add(tags(text, "2026-12-01"), "INVALID_DATE", "startDate");
        add(tags("2020-01-01", text), "INVALID_DATE", "endDate");
        add(("get_daily_summary", json!({"date": text})), "INVALID_DATE", "date");
    }
    add(("get_daily_summary", json!({"date": "2026-11-18T10:00"})), "INVALID_DATE", "date");
    add(("get_daily_summary", json!({"date": ""})), "INVALID_DATE", "date");
    for (start, end) in [("2026-11-19", "2026-11-18"), ("2026-11-18", "2026-11-18")] {
        for (tool, mut arguments) in one_call_each(start, end) {
            if arguments.get("endDate").is_some() {
                arguments.as_object_mut().unwrap().remove("includeSummary");
                add((tool, arguments), "INVALID_RANGE", "endDate");
            }
        }
    }
    for tool in ["get_website_usage", "get_period_summary"] {
        add((tool, range("2026-10-01", "2026-11-02")), "RANGE_TOO_LONG", "endDate");
    }
    for wrong in [0, -1, i64::MIN] {
        for tool in ["get_application_usage", "get_document_usage", "get_website_usage"] {
            add(with(tool, json!({"limit": wrong})), "INVALID_NUMBER", "limit");
        }
        add(with("get_activities", json!({"timelineId": 2, "limit": wrong})), "INVALID_NUMBER", "limit");
        add(with("get_activity_narrative", json!({"maxSegments": wrong})), "INVALID_NUMBER", "maxSegments");
        add(("get_daily_summary", json!({"date": RANGE.0, "maxSegments": wrong})), "INVALID_NUMBER", "maxSegments");
    }
    add(with("get_website_usage", json!({"minMinutes": -0.5})), "INVALID_NUMBER", "minMinutes");
    for field in ["minDurationMinutes", "maxGapMinutes"] {
        add(with("get_activity_narrative", json!({field: -1})), "INVALID_NUMBER", field);
    }
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
    for (tool, mut arguments) in one_call_each(RANGE.0, RANGE.1) {
        arguments["colour"] = json!("blue");
        add((tool, arguments), "UNKNOWN_ARGUMENT", "colour");
    }
    add(with("get_tags", json!({"start_date": RANGE.0})), "UNKNOWN_ARGUMENT", "start_date");
    add(("get_tags", json!({"endDate": RANGE.0})), "MISSING_ARGUMENT", "startDate");
    add(("get_tags", json!({"startDate": null, "endDate": RANGE.0})), "MISSING_ARGUMENT", "startDate");
    add(with("get_activities", json!({})), "MISSING_ARGUMENT", "timelineId");
    for (field, wrong) in [
        ("limit", json!("many")),
        ("limit", json!(5.5)),
        ("limit", json!([5])),
        ("breakdown", json!("week")),
        ("breakdown", json!(1)),
        ("startDate", json!(20_261_118)),
        ("endDate", json!({"day": 1})),
    ] {
        add(with("get_application_usage", json!({field: wrong})), "INVALID_ARGUMENT", field);
    }
    add(with("get_activity_narrative", json!({"includeSummary": "yes"})), "INVALID_ARGUMENT", "includeSummary");
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
    let dir = tempfile::tempdir().unwrap();
    demo(dir.path());
    // Both lives read arguments in one place: a sample is enough for the second.
    for (version, every) in LIVES.into_iter().zip([1, 17]) {
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
    let dir = tempfile::tempdir().unwrap();
    demo(dir.path());
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
    let error = session.refusal("get_document_usage", with("breakdown", json!("week"))).await;
    assert_eq!(error["allowed"], json!(["none", "day"]));
    let error = session.refusal("get_tags", with("limit", json!(1))).await;
    assert_eq!(error["allowed"], json!(["cursor", "endDate", "filter", "includeIntervals", "startDate"]));
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_without_data_is_an_answer() {
    let dir = tempfile::tempdir().unwrap();
    demo(dir.path());
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
