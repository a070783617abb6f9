//! Tests the server as a client uses it: as a process that speaks the protocol over stdin and stdout.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failing test panics")]

mod completion;
mod confirmation;
mod contract;
mod everyday;
mod hostile;
mod input;
mod note_processing;
pub(crate) mod notes;
mod numbers;
mod playbooks;
mod process;
mod questions;
mod resources;
mod schema;
pub(crate) mod screenshots;
pub(crate) mod session;
mod sizes;
mod sql;
mod timesheet;
mod timesheet_api;
mod workers;

use serde_json::{Value, json};

/// The range of days in the demo history.
pub(crate) const RANGE: (&str, &str) = ("2026-11-06", "2026-11-20");

/// Returns one call of every tool over a range. Each call is a tool's name and its arguments.
pub(crate) fn one_call_each(start: &str, end: &str) -> Vec<(&'static str, Value)> {
    let range = json!({"startDate": start, "endDate": end});
    let with = |more: Value| {
        let mut arguments = range.clone();
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    vec![
        ("get_timelines", json!({})),
        ("get_activities", with(json!({"timelineId": 2, "limit": 20}))),
        ("get_computer_usage", range.clone()),
        ("get_tags", range.clone()),
        ("get_application_usage", with(json!({"breakdown": "day"}))),
        ("get_document_usage", range.clone()),
        ("get_website_usage", range.clone()),
        ("get_daily_summary", json!({"date": start.split('T').next(), "includeTitles": true})),
        ("get_activity_narrative", with(json!({"includeSummary": true}))),
        ("get_period_summary", range.clone()),
        ("find_activity", with(json!({"words": "github", "limit": 20}))),
        ("describe_model", json!({"name": "day_summary"})),
        (
            "query",
            json!({"sql": format!("SELECT date, active_seconds FROM day_summary('{start}', '{end}') ORDER BY date")}),
        ),
        ("list_screenshots", range.clone()),
    ]
}

/// Returns one call of every screenshot tool for the small history's screenshot at 2025-01-15 09:10:00.
fn one_call_each_of_a_screenshot() -> Vec<(&'static str, Value)> {
    let reference = "sdqDxeNG_QIAUACgAAAAg";
    let part = json!({"x": 25, "y": 25, "width": 50, "height": 25});
    let with = |more: &Value| {
        let mut arguments = json!({"screenshotRef": reference});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    vec![
        ("get_screenshot", with(&json!({}))),
        ("crop_screenshot", with(&part)),
        ("save_screenshot", with(&json!({"outputPath": "pictures/morning"}))),
    ]
}

/// Returns a request as a line of JSON.
fn request(id: usize, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// Returns the lines that begin a conversation. Only the first line, which has the id 0, gets a response.
fn handshake() -> [String; 2] {
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}});
    let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    [request(0, "initialize", &hello), done]
}
