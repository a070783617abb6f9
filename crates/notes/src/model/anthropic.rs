//! The Messages API of Anthropic: `POST /v1/messages`, version 2023-06-01.

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::prompt::Prompt;

use super::address::{Address, Key};
use super::language_model::Tokens;

/// A response of the API. Unknown fields are ignored.
#[derive(Deserialize)]
pub(super) struct Answer {
    content: Vec<ContentBlock>,
    pub(super) model: Option<String>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Usage,
}

/// A block of the response's content: a text, or another kind of block such as thinking.
#[derive(Deserialize)]
struct ContentBlock {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

#[derive(Default, Deserialize)]
struct Usage {
    #[serde(rename = "input_tokens")]
    input: Option<u64>,
    #[serde(rename = "output_tokens")]
    output: Option<u64>,
    #[serde(rename = "cache_creation_input_tokens")]
    cache_creation: Option<u64>,
    #[serde(rename = "cache_read_input_tokens")]
    cache_read: Option<u64>,
}

/// Returns the URL to which requests are sent.
pub(super) fn url(address: &Address) -> Url {
    address.join(&["v1", "messages"])
}

/// Returns the headers of every request.
pub(super) fn headers(key: &Key) -> HeaderMap {
    HeaderMap::from_iter([
        (HeaderName::from_static("x-api-key"), key.header()),
        (HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01")),
    ])
}

/// Returns the request body. The system message is marked as cacheable, because it is nearly the same for every note.
pub(super) fn question(prompt: &Prompt, model: &str, max_tokens: u32) -> Value {
    json!({
        "model": model,
        "max_tokens": max_tokens,
        "system": [{"type": "text", "text": prompt.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": prompt.user}],
    })
}

impl Answer {
    /// Returns the texts of all blocks, with a line break between two blocks. The error is the reason why the text
    /// can't be used.
    pub(super) fn text(&self) -> Result<String, String> {
        match self.stop_reason.as_deref() {
            Some("end_turn" | "stop_sequence") => {}
            Some("max_tokens" | "model_context_window_exceeded") => {
                return Err("stopped at its length limit: raise CHRONICLE_MAX_TOKENS, or try the style `brief`".into());
            }
            Some("refusal") => return Err("declined to process this note".into()),
            Some(_) | None => {
                return Err("ended in an unknown way, so its response may be incomplete".into());
            }
        }
        let texts = self.content.iter().filter(|block| block.kind == "text").filter_map(|block| block.text.as_deref());
        Ok(texts.collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn tokens(&self) -> Tokens {
        Tokens {
            input: self.usage.input.unwrap_or_default(),
            output: self.usage.output.unwrap_or_default(),
            cache_creation: self.usage.cache_creation.unwrap_or_default(),
            cache_read: self.usage.cache_read.unwrap_or_default(),
        }
    }
}
