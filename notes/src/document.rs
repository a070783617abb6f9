//! The parts of a note's file: front matter, the record that processing made, and the author's text.
//!
//! The record is between two HTML comments, directly below the front matter. It is the only part that processing writes:
//! taking it out gives back the author's text, byte for byte.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::refusal::{Code, Refusal};

/// The line before a record.
pub const START: &str = "<!-- dayledger:record -->";
/// The line after a record.
pub const END: &str = "<!-- /dayledger:record -->";

/// Longer front matter is not looked for, so that the beginning of a file is enough to read it.
pub(crate) const LONGEST_FRONT_MATTER: usize = 64 * 1024;

/// A note's text in its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'t> {
    text: &'t str,
    /// Front matter, with its delimiters and the line break after them; empty if there is none.
    front: &'t str,
    /// Blank lines between front matter and record.
    blank: &'t str,
    record: Option<&'t str>,
    body: &'t str,
}

impl<'t> Document<'t> {
    /// Splits the text of a note, without a byte order mark.
    ///
    /// Only a record directly below the front matter counts, with at most blank lines between. The same markers anywhere
    /// else are part of the author's text.
    pub fn of(text: &'t str) -> Self {
        let (front, rest) = text.split_at(front_matter_length(text));
        let whole = Self { text, front, blank: "", record: None, body: rest };
        let marked = without_blank_lines(rest);
        let Some((record, after)) = split_record(marked) else { return whole };
        let blank = &rest[..rest.len() - marked.len()];
        let record = Some(record);
        match without_line_break_at_start(after) {
            Some(body) => Self { blank, record, body, ..whole },
            // At the end of a file, the line break before the record is the one that was added with it.
            None if blank.is_empty() => Self { front: without_line_break(front), record, body: "", ..whole },
            None => Self { blank: without_line_break(blank), record, body: "", ..whole },
        }
    }

    /// The record between its markers, if there is one.
    pub fn record(&self) -> Option<&'t str> {
        self.record
    }

    /// The author's text without front matter.
    pub fn body(&self) -> &'t str {
        self.body
    }

    /// The author's text with front matter: the file without the record.
    pub fn author_text(&self) -> Cow<'t, str> {
        match self.record {
            Some(_) => Cow::Owned([self.front, self.blank, self.body].concat()),
            None => Cow::Borrowed(self.text),
        }
    }

    /// The file with this record in place of the one it has. The record's lines end like those of the author's text.
    pub fn with_record(&self, record: &str) -> String {
        let Self { front, blank, body, .. } = self;
        let is_record_alone = front.is_empty() && body.is_empty();
        let is_crlf = is_crlf(front) || is_crlf(body) || is_record_alone && is_crlf(self.text);
        let line_break = if is_crlf { "\r\n" } else { "\n" };
        let lines: Vec<_> = [START].into_iter().chain(record.lines()).chain([END]).collect();
        let block = lines.join(line_break);
        if body.is_empty() && !ends_a_line(front, blank) {
            return [front, blank, line_break, block.as_str()].concat();
        }
        [front, blank, block.as_str(), line_break, body].concat()
    }

    /// The value of a top-level key of the front matter. Values over several lines are not read.
    pub fn front_matter_value(&self, key: &str) -> Option<String> {
        let lines = self.front.lines().skip(1);
        let value = lines.filter_map(|line| line.strip_prefix(key)).find_map(|rest| {
            let value = rest.trim_start().strip_prefix([':', '='])?;
            (value.is_empty() || value.starts_with([' ', '\t'])).then(|| value.trim())
        })?;
        Some(scalar(value)).filter(|value| !value.is_empty())
    }
}

/// Checks that a record stays within its markers, also for someone who looks at the rendered file.
///
/// # Errors
///
/// `PARSE_ERROR` if a line of it is a marker, or if it leaves a code block or an HTML block open.
pub(crate) fn check_record(record: &str) -> Result<(), Refusal> {
    if record.lines().any(|line| [START, END].contains(&line)) {
        let message = format!("the record contains the line `{START}` or `{END}`; leave these markers out");
        return Err(Refusal::new(Code::ParseError, message));
    }
    let whole = format!("{record}\n\n{END}\n");
    let end = record.len() + 2;
    let mut events = Parser::new_ext(&whole, Options::empty()).into_offset_iter();
    if events.any(|(event, place)| matches!(event, Event::Start(Tag::HtmlBlock)) && place.start == end) {
        return Ok(());
    }
    Err(Refusal::new(Code::ParseError, "the record leaves a code block or an HTML block open; close it"))
}

/// How many bytes the front matter has: YAML between lines `---`, or TOML between lines `+++`, at the very beginning.
fn front_matter_length(text: &str) -> usize {
    let mut end = 0;
    let mut delimiter = None;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if end > LONGEST_FRONT_MATTER {
            return 0;
        }
        let line = without_line_break(line).trim_end_matches([' ', '\t']);
        match delimiter {
            None if line == "---" || line == "+++" => delimiter = Some(line),
            None => return 0,
            Some(delimiter) if line == delimiter || (line == "..." && delimiter == "---") => return end,
            Some(_) => {}
        }
    }
    0
}

/// The record at the beginning of a text, and the text after its end marker.
fn split_record(text: &str) -> Option<(&str, &str)> {
    let inside = without_line_break_at_start(text.strip_prefix(START)?)?;
    let mut end = 0;
    for line in inside.split_inclusive('\n') {
        if without_line_break(line) == END {
            return Some((&inside[..end], &inside[end + END.len()..]));
        }
        end += line.len();
    }
    None
}

