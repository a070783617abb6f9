//! The chat completions API of `OpenAI`, which Ollama, llama.cpp and LM Studio also implement: `POST
//! /v1/chat/completions`.

use std::borrow::Cow;

use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::prompt::Prompt;

use super::address::Address;
use super::language_model::Tokens;

/// A response of the API. Unknown fields are ignored.
#[derive(Deserialize)]
pub(super) struct Answer {
    choices: Vec<Choice>,
    pub(super) model: Option<String>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<Content>,
}

/// The content of a response. Some servers split it into parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

/// A part of the content: a text, or another kind of part such as thinking. Some servers omit the type of a text.
#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    text: Value,
}

impl Content {
    /// Returns the whole text, with a line break between its parts.
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::Parts(parts) => {
                let texts = parts.iter().filter(|part| part.kind.as_deref().is_none_or(|kind| kind == "text"));
                texts.filter_map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n").into()
            }
        }
    }
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

/// Returns the URL to which requests are sent. `address` can be the URL of the server, of the server's API, or of the
/// resource `chat/completions`.
pub(super) fn url(address: &Address) -> Url {
    let path = address.path();
    if path.is_empty() {
        address.join(&["v1", "chat", "completions"])
    } else if path.ends_with("/chat/completions") {
        address.join(&[])
    } else {
        address.join(&["chat", "completions"])
    }
}

/// Returns the request body. Without a model name, the server uses the model that it has loaded, or rejects the
/// request.
pub(super) fn question(prompt: &Prompt, model: Option<&str>, max_tokens: u32) -> Value {
    let mut question = json!({
        "max_tokens": max_tokens,
        "stream": false,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
    });
    if let Some(model) = model {
        question["model"] = model.into();
    }
    question
}

impl Answer {
    /// Returns the whole text. The error is the reason why the text can't be used. The value of `finish_reason` for a
    /// normal end depends on the server, so only the known failures are tested.
    pub(super) fn text(&self) -> Result<String, String> {
        let choice = self.choices.first().ok_or("returned no text: check the name of the model in `[notes] model`")?;
        match choice.finish_reason.as_deref() {
            Some("length") => {
                Err("stopped at its length limit: raise CHRONICLE_MAX_TOKENS, or try the style `brief`".into())
            }
            Some("content_filter") => Err("declined to process this note".into()),
            _ => {
                let text = choice.message.content.as_ref().map(Content::text).unwrap_or_default();
                Ok(strip_thoughts(&text).to_owned())
            }
        }
    }

    pub(super) fn tokens(&self) -> Tokens {
        let usage = self.usage.as_ref();
        let input = usage.and_then(|usage| usage.prompt_tokens).unwrap_or_default();
        let output = usage.and_then(|usage| usage.completion_tokens).unwrap_or_default();
        Tokens { input, output, ..Tokens::default() }
    }
}

/// Removes the reasoning that some models put into `<think>` before the response.
fn strip_thoughts(text: &str) -> &str {
    let thinking = text.trim_start().strip_prefix("<think>");
    thinking.map_or(text, |thinking| thinking.split_once("</think>").map_or("", |(_, answer)| answer))
}
