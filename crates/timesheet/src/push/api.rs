//! One request to the API of a tracker and its response.

use std::fmt;
use std::time::Duration;

use dayledger_core::Error;
use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Options, PushTracker};
use crate::http::{self, Endpoint, redact};
use crate::sanitize::one_line;

/// The maximum length of a tracker's message in an error.
const MAX_MESSAGE_CHARS: usize = 200;

/// A token for the API of a tracker. It is never shown.
#[derive(Clone)]
pub struct ApiToken(String);

impl ApiToken {
    /// Creates a token from a text, for example the content of a file. White space around the token is ignored.
    ///
    /// # Errors
    ///
    /// Fails if the text can't be a token. `origin` is the variable or the file that contains the text.
    pub fn new(tracker: PushTracker, text: &str, origin: &str) -> Result<Self, Error> {
        let token = text.trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let message = format!("cannot push to {tracker}: {origin} does not contain a token");
            return Err(Error::for_command(message, format!("copy a token of your account at {tracker} to it")));
        }
        Ok(Self(token.to_owned()))
    }
}

impl fmt::Debug for ApiToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiToken(..)")
    }
}

/// The reason why a request failed.
#[derive(Debug)]
pub enum Failure {
    /// The connection failed, so the request was not sent. Contains the reason.
    NotSent(String),
    /// The tracker refused the request.
    Refused(Rejection),
    /// The tracker didn't process the request, because it had received too many requests. Contains the time after which
    /// it accepts requests again, if the response contains that time.
    Busy(Option<Duration>),
    /// The response is missing or has an unknown form. The tracker may have processed the request, or may still process
    /// it. Contains the reason.
    Unclear(String),
}

/// A request that the tracker refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The HTTP status, or `None` if dayledger itself refuses the account.
    pub status: Option<u16>,
    /// The tracker's message, or an empty text.
    pub message: String,
    /// The fields of the request that the user may not set.
    pub forbidden_fields: Vec<String>,
}

/// The API of a tracker.
#[derive(Debug, Clone)]
pub(super) struct Api {
    client: Client,
    endpoint: Endpoint,
    token: ApiToken,
    /// The ID of the Harvest account.
    account: Option<String>,
    options: Options,
}

impl Api {
    /// Creates a client, but doesn't connect yet.
    pub(super) fn new(
        endpoint: Endpoint,
        token: ApiToken,
        account: Option<String>,
        options: Options,
    ) -> Result<Self, Error> {
        Ok(Self { client: http::client(&endpoint, options)?, endpoint, token, account, options })
    }

    /// Reads JSON from a path below the address.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str, query: &[(&str, &str)]) -> Result<T, Failure> {
        let mut url = self.url(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.send(self.client.get(url), &Value::Null).await
    }

    /// Sends JSON to a path below the address. The request is sent only once.
    pub(super) async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, Failure> {
        let request = self.client.post(self.url(path)).header(CONTENT_TYPE, "application/json");
        self.send(request.body(body.to_string()), body).await
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.endpoint.url().clone();
        url.set_fragment(None);
        // This condition is always true, because a URL with a host always has path segments.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.split('/'));
        }
        url
    }

    /// Sends a request. `sent` is the body of the request.
    async fn send<T: DeserializeOwned>(&self, request: RequestBuilder, sent: &Value) -> Result<T, Failure> {
        let request = request.bearer_auth(&self.token.0).header(ACCEPT, "application/json");
        let request = match &self.account {
            Some(account) => request.header("Harvest-Account-Id", account),
            None => request,
        };
        let response = request.send().await.map_err(|error| self.classify_error(&error))?;
        let status = response.status();
        let retry_after =
            response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        if status == StatusCode::TOO_MANY_REQUESTS {
            return Err(Failure::Busy(retry_after.map(Duration::from_secs)));
        }
        if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
            return Err(Failure::Unclear(format!("it answered with the status {}", status.as_u16())));
        }
        let body = http::read_body(response).await.map_err(|error| self.classify_error(&error))?;
        let body = body.ok_or_else(|| Failure::Unclear(format!("it sent more than {} MiB", http::MAX_BYTES >> 20)))?;
        if !status.is_success() {
            let body = serde_json::from_slice(&body).unwrap_or_default();
            let message = redact(&self.token.0, &error_message(&body));
            let forbidden_fields = forbidden_fields(sent, &body);
            return Err(Failure::Refused(Rejection { status: Some(status.as_u16()), message, forbidden_fields }));
        }
        serde_json::from_slice(&body).map_err(|_| Failure::Unclear("its response has an unknown form".to_owned()))
    }

    fn classify_error(&self, error: &reqwest::Error) -> Failure {
        if error.is_connect() {
            let why = if error.is_timeout() { "did not respond in time" } else { "cannot be reached" };
            return Failure::NotSent(format!("{} {why}", self.endpoint));
        }
        Failure::Unclear(if error.is_timeout() {
            format!("it did not respond within {} seconds", self.options.call.as_secs_f64())
        } else {
            "it closed the connection before the response was complete".to_owned()
        })
    }
}

