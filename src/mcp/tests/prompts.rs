//! Tests the text of prompts, and errors for invalid arguments.

use dayledger_mcp::ToolEntry;
use rmcp::{
    ServiceError,
    model::{ErrorCode, GetPromptRequestParams, ProtocolVersion},
};
use serde_json::{Value, json};

use super::{Session, StubHandler, history_tools};
use crate::mcp::prompts;

/// Returns the names of three prompts, with valid arguments for each.
fn one_of_each() -> [(&'static str, Value); 3] {
    [
        ("daily_review", json!({"date": "2025-01-15", "device": "DESK"})),
        ("weekly_review", json!({"startDate": "2025-01-13", "endDate": "2025-01-20", "device": "DESK"})),
        ("screenshot_investigation", json!({"datetime": "2025-01-15T14:30", "device": "DESK"})),
    ]
}

/// Returns the text of a prompt for a server with the tools `served`.
fn text(name: &str, arguments: Value, served: &[&str]) -> String {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let result = prompts::get(name, arguments, served).expect("a prompt");
    assert_eq!(result.messages.len(), 1);
    result.messages[0].content.as_text().expect("text").text.clone()
}

fn invalid_params(name: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let error = prompts::get(name, arguments, &[]).expect_err("a refusal");
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    let data = error.data.unwrap_or_default();
    if let Some(message) = data["message"].as_str() {
        assert!(error.message.contains(message) && error.message.contains(data["hint"].as_str().expect("a hint")));
    }
    data
}

fn served_tools() -> Vec<&'static str> {
    history_tools().iter().map(ToolEntry::name).collect()
}

/// Returns the names of tools in a text.
fn tools_in(text: &str) -> Vec<&str> {
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let words = text.split(|letter: char| !is_name(letter));
    words.filter(|word| ["get_", "list_", "crop_", "save_"].iter().any(|verb| word.starts_with(verb))).collect()
}

#[tokio::test]
async fn unknown_prompt_is_an_error_in_every_protocol_version() {
    for version in [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28] {
        let session = Session::connect_with_version(&StubHandler::with_refusal(), version).await;
        let unknown = session.client.get_prompt(GetPromptRequestParams::new("monthly_review")).await;
        let Err(ServiceError::McpError(error)) = unknown else { panic!("{unknown:?}") };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(error.message.contains("`monthly_review`") && error.message.contains("prompts/list"));
        session.end().await;
    }
}

#[test]
fn a_prompt_mentions_only_served_tools() {
    let everything = served_tools();
    for (name, arguments) in one_of_each() {
        let mut sets = vec![vec![], everything.clone(), vec!["get_application_usage"]];
        sets.extend((0..everything.len()).map(|out| {
            let mut without = everything.clone();
            without.remove(out);
            without
        }));
        for set in sets {
            let text = text(name, arguments.clone(), &set);
            for tool in tools_in(&text) {
                assert!(set.contains(&tool), "{name} names `{tool}` without it: {text}");
            }
            assert!(text.contains("1. ") && text.contains("ids, keys and references"), "{text}");
        }
        let whole = text(name, arguments.clone(), &everything);
        assert!(whole.contains("get_screenshot") && whole.contains("crop_screenshot"), "{whole}");
        assert!(text(name, arguments, &[]).contains("doesn't offer a tool"), "{name}");
    }
}

#[test]
fn a_subject_becomes_the_filter_of_every_call_that_has_one() {
    let about = "Lindqvist \"L\" & Co";
    let served = served_tools();
    for (name, arguments, calls) in [
        ("daily_review", json!({"date": "2025-01-15", "about": about}), ["get_daily_summary", "get_tags"]),
        (
            "weekly_review",
            json!({"startDate": "2025-01-13", "endDate": "2025-01-20", "about": about}),
            ["get_period_summary", "get_daily_summary"],
        ),
    ] {
        let text = text(name, arguments, &served);
        assert!(text.lines().next().is_some_and(|line| line.contains("only about \"Lindqvist ")), "{text}");
        for call in calls {
            let step = text.lines().find(|line| {
                line.contains(&format!("call `{call}`").to_lowercase()) || line.contains(&format!("Call `{call}`"))
            });
            let step = step.unwrap_or_else(|| panic!("{call}: {text}"));
            assert!(step.contains(r#""filter":{"text":"Lindqvist \"L\" & Co"}"#), "{step}");
        }
    }
    assert!(!text("daily_review", json!({"date": "2025-01-15"}), &served).contains("filter"));
}

#[test]
fn invalid_arguments_are_refused_with_a_hint() {
    let missing = invalid_params("weekly_review", json!({"startDate": "2025-01-13", "endDate": null}));
    assert_eq!((&missing["code"], &missing["field"]), (&json!("MISSING_ARGUMENT"), &json!("endDate")));
    let empty = invalid_params("daily_review", json!({"date": " "}));
    assert_eq!((&empty["code"], &empty["field"]), (&json!("MISSING_ARGUMENT"), &json!("date")));
    let unknown = invalid_params("daily_review", json!({"date": "2025-01-15", "day": "2025-01-15"}));
    assert_eq!(
        (&unknown["code"], &unknown["allowed"]),
        (&json!("UNKNOWN_ARGUMENT"), &json!(["date", "device", "about"]))
    );
    let number = invalid_params("daily_review", json!({"date": 20_250_115}));
    assert_eq!((&number["code"], &number["field"]), (&json!("INVALID_ARGUMENT"), &json!("date")));
    for (name, arguments) in [
        ("daily_review", json!({"date": "2025-02-30"})),
        ("daily_review", json!({"date": "1/15/2025"})),
        ("weekly_review", json!({"startDate": "soon", "endDate": "2025-01-20"})),
        ("screenshot_investigation", json!({"datetime": "2025-01-15T25:00"})),
    ] {
        assert_eq!(invalid_params(name, arguments)["code"], "INVALID_DATE", "{name}");
    }
    let reversed = invalid_params("weekly_review", json!({"startDate": "2025-01-20", "endDate": "2025-01-13"}));
    assert_eq!(reversed["code"], "INVALID_RANGE");
    let long = invalid_params("weekly_review", json!({"startDate": "2025-01-01", "endDate": "2025-02-02"}));
    assert_eq!((&long["code"], &long["field"]), (&json!("RANGE_TOO_LONG"), &json!("endDate")));
}
