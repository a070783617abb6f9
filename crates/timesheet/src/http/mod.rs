//! HTTP connections to APIs: addresses, TLS, timeouts and limits. This module never retries requests and never logs
//! anything.

mod endpoint;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Response};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

pub use endpoint::{Endpoint, InvalidEndpoint};

use crate::refusal::{Code, Refusal};

/// The maximum size of a response in bytes. It is far more than two hundred entries with long descriptions need.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// The text that replaces a token.
const REDACTED: &str = "(token)";

/// A part of a token is redacted if it has at least this many characters. A shorter part can occur in a text by chance.
const MIN_PART_LENGTH: usize = 16;

/// Timeouts of the API.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The timeout for connecting.
    pub connect: Duration,
    /// The timeout of a whole call, from connecting to the last byte of the response.
    pub call: Duration,
    /// The maximum time until an entry appears at the API after its response was lost. The entry isn't sent again
    /// before this time has passed. This time must be longer than `call`.
    pub settle_time: Duration,
}

impl Default for Options {
    /// Returns the default timeouts: 5 seconds to connect, 30 seconds for a call, and 2 minutes until an entry appears.
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), call: Duration::from_secs(30), settle_time: Duration::from_mins(2) }
    }
}

/// Creates a client, but doesn't connect yet.
///
/// # Errors
///
/// `INTERNAL_ERROR` if the system has no trusted certificates.
pub(crate) fn client(endpoint: &Endpoint, options: Options) -> Result<Client, Refusal> {
    let unable = |error: &dyn fmt::Display| Refusal::new(Code::InternalError, format!("cannot use TLS: {error}"));
    // A redirect could send the token to another server, and can change a POST to another method.
    let builder = Client::builder()
        .connect_timeout(options.connect)
        .timeout(options.call)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .user_agent(concat!("dayledger/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured(tls(endpoint).map_err(|error| unable(&error))?);
    let builder = if endpoint.is_local() { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| unable(&error))
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

/// Reads a response to its end. Returns `None` if the response is larger than [`MAX_BYTES`].
pub(crate) async fn read_body(mut response: Response) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Redacts a token and its long parts in a text, because a server can repeat the whole token or a part.
pub(crate) fn redact(secret: &str, text: &str) -> String {
    let separates = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
    let text = text.replace(secret, REDACTED);
    let redacted = text.split_inclusive(separates).map(|piece| {
        let word = piece.trim_end_matches(separates);
        let is_part = word.len() >= MIN_PART_LENGTH && secret.contains(word);
        if is_part { piece.replace(word, REDACTED) } else { piece.to_owned() }
    });
    redacted.collect()
}
