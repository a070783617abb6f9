//! What a text becomes where a format cannot carry it as it is.

/// On one line: each run of blanks and control characters becomes a space, and there is none at the ends.
pub(super) fn one_line(text: &str) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The character that looks alike and means nothing: of a printable one of ASCII its full-width form (U+FF01 to U+FF5E).
pub(super) fn look_alike(character: char) -> char {
    match character {
        '!'..='~' => char::from_u32(u32::from(character) + 0xFEE0).unwrap_or(character),
        other => other,
    }
}

/// The text with those characters replaced by what looks alike.
pub(super) fn without(text: &str, meaning: &[char]) -> String {
    let replaced = |character: char| if meaning.contains(&character) { look_alike(character) } else { character };
    text.chars().map(replaced).collect()
}

/// What was done, with the ticket before it where the description does not name it.
pub(super) fn wording(issue: Option<&str>, description: Option<&str>) -> String {
    match (issue.filter(|text| !text.is_empty()), description.filter(|text| !text.is_empty())) {
        (Some(issue), Some(description)) if !description.contains(issue) => format!("{issue}: {description}"),
        (Some(issue), None) => issue.to_owned(),
        (_, description) => description.unwrap_or_default().to_owned(),
    }
}
