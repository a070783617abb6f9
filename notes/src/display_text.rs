//! What a text of others becomes where it is to stand in a line of ours, and how a length of time is told there.

use std::time::Duration;

/// As long as a title or a name is told.
const MAX_TITLE_LENGTH: usize = 200;

/// A title or a name in a line.
pub(crate) fn short_title(title: &str) -> String {
    one_line(title, MAX_TITLE_LENGTH)
}

/// All of a text, such as a path, in which blanks count: each control character is `�`, so that it stays on its line and
/// tells no terminal what to do.
pub(crate) fn replace_control_characters(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

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

/// A length of time in words: `1 second`, `90 seconds`, and from two minutes on in minutes and hours, rounded up.
pub(crate) fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        1 if time.subsec_nanos() == 0 => "1 second".to_owned(),
        0..120 => format!("{} seconds", time.as_secs_f64()),
        120..7200 => format!("{} minutes", seconds.div_ceil(60)),
        7200.. => format!("{} hours", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_formatted_in_words() {
        for (millis, told) in [
            (0, "0 seconds"),
            (1000, "1 second"),
            (1500, "1.5 seconds"),
            (30_000, "30 seconds"),
            (600_000, "10 minutes"),
            (3_601_000, "61 minutes"),
            (86_400_000, "24 hours"),
        ] {
            assert_eq!(format_duration(Duration::from_millis(millis)), told);
        }
        assert!(format_duration(Duration::MAX).ends_with(" hours"));
    }

    #[test]
    fn a_line_stays_one_and_short() {
        assert_eq!(one_line(" a\u{1b}[31m\n b ", 20), "a [31m b");
        assert_eq!(one_line("äöü", 3), "äöü");
        assert_eq!(one_line("äöü", 2), "äö…");
    }
}
