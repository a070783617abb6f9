//! Sanitises names from the history, fits texts into a width, and formats times and durations.

use std::borrow::Cow;

use chrono::{NaiveDate, NaiveDateTime};
use percent_encoding::percent_decode_str;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::style::Style;
use dayledger_core::local_days::LocalDays;
use dayledger_request::Minutes;

/// The shortest time that becomes 1.0 minutes when it is rounded to one decimal, in seconds.
const SHORTEST_MINUTE: i64 = 57;
/// The text for a null value in a table.
pub(super) const NULL: &str = "NULL";

/// Returns the number of columns that `text` takes on a terminal.
pub(super) fn width_of(text: &str) -> usize {
    text.width()
}

/// Pads `text` with spaces to `width` columns. A wider text isn't changed. Use this function if the width depends on
/// data. With a format string, formatting would panic for a width of 65,536 or more.
pub(super) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(width_of(text))))
}

/// Makes a name from the history safe to print. For example, a window title can contain escape sequences that control
/// the terminal.
///
/// Control characters become visible symbols such as `␛`. Marks that reorder or hide text are removed. The joiners
/// U+200C and U+200D stay, because Persian words and many emoji need these joiners. If the style doesn't allow Unicode,
/// every character outside ASCII becomes `?`, because the terminal may interpret bytes of UTF-8 as control characters.
pub(super) fn sanitize<'a>(text: &'a str, style: &Style) -> Cow<'a, str> {
    let plain = |c: char| if c.is_ascii() { !c.is_ascii_control() } else { style.unicode && !is_unsafe_char(c) };
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().filter_map(|c| match c {
        '\t' => Some(' '),
        c if plain(c) => Some(c),
        _ if !style.unicode => Some('?'),
        '\u{7f}' => Some('␡'),
        c if c.is_ascii_control() => char::from_u32(0x2400 + u32::from(c)),
        c if c.is_control() => Some('\u{fffd}'),
        _ => None,
    });
    Cow::Owned(shown.collect())
}

/// Whether the character can control a terminal, or reorder or hide other text.
pub fn is_unsafe_char(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Truncates `text` to `width` columns. If text is removed, the result ends with an ellipsis. A character is never
/// separated from its combining marks and joiners.
pub(super) fn fit<'a>(text: &'a str, width: usize, style: &Style) -> Cow<'a, str> {
    if width_of(text) <= width {
        return Cow::Borrowed(text);
    }
    let ellipsis = if style.unicode { "…" } else { "~" };
    let room = width.saturating_sub(1);
    let mut kept = String::new();
    let mut used = 0;
    for character in text.graphemes(true) {
        used += width_of(character);
        if used > room {
            break;
        }
        kept.push_str(character);
    }
    kept.truncate(kept.trim_end().len());
    if width > 0 {
        kept.push_str(ellipsis);
    }
    Cow::Owned(kept)
}

/// Wraps prose at spaces into lines of at most `width` columns.
pub(super) fn wrap(prose: &str, width: usize, style: &Style) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in prose.split_whitespace() {
        let word = fit(word, width, style);
        match lines.last_mut() {
            Some(line) if width_of(line) + 1 + width_of(&word) <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word.into_owned()),
        }
    }
    lines
}

/// Returns the name of a document to show. For a `file://` URI or an absolute path, returns the file name. For any
/// other document, returns the recorded text.
pub(super) fn document_name(document: &str) -> Cow<'_, str> {
    let Some(path) = document.strip_prefix("file://") else {
        let name = document.strip_prefix('/').and_then(|path| path.rsplit('/').next());
        return Cow::Borrowed(name.filter(|name| !name.is_empty()).unwrap_or(document));
    };
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if name.is_empty() { Cow::Borrowed(document) } else { percent_decode_str(name).decode_utf8_lossy() }
}

/// Returns the first level of a tag, or the project of a rule. Usually, this name is the name of a client.
pub(super) fn client_of(name: &str) -> &str {
    name.split_once(", ").map_or(name, |(client, _)| client)
}

