//! Making a text safe for a line-based format.

/// Puts a text on one line: trims it, and replaces each run of white space and control characters by a space.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns a similar character without special meaning: for printable ASCII, its full-width form (U+FF01 to U+FF5E).
pub(crate) fn look_alike(character: char) -> char {
    match character {
        '!'..='~' => char::from_u32(u32::from(character) + 0xFEE0).unwrap_or(character),
        other => other,
    }
}

/// Replaces these characters by similar ones.
pub(crate) fn replace_with_look_alikes(text: &str, meaning: &[char]) -> String {
    let replaced = |character: char| if meaning.contains(&character) { look_alike(character) } else { character };
    text.chars().map(replaced).collect()
}
