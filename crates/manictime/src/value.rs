//! Reads values of SQLite rows as the expected type. Anything else reads as null.
//!
//! SQLite stores any type in any column: a column declared `datetime` can contain a number, and a text can be invalid
//! UTF-8 or have a billion characters. One unusual value must not affect anything else. So texts are truncated here,
//! and only here, at a length that no person writes.

use std::borrow::Cow;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::instant::InstantParser;

/// How many characters are read of what names things: a key, a name, a colour. Each stands in many rows. No system has
/// longer paths or host names, and a list of a hundred tags is shorter.
pub(crate) const MAX_NAME_LENGTH: usize = 4096;
/// How many characters are read of any other text: a title, an address, a note. A window's title has 32,767 at most.
pub(crate) const MAX_TEXT_LENGTH: usize = 32_768;

/// The most seconds that a local hour can hold: two hours, where the clock goes back and repeats it
/// (docs/spec/time.md#hourly-totals).
pub(crate) const MAX_HOUR_SECONDS: i64 = 7200;

/// The most bytes that a character takes.
const CHARACTER_BYTES: usize = 4;

/// The whole number at `index`, or null.
pub(crate) fn number(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    Ok(row.get_ref(index)?.as_i64().ok())
}

/// The seconds of one local hour at `index`, or null: no sum of what is read overflows.
pub(crate) fn hour_seconds(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    Ok(number(row, index)?.filter(|seconds| (0..=MAX_HOUR_SECONDS).contains(seconds)))
}

/// The flag at `index` (0 is false), or null.
pub(crate) fn flag(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<bool>> {
    Ok(number(row, index)?.map(|number| number != 0))
}

/// The bytes of the text at `index`, or null.
fn stored_bytes<'r>(row: &'r Row<'_>, index: usize) -> rusqlite::Result<Option<&'r [u8]>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Text(text) => Some(text),
        _ => None,
    })
}

/// The name at `index`, what is no UTF-8 replaced, or null.
pub(crate) fn name(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<String>> {
    Ok(stored_bytes(row, index)?.map(|name| truncate_text(name, MAX_NAME_LENGTH).into_owned()))
}

/// The text at `index`, what is no UTF-8 replaced, or null.
pub(crate) fn text<'r>(row: &'r Row<'_>, index: usize) -> rusqlite::Result<Option<Cow<'r, str>>> {
    Ok(stored_bytes(row, index)?.map(|text| truncate_text(text, MAX_TEXT_LENGTH)))
}

/// How many bytes of text `SQLite` had to read for the value at `index`.
pub(crate) fn text_bytes(row: &Row<'_>, index: usize) -> rusqlite::Result<usize> {
    Ok(stored_bytes(row, index)?.map_or(0, <[u8]>::len))
}

/// The instant at `index` in seconds on the clock that it was written for, or null.
pub(crate) fn instant(row: &Row<'_>, index: usize, parser: &mut InstantParser) -> rusqlite::Result<Option<i64>> {
    Ok(stored_bytes(row, index)?.and_then(|text| parser.parse(text)))
}

/// The first `most` characters of a stored text, what is no UTF-8 replaced.
pub(crate) fn truncate_text(stored: &[u8], most: usize) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(truncate_bytes(stored, most));
    // No text has more characters than bytes.
    let end = if stored.len() <= most { None } else { text.char_indices().nth(most).map(|(end, _)| end) };
    match (end, text) {
        (None, text) => text,
        (Some(end), Cow::Borrowed(text)) => Cow::Borrowed(&text[..end]),
        (Some(end), Cow::Owned(mut text)) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

/// As much of a text as its first `most` characters take at most. It may end within a character, which then is a later
/// one.
fn truncate_bytes(stored: &[u8], most: usize) -> &[u8] {
    &stored[..stored.len().min(most.saturating_mul(CHARACTER_BYTES))]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        for letter in ["x", "é", "日", "🦀"] {
            let whole = letter.repeat(5);
            assert_eq!(truncate_text(whole.as_bytes(), 5), whole);
            assert_eq!(truncate_text(whole.as_bytes(), 3), letter.repeat(3));
        }
        assert_eq!(truncate_text(b"a\xffb\xfe", 3), "a\u{fffd}b");
    }

    proptest! {
        #[test]
        fn truncated_text_is_the_beginning_of_the_whole(stored: Vec<u8>, most in 0..12_usize) {
            let whole = String::from_utf8_lossy(&stored);
            let expected: String = whole.chars().take(most).collect();
            prop_assert_eq!(truncate_text(&stored, most), expected.as_str());
        }

        #[test]
        fn letters_of_every_length_are_counted_as_one(text: String, most in 0..12_usize) {
            let expected: String = text.chars().take(most).collect();
            prop_assert_eq!(truncate_text(text.as_bytes(), most), expected.as_str());
        }
    }
}
