//! What a model answers.

use std::fmt;

/// The answer of a model.
#[derive(Clone, PartialEq, Eq)]
pub struct Completion {
    /// The whole text, not blank.
    pub text: String,
    /// The model, as it calls itself; as it was asked for where it does not say, and `unnamed` where neither says.
    pub model: String,
    /// What it cost.
    pub tokens: Tokens,
    /// Where the notes were sent, such as `https://api.anthropic.com`.
    pub sent_to: String,
}

impl fmt::Debug for Completion {
    /// Without the text.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Completion");
        debug.field("model", &self.model).field("tokens", &self.tokens).field("sent_to", &self.sent_to);
        debug.finish_non_exhaustive()
    }
}

/// How many tokens an answer took; 0 where the model does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Read, without those of a cache.
    pub input: u64,
    /// Written.
    pub output: u64,
    /// Put into a cache.
    pub cache_creation: u64,
    /// Read from a cache.
    pub cache_read: u64,
}
