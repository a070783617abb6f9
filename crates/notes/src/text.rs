//! The text and the encoding of a note.

use std::borrow::Cow;
use std::fmt;

use sha2::{Digest, Sha256};

use crate::path::NotePath;
use crate::refusal::{Code, Refusal};

/// A token that a client gets when it reads a note, and passes when it writes the note. The token shows whether the
/// note has changed in between.
///
/// The token is a hash of the note's path and of all bytes of the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Handle(String);

impl Handle {
    /// Creates a handle from its text form.
    pub fn new(handle: impl Into<String>) -> Self {
        Self(handle.into())
    }

    /// Returns the text form of the handle.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Removes the byte order mark that some editors add to UTF-8.
pub(crate) fn strip_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Decodes UTF-16. Also returns whether some units were invalid.
fn decode_utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, bool) {
    let (units, odd) = bytes.as_chunks::<2>();
    let mut is_lossy = !odd.is_empty();
    let decoded = char::decode_utf16(units.iter().copied().map(unit));
    let mut text: String = decoded
        .map(|letter| {
            is_lossy |= letter.is_err();
            letter.unwrap_or(char::REPLACEMENT_CHARACTER)
        })
        .collect();
    if !odd.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, is_lossy)
}

/// The text of a UTF-8 file, split after its byte order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utf8<'t> {
    /// The byte order mark, or an empty text.
    pub mark: &'t str,
    /// The text after the byte order mark.
    pub without_mark: &'t str,
}

/// A note's bytes and the text that they contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteText {
    bytes: Vec<u8>,
    text: String,
    is_lossy: bool,
}

impl NoteText {
    /// Decodes the bytes of a file. Bytes that begin with a byte order mark of UTF-16 are decoded as UTF-16, and all
    /// other bytes as UTF-8. Keeps line endings, removes the byte order mark, and replaces invalid bytes with `�`.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let (text, is_lossy) = match bytes.as_slice() {
            [0xff, 0xfe, units @ ..] => decode_utf_16(units, u16::from_le_bytes),
            [0xfe, 0xff, units @ ..] => decode_utf_16(units, u16::from_be_bytes),
            _ => {
                let decoded = String::from_utf8_lossy(strip_byte_order_mark(&bytes));
                let is_lossy = matches!(decoded, Cow::Owned(_));
                (decoded.into_owned(), is_lossy)
            }
        };
        Self { bytes, text, is_lossy }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether some bytes are invalid, so that the decoded text differs from the file.
    pub fn is_lossy(&self) -> bool {
        self.is_lossy
    }

    /// Returns the exact text of the file, for callers that change the file.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if the file isn't UTF-8. A file with NUL bytes is probably UTF-16 or UTF-32, and a file with
    /// escape sequences is probably ISO-2022. Such files are rejected too, although they are valid UTF-8.
    pub fn utf_8(&self, path: &NotePath) -> Result<Utf8<'_>, Refusal> {
        let whole = std::str::from_utf8(&self.bytes).ok();
        let whole = whole.filter(|text| !text.contains('\0') && !text.contains("\u{1b}$")).ok_or_else(|| {
            let message = format!("`{path}` is not UTF-8, so it cannot be changed; save it as UTF-8");
            Refusal::new(Code::ParseError, message)
        })?;
        let (mark, without_mark) = whole.split_at(whole.len() - strip_byte_order_mark(&self.bytes).len());
        Ok(Utf8 { mark, without_mark })
    }

    /// Returns the handle that identifies this text as the text of the note at `path`.
    pub fn handle(&self, path: &NotePath) -> Handle {
        // A zero byte separates the path from the content, because a path can't contain a zero byte. Without the
        // separator, another path with other content could have the same hash.
        let digest = Sha256::new().chain_update(path.as_str()).chain_update([0]).chain_update(&self.bytes).finalize();
        let (first, _) = digest.split_first_chunk().unwrap_or((&[0; 16], &[]));
        Handle(format!("{:032x}", u128::from_be_bytes(*first)))
    }
}
