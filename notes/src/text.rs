//! The text of a note, as it was read.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::path::NotePath;

/// What somebody who has read a note hands in to write it: it tells whether the note is still the one that was read.
///
/// It is made of the path and all bytes of the note, and means nothing by itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Handle(String);

impl Handle {
    /// A handle as it was handed in.
    pub fn new(handle: impl Into<String>) -> Self {
        Self(handle.into())
    }

    /// The handle as it is handed out.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Bytes of UTF-8 without the byte order mark that some editors begin a file with.
pub(crate) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// A note's text and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteText {
    bytes: Vec<u8>,
    text: String,
    is_lossy: bool,
}

impl NoteText {
    /// What these bytes say. Ends of lines stay as they are; a byte order mark is not part of the text, and bytes that are
    /// not UTF-8 become `�`.
    pub fn of(bytes: Vec<u8>) -> Self {
        let decoded = String::from_utf8_lossy(unmarked(&bytes));
        let is_lossy = matches!(decoded, std::borrow::Cow::Owned(_));
        let text = decoded.into_owned();
        Self { bytes, text, is_lossy }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the file is not UTF-8, so that the text is not all that is in it.
    pub fn is_lossy(&self) -> bool {
        self.is_lossy
    }

    /// The handle of this text as that of the note at `path`.
    pub fn handle(&self, path: &NotePath) -> Handle {
        let digest = Sha256::new().chain_update(path.as_str()).chain_update([0]).chain_update(&self.bytes).finalize();
        let (first, _) = digest.split_first_chunk().unwrap_or((&[0; 16], &[]));
        Handle(format!("{:032x}", u128::from_be_bytes(*first)))
    }
}
