//! Functions that make a text safe to write to a line-based format.

/// Converts a text to one line: trims the text, and replaces each run of white space and control characters by one
/// space.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns a character that looks similar but has no special meaning in a file format. Printable ASCII characters
/// become their full-width forms (U+FF01 to U+FF5E). Other characters stay the same.
pub(crate) fn look_alike(character: char) -> char {
    match character {
        '!'..='~' => char::from_u32(u32::from(character) + 0xFEE0).unwrap_or(character),
        other => other,
    }
}

/// Replaces each character in `meaning` by a similar one that has no special meaning.
pub(crate) fn replace_with_look_alikes(text: &str, meaning: &[char]) -> String {
    let replaced = |character: char| if meaning.contains(&character) { look_alike(character) } else { character };
    text.chars().map(replaced).collect()
}
