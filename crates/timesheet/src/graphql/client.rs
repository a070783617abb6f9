//! One HTTP request to the API and its response.
//!
//! The body is read for every status, up to a limit, because the API sends a rejected mutation with status 500. The
//! result is a response, a refusal, or an unknown outcome; [`Failure`] keeps these apart. Requests are never retried
//! here. Requests, tokens and bodies are never logged or shown.

use std::fmt::Display;
use std::sync::Arc;

use graphql_client::{GraphQLQuery, Response};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, StatusCode};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use serde_json::Value;

use super::endpoint::Endpoint;
use super::token::Token;
use super::{Options, answer};
use crate::refusal::{Code, Refusal};

/// With this type, a failed mutation also has an error status that proxies and logs see.
const ACCEPTED: &str = "application/graphql-response+json, application/json;q=0.9";

/// Far more than two hundred entries with long descriptions need.
const MAX_BYTES: usize = 16 << 20;

/// Why a request failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The request was not sent: the connection failed.
    NotSent(Refusal),
    /// The API rejected the request.
    Refused(Refusal),
    /// The connection broke before the response was complete: the request may have been processed.
    Broken(Refusal),
    /// The response timed out or can't be understood: the request may have been processed, or may still be.
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

/// The API at a URL.
#[derive(Debug, Clone)]
pub(super) struct ApiClient {
    client: Client,
    endpoint: Endpoint,
    options: Options,
}

impl ApiClient {
    /// Creates a client without connecting.
    pub(super) fn new(endpoint: Endpoint, options: Options) -> Result<Self, Refusal> {
        let unable = |error: &dyn Display| Refusal::new(Code::InternalError, format!("cannot use TLS: {error}"));
        // A redirect could send the token to another server, and can change a POST to another method.
        let builder = Client::builder()
            .connect_timeout(options.connect)
            .timeout(options.call)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .user_agent(concat!("dayledger/", env!("CARGO_PKG_VERSION")))
            .tls_backend_preconfigured(tls(&endpoint).map_err(|error| unable(&error))?);
        let builder = if endpoint.is_local() { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|error| unable(&error))?;
        Ok(Self { client, endpoint, options })
    }

    /// Sends a request once.
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
        let mut response = request.body(body).send().await.map_err(|error| self.classify_error(&error))?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.classify_error(&error))? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err(Failure::Unclear(
                    self.network_refusal(format_args!("sent more than {} MiB", MAX_BYTES >> 20)),
                ));
            }
            body.extend_from_slice(&chunk);
        }
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
                return Err(Failure::Refused(answer::not_authenticated("")));
            }
            let what = if is_html { "a page" } else { "a response that is not GraphQL" };
            return Err(Failure::Unclear(
                self.network_refusal(format_args!("answered {} with {what}", status.as_u16())),
            ));
        };
        if let Some(error) = response.errors.as_ref().and_then(|errors| errors.first()) {
            let refusal = answer::refusal(error);
            // If the API reports an unexpected error, it may have processed the request.
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

/// Removes the token from a response, because the API may repeat it in a message.
fn redact(token: &Token, answer: Value) -> Value {
    match answer {
        Value::String(text) => Value::String(token.redact(&text)),
        Value::Array(items) => items.into_iter().map(|item| redact(token, item)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, field)| (name, redact(token, field))).collect(),
        other => other,
    }
}

/// Configures TLS with the system's trusted certificates. A plain HTTP URL gets no certificates, because some systems
/// don't have any.
fn tls(endpoint: &Endpoint) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let builder = match endpoint.url().scheme() {
        "https" => builder.with_platform_verifier()?,
        _ => builder.with_root_certificates(RootCertStore::empty()),
    };
    Ok(builder.with_no_client_auth())
}
