//! A client gets the same responses with both protocol versions.

use serde_json::{Value, json};

use super::super::session::{Session, VERSIONS};
use super::super::{RANGE, one_call_each};
use crate::cli::program::demo;

/// Returns calls of every tool: one with valid arguments, and one with an unknown argument.
fn calls() -> Vec<(&'static str, Value)> {
    let calls = one_call_each(RANGE.0, RANGE.1);
    let wrong: Vec<_> = calls
        .iter()
        .map(|(tool, arguments)| {
            let mut arguments = arguments.clone();
            arguments["colour"] = json!("blue");
            (*tool, arguments)
        })
        .collect();
    calls.into_iter().chain(wrong).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_and_errors_are_identical_in_both_protocol_versions() {
    let dir = demo();
    let mut responses = Vec::new();
    for version in VERSIONS {
        let session = Session::start(dir.path(), version).await;
        let mut results = Vec::new();
        for (tool, arguments) in calls() {
            let result = session.call(tool, arguments).await;
            // Only these fields are compared, because the newer protocol version adds more fields.
            let parts = (result.content, result.structured_content, result.is_error);
            results.push((tool, serde_json::to_string(&parts).unwrap()));
        }
        session.end().await;
        responses.push(results);
    }
    for (old, modern) in responses[0].iter().zip(&responses[1]) {
        assert_eq!(old, modern);
    }
}