/// Returns the levels of a tag below the first level, or the task of a rule. Returns `None` if there is no lower level
/// or task.
pub(super) fn task_of(name: &str) -> Option<&str> {
    name.split_once(", ").map(|(_, task)| task)
}

/// Formats a duration, such as `7 h 32 min` or `32 min`. A duration below a minute has a decimal, such as `0.4 min`.
/// The duration is rounded only once, from exact seconds, and half a minute is rounded up
/// (docs/spec/time.md#times-and-minutes).
pub(super) fn duration(length: Minutes) -> String {
    // Within these limits, the rounded decimal is at least 0.1 and at most 0.9.
    if (3..SHORTEST_MINUTE).contains(&length.seconds()) {
        return format!("{length:.1} min");
    }
    let whole = length.seconds().saturating_add(30) / 60;
    match (whole / 60, whole % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}

/// Formats time away from the computer, such as `2 h 06 min away`. Returns `None` for less than a minute
/// (docs/spec/time.md#client-time).
pub(super) fn away_part(away: Minutes) -> Option<String> {
    (away.seconds() >= SHORTEST_MINUTE).then(|| format!("{} away", duration(away)))
}

/// Formats a client's time, including the time away from the computer, such as `18 h 55 min (2 h 06 min away)`.
pub(super) fn duration_with_away(total: Minutes, away: Minutes) -> String {
    match away_part(away) {
        Some(away) => format!("{} ({away})", duration(total)),
        None => duration(total),
    }
}

/// Formats a duration in hours with two decimals, such as `1.25`. The exact seconds are rounded half up.
pub(super) fn decimal(length: Minutes) -> String {
    let hundredths = (length.seconds().max(0).saturating_mul(100) + 1800) / 3600;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Parses a local date, or a local date with a time, of a response. A date stands for the start of that local day.
pub(super) fn parse_time(text: &str) -> Option<NaiveDateTime> {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S")
        .ok()
        .or_else(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|date| LocalDays::current().start_of(date)))
}

/// Parses a local date of a response, or the day that contains a date-time.
pub(super) fn parse_day(text: &str) -> Option<NaiveDate> {
    parse_time(text).map(|local| LocalDays::current().day_of(local))
}

/// Formats a time of day, such as `09:05`. If `instant` is the midnight at the end of the day `of`, the result is
/// `24:00`.
pub(super) fn clock(instant: NaiveDateTime, of: NaiveDate) -> String {
    if of.succ_opt().is_some_and(|next| next.and_time(chrono::NaiveTime::MIN) == instant) {
        "24:00".to_owned()
    } else {
        instant.format("%H:%M").to_string()
    }
}

/// Joins two times with a dash, such as `09:00–17:30`.
pub(super) fn span(start: &str, end: &str, style: &Style) -> String {
    format!("{start}{}{end}", if style.unicode { '–' } else { '-' })
}

/// Formats the start and the end of a range in a response as times of day, such as `09:00–17:30`. Returns `None` if the
/// start or the end can't be parsed.
pub(super) fn times(start: &str, end: &str, style: &Style) -> Option<String> {
    let (start, end) = (parse_time(start)?, parse_time(end)?);
    Some(span(&clock(start, start.date()), &clock(end, start.date()), style))
}

/// Returns `text` with a capital letter at the start.
pub(super) fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Joins facts with dots, such as `7 h 32 min active · 2 devices`.
pub(super) fn join(facts: &[String], style: &Style) -> String {
    facts.join(if style.unicode { " · " } else { ", " })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ColorDepth;
    use dayledger_request::minutes;

    const UNICODE: Style = Style { color: ColorDepth::None, width: 80, unicode: true, source_options: "" };
    const ASCII: Style = Style { color: ColorDepth::None, width: 80, unicode: false, source_options: "" };

    #[test]
    fn escape_sequences_and_reordering_marks_are_harmless() {
        assert_eq!(sanitize("a\u{1b}[31mb\nc\td\u{9b}e\u{7f}", &UNICODE), "a␛[31mb␊c d\u{fffd}e␡");
        assert_eq!(sanitize("exe.\u{202e}txt\u{200b}", &UNICODE), "exe.txt");
        assert_eq!(sanitize("Grün\u{1b}[0m", &ASCII), "Gr?n?[0m");
    }

    /// Without joiners, some Persian words would be misspelt, and some emoji would become several emoji.
    #[test]
    fn joiners_of_words_and_emoji_stay() {
        for text in ["می\u{200c}خواهم", "👩\u{200d}💻 pairing"] {
            assert_eq!(sanitize(text, &UNICODE), text);
        }
        assert_eq!(sanitize("می\u{200c}خواهم\u{202e}\u{2066}\u{200f}", &UNICODE), "می\u{200c}خواهم");
    }

    #[test]
    fn joined_characters_are_measured_and_cut_as_one() {
        assert_eq!(width_of("می\u{200c}خواهم"), 7);
        assert_eq!(width_of("👩\u{200d}💻"), 2);
        assert_eq!(fit("👩\u{200d}💻 pairing", 10, &UNICODE), "👩\u{200d}💻 pairing");
        assert_eq!(fit("👩\u{200d}💻 pairing", 6, &UNICODE), "👩\u{200d}💻 pa…");
        assert_eq!(fit("a 👩\u{200d}💻 pairing", 4, &UNICODE), "a…", "no half of an emoji");
        assert_eq!(fit("می\u{200c}خواهم", 3, &UNICODE), "می\u{200c}…");
    }

    #[test]
    fn text_is_cut_by_columns_not_by_characters() {
        assert_eq!(fit("Notepad", 7, &UNICODE), "Notepad");
        assert_eq!(fit("Notepad", 5, &UNICODE), "Note…");
        assert_eq!(fit("日本語の文書", 6, &UNICODE), "日本…");
        assert_eq!(fit("Notepad", 5, &ASCII), "Note~");
        assert_eq!(fit("Notepad", 0, &UNICODE), "");
    }

    #[test]
    fn a_file_uri_is_shown_by_its_name() {
        assert_eq!(document_name("file:///C:/x/y.rs"), "y.rs");
        assert_eq!(document_name("/home/x/100%.md"), "100%.md");
        assert_eq!(document_name("file://server/share/Angebot%20M%C3%BCller%.docx"), "Angebot Müller%.docx");
        assert_eq!(document_name("https://example.org/a"), "https://example.org/a");
        assert_eq!(document_name("file:///"), "file:///");
    }

    /// A client's time must not be shown as `2 h 00 min (0.1 min away)`.
    #[test]
    fn less_than_a_minute_away_is_not_shown() {
        let shown = [0, 6, 56, 57, 60, 2_520].map(|away| duration_with_away(minutes(7_200), minutes(away)));
        let whole = "2 h 00 min";
        let expected =
            [whole, whole, whole, "2 h 00 min (1 min away)", "2 h 00 min (1 min away)", "2 h 00 min (42 min away)"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn durations_are_formatted_for_people() {
        let actual = [27_120, 3600, 1944, 24, 0, 3576, 57, 56, 2].map(|seconds| duration(minutes(seconds)));
        let expected =
            ["7 h 32 min", "1 h 00 min", "32 min", "0.4 min", "0 min", "1 h 00 min", "1 min", "0.9 min", "0 min"];
        assert_eq!(actual, expected);
        // 5368 seconds are 89.47 minutes. If they were rounded to 89.5 first, the result would be 90.
        assert_eq!(duration(minutes(5368)), "1 h 29 min");
    }
    #[test]
    fn hours_are_rounded_once_half_up() {
        assert_eq!(
            [0, 17, 18, 3600, 9017, 9018, 360_000].map(|seconds| decimal(minutes(seconds))),
            ["0.00", "0.00", "0.01", "1.00", "2.50", "2.51", "100.00"]
        );
    }
}
