//! A language model behind an API.

use std::fmt;

use reqwest::header::HeaderMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::address::{Address, Key};
use super::http::{Http, Timeouts, retry};
use super::{anthropic, chat};
use crate::prompt::Prompt;
use crate::refusal::{Code, Refusal};

/// The maximum number of tokens in a prompt, as in Chronicle. A longer prompt isn't sent.
const MAX_TOKENS: usize = 150_000;

/// A language model. The connection opens with the first request.
#[derive(Debug, Clone)]
pub struct Model(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Anthropic { http: Http, model: String, max_tokens: u32 },
    OpenAiCompatible { http: Http, model: Option<String>, max_tokens: u32 },
}

impl Model {
    /// Creates a client for a model of Anthropic. `address` is the URL of the API.
    ///
    /// # Errors
    ///
    /// `API_ERROR` if the system has no trusted certificates and the URL uses `https`.
    pub fn anthropic(
        address: Address,
        key: &Key,
        model: String,
        max_tokens: u32,
        timeouts: Timeouts,
    ) -> Result<Self, Refusal> {
        let url = anthropic::url(&address);
        let http = Http::new(address, url, anthropic::headers(key), Some(key.clone()), timeouts)?;
        Ok(Self(Kind::Anthropic { http, model, max_tokens }))
    }

    /// Creates a client for a model with the API of `OpenAI`. Without a model name, the server uses the model that it
    /// has loaded.
    ///
    /// # Errors
    ///
    /// `API_ERROR` if the system has no trusted certificates and the URL uses `https`.
    pub fn openai_compatible(
        address: Address,
        model: Option<String>,
        max_tokens: u32,
        timeouts: Timeouts,
    ) -> Result<Self, Refusal> {
        let url = chat::url(&address);
        let http = Http::new(address, url, HeaderMap::new(), None, timeouts)?;
        Ok(Self(Kind::OpenAiCompatible { http, model, max_tokens }))
    }

    /// Returns the URL of the model.
    pub fn address(&self) -> &Address {
        let (Kind::Anthropic { http, .. } | Kind::OpenAiCompatible { http, .. }) = &self.0;
        http.address()
    }

    /// Sends a prompt, up to three times. A request is repeated after the status 429 or 5xx, or if the connection
    /// fails.
    ///
    /// # Errors
    ///
    /// `RATE_LIMITED` if the last response has status 429. `API_ERROR` if the model can't be reached or rejects the
    /// request, or if the response is truncated or empty. A prompt of more than 150,000 tokens isn't sent and also
    /// results in `API_ERROR`.
    pub async fn complete(&self, prompt: &Prompt) -> Result<Completion, Refusal> {
        let tokens = prompt.estimated_tokens();
        if tokens > MAX_TOKENS {
            let message = format!(
                "the note has about {tokens} tokens, but a model accepts {MAX_TOKENS}: split it. Nothing was sent"
            );
            return Err(Refusal::new(Code::ApiError, message));
        }
        match &self.0 {
            Kind::Anthropic { http, model, max_tokens } => {
                let question = anthropic::question(prompt, model, *max_tokens);
                let answer: anthropic::Answer = send_question(http, &question).await?;
                completion(http, answer.text(), answer.model.as_deref().or(Some(model)), answer.tokens())
            }
            Kind::OpenAiCompatible { http, model, max_tokens } => {
                let question = chat::question(prompt, model.as_deref(), *max_tokens);
                let answer: chat::Answer = send_question(http, &question).await?;
                completion(http, answer.text(), answer.model.as_deref().or(model.as_deref()), answer.tokens())
            }
        }
    }
}

async fn send_question<A: DeserializeOwned>(http: &Http, question: &Value) -> Result<A, Refusal> {
    let answer = retry(http.timeouts().pause, || http.ask(question)).await?;
    serde_json::from_value(answer)
        .map_err(|_| api_error(http, "returned a response of an unknown form: check the address"))
}

fn completion(
    http: &Http,
    text: Result<String, String>,
    model: Option<&str>,
    tokens: Tokens,
) -> Result<Completion, Refusal> {
    let text = text.map_err(|what| api_error(http, &what))?.trim().to_owned();
    if text.is_empty() {
        return Err(api_error(http, "returned an empty response: try again, or set another model"));
    }
    let model = model.unwrap_or("unnamed").to_owned();
    Ok(Completion { text, model, tokens, sent_to: http.address().to_string() })
}

fn api_error(http: &Http, what: &str) -> Refusal {
    Refusal::new(Code::ApiError, format!("the model at {} {what}", http.address()))
}

/// The response of a model.
#[derive(Clone, PartialEq, Eq)]
pub struct Completion {
    /// The whole text. It isn't blank.
    pub text: String,
    /// The model's name in the response. If the response has no name, this is the requested name, or `unnamed` if no
    /// name was requested.
    pub model: String,
    /// The number of tokens used.
    pub tokens: Tokens,
    /// The server that received the notes, such as `https://api.anthropic.com`.
    pub sent_to: String,
}

impl fmt::Debug for Completion {
    /// Formats without the text, so that it can't be logged.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Completion");
        debug.field("model", &self.model).field("tokens", &self.tokens).field("sent_to", &self.sent_to);
        debug.finish_non_exhaustive()
    }
}

/// The number of tokens that a request used. A number is 0 if the model doesn't report it. The JSON form is
/// `tokens_used` in the metadata of a note.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Input tokens, without the tokens that were written to or read from a cache.
    pub input: u64,
    /// Output tokens, which are the tokens of the response.
    pub output: u64,
    /// Input tokens that were written to a cache.
    pub cache_creation: u64,
    /// Input tokens that were read from a cache.
    pub cache_read: u64,
}
