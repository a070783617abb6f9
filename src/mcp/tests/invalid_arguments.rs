//! Tests invalid arguments, and unusual arguments that are accepted.

use rmcp::{ServiceError, model::ErrorCode};
use serde_json::{Value, json};

use super::{Session, StubHandler, history_tools};
use crate::activity::codes;
use crate::request::Error;

/// Returns valid arguments for a tool, plus the arguments in `more`.
fn arguments(schema: &serde_json::Map<String, Value>, more: &[(&str, Value)]) -> Value {
    let mut arguments = json!({});
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        arguments[name] = match name {
            "endDate" => json!("2025-01-16"),
            "timelineId" => json!(7),
            "screenshotRef" => json!(REFERENCES[0]),
            "x" | "y" | "width" | "height" => json!(5),
            _ => json!("2025-01-15"),
        };
    }
    if schema["properties"].get("startDate").is_some() {
        // An end date is only valid with a start date, even if both are optional.
        arguments["startDate"] = json!("2025-01-15");
    }
    if schema["properties"].get("cropX").is_some() {
        // The crop parameters are only valid together.
        for name in CROP {
            arguments[name] = json!(5);
        }
    }
    for (name, value) in more {
        arguments[*name] = value.clone();
    }
    arguments
}

/// References of two screenshots.
const REFERENCES: [&str; 2] = ["sdqDxeNG_QIAUACgAAAAg", "svrgxeNHnkIAUACgAAABg"];

/// The parameters that crop the saved image.
const CROP: [&str; 4] = ["cropX", "cropY", "cropWidth", "cropHeight"];

/// Returns the request that the tool builds from `arguments`.
async fn built_request(tool: &str, arguments: Value) -> String {
    let stand_in = StubHandler::with_refusal();
    let session = Session::connect(&stand_in).await;
    let error = session.call_error(tool, arguments).await;
    assert_eq!(error["code"], "UNKNOWN_DEVICE", "the request was run: {error}");
    session.end().await;
    stand_in.requests().pop().expect("a request")
}

/// Returns each optional parameter that has a default in the schema, with that default.
fn stated_defaults(schema: &serde_json::Map<String, Value>) -> Vec<(&str, Value)> {
    let properties = schema["properties"].as_object().expect("properties");
    properties.iter().filter_map(|(name, property)| Some((name.as_str(), property.get("default")?.clone()))).collect()
}

#[tokio::test]
async fn stating_a_default_changes_nothing() {
    for entry in history_tools() {
        let tool = entry.definition();
        let schema = &tool.input_schema;
        let silent = built_request(&tool.name, arguments(schema, &[])).await;
        let stated = built_request(&tool.name, arguments(schema, &stated_defaults(schema))).await;
        assert_eq!(silent, stated, "{}", tool.name);
        let nulls: Vec<(&str, Value)> =
            stated_defaults(schema).into_iter().map(|(name, _)| (name, Value::Null)).collect();
        assert_eq!(silent, built_request(&tool.name, arguments(schema, &nulls)).await, "{}: null is absent", tool.name);
    }
}

#[tokio::test]
async fn every_parameter_of_a_schema_reaches_the_request() {
    for entry in history_tools() {
        let tool = entry.definition();
        let schema = &tool.input_schema;
        let plain = built_request(&tool.name, arguments(schema, &[])).await;
        for (name, property) in schema["properties"].as_object().expect("properties") {
            let other = match (name.as_str(), property["type"].as_str()) {
                ("startDate" | "date", _) => json!("2025-01-14"),
                ("endDate", _) => json!("2025-01-17T12:00"),
                ("breakdown", _) => json!("day"),
                ("compareTo", _) => json!("2025-01-10"),
                ("timeBasis", _) => json!("active"),
                ("detail", _) => json!(if property["default"] == "full" { "blocks" } else { "full" }),
                ("cursor", _) => json!("0123abcd-5"),
                ("screenshotRef", _) => json!(REFERENCES[1]),
                ("samplingStrategy", _) => json!("interval"),
                ("coordinateUnits", _) => json!("normalized"),
                ("modelWidth", _) => json!(300),
                ("filter", _) => json!({"tag": "northwind"}),
                (_, Some("boolean")) => json!(!property["default"].as_bool().expect("a default")),
                (_, Some("integer" | "number")) => json!(3),
                _ => json!("desktop"),
            };
            let request = built_request(&tool.name, arguments(schema, &[(name, other)])).await;
            assert_ne!(plain, request, "{}: `{name}` makes no difference", tool.name);
        }
    }
}

#[tokio::test]
async fn each_usage_tool_requests_its_own_kind() {
    for (tool, kind) in [("get_application_usage", "Applications"), ("get_document_usage", "Documents")] {
        let request = built_request(tool, day_with("limit", 5)).await;
        assert!(request.contains(&format!("kind: {kind}")), "{tool}: {request}");
    }
}

