//! The chat completions API of `OpenAI`, which Ollama, llama.cpp and LM Studio also implement: `POST
//! /v1/chat/completions`.

use std::borrow::Cow;

use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::prompt::Prompt;

use super::address::Address;
use super::language_model::Tokens;

/// A response; other fields are ignored.
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

/// A text, or the parts into which some servers split it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

/// A part of the content: a text, whose type some servers omit, or another kind such as thinking.
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

/// Returns the URL for requests. The configured URL may be that of the server, of its API, or of the resource itself.
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

/// Returns the request body. Without a model name, the server uses the loaded model or reports that the name is
/// missing.
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
    /// Returns the whole text, or why it is unusable. Servers use different values for a normal end.
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

/// Removes the reasoning that some models put between tags before the response.
fn strip_thoughts(text: &str) -> &str {
    let thinking = text.trim_start().strip_prefix("<think>");
    thinking.map_or(text, |thinking| thinking.split_once("</think>").map_or("", |(_, answer)| answer))
}
