//! What a text of others becomes where it is to stand in a line of ours.

/// On one line and not longer than that many characters: each run of blanks and control characters becomes a space, and
/// there is none at the ends; what is cut ends with `…`.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_and_short() {
        assert_eq!(one_line(" a\u{1b}[31m\n b ", 20), "a [31m b");
        assert_eq!(one_line("äöü", 3), "äöü");
        assert_eq!(one_line("äöü", 2), "äö…");
    }
}
