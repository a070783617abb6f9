//! Truncates responses that are too large for a model.
//!
//! A model reads every token of a response, so a response has at most [`MAX_TOKENS`]. The number of tokens is
//! estimated, because a tokenizer's vocabulary would be larger than the rest of the program. The estimate is close to
//! the real number for repeated text (field names, punctuation, dates), and too high for names and titles. In a
//! response that is too large, long texts are truncated first. If that isn't enough, rows are removed from the end.
//!
//! A limit in bytes wouldn't work. A rare Chinese character takes one token for each of its bytes, but an English word
//! takes one token for about four bytes. A limit that suits Chinese would truncate the narrative of a day in English.

use std::io::{self, Write};

use dayledger_request::Truncate;
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};

/// The maximum number of tokens (`o200k_base`) in a response's text.
pub(super) const MAX_TOKENS: usize = 20_000;

/// The lengths to which texts are truncated, in characters. The lengths are tried in this order, until at least
/// [`ENOUGH_ROWS`] rows fit.
const TEXT_CHARS: [usize; 3] = [500, 100, 32];

/// The number of rows that are enough: one for each day of a month.
const ENOUGH_ROWS: usize = 31;

/// A text with more bytes always has more tokens than [`MAX_TOKENS`], because even the longest field names have at most
/// 8 bytes for each token.
const MAX_BYTES: usize = 10 * MAX_TOKENS;

/// The maximum number of characters of a plain-text response. A plain-text response is a whole note with instructions
/// for the model.
const MAX_TEXT_CHARS: usize = 400_000;

/// Truncates a text that is too long for any model, and adds a remark that it was truncated.
pub(super) fn limit_text(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_CHARS) {
        Some((end, _)) => {
            format!("{}\n\n[shortened: the text is longer than {MAX_TEXT_CHARS} characters]", &text[..end])
        }
        None => text.to_owned(),
    }
}

/// Writes `response` as compact JSON with at most [`MAX_TOKENS`]. Truncates texts and removes rows if necessary.
///
/// # Errors
/// Fails if the response can't be written as JSON, or is too large even after all rows were removed.
pub(super) fn to_bounded_json<A: Truncate + Serialize + Clone>(response: &A) -> Result<String, serde_json::Error> {
    let mut best = None;
    for max_chars in TEXT_CHARS {
        if let Some(whole) = to_json_if_it_fits(response, max_chars)? {
            return Ok(whole);
        }
        if let Some((rows, text)) = longest_prefix(response, max_chars)? {
            best = Some(text);
            if rows >= ENOUGH_ROWS {
                break;
            }
        }
    }
    best.ok_or_else(|| serde_json::Error::io(io::Error::other("the response is too large even without rows")))
}

/// Returns the response with as many of its first rows as fit, and the number of these rows. Returns `None` if the
/// response is too large even without rows.
fn longest_prefix<A: Truncate + Serialize + Clone>(
    response: &A,
    max_chars: usize,
) -> Result<Option<(usize, String)>, serde_json::Error> {
    let start = |rows| {
        let mut part = response.clone();
        part.keep(rows);
        to_json_if_it_fits(&part, max_chars)
    };
    let Some(mut text) = start(0)? else { return Ok(None) };
    let (mut fits, mut too_many) = (0, response.rows());
    while too_many - fits > 1 {
        let middle = fits.midpoint(too_many);
        if let Some(tried) = start(middle)? {
            (fits, text) = (middle, tried);
        } else {
            too_many = middle;
        }
    }
    Ok(Some((fits, text)))
}

/// Writes `value` as compact JSON, with at most the first `max_chars` characters of each text. Returns `None` if the
/// JSON has more than [`MAX_TOKENS`].
fn to_json_if_it_fits(value: &impl Serialize, max_chars: usize) -> Result<Option<String>, serde_json::Error> {
    let mut bytes = BoundedBuffer(Vec::new());
    let formatter = ShorteningFormatter { max_chars, remaining: None };
    match value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter)) {
        Err(error) if error.is_io() => return Ok(None),
        done => done?,
    }
    let text = String::from_utf8(bytes.0).map_err(|error| serde_json::Error::io(io::Error::other(error)))?;
    Ok((tokens(&text) <= MAX_TOKENS).then_some(text))
}

/// A buffer of at most [`MAX_BYTES`]. Writing a response that is too large therefore stops early.
struct BoundedBuffer(Vec<u8>);

impl Write for BoundedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_BYTES {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes compact JSON. Replaces the end of a long text with `…`.
struct ShorteningFormatter {
    max_chars: usize,
    /// The number of characters of the current text that may still be written, or `None` if the text was already
    /// truncated.
    remaining: Option<usize>,
}

impl ShorteningFormatter {
    fn end<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.remaining = None;
        writer.write_all("…".as_bytes())
    }
}

