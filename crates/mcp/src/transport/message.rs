//! Parses a line of input as a message. For an invalid line, creates the error response.
//!
//! A line is invalid if it isn't JSON, isn't a request, or has parameters that don't fit its method. The error response
//! contains the line's id, if the line has one. Notifications never get a response. Notifications that the server
//! doesn't use are dropped here, because the library would log them.

use dayledger_request::Error;
use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, ClientNotification, ClientRequest, CompleteRequestParams, ErrorCode,
    GetPromptRequestParams, InitializeRequestParams, JsonRpcMessage, ReadResourceRequestParams, RequestId,
    SubscribeRequestParams, SubscriptionsListenRequestParams, UnsubscribeRequestParams,
};
use serde::de::{Deserialize, DeserializeOwned};
use serde_json::{Map, Value, json};

use super::super::arguments::describe_value;
use super::super::errors::{self, codes, shorten};

/// The maximum length of a message that is parsed completely, in bytes. A parsed message takes many times the memory of
/// its text.
const MESSAGE_BYTES: usize = 1 << 20;

/// The result of parsing a line.
#[derive(Debug)]
pub(super) enum ParsedLine {
    /// A message for the server.
    Message(Box<ClientJsonRpcMessage>),
    /// An invalid line, with the error response to send.
    Refusal(Value),
    /// A line that doesn't need a response.
    Nothing,
}

/// Parses one line.
pub(super) fn read(line: &[u8]) -> ParsedLine {
    // RFC 8259 allows a parser to ignore a byte order mark.
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii_end();
    if line.len() > MESSAGE_BYTES {
        return ParsedLine::Refusal(too_long(line));
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => return ParsedLine::Refusal(invalid_json(&error)),
    };
    let Value::Object(fields) = &message else {
        let kind = if message.is_array() { "a batch; send one message a line" } else { "no JSON object" };
        return ParsedLine::Refusal(refusal(&Value::Null, ErrorCode::INVALID_REQUEST, &format!("the line is {kind}")));
    };
    let has = |name| fields.contains_key(name);
    if has("method") && !has("id") {
        return notification(&message);
    }
    let read = ClientJsonRpcMessage::deserialize(&message);
    if !has("method") && (has("result") || has("error")) {
        // A response is never answered, even if it is invalid.
        return read.map_or(ParsedLine::Nothing, into_message);
    }
    match read {
        Ok(JsonRpcMessage::Request(request)) if !has_invalid_params(&request.request) => {
            into_message(JsonRpcMessage::Request(request))
        }
        _ => ParsedLine::Refusal(invalid_request(fields)),
    }
}

/// Returns the response to a line that was too long to keep.
pub(super) fn line_too_long(limit: usize) -> Value {
    let what = format!("a line longer than {limit} bytes was skipped");
    refusal(&Value::Null, ErrorCode::INVALID_REQUEST, &what)
}

/// Returns the response to a request that the server can't start.
pub(super) fn request_not_started(id: &RequestId, reason: &str) -> Value {
    refusal(&id.clone().into_json_value(), ErrorCode::INVALID_REQUEST, reason)
}

fn into_message(message: ClientJsonRpcMessage) -> ParsedLine {
    ParsedLine::Message(Box::new(message))
}

/// Returns the message for a notification that the server uses. Drops other notifications, because the library would
/// log them.
fn notification(message: &Value) -> ParsedLine {
    let Ok(JsonRpcMessage::Notification(mut message)) = ClientJsonRpcMessage::deserialize(message) else {
        return ParsedLine::Nothing;
    };
    match &mut message.notification {
        ClientNotification::CancelledNotification(cancelled) => {
            // The client's reason is removed, because it may contain private text and the library would log it.
            cancelled.params.reason = None;
        }
        ClientNotification::InitializedNotification(_) | ClientNotification::RootsListChangedNotification(_) => {}
        _ => return ParsedLine::Nothing,
    }
    into_message(JsonRpcMessage::Notification(message))
}

