//! Tests the client for the API of Anthropic.

use dayledger_notes::Code;
use dayledger_notes::model::Tokens;
use dayledger_notes::prompt::Prompt;
use serde_json::{Value, json};

use super::server::{Answer, Server};
use super::{SHORT_TIMEOUTS, anthropic, assert_refused, prompt};

/// Creates a response with these content blocks and this stop reason.
fn message(content: &Value, stop_reason: &str) -> Answer {
    let usage = json!({
        "input_tokens": 11,
        "output_tokens": 22,
        "cache_creation_input_tokens": 33,
        "cache_read_input_tokens": 44,
        "service_tier": "standard",
    });
    let message = json!({
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x-1",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": usage,
    });
    Answer::Whole(200, message.to_string())
}

fn error(status: u16, kind: &str, text: &str) -> Answer {
    let error = json!({"type": "error", "error": {"type": kind, "message": text}, "request_id": "req_1"});
    Answer::Whole(status, error.to_string())
}

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

#[tokio::test]
async fn a_note_becomes_a_record() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "text", "text": "# Kickoff"},
        {"type": "another", "text": "no part of the answer"},
        {"type": "text", "text": "## TL;DR\n"},
    ]);
    let server = Server::start([message(&content, "end_turn")]).await;
    let completion = anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await.unwrap();
    assert_eq!(completion.text, "# Kickoff\n## TL;DR");
    assert_eq!(completion.model, "claude-x-1");
    assert_eq!(completion.sent_to, server.url(""));
    assert_eq!(completion.tokens, Tokens { input: 11, output: 22, cache_creation: 33, cache_read: 44 });
    assert!(!format!("{completion:?}").contains("Kickoff"));
    let [request] = <[_; 1]>::try_from(server.requests()).unwrap();
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(
        (&request.headers["x-api-key"], &request.headers["anthropic-version"]),
        (&"sk-ant-secret".parse().unwrap(), &"2023-06-01".parse().unwrap())
    );
    assert_eq!(
        request.body,
        json!({
            "model": "claude-x",
            "max_tokens": 4096,
            "system": [{"type": "text", "text": "be concise", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": "> a thought"}],
        })
    );
}

#[tokio::test]
async fn incomplete_answers_are_refused() {
    for (content, stop_reason, words) in [
        (text("# Half"), "max_tokens", "CHRONICLE_MAX_TOKENS"),
        (text("# Half"), "model_context_window_exceeded", "length limit"),
        (text("I can not"), "refusal", "declined"),
        (text("# Half"), "pause_turn", "be incomplete"),
        (text(" \n"), "end_turn", "empty"),
        (json!([]), "end_turn", "empty"),
        (json!([{"type": "tool_use", "id": "x", "name": "y", "input": {}}]), "end_turn", "empty"),
    ] {
        let server = Server::start([message(&content, stop_reason)]).await;
        assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::ApiError, words);
        assert_eq!(server.count(), 1, "{stop_reason}");
    }
}

#[tokio::test]
async fn rate_limits_are_retried() {
    let limited = error(429, "rate_limit_error", "Number of requests exceeded");
    let server = Server::start([limited.clone(), limited, message(&text("# Done"), "end_turn")]).await;
    assert_eq!(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await.unwrap().text, "# Done");
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn rate_limits_are_reported_after_three_attempts() {
    let server = Server::start([error(429, "rate_limit_error", "Number of requests exceeded")]).await;
    let words = "Number of requests exceeded";
    assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::RateLimited, words);
    assert_eq!(server.count(), 3);
    // The server requests a pause of 0 seconds, so this test doesn't wait. The unit tests of `http` check the pauses.
    let body = json!({"error": {"message": "slow down"}}).to_string();
    let server = Server::start([Answer::With(429, "retry-after", "0".to_owned(), body)]).await;
    assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::RateLimited, "in 0 seconds");
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn long_requested_pause_is_reported_without_waiting() {
    for (status, code) in [(429, Code::RateLimited), (529, Code::ApiError)] {
        let body = json!({"error": {"message": "come back tomorrow"}}).to_string();
        let server = Server::start([Answer::With(status, "retry-after", "86400".to_owned(), body)]).await;
        assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, code, "try again in 24 hours");
        assert_eq!(server.count(), 1, "{status}");
    }
}

#[tokio::test]
async fn overloaded_api_is_retried() {
    let overloaded = error(529, "overloaded_error", "Overloaded");
    let server = Server::start([overloaded.clone(), message(&text("# Done"), "end_turn")]).await;
    assert_eq!(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await.unwrap().text, "# Done");
    let server = Server::start([overloaded]).await;
    assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::ApiError, "529 (Overloaded)");
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn permanent_errors_are_reported_immediately() {
    for (status, text, words) in [
        (400, "messages: at least one message is required", "at least one message"),
        (401, "invalid x-api-key", "ANTHROPIC_API_KEY"),
        (401, "the key sk-ant-secret is revoked", "the key .. is revoked"),
        (403, "not allowed", "ANTHROPIC_API_KEY"),
        (404, "model: claude-x", "(model: claude-x): set CHRONICLE_MODEL to a model that it offers"),
        (413, "Request exceeds the maximum size", "too long"),
    ] {
        let server = Server::start([error(status, "some_error", text)]).await;
        assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::ApiError, words);
        assert_eq!(server.count(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_note_that_is_too_long_is_not_sent() {
    let server = Server::start([message(&text("# Done"), "end_turn")]).await;
    let long = |count: usize| Prompt { system: String::new(), user: "x".repeat(count) };
    let model = anthropic(&server, SHORT_TIMEOUTS);
    assert_refused(model.complete(&long(700_000)).await, Code::ApiError, "about 175000 tokens");
    assert_refused(model.complete(&long(600_001)).await, Code::ApiError, "Nothing was sent");
    assert_eq!(server.count(), 0);
    model.complete(&long(600_000)).await.unwrap();
}
