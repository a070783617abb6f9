//! Responses of models.

use std::fmt;

/// The response of a model.
#[derive(Clone, PartialEq, Eq)]
pub struct Completion {
    /// The whole text, which isn't blank.
    pub text: String,
    /// The model's name in the response; otherwise the requested one, or `unnamed` if neither is known.
    pub model: String,
    /// The tokens used.
    pub tokens: Tokens,
    /// The server that received the notes, such as `https://api.anthropic.com`.
    pub sent_to: String,
}

impl fmt::Debug for Completion {
    /// Formats without the text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Completion");
        debug.field("model", &self.model).field("tokens", &self.tokens).field("sent_to", &self.sent_to);
        debug.finish_non_exhaustive()
    }
}

/// The number of tokens; 0 if the model doesn't report it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Input tokens, without cached ones.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Input tokens that were written to a cache.
    pub cache_creation: u64,
    /// Input tokens that were read from a cache.
    pub cache_read: u64,
}