/// Returns the message of an error response on one line. Harvest's response contains a `message`. Kimai's response also
/// contains `errors`, a tree with more detailed messages for each field.
fn error_message(body: &Value) -> String {
    let mut messages = Vec::new();
    collect_errors(&body["errors"], None, &mut messages);
    if messages.is_empty() {
        messages.extend(body["message"].as_str().or(body["error_description"].as_str()).map(str::to_owned));
    }
    one_line(&messages.join(" ")).chars().take(MAX_MESSAGE_CHARS).collect()
}

/// Returns the fields of a request that the user may not set. If a request has such a field, Kimai reports an error of
/// the whole form, and lists all fields that the form has for this user.
fn forbidden_fields(sent: &Value, body: &Value) -> Vec<String> {
    let errors = &body["errors"];
    let has_form_error = errors["errors"].as_array().is_some_and(|errors| !errors.is_empty());
    match (sent.as_object(), errors["children"].as_object()) {
        (Some(sent), Some(form)) if has_form_error && !form.is_empty() => {
            sent.keys().filter(|name| !form.contains_key(*name)).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// Collects the messages of a tree of errors, each with its field.
fn collect_errors(errors: &Value, field: Option<&str>, messages: &mut Vec<String>) {
    match errors {
        Value::String(message) => messages.push(match field {
            Some(field) => format!("{field}: {message}"),
            None => message.clone(),
        }),
        Value::Array(errors) => errors.iter().for_each(|error| collect_errors(error, field, messages)),
        Value::Object(fields) => {
            for (name, errors) in fields {
                let is_field = !matches!(name.as_str(), "children" | "errors");
                collect_errors(errors, if is_field { Some(name) } else { field }, messages);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_messages_of_each_tracker_are_read() {
        let read = |body: &str| error_message(&serde_json::from_str(body).unwrap_or_default());
        assert_eq!(read(r#"{"message":"Hours can't be\nblank"}"#), "Hours can't be blank");
        let kimai = r#"{"code":400,"message":"Validation Failed","errors":{"errors":["No more."],"children":
            {"begin":{"errors":["You already have an entry for this time."]},"end":{},"project":[]}}}"#;
        assert_eq!(read(kimai), "begin: You already have an entry for this time. No more.");
        assert_eq!(read("<html>Bad Gateway</html>"), "");
        assert_eq!(read(&format!(r#"{{"message":"{}"}}"#, "ö".repeat(900))).chars().count(), MAX_MESSAGE_CHARS);
    }

    #[test]
    fn token_is_not_shown() {
        let token = ApiToken::new(PushTracker::Kimai, " secret\n", "`f`").unwrap();
        assert_eq!((format!("{token:?}").as_str(), token.0.as_str()), ("ApiToken(..)", "secret"));
        for text in ["", " \n", "two words", "ü"] {
            let error = ApiToken::new(PushTracker::Kimai, text, "`f`").unwrap_err();
            assert_eq!(error.message, "cannot push to Kimai: `f` does not contain a token");
        }
    }
}
