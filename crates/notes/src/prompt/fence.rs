//! Delimiters around untrusted text.

use sha2::{Digest, Sha256};

/// A text between two tags that it doesn't contain.
pub(super) struct Fenced {
    /// The name of the tags, such as `notes-5f0c2a9be1d34e67`.
    pub(super) name: String,
    /// The text with its tags, each on a line of its own.
    pub(super) text: String,
}

impl Fenced {
    /// Puts a text between tags. Their name is a hash of the text, so a text that contains its own tags would take
    /// 2^64 attempts to find.
    pub(super) fn new(text: &str) -> Self {
        let hash = Sha256::digest(text);
        let name = format!("notes-{:016x}", hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)));
        let text = format!("<{name}>\n{}\n</{name}>", text.trim_end());
        Self { name, text }
    }
}
