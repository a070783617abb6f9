//! One HTTP request to the API and its response.
//!
//! The body of a response is read for every status, because the API sends a rejected mutation with status 500. A body
//! over the size limit is an error. The result is a response, a refusal, or an unknown outcome. [`Failure`]
//! distinguishes refusals from unknown outcomes. This module never retries a request, and never logs or shows requests,
//! tokens or bodies.

use std::fmt::Display;

use graphql_client::{Error, GraphQLQuery, Response};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::token::Token;
use crate::http::{self, Endpoint, Options};
use crate::refusal::{Code, Refusal};

/// Asks for the media type of GraphQL responses. With this type, the API also reports a failed mutation with an error
/// status, which proxies and logs can see.
const ACCEPTED: &str = "application/graphql-response+json, application/json;q=0.9";

/// The reason why a request failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The connection failed, so the request was not sent.
    NotSent(Refusal),
    /// The API rejected the request.
    Refused(Refusal),
    /// The connection broke before the response was complete. The API may have processed the request.
    Broken(Refusal),
    /// The response timed out or has an unknown form. The API may have processed the request, or may still process it.
    Unclear(Refusal),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotSent(refusal)
            | Failure::Refused(refusal)
            | Failure::Broken(refusal)
            | Failure::Unclear(refusal) => refusal,
        }
    }
}

/// An HTTP client for the API.
#[derive(Debug, Clone)]
pub(super) struct ApiClient {
    client: Client,
    endpoint: Endpoint,
    options: Options,
}

impl ApiClient {
    /// Creates a client. This function doesn't connect to the API.
    pub(super) fn new(endpoint: Endpoint, options: Options) -> Result<Self, Refusal> {
        let client = http::client(&endpoint, options)?;
        Ok(Self { client, endpoint, options })
    }

    /// Sends a request once, without retries.
    pub(super) async fn send<Q: GraphQLQuery>(
        &self,
        token: &Token,
        variables: Q::Variables,
    ) -> Result<Q::ResponseData, Failure> {
        let body = serde_json::to_vec(&Q::build_query(variables))
            .map_err(|_| Failure::Refused(Refusal::new(Code::InternalError, "The request is not valid JSON")))?;
        let request = self.client.post(self.endpoint.url().clone());
        let request =
            request.bearer_auth(token.secret()).header(ACCEPT, ACCEPTED).header(CONTENT_TYPE, "application/json");
        let response = request.body(body).send().await.map_err(|error| self.classify_error(&error))?;
        let status = response.status();
        let body = http::read_body(response).await.map_err(|error| self.classify_error(&error))?;
        let body = body.ok_or_else(|| {
            Failure::Unclear(self.network_refusal(format_args!("sent more than {} MiB", http::MAX_BYTES >> 20)))
        })?;
        self.read::<Q>(token, status, &body)
    }

    fn read<Q: GraphQLQuery>(
        &self,
        token: &Token,
        status: StatusCode,
        body: &[u8],
    ) -> Result<Q::ResponseData, Failure> {
        let is_html = body.trim_ascii_start().first() == Some(&b'<');
        let answer = serde_json::from_slice(body).ok().map(|answer| redact(token, answer));
        let response = answer.and_then(|answer| serde_json::from_value::<Response<Value>>(answer).ok());
        let Some(response) = response.filter(|response| response.data.is_some() || response.errors.is_some()) else {
            if status == StatusCode::UNAUTHORIZED {
                return Err(Failure::Refused(not_authenticated("")));
            }
            let what = if is_html { "a page" } else { "a response that is not GraphQL" };
            return Err(Failure::Unclear(
                self.network_refusal(format_args!("answered {} with {what}", status.as_u16())),
            ));
        };
        if let Some(error) = response.errors.as_ref().and_then(|errors| errors.first()) {
            let refusal = refusal(error);
            // An unexpected error of the API doesn't show whether the request was processed.
            return Err(match refusal.code {
                Code::InternalError if status != StatusCode::BAD_REQUEST => Failure::Unclear(refusal),
                _ => Failure::Refused(refusal),
            });
        }
        serde_json::from_value(response.data.unwrap_or_default()).map_err(|_| {
            let message = format!("The response of the API at {} has an unknown form", self.endpoint);
            Failure::Unclear(Refusal::new(Code::InternalError, message))
        })
    }

    fn classify_error(&self, error: &reqwest::Error) -> Failure {
        if error.is_connect() {
            let why = if error.is_timeout() { "did not respond in time" } else { "cannot be reached" };
            return Failure::NotSent(
                self.network_refusal(format_args!("{why}: nothing was sent. Check that the API is running")),
            );
        }
        if error.is_timeout() {
            let seconds = self.options.call.as_secs_f64();
            return Failure::Unclear(self.network_refusal(format_args!("did not respond within {seconds} seconds")));
        }
        Failure::Broken(self.network_refusal("closed the connection before the response was complete"))
    }

    fn network_refusal(&self, what: impl Display) -> Refusal {
        Refusal::new(Code::NetworkError, format!("The API at {} {what}", self.endpoint))
    }
}