#[tokio::test]
async fn a_daily_summary_is_a_narrative_with_top_lists() {
    let request = built_request("get_daily_summary", json!({"date": "2025-01-15"})).await;
    let range = "range: DateRange { start: 2025-01-15T00:00:00, end: 2025-01-16T00:00:00 }";
    for part in [range, "include_summary: true", "include_websites: true", "include_segments: true"] {
        assert!(request.contains(part), "{part}: {request}");
    }
}

#[tokio::test]
async fn a_range_may_be_given_by_its_start_alone() {
    let range = "DateRange { start: 2025-01-13T00:00:00, end: 2025-01-20T00:00:00 }";
    for entry in history_tools() {
        let tool = entry.definition();
        if tool.input_schema["properties"].get("startDate").is_some() {
            let mut week = arguments(&tool.input_schema, &[]);
            week["startDate"] = json!("2025-W03");
            let request = built_request(&tool.name, week).await;
            assert!(request.contains(range), "{}: {request}", tool.name);
        }
    }
}

#[tokio::test]
async fn a_day_defaults_to_blocks_and_a_narrative_to_segments() {
    for (tool, day, silent) in
        [("get_activity_narrative", "startDate", "detail: Full"), ("get_daily_summary", "date", "detail: Blocks")]
    {
        assert!(built_request(tool, json!({day: "2025-01-15"})).await.contains(silent), "{tool}");
        for (detail, expected) in [("blocks", "detail: Blocks"), ("full", "detail: Full")] {
            assert!(
                built_request(tool, json!({day: "2025-01-15", "detail": detail})).await.contains(expected),
                "{tool}"
            );
        }
    }
}

#[tokio::test]
async fn numbers_above_a_cap_become_the_cap() {
    for entry in history_tools() {
        let tool = entry.definition();
        let schema = &tool.input_schema;
        for (name, property) in schema["properties"].as_object().expect("properties") {
            let Some(maximum) = property.get("maximum") else { continue };
            let capped = built_request(&tool.name, arguments(schema, &[(name, maximum.clone())])).await;
            for beyond in [json!(1_000_000_000), json!(i64::MAX), json!(u64::MAX), json!(1e30)] {
                let request = built_request(&tool.name, arguments(schema, &[(name, beyond.clone())])).await;
                assert_eq!(capped, request, "{}: `{name}` = {beyond}", tool.name);
            }
        }
    }
}

type Case = (&'static str, Value, &'static str, &'static str, &'static str);

/// Calls each tool, and checks the code, field and message of its error.
async fn expect_refusals(cases: impl IntoIterator<Item = Case>) {
    let session = Session::connect(&StubHandler::with_refusal()).await;
    for (tool, arguments, code, field, message) in cases {
        let error = session.call_error(tool, arguments.clone()).await;
        assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)), "{tool} {arguments}");
        assert_eq!(error["message"], message, "{tool} {arguments}");
        assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{tool} {arguments}");
    }
    session.end().await;
}

/// Returns the arguments for one day, with the argument `name` set to `value`.
fn day_with(name: &str, value: impl Into<Value>) -> Value {
    let mut arguments = json!({"startDate": "2025-01-15", "endDate": "2025-01-16"});
    arguments[name] = value.into();
    arguments
}

#[tokio::test]
async fn missing_arguments_are_reported() {
    let code = "MISSING_ARGUMENT";
    expect_refusals([
        ("get_tags", json!({"endDate": "2025-01-15"}), code, "startDate", "missing argument `startDate`"),
        ("get_tags", day_with("startDate", Value::Null), code, "startDate", "missing argument `startDate`"),
        ("get_daily_summary", json!({}), code, "date", "missing argument `date`"),
        ("get_activities", json!({}), code, "timelineId", "missing argument `timelineId`, `startDate`"),
    ])
    .await;
}

#[tokio::test]
async fn unknown_arguments_are_reported() {
    let code = "UNKNOWN_ARGUMENT";
    expect_refusals([
        ("get_tags", day_with("start_date", 1), code, "start_date", "unknown argument `start_date`"),
        ("get_tags", day_with("extra", Value::Null), code, "extra", "unknown argument `extra`"),
        ("get_timelines", json!({"device": "x"}), code, "device", "unknown argument `device`"),
    ])
    .await;
}

#[tokio::test]
async fn filter_field_outside_the_filter_gets_a_hint() {
    let session = Session::connect(&StubHandler::with_refusal()).await;
    let error = session.call_error("get_application_usage", day_with("site", "x")).await;
    assert_eq!(error["hint"], "pass `site` inside `filter`", "{error}");
    session.end().await;
}

#[tokio::test]
async fn arguments_of_the_wrong_type_are_reported_with_the_expected_type() {
    let code = "INVALID_ARGUMENT";
    let usage = "get_application_usage";
    let narrative = "get_activity_narrative";
    expect_refusals([
        (usage, day_with("limit", "many"), code, "limit", "`limit` is the string `many`, not an integer"),
        (usage, day_with("limit", 5.5), code, "limit", "`limit` is `5.5`, not an integer"),
        (usage, day_with("limit", vec![5]), code, "limit", "`limit` is an array, not an integer"),
        (
            usage,
            day_with("breakdown", "week"),
            code,
            "breakdown",
            "`breakdown` is the string `week`, not an allowed value",
        ),
        (
            narrative,
            day_with("includeTitles", "yes"),
            code,
            "includeTitles",
            "`includeTitles` is the string `yes`, not a boolean",
        ),
        (
            narrative,
            day_with("maxGapMinutes", json!({})),
            code,
            "maxGapMinutes",
            "`maxGapMinutes` is an object, not a number",
        ),
        ("get_tags", day_with("startDate", 20_250_115), code, "startDate", "`startDate` is `20250115`, not a string"),
    ])
    .await;
}

