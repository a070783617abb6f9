//! Reads values of SQLite rows as the expected type. Values of other types are read as null.
//!
//! SQLite stores any type in any column. For example, a column declared `datetime` can contain a number. A text can be
//! invalid UTF-8, or have a billion characters. One unusual value must not make a read fail. So this module truncates
//! long texts, and no other module does. The limits are higher than the length of any text that a person writes.

use std::borrow::Cow;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::instant::InstantParser;

/// The maximum number of characters of a key, a name or a colour. The limit is lower than [`MAX_TEXT_LENGTH`], because
/// a name can appear in many rows. The limit is high enough: paths, host names, and lists of a hundred tags are
/// shorter.
pub(crate) const MAX_NAME_LENGTH: usize = 4096;
/// The maximum number of characters of any other text, such as a title, a URL or a note. A window title has at most
/// 32,767 characters.
pub(crate) const MAX_TEXT_LENGTH: usize = 32_768;

/// The maximum number of seconds in a local hour. When clocks are set back, a local hour occurs
/// twice and so lasts two hours (docs/spec/time.md#hourly-totals).
pub(crate) const MAX_HOUR_SECONDS: i64 = 7200;

/// The maximum number of bytes of a character in UTF-8.
const CHARACTER_BYTES: usize = 4;

/// Returns the integer at `index`, or `None` if the value isn't an integer.
pub(crate) fn number(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    Ok(row.get_ref(index)?.as_i64().ok())
}

/// Returns the seconds of a local hour at `index`. Returns `None` if the number isn't between 0 and
/// [`MAX_HOUR_SECONDS`]. This limit prevents an overflow if many totals are added.
pub(crate) fn hour_seconds(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    Ok(number(row, index)?.filter(|seconds| (0..=MAX_HOUR_SECONDS).contains(seconds)))
}

/// Returns the flag at `index` (0 is false), or `None` if the value isn't an integer.
pub(crate) fn flag(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<bool>> {
    Ok(number(row, index)?.map(|number| number != 0))
}

/// Returns the bytes of the text at `index`, or `None` if the value isn't a text.
fn stored_bytes<'r>(row: &'r Row<'_>, index: usize) -> rusqlite::Result<Option<&'r [u8]>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Text(text) => Some(text),
        _ => None,
    })
}

/// Returns the name at `index`, truncated and with invalid UTF-8 replaced. Returns `None` if the
/// value isn't a text.
pub(crate) fn name(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<String>> {
    Ok(stored_bytes(row, index)?.map(|name| truncate_text(name, MAX_NAME_LENGTH).into_owned()))
}

/// Returns the text at `index`, truncated and with invalid UTF-8 replaced. Returns `None` if the
/// value isn't a text.
pub(crate) fn text<'r>(row: &'r Row<'_>, index: usize) -> rusqlite::Result<Option<Cow<'r, str>>> {
    Ok(stored_bytes(row, index)?.map(|text| truncate_text(text, MAX_TEXT_LENGTH)))
}

/// Returns the length of the text at `index` in bytes, or 0 if the value isn't a text.
pub(crate) fn text_bytes(row: &Row<'_>, index: usize) -> rusqlite::Result<usize> {
    Ok(stored_bytes(row, index)?.map_or(0, <[u8]>::len))
}

/// Returns the time at `index` as seconds since 1970-01-01 00:00:00, in the time zone of the stored
/// text (local or UTC). Returns `None` if the value isn't a time.
pub(crate) fn instant(row: &Row<'_>, index: usize, parser: &mut InstantParser) -> rusqlite::Result<Option<i64>> {
    Ok(stored_bytes(row, index)?.and_then(|text| parser.parse(text)))
}

/// Returns the first `most` characters of a stored text, with invalid UTF-8 replaced.
pub(crate) fn truncate_text(stored: &[u8], most: usize) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(truncate_bytes(stored, most));
    // A text never has more characters than bytes, so a text of at most `most` bytes isn't truncated.
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

/// Returns the start of a text, which is long enough to contain the first `most` characters. The last character in
/// these bytes can be incomplete.
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
