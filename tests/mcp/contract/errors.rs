//! Errors must let a model correct itself. These tests cover every parameter of every tool.

use dayledger::code::Code;
use dayledger::mcp::codes as of_calls;
use dayledger::request::codes;
use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};

use super::super::session::Session;
use super::{example, small_history};

/// The names of parameters that contain a date.
const DATES: [&str; 3] = ["date", "startDate", "endDate"];

fn properties(tool: &Tool) -> &JsonObject {
    tool.input_schema["properties"].as_object().unwrap()
}

/// Returns the arguments of the example call of `tool`, with `value` for the argument `name`.
fn example_with(tool: &Tool, name: &str, value: Value) -> Value {
    let mut arguments = example(&tool.name);
    arguments[name] = value;
    arguments
}

/// Checks that the call is rejected with `code` and that the error contains `field`. Returns the error.
async fn assert_refused(session: &Session, tool: &Tool, arguments: Value, code: Code, field: &str) -> Value {
    let error = session.refusal(&tool.name, arguments.clone()).await;
    let expected = (&json!(code.as_str()), &json!(field));
    assert_eq!((&error["code"], &error["field"]), expected, "{} {arguments}: {error}", tool.name);
    error
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_date_error_contains_the_argument() {
    let (session, _dir) = small_history().await;
    let mut dates = 0;
    for tool in session.tools() {
        for name in DATES.into_iter().filter(|name| properties(tool).contains_key(*name)) {
            let required = tool.input_schema.get("required").and_then(Value::as_array);
            let is_required = required.is_some_and(|names| names.contains(&json!(name)));
            let texts =
                ["2025-02-30", "2025-13-01", "32.01.2025", "soon", "2025-01-15T24:30", "2025-01-15T09:00+09:00"];
            // An empty text is only tested for required arguments, because an empty optional argument counts as absent.
            for text in texts.into_iter().chain(is_required.then_some("")) {
                let arguments = example_with(tool, name, json!(text));
                assert_refused(&session, tool, arguments, codes::INVALID_DATE, name).await;
            }
            dates += 1;
        }
    }
    assert!(dates > 10, "{dates}");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_or_reversed_range_is_an_error() {
    let (session, _dir) = small_history().await;
    let ranges = session.tools().iter().filter(|tool| properties(tool).contains_key("endDate"));
    for tool in ranges {
        for end in ["2025-01-15", "2025-01-14", "2025-01-14T23:59:59"] {
            let arguments = example_with(tool, "endDate", json!(end));
            assert_refused(&session, tool, arguments, codes::INVALID_RANGE, "endDate").await;
        }
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn low_limit_is_an_error_and_high_limit_is_clamped() {
    let (session, _dir) = small_history().await;
    let mut caps = 0;
    for tool in session.tools() {
        for (name, property) in properties(tool) {
            if let Some(least) = property["minimum"].as_i64() {
                for number in [least - 1, i64::MIN] {
                    let arguments = example_with(tool, name, json!(number));
                    assert_refused(&session, tool, arguments, codes::INVALID_NUMBER, name).await;
                }
            }
            if let Some(most) = property["maximum"].as_i64() {
                let capped = session.answer(&tool.name, example_with(tool, name, json!(most))).await;
                for number in [most + 1, i64::MAX] {
                    let arguments = example_with(tool, name, json!(number));
                    assert_eq!(session.answer(&tool.name, arguments).await, capped, "{} {name}", tool.name);
                }
                caps += 1;
            }
        }
    }
    assert!(caps > 4, "{caps}");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn error_for_a_missing_or_unknown_argument_lists_the_valid_ones() {
    let (session, _dir) = small_history().await;
    for tool in session.tools() {
        let required = tool.input_schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let mut arguments = example(&tool.name);
            arguments.as_object_mut().unwrap().remove(name);
            assert_refused(&session, tool, arguments, of_calls::MISSING_ARGUMENT, name).await;
        }
        let arguments = example_with(tool, "colour", json!("blue"));
        let error = assert_refused(&session, tool, arguments, of_calls::UNKNOWN_ARGUMENT, "colour").await;
        let known: Vec<_> = properties(tool).keys().map(|name| json!(name)).collect();
        assert_eq!(error.get("allowed").cloned().unwrap_or(json!([])), json!(known), "{}", tool.name);
    }
    session.end().await;
}
