//! HTTP requests to a model, with timeouts and retries.

use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use serde_json::Value;

use super::address::{Address, Key};
use crate::display_text::{format_duration, one_line};
use crate::refusal::{Code, Refusal};

/// The maximum size of a response, in bytes. The limit is about a thousand times the size of a record.
const MAX_BYTES: usize = 16 << 20;

/// The maximum number of characters that a message repeats from a model's error.
const MAX_ERROR_LENGTH: usize = 300;

/// A client for one URL of a model.
#[derive(Debug, Clone)]
pub(super) struct Http {
    client: Client,
    address: Address,
    url: Url,
    key: Option<Key>,
    timeouts: Timeouts,
}

impl Http {
    /// Creates a client without connecting. `headers` are sent with every request.
    pub(super) fn new(
        address: Address,
        url: Url,
        headers: HeaderMap,
        key: Option<Key>,
        timeouts: Timeouts,
    ) -> Result<Self, Refusal> {
        let unable = |error: &dyn Display| Refusal::new(Code::ApiError, format!("cannot use TLS: {error}"));
        // A redirect could send the notes and the key to another server.
        let builder = Client::builder()
            .connect_timeout(timeouts.connect)
            .timeout(timeouts.call)
            .redirect(reqwest::redirect::Policy::none())
            // The function `retry` counts the attempts, so the HTTP client must not add attempts of its own.
            .retry(reqwest::retry::never())
            .referer(false)
            .user_agent(concat!("dayledger/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .tls_backend_preconfigured(tls(&address).map_err(|error| unable(&error))?);
        // Notes for a local model must stay on this machine, but a proxy can be on another machine.
        let builder = if address.is_local() { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|error| unable(&error))?;
        Ok(Self { client, address, url, key, timeouts })
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    /// Sends a JSON request, without retries, and returns the JSON response.
    pub(super) async fn ask(&self, body: &Value) -> Result<Value, Failure> {
        let request = self.client.post(self.url.clone()).header(CONTENT_TYPE, "application/json");
        let response = request.body(body.to_string()).send().await.map_err(|error| self.connection_failure(&error))?;
        let (status, asked) = (response.status(), retry_after(&response));
        let body = self.body(response).await?;
        let answer = serde_json::from_slice(&body);
        if !status.is_success() {
            return Err(self.status_failure(status, asked, &answer.unwrap_or_default()));
        }
        answer.map_err(|_| Failure::Permanent(self.refusal("returned a response that is not JSON: check the address")))
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.connection_failure(&error))? {
            if body.len() + chunk.len() > MAX_BYTES {
                let what = format_args!("sent more than {} MiB, which is too large for a record", MAX_BYTES >> 20);
                return Err(Failure::Permanent(self.refusal(what)));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Converts an error status to a failure. Temporary errors (429 and 5xx) can be retried.
    fn status_failure(&self, status: StatusCode, asked: Option<Duration>, answer: &Value) -> Failure {
        let number = status.as_u16();
        let said = self.error_message(answer);
        let lasting = |what: &str| Failure::Permanent(self.refusal(format_args!("answered {number}{said}: {what}")));
        match number {
            401 | 403 if self.key.is_some() => lasting("check the key in ANTHROPIC_API_KEY and its permissions"),
            401 | 403 => lasting("it requires a key, but no key is sent to a model at `[notes] model_url`"),
            // Providers retire models, so an outdated model name in the configuration fails here.
            404 if self.key.is_some() => lasting("set CHRONICLE_MODEL to a model that it offers"),
            404 => lasting("check the address, and set `[notes] model` to a model that it offers"),
            413 => lasting("the note is too long for it"),
            429 => {
                let when = asked.map_or_else(
                    || "try again in a minute".to_owned(),
                    |asked| format!("try again in {}", format_duration(asked)),
                );
                let message = format!("the model at {} has reached its rate limit{said}: {when}", self.address);
                Failure::Transient(Refusal::new(Code::RateLimited, message), asked)
            }
            300..=399 => {
                lasting("a redirect, which is not followed because it would send the note elsewhere; check the address")
            }
            500.. => {
                let when = asked.map_or_else(|| "later".to_owned(), |asked| format!("in {}", format_duration(asked)));
                let what = format_args!("answered {number}{said}: it is overloaded or down, try again {when}");
                Failure::Transient(self.refusal(what), asked)
            }
            _ => lasting("it rejected the request"),
        }
    }

    /// Returns the model's error message in brackets. If the response isn't JSON, for example an HTML page, returns an
    /// empty text.
    fn error_message(&self, answer: &Value) -> String {
        let error = &answer["error"];
        let message = error["message"].as_str().or(error.as_str()).map(|text| one_line(text, MAX_ERROR_LENGTH));
        let message = message.filter(|message| !message.is_empty()).map(|message| format!(" ({message})"));
        let message = message.unwrap_or_default();
        self.key.as_ref().map_or(message.clone(), |key| key.redact(&message))
    }

    fn connection_failure(&self, error: &reqwest::Error) -> Failure {
        if error.is_connect() {
            let why = if error.is_timeout() { "did not respond in time" } else { "cannot be reached" };
            return Failure::Transient(
                self.refusal(format_args!("{why}: nothing was sent. Check that it is running")),
                None,
            );
        }
        // A request that timed out isn't retried, because the retry would probably time out too.
        if error.is_timeout() {
            let call = format_duration(self.timeouts.call);
            let what =
                format_args!("did not finish its response within {call}: try the style `brief`, or another model");
            return Failure::Permanent(self.refusal(what));
        }
        Failure::Transient(self.refusal("closed the connection before its response was complete: try again"), None)
    }

    fn refusal(&self, what: impl Display) -> Refusal {
        Refusal::new(Code::ApiError, format!("the model at {} {what}", self.address))
    }
}

/// Returns the pause that the model requests in the header `retry-after`, in seconds. The header can also contain a
/// date, but APIs of models don't use this form.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Configures TLS to trust the system's certificates. For a URL with `http`, the certificates aren't loaded, because
/// some systems don't have certificates.
fn tls(address: &Address) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let builder = if address.is_encrypted() {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

/// The maximum number of attempts for a request.
const ATTEMPTS: u32 = 3;

/// The longest pause between two attempts. If the model requests a longer pause, there is no further attempt.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// The result of an attempt that failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// A failure that would also occur in a retry.
    Permanent(Refusal),
    /// A failure that a retry may avoid. The duration is the pause that the model requested, if any.
    Transient(Refusal, Option<Duration>),
}

/// Calls `attempt` until it succeeds, but at most [`ATTEMPTS`] times. Before each retry, waits for the time that the
/// model requests. If the model doesn't request a time, waits for `pause`, which doubles with each retry. If the model
/// requests more than [`MAX_PAUSE`], there is no further attempt, and the error reports the requested pause.
pub(super) async fn retry<T, F>(pause: Duration, mut attempt: impl FnMut() -> F) -> Result<T, Refusal>
where
    F: Future<Output = Result<T, Failure>>,
{
    let mut made = 0;
    loop {
        let (refusal, asked) = match attempt().await {
            Ok(success) => return Ok(success),
            Err(Failure::Permanent(refusal)) => return Err(refusal),
            Err(Failure::Transient(refusal, asked)) => (refusal, asked),
        };
        made += 1;
        if made == ATTEMPTS || asked.is_some_and(|asked| asked > MAX_PAUSE) {
            return Err(refusal);
        }
        let pause = asked.unwrap_or_else(|| pause.saturating_mul(1 << (made - 1)).min(MAX_PAUSE));
        tracing::debug!(code = %refusal.code, ?pause, "a model is asked again");
        tokio::time::sleep(pause).await;
    }
}

/// Timeouts of a request to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The maximum time to connect to the model.
    pub connect: Duration,
    /// The maximum time of the whole call, from the connection to the last byte of the response. A model on a computer
    /// without a graphics card needs several minutes.
    pub call: Duration,
    /// The pause before the second attempt. The pause before the third attempt is twice as long.
    pub pause: Duration,
}

impl Default for Timeouts {
    /// Returns 5 seconds to connect, 10 minutes for the call, and a pause of 2 seconds.
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), call: Duration::from_mins(10), pause: Duration::from_secs(2) }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    /// Runs `retry`. The first attempts fail with `failures`, one after the other. The next attempt succeeds. Returns
    /// the result, the number of attempts, and the elapsed time.
    async fn attempts(failures: Vec<Failure>) -> (Result<(), Code>, usize, Duration) {
        let (started, mut failures, mut count) = (Instant::now(), failures.into_iter(), 0);
        let outcome = retry(Duration::from_secs(2), || {
            count += 1;
            let failure = failures.next();
            async { failure.map_or(Ok(()), Err) }
        });
        let outcome = outcome.await.map_err(|refusal| refusal.code);
        (outcome, count, started.elapsed())
    }

    fn passing(pause: Option<u64>) -> Failure {
        Failure::Transient(Refusal::new(Code::RateLimited, "no"), pause.map(Duration::from_secs))
    }

    #[tokio::test(start_paused = true)]
    async fn transient_failures_are_retried_with_longer_pauses() {
        assert_eq!(attempts(vec![passing(None), passing(None)]).await, (Ok(()), 3, Duration::from_secs(2 + 4)));
    }

    #[tokio::test(start_paused = true)]
    async fn the_third_attempt_is_the_last() {
        let failures = (0..5).map(|_| passing(None)).collect();
        assert_eq!(attempts(failures).await, (Err(Code::RateLimited), 3, Duration::from_secs(2 + 4)));
    }

    #[tokio::test(start_paused = true)]
    async fn requested_pause_is_kept_up_to_30_seconds() {
        assert_eq!(attempts(vec![passing(Some(7)), passing(Some(30))]).await, (Ok(()), 3, Duration::from_secs(7 + 30)));
        for seconds in [31, 86_400, u64::MAX] {
            assert_eq!(
                attempts(vec![passing(Some(seconds))]).await,
                (Err(Code::RateLimited), 1, Duration::ZERO),
                "{seconds}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn permanent_failure_is_not_retried() {
        let lasting = Failure::Permanent(Refusal::new(Code::ApiError, "no"));
        assert_eq!(attempts(vec![lasting]).await, (Err(Code::ApiError), 1, Duration::ZERO));
    }
}
