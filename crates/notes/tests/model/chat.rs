//! Tests the client for the API of `OpenAI`.

use dayledger_notes::Code;
use dayledger_notes::model::Tokens;
use serde_json::{Value, json};

use super::server::{Answer, Server};
use super::{assert_refused, chat, prompt};

fn answer(content: &Value, finish_reason: &Value) -> Answer {
    let message = json!({"role": "assistant", "content": content});
    let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason});
    let usage = json!({"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12});
    let answer =
        json!({"id": "c", "object": "chat.completion", "model": "llama-8b", "choices": [choice], "usage": usage});
    Answer::Whole(200, answer.to_string())
}

#[tokio::test]
async fn a_note_becomes_a_record_on_this_machine() {
    let server = Server::start([answer(&json!("# Kickoff\n"), &json!("stop"))]).await;
    let completion = chat(&server, "/v1", Some("llama")).complete(&prompt()).await.unwrap();
    assert_eq!((completion.text.as_str(), completion.model.as_str()), ("# Kickoff", "llama-8b"));
    assert_eq!(completion.tokens, Tokens { input: 5, output: 7, ..Tokens::default() });
    assert_eq!(completion.sent_to, server.url(""));
    let [request] = <[_; 1]>::try_from(server.requests()).unwrap();
    assert!(!request.headers.contains_key("authorization") && !request.headers.contains_key("x-api-key"));
    let messages = json!([{"role": "system", "content": "be concise"}, {"role": "user", "content": "> a thought"}]);
    assert_eq!(request.body, json!({"model": "llama", "max_tokens": 512, "stream": false, "messages": messages}));
}

#[tokio::test]
async fn an_address_is_that_of_the_server_its_api_or_the_resource() {
    for path in ["", "/", "/v1", "/v1/", "/v1/chat/completions"] {
        let server = Server::start([answer(&json!("# A"), &json!("stop"))]).await;
        chat(&server, path, None).complete(&prompt()).await.unwrap();
        assert_eq!(server.requests()[0].path, "/v1/chat/completions", "{path}");
        assert!(server.requests()[0].body.get("model").is_none());
    }
}

#[tokio::test]
async fn servers_differ_in_how_they_end() {
    for (content, finish_reason, expected) in [
        (json!("# A"), json!(null), "# A"),
        (json!("# A"), json!("eos"), "# A"),
        (json!("<think>\nwell <b>\n</think>\n\n# A"), json!("stop"), "# A"),
        (json!("# A <think> b"), json!("stop"), "# A <think> b"),
        (
            json!([
                {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "text": 3},
                {"type": "text", "text": "<think>\nwell\n</think>\n# A"},
                {"type": "image", "text": "no part of the answer"},
                {"text": "## TL;DR"},
            ]),
            json!("stop"),
            "# A\n## TL;DR",
        ),
    ] {
        let server = Server::start([answer(&content, &finish_reason)]).await;
        assert_eq!(chat(&server, "", None).complete(&prompt()).await.unwrap().text, expected);
    }
    let bare = json!({"choices": [{"message": {"content": "# A"}}]});
    let server = Server::start([Answer::Whole(200, bare.to_string())]).await;
    let completion = chat(&server, "", None).complete(&prompt()).await.unwrap();
    assert_eq!((completion.model.as_str(), completion.tokens), ("unnamed", Tokens::default()));
}

#[tokio::test]
async fn incomplete_answers_are_refused() {
    for (content, finish_reason, words) in [
        (json!("# Half"), json!("length"), "length limit"),
        (json!("no"), json!("content_filter"), "declined"),
        (json!(null), json!("stop"), "empty"),
        (json!([]), json!("stop"), "empty"),
        (json!("<think>for ever"), json!("stop"), "empty"),
    ] {
        let server = Server::start([answer(&content, &finish_reason)]).await;
        assert_refused(chat(&server, "", None).complete(&prompt()).await, Code::ApiError, words);
        assert_eq!(server.count(), 1, "{finish_reason}");
    }
    for (body, words) in [
        (json!({"choices": [{"message": {"content": 3}}]}), "unknown form"),
        (json!({"choices": []}), "no text"),
        (json!({"done": true}), "unknown form"),
        (json!([]), "unknown form"),
    ] {
        let server = Server::start([Answer::Whole(200, body.to_string())]).await;
        assert_refused(chat(&server, "", None).complete(&prompt()).await, Code::ApiError, words);
    }
}

#[tokio::test]
async fn error_messages_of_the_server_are_reported() {
    for (status, body, words) in [
        (400, json!({"error": {"message": "model is required", "type": "api_error"}}), "model is required"),
        (
            404,
            json!({"error": "model 'x' not found"}),
            "(model 'x' not found): check the address, and set `[notes] model`",
        ),
        (401, json!({"error": {"message": "no key"}}), "requires a key"),
    ] {
        let server = Server::start([Answer::Whole(status, body.to_string())]).await;
        assert_refused(chat(&server, "", None).complete(&prompt()).await, Code::ApiError, words);
        assert_eq!(server.count(), 1);
    }
}
