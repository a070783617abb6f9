//! What a text becomes where it is to stand in a line that means something.

/// On one line: each run of blanks and control characters becomes a space, and there is none at the ends.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The character that looks alike and means nothing: of a printable one of ASCII its full-width form (U+FF01 to U+FF5E).
pub(crate) fn look_alike(character: char) -> char {
    match character {
        '!'..='~' => char::from_u32(u32::from(character) + 0xFEE0).unwrap_or(character),
        other => other,
    }
}

/// The text with those characters replaced by what looks alike.
pub(crate) fn replace_with_look_alikes(text: &str, meaning: &[char]) -> String {
    let replaced = |character: char| if meaning.contains(&character) { look_alike(character) } else { character };
    text.chars().map(replaced).collect()
}