fn invalid_json(error: &serde_json::Error) -> Value {
    let what = format!("the line is not JSON at column {}", error.column());
    refusal(&Value::Null, ErrorCode::PARSE_ERROR, &what)
}

/// Whether a request has invalid parameters. The library reads a request with invalid parameters as a custom request,
/// although the method exists.
fn has_invalid_params(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::CustomRequest(request) if params_fault(&request.method, &Value::Null).is_some())
}

/// Returns the response to an object that the library can't read as a request.
fn invalid_request(fields: &Map<String, Value>) -> Value {
    let id = fields.get("id").filter(|id| id.is_string() || id.is_number()).unwrap_or(&Value::Null);
    let is_envelope = fields.get("jsonrpc").is_some_and(|version| version == "2.0")
        && (id.is_string() || id.is_i64())
        && !fields.contains_key("result")
        && !fields.contains_key("error");
    let Some(Value::String(method)) = fields.get("method").filter(|_| is_envelope) else {
        let what = "the message is not a JSON-RPC 2.0 request: `jsonrpc`, `method` or `id` is missing or wrong";
        return refusal(id, ErrorCode::INVALID_REQUEST, what);
    };
    let parameters = fields.get("params").unwrap_or(&Value::Null);
    match params_fault(method, parameters) {
        Some(fault) => invalid_params(id, method, parameters, &fault),
        None => refusal(id, ErrorCode::METHOD_NOT_FOUND, &format!("no method `{}` exists", shorten(method))),
    }
}

/// Returns the response to a request whose method exists, but whose parameters don't fit the method.
fn invalid_params(id: &Value, method: &str, parameters: &Value, fault: &str) -> Value {
    if let ("tools/call", Some(Value::String(_)), Some(arguments)) =
        (method, parameters.get("name"), parameters.get("arguments"))
        && !arguments.is_object()
    {
        let error = Error::new(
            codes::INVALID_ARGUMENT,
            format!("`arguments` is {}, not an object", describe_value(arguments)),
            "pass `arguments` as a JSON object of names and values, not as text",
        );
        return failed_call(id, &error);
    }
    refusal(id, ErrorCode::INVALID_PARAMS, &format!("`params` does not fit `{method}`{fault}"))
}

/// Returns the end of the error message. This text names the field of `parameters` that doesn't fit `method`. The text
/// is empty if the library doesn't report a field. Returns `None` if the method doesn't exist.
fn params_fault(method: &str, parameters: &Value) -> Option<String> {
    Some(match method {
        "initialize" => fault::<InitializeRequestParams>(parameters),
        "completion/complete" => fault::<CompleteRequestParams>(parameters),
        "prompts/get" => fault::<GetPromptRequestParams>(parameters),
        "resources/read" => fault::<ReadResourceRequestParams>(parameters),
        "resources/subscribe" => fault::<SubscribeRequestParams>(parameters),
        "resources/unsubscribe" => fault::<UnsubscribeRequestParams>(parameters),
        "subscriptions/listen" => fault::<SubscriptionsListenRequestParams>(parameters),
        "tools/call" => fault::<CallToolRequestParams>(parameters),
        "ping"
        | "server/discover"
        | "logging/setLevel"
        | "prompts/list"
        | "resources/list"
        | "resources/templates/list"
        | "tools/list" => String::new(),
        _ => return None,
    })
}

fn fault<P: DeserializeOwned>(parameters: &Value) -> String {
    let Err(error) = serde_path_to_error::deserialize::<_, P>(parameters) else { return String::new() };
    let path = error.path().to_string();
    let why = without_value(&error.into_inner().to_string());
    if path == "." { format!(": {why}") } else { format!(": `{}`: {why}", shorten(&path)) }
}

/// Returns the reason of a `serde` error without the invalid value, because the value may be private.
fn without_value(reason: &str) -> String {
    match reason.rsplit_once(", expected ") {
        Some((_, "a map")) => "expected an object".to_owned(),
        Some((_, "a sequence")) => "expected an array".to_owned(),
        Some((_, wanted)) if wanted.starts_with("struct ") => "expected an object".to_owned(),
        Some((_, wanted)) => format!("expected {wanted}"),
        None if reason.starts_with("missing field ") => reason.to_owned(),
        None => "the value is invalid".to_owned(),
    }
}