impl Formatter for ShorteningFormatter {
    fn begin_string<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.remaining = Some(self.max_chars);
        CompactFormatter.begin_string(writer)
    }

    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let Some(left) = self.remaining else { return Ok(()) };
        if let Some((end, _)) = fragment.char_indices().nth(left) {
            writer.write_all(&fragment.as_bytes()[..end])?;
            return self.end(writer);
        }
        self.remaining = Some(left - fragment.chars().count());
        writer.write_all(fragment.as_bytes())
    }

    fn write_char_escape<W: Write + ?Sized>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        match self.remaining {
            None => Ok(()),
            Some(0) => self.end(writer),
            Some(left) => {
                self.remaining = Some(left - 1);
                CompactFormatter.write_char_escape(writer, escape)
            }
        }
    }
}

/// Estimates how many tokens a model reads in `json`, which is compact JSON. If the estimate is wrong, it is usually
/// too high.
pub(super) fn tokens(json: &str) -> usize {
    let mut hundredths = 0;
    // The number of consecutive quotes, brackets, colons and commas. Two such characters are about one token.
    let mut marks = 0_usize;
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let (text, after) = match first {
            '"' => {
                marks += 1;
                let (text, after) = rest[1..].split_at(end_of_string(&rest[1..]));
                (text, after.get(1..).unwrap_or_default())
            }
            '{' | '}' | '[' | ']' | ':' | ',' => {
                marks += 1;
                rest = &rest[1..];
                continue;
            }
            _ => rest.split_at(rest.find(['{', '}', '[', ']', ':', ',', '"']).unwrap_or(rest.len())),
        };
        if !text.is_empty() {
            hundredths += 100 * marks.div_ceil(3);
            marks = 0;
            hundredths += if first == '"' && after.starts_with(':') { name_cost(text) } else { text_cost(text) };
        }
        if first == '"' {
            marks += 1;
        }
        rest = after;
    }
    (hundredths + 100 * marks.div_ceil(3)).div_ceil(100)
}

/// Returns the position of the quote that closes the string.
fn end_of_string(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.unwrap_or(rest.len())
}

/// Returns the cost of a field's name, in hundredths of a token. Every word of a name such as `totalActiveMinutes` is a
/// token.
fn name_cost(name: &str) -> usize {
    100 * (1 + name.bytes().filter(u8::is_ascii_uppercase).count())
}

/// Returns the cost of a value, in hundredths of a token.
///
/// The costs were measured with the vocabulary of `o200k_base`. Three digits are one token. Random letters are about
/// 0.65 tokens each. Real words need fewer tokens, so the estimate for words is about twice the real number. A
/// character outside ASCII is at least one token and at most one token for each of its bytes.
fn text_cost(text: &str) -> usize {
    let mut hundredths = 0;
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(char) = chars.next() {
        hundredths += match char {
            'a'..='z' | 'A'..='Z' => {
                let mut letters = 1;
                let mut last = char;
                // A capital letter after a small letter starts a new word.
                while let Some(next) = chars.next_if(|next| {
                    next.is_ascii_alphabetic() && !(next.is_ascii_uppercase() && last.is_ascii_lowercase())
                }) {
                    letters += 1;
                    last = next;
                }
                100.max(65 * letters)
            }
            '0'..='9' => {
                let mut digits = 1_usize;
                while chars.next_if(char::is_ascii_digit).is_some() {
                    digits += 1;
                }
                100 * digits.div_ceil(3)
            }
            // A space before a word is part of the word's token.
            ' ' if before != ' ' && chars.peek().is_some_and(char::is_ascii_alphabetic) => 30,
            '\0'..='\u{7f}' => 100,
            _ => 100 * char_tokens(char),
        };
        before = char;
    }
    hundredths
}

/// Returns the maximum number of tokens of a character outside ASCII. If the vocabulary contains the character's
/// script, the character has fewer tokens than bytes.
fn char_tokens(char: char) -> usize {
    match u32::from(char) {
        // Letters of Western Europe (except `Û`), Greek, Cyrillic and Hebrew.
        0xc0..=0xda | 0xdc..=0xff | 0x391..=0x3a9 | 0x3ac..=0x3af | 0x3b1..=0x3c9 | 0x410..=0x44f | 0x5d0..=0x5ea => 1,
        // Chinese characters whose first two bytes don't form a token.
        0x5d40..=0x5dbf
        | 0x6ac0..=0x6aff
        | 0x8780..=0x87bf
        | 0x8800..=0x883f
        | 0x9780..=0x97bf
        | 0x9bc0..=0x9c7f
        | 0x9d00..=0x9dff
        | 0x9fc0..=0x9fff => 3,
        // Scripts of India and Thailand, punctuation, Japanese, Chinese.
        0x900..=0xe7f | 0x2000..=0x21ff | 0x3000..=0x30ff | 0x4e00..=0x9fbf => 2,
        _ => char.len_utf8(),
    }
}

#[cfg(test)]
mod tests;