#[tokio::test]
async fn invalid_values_are_reported() {
    let too_long = "the range is too long: it covers more than 31 days";
    let next_week = "invalid date `next week`";
    let instant = "invalid range: the time `2025-01-15T09:30:00` needs an end";
    let made_up = "invalid cursor: this tool did not return it";
    let february = "invalid date `2025-02-30`";
    expect_refusals([
        ("get_application_usage", day_with("limit", 0), "INVALID_NUMBER", "limit", "invalid `limit`: 0 is less than 1"),
        (
            "get_website_usage",
            day_with("minMinutes", -1),
            "INVALID_NUMBER",
            "minMinutes",
            "invalid `minMinutes`: -1 is not a number of minutes from 0",
        ),
        ("get_tags", day_with("startDate", "next week"), "INVALID_DATE", "startDate", next_week),
        (
            "get_daily_summary",
            json!({"date": "2025-W03"}),
            "INVALID_DATE",
            "date",
            "invalid date: `2025-W03` is not one day",
        ),
        (
            "get_daily_summary",
            json!({"date": "yesterda"}),
            "INVALID_DATE",
            "date",
            "invalid date `yesterda`; did you mean `yesterday`?",
        ),
        (
            "get_tags",
            json!({"startDate": "lst week"}),
            "INVALID_DATE",
            "startDate",
            "invalid date `lst week`; did you mean `last week`?",
        ),
        ("get_tags", json!({"startDate": "2025-01-15T09:30"}), "INVALID_RANGE", "endDate", instant),
        ("get_tags", day_with("cursor", "2"), "INVALID_CURSOR", "cursor", made_up),
        ("get_daily_summary", json!({"date": "2025-02-30"}), "INVALID_DATE", "date", february),
        (
            "get_tags",
            day_with("endDate", "2025-01-15"),
            "INVALID_RANGE",
            "endDate",
            "invalid range: the end `2025-01-15T00:00:00` is not after the start `2025-01-15T00:00:00`",
        ),
        ("get_period_summary", day_with("endDate", "2025-02-16"), "RANGE_TOO_LONG", "endDate", too_long),
        ("get_website_usage", day_with("endDate", "2025-02-16"), "RANGE_TOO_LONG", "endDate", too_long),
        ("get_period_summary", json!({"startDate": "2025"}), "RANGE_TOO_LONG", "endDate", too_long),
        ("get_document_usage", json!({"startDate": "2025", "breakdown": "day"}), "RANGE_TOO_LONG", "endDate", too_long),
    ])
    .await;
}

#[tokio::test]
async fn an_error_for_a_name_lists_the_allowed_names() {
    let session = Session::connect(&StubHandler::with_refusal()).await;
    let error = session.call_error("get_tags", json!({"from": "2025-01-15"})).await;
    assert_eq!(error["allowed"], json!(["cursor", "endDate", "filter", "includeIntervals", "startDate"]));
    let error = session.call_error("get_tags", day_with("filter", json!({"colour": "blue"}))).await;
    assert_eq!(error["allowed"], json!(["application", "document", "project", "site", "tag", "text"]));
    let error = session.call_error("get_document_usage", day_with("breakdown", "week")).await;
    assert_eq!(error["allowed"], json!(["none", "day"]));
    session.end().await;
}

#[tokio::test]
async fn an_error_never_repeats_a_long_argument() {
    let long = "ä".repeat(100_000);
    let echoing = {
        let long = long.clone();
        StubHandler::with_reply(move || {
            let message = format!("no device is called `{long}`");
            Err(Error::with_field(codes::UNKNOWN_DEVICE, "device", message, "leave it out"))
        })
    };
    let session = Session::connect(&echoing).await;
    for arguments in
        [day_with("device", &*long), day_with("startDate", &*long), day_with("limit", &*long), day_with(&long, "x")]
    {
        let error = session.call_error("get_computer_usage", arguments).await;
        let shortened = format!("`{}…`", "ä".repeat(40));
        assert!(error.to_string().len() < 600, "{} bytes", error.to_string().len());
        if error["code"] != "UNKNOWN_ARGUMENT" {
            assert!(error["message"].as_str().is_some_and(|message| message.contains(&shortened)), "{error}");
        }
    }
    session.end().await;
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let session = Session::connect(&StubHandler::with_refusal()).await;
    let outcome = session.try_call("get_everything", json!({})).await;
    let Err(ServiceError::McpError(error)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    assert!(error.message.contains("get_everything"), "{}", error.message);
    session.end().await;
}