/// Returns the response to a message that is too long. Parses only the message's id and method.
fn too_long(line: &[u8]) -> Value {
    #[derive(serde::Deserialize)]
    struct Envelope {
        id: RequestId,
        method: String,
    }
    let size = format!("the message has {} bytes, more than the {MESSAGE_BYTES} that are read", line.len());
    match serde_json::from_slice(line) {
        Ok(Envelope { id, method }) if method == "tools/call" => {
            let hint = "send shorter arguments: dates, names and numbers are enough for every tool";
            failed_call(&id.into_json_value(), &Error::new(codes::ARGUMENTS_TOO_LONG, size, hint))
        }
        Ok(Envelope { id, .. }) => refusal(&id.into_json_value(), ErrorCode::INVALID_REQUEST, &size),
        Err(error) if error.is_data() => refusal(&Value::Null, ErrorCode::INVALID_REQUEST, &size),
        Err(error) => invalid_json(&error),
    }
}

fn refusal(id: &Value, code: ErrorCode, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}})
}

fn failed_call(id: &Value, error: &Error) -> Value {
    let mut result = errors::result(error);
    // The field isn't needed: without it, every protocol version reads the result as complete.
    result.result_type = None;
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect_refusal(line: &str) -> Value {
        match read(line.as_bytes()) {
            ParsedLine::Refusal(response) => response,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn is_nothing(line: &str) -> bool {
        matches!(read(line.as_bytes()), ParsedLine::Nothing)
    }

    fn is_message(line: &str) -> bool {
        matches!(read(line.as_bytes()), ParsedLine::Message(_))
    }

    #[test]
    fn invalid_json_is_a_parse_error_without_an_id() {
        for line in ["{", "nonsense", "{\"jsonrpc\":\"2.0\",\"id\":1,", "\u{1}", "{'id':1}", &"[".repeat(5000)] {
            let response = expect_refusal(line);
            assert_eq!((&response["error"]["code"], &response["id"]), (&json!(-32700), &Value::Null), "{response}");
            assert!(
                response.as_object().is_some_and(|response| response.contains_key("id")),
                "the id is null, not absent"
            );
        }
        assert_eq!(expect_refusal_of_bytes(b"\xff\xfe")["error"]["code"], -32700);
    }

    fn expect_refusal_of_bytes(line: &[u8]) -> Value {
        let ParsedLine::Refusal(response) = read(line) else { panic!("{line:?}") };
        response
    }

    #[test]
    fn json_that_is_not_a_request_is_rejected_with_its_id() {
        for (line, id) in [
            ("1", Value::Null),
            ("null", Value::Null),
            ("\"text\"", Value::Null),
            ("[]", Value::Null),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Value::Null),
            ("{}", Value::Null),
            (r#"{"jsonrpc":"2.0","id":7}"#, json!(7)),
            (r#"{"id":8,"method":"ping"}"#, json!(8)),
            (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a")),
            (r#"{"jsonrpc":"2.0","id":9,"method":5}"#, json!(9)),
            (r#"{"jsonrpc":"2.0","id":10,"method":"ping","result":{}}"#, json!(10)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(1.5)),
        ] {
            let response = expect_refusal(line);
            assert_eq!((&response["error"]["code"], &response["id"]), (&json!(-32600), &id), "{line}: {response}");
        }
    }

    #[test]
    fn invalid_parameters_differ_from_an_unknown_method() {
        for (method, parameters) in [
            ("tools/list", "[]"),
            ("tools/call", "5"),
            ("tools/call", "{}"),
            ("tools/call", r#"{"name":5}"#),
            ("initialize", "{}"),
            ("resources/read", r#"{"uri":{}}"#),
        ] {
            let response =
                expect_refusal(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{parameters}}}"#));
            assert_eq!(
                (&response["error"]["code"], &response["id"]),
                (&json!(-32602), &json!(1)),
                "{method}: {response}"
            );
        }
        assert!(is_message(r#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}"#));
        let response = expect_refusal(r#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":[]}"#);
        assert_eq!((&response["error"]["code"], &response["id"]), (&json!(-32601), &json!(1)), "{response}");
    }

    /// The connection once failed with an error that didn't name the invalid capability.
    #[test]
    fn the_error_for_invalid_parameters_contains_the_field() {
        let initialize = |capabilities: Value| json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "p", "version": "1"}});
        for (method, parameters, fault) in [
            (
                "initialize",
                initialize(json!({"experimental": {"x": true}})),
                "`capabilities.experimental.x`: expected an object",
            ),
            (
                "initialize",
                initialize(json!({"extensions": {"y": null}})),
                "`capabilities.extensions.y`: expected an object",
            ),
            ("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}}), "missing field `clientInfo`"),
            (
                "tools/call",
                json!({"name": "get_tags", "arguments": {}, "_meta": "private"}),
                "`_meta`: expected an object",
            ),
            ("resources/read", json!({"uri": ["private"]}), "`uri`: expected a string"),
        ] {
            let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters});
            let response = expect_refusal(&request.to_string());
            let message = response["error"]["message"].as_str().expect("a message");
            assert_eq!(message, format!("`params` does not fit `{method}`: {fault}"));
        }
    }

    #[test]
    fn arguments_that_are_not_an_object_are_a_tool_error() {
        for (arguments, kind) in [("[1]", "an array"), (r#""{}""#, "the string `{}`"), ("5", "`5`"), ("true", "`true`")]
        {
            let response = expect_refusal(&format!(
                r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{{"name":"get_tags","arguments":{arguments}}}}}"#
            ));
            assert_eq!((&response["id"], &response["result"]["isError"]), (&json!("x"), &json!(true)), "{response}");
            let text = response["result"]["content"][0]["text"].as_str().expect("a text");
            let error: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(error["error"]["code"], "INVALID_ARGUMENT");
            assert_eq!(error["error"]["message"], format!("`arguments` is {kind}, not an object"));
        }
    }

    #[test]
    fn a_message_that_is_too_long_is_refused_by_its_size() {
        let long = "x".repeat(MESSAGE_BYTES);
        let call = |id: &str, method: &str| {
            expect_refusal(&format!(
                r#"{{"jsonrpc":"2.0","params":{{"name":"get_tags","arguments":{{"a":"{long}"}}}},"id":{id},"method":"{method}"}}"#
            ))
        };
        for id in ["5", r#""five""#] {
            let response = call(id, "tools/call");
            assert_eq!(response["id"].to_string(), id);
            let text = response["result"]["content"][0]["text"].as_str().expect("a text");
            assert!(text.contains("ARGUMENTS_TOO_LONG") && text.contains("1048576"), "{text}");
        }
        let response = call("5", "tools/list");
        assert_eq!((&response["error"]["code"], &response["id"]), (&json!(-32600), &json!(5)));
        assert_eq!(call("[5]", "tools/call")["id"], Value::Null);
        assert_eq!(expect_refusal(&format!("{{\"a\":\"{long}"))["error"]["code"], -32700);
    }

    #[test]
    fn notifications_and_responses_are_never_answered() {
        for line in [
            r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":{"text":"private"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}"#,
            r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":[],"result":5}"#,
        ] {
            assert!(is_nothing(line), "{line}");
        }
        assert!(is_message(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#));
        assert!(is_message(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#));
    }

    #[test]
    fn the_reason_of_a_cancellation_is_dropped() {
        let line =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"private"}}"#;
        let ParsedLine::Message(message) = read(line.as_bytes()) else { panic!("a message") };
        let debug_text = format!("{message:?}");
        assert!(debug_text.contains('3') && !debug_text.contains("private"), "{debug_text}");
    }

    #[test]
    fn a_byte_order_mark_and_carriage_returns_do_no_harm() {
        assert!(is_message("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r"));
    }
}