/// Removes the token from a response, because the API may repeat the token in a message.
fn redact(token: &Token, answer: Value) -> Value {
    match answer {
        Value::String(text) => Value::String(token.redact(&text)),
        Value::Array(items) => items.into_iter().map(|item| redact(token, item)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, field)| (name, redact(token, field))).collect(),
        other => other,
    }
}

/// The maximum number of characters of an API message in a refusal.
const MAX_MESSAGE_CHARS: usize = 1_000;

/// Converts an API error to a refusal. The message is checked before the code, because the API reports a missing entry
/// with the code of a validation error (docs/spec/timesheet.md#api-errors).
pub(super) fn refusal(error: &Error) -> Refusal {
    let extension = |name| {
        let value = error.extensions.as_ref().and_then(|extensions| extensions.get(name));
        value.and_then(Value::as_str)
    };
    let message = truncate(&error.message);
    let field = extension("field").map(str::to_owned);
    if message.starts_with("Time entry ") && message.contains(" not found") {
        return Refusal { field: Some("id".to_owned()), ..Refusal::new(Code::NotFound, message) };
    }
    match extension("code") {
        Some("VALIDATION_ERROR") => {
            let allowed_values = parse_allowed_values(&message);
            Refusal { field, allowed_values, ..Refusal::new(Code::ValidationError, message) }
        }
        Some("AUTH_FORBIDDEN" | "BUSINESS_RULE_VIOLATION") => Refusal::new(Code::Forbidden, message),
        Some("AUTH_NOT_AUTHENTICATED" | "AUTH_NOT_AUTHORIZED") => not_authenticated(&message),
        Some("HC0051" | "PAGINATION_MAX_ITEMS") => Refusal::invalid("limit", message),
        _ => Refusal::new(Code::InternalError, message),
    }
}

/// Returns the refusal for a failed authentication, with the API's message, if any.
pub(super) fn not_authenticated(message: &str) -> Refusal {
    let message = match message.trim_end_matches('.') {
        "" => "The API does not accept the token. Run `az login`".to_owned(),
        message => format!("{message}. Run `az login`"),
    };
    Refusal::new(Code::AuthenticationError, message)
}

/// Returns the project code from the API's message about an invalid task.
pub(super) fn project_of(message: &str) -> Option<&str> {
    message.rsplit_once("for project '")?.1.strip_suffix('\'')
}

/// Returns the values that the API lists in a message about an invalid tag.
fn parse_allowed_values(message: &str) -> Vec<String> {
    let listed = message.split_once("Allowed values: ").map(|(_, listed)| listed);
    listed.map(|listed| listed.split(", ").map(str::to_owned).collect()).unwrap_or_default()
}

fn truncate(message: &str) -> String {
    message.chars().take(MAX_MESSAGE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Refusal {
        refusal(&serde_json::from_str(json).unwrap())
    }

    /// See docs/spec/timesheet.md#api-errors.
    #[test]
    fn every_error_of_the_api_has_a_code_of_the_tools() {
        let not_found = read(
            r#"{"message":"Time entry with ID '7' not found","extensions":{"code":"VALIDATION_ERROR","field":"id"}}"#,
        );
        assert_eq!((not_found.code, not_found.field.as_deref()), (Code::NotFound, Some("id")));
        for (error, code) in [
            (r#"{"message":"Time entry 7 not found"}"#, Code::NotFound),
            (r#"{"message":"no","extensions":{"code":"VALIDATION_ERROR"}}"#, Code::ValidationError),
            (r#"{"message":"no","extensions":{"code":"BUSINESS_RULE_VIOLATION"}}"#, Code::Forbidden),
            (r#"{"message":"no","extensions":{"code":"AUTH_FORBIDDEN"}}"#, Code::Forbidden),
            (r#"{"message":"no","extensions":{"code":"AUTH_NOT_AUTHENTICATED"}}"#, Code::AuthenticationError),
            (r#"{"message":"no","extensions":{"code":"AUTH_NOT_AUTHORIZED"}}"#, Code::AuthenticationError),
            (r#"{"message":"no","extensions":{"code":"HC0051"}}"#, Code::ValidationError),
            (r#"{"message":"no","extensions":{"code":"INTERNAL_ERROR"}}"#, Code::InternalError),
            (r#"{"message":"no","extensions":{"code":7}}"#, Code::InternalError),
            (r#"{"message":"Cannot return null"}"#, Code::InternalError),
        ] {
            assert_eq!(read(error).code, code, "{error}");
        }
    }

    #[test]
    fn a_value_that_is_not_allowed_comes_with_those_that_are() {
        let message = "Value 'x' is not allowed for tag 'Environment'. Allowed values: Production, Staging";
        let error = format!(r#"{{"message":"{message}","extensions":{{"code":"VALIDATION_ERROR","field":"tags"}}}}"#);
        let refusal = read(&error);
        assert_eq!(refusal.allowed_values, ["Production", "Staging"]);
        assert_eq!((refusal.field.as_deref(), &*refusal.message), (Some("tags"), message));
        assert_eq!(project_of("Task 'for project 'X'' is not available for project 'CLIENT-A'"), Some("CLIENT-A"));
    }

    #[test]
    fn long_messages_are_truncated() {
        let error = format!(r#"{{"message":"{}"}}"#, "ö".repeat(5_000));
        assert_eq!(read(&error).message.chars().count(), MAX_MESSAGE_CHARS);
    }
}
