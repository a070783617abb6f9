//! Formats durations for a line of output. Also formats texts that come from files or other programs.

use std::time::Duration;

/// The maximum length of a title or a name, in characters.
const MAX_TITLE_LENGTH: usize = 200;

/// Formats a title or a name for a line of output.
pub(crate) fn short_title(title: &str) -> String {
    one_line(title, MAX_TITLE_LENGTH)
}

/// Replaces each control character with `�`, so that the text stays on its line and can't send commands to a terminal.
/// Keeps all spaces, because they matter, for example in a path.
pub(crate) fn replace_control_characters(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// Puts a text on one line of at most `most` characters. Trims the text, and replaces each run of white space and
/// control characters with a space. A shortened text ends with `…`, which isn't counted in `most`.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// Formats a duration in words: `1 second`, `90 seconds`. A duration of two minutes or more is rounded up to minutes,
/// and a duration of two hours or more to hours.
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
        for (millis, expected) in [
            (0, "0 seconds"),
            (1000, "1 second"),
            (1500, "1.5 seconds"),
            (30_000, "30 seconds"),
            (600_000, "10 minutes"),
            (3_601_000, "61 minutes"),
            (86_400_000, "24 hours"),
        ] {
            assert_eq!(format_duration(Duration::from_millis(millis)), expected);
        }
        assert!(format_duration(Duration::MAX).ends_with(" hours"));
    }

    #[test]
    fn line_stays_single_and_short() {
        assert_eq!(one_line(" a\u{1b}[31m\n b ", 20), "a [31m b");
        assert_eq!(one_line("äöü", 3), "äöü");
        assert_eq!(one_line("äöü", 2), "äö…");
    }
}