fn without_line_break_at_start(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'))
}

fn without_blank_lines(mut text: &str) -> &str {
    while let Some(rest) = without_line_break_at_start(text) {
        text = rest;
    }
    text
}

fn without_line_break(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

fn ends_a_line(front: &str, blank: &str) -> bool {
    blank.ends_with('\n') || front.is_empty() && blank.is_empty() || blank.is_empty() && front.ends_with('\n')
}

/// Whether the first line ends with CRLF.
fn is_crlf(text: &str) -> bool {
    text.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n"))
}

/// A scalar of YAML or TOML on one line, without its quotes or the comment after it.
fn scalar(written: &str) -> String {
    if let Some(inside) = written.strip_prefix('\'').and_then(|rest| rest.rsplit_once('\'')) {
        return inside.0.replace("''", "'");
    }
    if written.starts_with('"')
        && let Some((quoted, _)) = written.rsplit_once('"')
        && let Ok(text) = serde_json::from_str(&format!("{quoted}\""))
    {
        return text;
    }
    let is_structure = written.starts_with(['|', '>', '[', '{', '&', '*', '#']);
    let plain = written.split(" #").next().unwrap_or_default().trim();
    if is_structure { String::new() } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "# T\n\n## TL;DR\n\nShort.\n";

    fn processed(original: &str) -> String {
        Document::of(original).with_record(RECORD)
    }

    #[test]
    fn record_is_below_the_front_matter_and_above_the_text() {
        let block = format!("{START}\n{RECORD}{END}\n");
        for (front, body) in [
            ("", "# Kickoff\n"),
            ("---\ntitle: x\n---\n", "\n# Kickoff\n"),
            ("---\n---\n", "no line break at the end"),
            ("+++\ntitle = 'x'\n+++\n", "text\n"),
            ("---  \nx: 1\n...\n", "text\n"),
            ("", "---\nnever closed\n"),
            ("", "\u{a0}---\nx\n---\n"),
        ] {
            assert_eq!(processed(&format!("{front}{body}")), format!("{front}{block}{body}"), "{front:?}{body:?}");
        }
    }

    #[test]
    fn text_without_the_record_is_the_original() {
        let own = format!("{START}\nnot closed\n");
        let later = format!("# T\n\n{START}\n## TL;DR\n\nmine\n{END}\n");
        let closed = format!("{END}\nx");
        let back = format!("---\na: b\n---\n\ntext {START}\n{END}\n");
        for original in [
            "",
            "\n",
            "\r\n",
            "x",
            "---\n",
            "---\n---",
            "---\n---\n",
            "---\r\na: b\r\n---",
            "---\na\n---\r",
            "a\rb\r",
            "---\n---\n\n",
            "---\n---\n\r\n\n",
            "\r\n\r\nx",
            "# T\r\n\r\n- [ ] x\r\n",
            "+++\n+++",
            &own,
            &later,
            &closed,
            &back,
        ] {
            let once = processed(original);
            assert_eq!(Document::of(&once).author_text(), original, "{once:?}");
            assert!(Document::of(&once).record().is_some(), "{once:?}");
            assert_eq!(processed(&once), once, "a second run changes nothing");
        }
    }

    #[test]
    fn record_has_the_line_breaks_of_the_note() {
        let text = processed("---\r\na: b\r\n---\r\ntext\r\n");
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
    }

    #[test]
    fn blank_lines_that_a_formatter_adds_above_the_record_stay() {
        let edited = processed("---\na: b\n---\ntext\n").replace("---\n<", "---\n\n<");
        assert_eq!(Document::of(&edited).author_text(), "---\na: b\n---\n\ntext\n");
        assert_eq!(processed(&edited), edited);
    }

    #[test]
    fn record_that_would_hide_the_text_below_it_is_refused() {
        for open in ["```\ncode", "<!-- remark", "<script>", "~~~~\n```\n"] {
            assert!(check_record(open).is_err(), "{open}");
        }
        for marker in [START, END] {
            assert!(check_record(&format!("a\n{marker}\nb")).is_err());
        }
        for closed in [RECORD, "```\ncode\n```", "- ```\n  x", "<div>", "a <!-- b --> c", "> ```\n"] {
            check_record(closed).unwrap();
        }
    }

    #[test]
    fn values_of_front_matter_are_read_on_one_line() {
        let text = "---\n# who\ntitle: \"A: \\\"b\\\"\" # c\nsubtitle: no\ndate:   2026-11-02   # day\nit's: 'it''s'\n\
                    empty:\nlist: [a]\nnested:\n  author: Bo\nurl: http://a#b\n---\ntitle: body\n";
        let document = Document::of(text);
        for (key, value) in [
            ("title", Some("A: \"b\"")),
            ("date", Some("2026-11-02")),
            ("it's", Some("it's")),
            ("url", Some("http://a#b")),
            ("empty", None),
            ("list", None),
            ("author", None),
            ("sub", None),
        ] {
            assert_eq!(document.front_matter_value(key).as_deref(), value, "{key}");
        }
        assert_eq!(Document::of("+++\ntitle = \"T\"\n+++\n").front_matter_value("title").as_deref(), Some("T"));
    }
}
