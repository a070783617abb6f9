//! The parts of a note's file: front matter, the record that processing wrote, and the author's text.
//!
//! The record is between two HTML comments. Processing writes only the record. The rest of the file is the author's
//! text, byte for byte.

use std::borrow::Cow;
use std::collections::HashSet;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::path::NotePath;
use crate::refusal::{Code, Refusal};

/// The marker line before a record.
pub const START: &str = "<!-- dayledger:record -->";
/// The marker line after a record.
pub const END: &str = "<!-- /dayledger:record -->";

/// The text of a note, split into its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'t> {
    text: &'t str,
    /// The front matter with its delimiters and the line break after them. It is an empty text if the note has no front
    /// matter.
    front: &'t str,
    /// The front matter and the author's text above the record.
    above: &'t str,
    record: Option<&'t str>,
    /// The author's text below the record. In a note without a record, this is all text below the front matter.
    below: &'t str,
}

impl<'t> Document<'t> {
    /// Splits the text of a note. The text must not begin with a byte order mark.
    ///
    /// The record is between the first pair of markers outside of code blocks.
    pub fn parse(text: &'t str) -> Self {
        let (front, rest) = text.split_at(front_matter_length(text));
        let whole = Self { text, front, above: front, record: None, below: rest };
        let Some((start, record, after)) = find_record(rest) else { return whole };
        let above = &text[..front.len() + start];
        let record = Some(record);
        match strip_leading_line_break(after) {
            Some(below) => Self { above, record, below, ..whole },
            // If the record is at the end of the file, processing also added the line break above the record. So this
            // line break isn't part of the author's text.
            None => Self { above: trim_line_break(above), record, below: "", ..whole },
        }
    }

    /// Returns the text between the markers of the record, if the note has a record.
    pub fn record(&self) -> Option<&'t str> {
        self.record
    }

    /// Returns the author's text without front matter.
    pub fn body(&self) -> Cow<'t, str> {
        match self.above.get(self.front.len()..) {
            Some(above) if !above.is_empty() => Cow::Owned([above, self.below].concat()),
            _ => Cow::Borrowed(self.below),
        }
    }

    /// Returns the file without the record: the author's text with front matter.
    pub fn author_text(&self) -> Cow<'t, str> {
        match self.record {
            Some(_) => Cow::Owned([self.above, self.below].concat()),
            None => Cow::Borrowed(self.text),
        }
    }

    /// Returns the file with `record` instead of its current record. If the file has no record, the new record is below
    /// the front matter. The record gets the line endings of the author's text.
    pub fn with_record(&self, record: &str) -> String {
        let Self { above, below, .. } = self;
        let is_record_alone = above.is_empty() && below.is_empty();
        let is_crlf = is_crlf(above) || is_crlf(below) || is_record_alone && is_crlf(self.text);
        let line_break = if is_crlf { "\r\n" } else { "\n" };
        let lines: Vec<_> = [START].into_iter().chain(record.lines()).chain([END]).collect();
        let block = lines.join(line_break);
        if below.is_empty() && !above.is_empty() && !above.ends_with('\n') {
            return [above, line_break, block.as_str()].concat();
        }
        [above, block.as_str(), line_break, below].concat()
    }

    /// Checks that the note at `path` has no stray markers, so that a new record would be the only record of the note.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if a marker is outside of the record, for example because the other marker of the pair was
    /// deleted.
    pub fn check(&self, path: &NotePath) -> Result<(), Refusal> {
        if !has_marker(self.above) && !has_marker(self.below) {
            return Ok(());
        }
        let message = format!(
            "`{path}` contains a line `{START}` or `{END}` that does not belong to its record; delete the line and the rest \
             of the record"
        );
        Err(Refusal::new(Code::ParseError, message))
    }

    /// Returns the value of a top-level key of the front matter as text, ignoring the key's case.
    pub fn front_matter_value(&self, key: &str) -> Option<String> {
        let is_toml = self.front.starts_with("+++");
        let mut lines: Vec<_> = self.front.lines().skip(1).collect();
        lines.pop();
        let value = if is_toml { toml_value(&lines.join("\n"), key) } else { yaml_value(&lines, key) };
        value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

/// Checks that a record ends at its end marker, both for this crate and for a program that renders the Markdown.
///
/// # Errors
///
/// `PARSE_ERROR` if a line of the record is a marker, or if the record leaves a code block, an HTML element or a
/// comment open.
pub(crate) fn check_record(record: &str) -> Result<(), Refusal> {
    if has_marker(record) {
        let message = format!("the record contains the line `{START}` or `{END}`; remove these markers");
        return Err(Refusal::new(Code::ParseError, message));
    }
    // Markdown recognises the end marker as an HTML block only if no block above the marker is open.
    let whole = format!("{record}\n\n{END}\n");
    if html_blocks(&whole).any(|start| start == record.len() + 2) && !leaves_element_open(record) {
        return Ok(());
    }
    Err(Refusal::new(Code::ParseError, "the record leaves a code block, an HTML element or a comment open; close it"))
}

/// Whether a Markdown text has an unclosed Obsidian comment (`%%`) or an unclosed HTML element that can hide text.
fn leaves_element_open(markdown: &str) -> bool {
    const HIDING: [&str; 6] = ["details", "dialog", "div", "section", "span", "template"];
    let (mut html, mut comment_marks, mut is_in_code) = (String::new(), 0, false);
    for event in Parser::new_ext(markdown, Options::empty()) {
        match event {
            Event::Html(part) | Event::InlineHtml(part) => html.push_str(&part.to_ascii_lowercase()),
            Event::Start(Tag::CodeBlock(_)) => is_in_code = true,
            Event::End(TagEnd::CodeBlock) => is_in_code = false,
            Event::Text(text) if !is_in_code => comment_marks += text.matches("%%").count(),
            _ => {}
        }
    }
    let tags = |begin: &str, name: &str| {
        let tag = format!("{begin}{name}");
        let after = html.split(&tag).skip(1);
        after.filter(|rest| rest.starts_with(|next: char| next == '>' || next.is_whitespace())).count()
    };
    comment_marks % 2 == 1 || HIDING.iter().any(|name| tags("<", name) > tags("</", name))
}

/// Whether front matter begins in `beginning` but doesn't end there. `beginning` is the start of a note.
pub(crate) fn is_cut_in_front_matter(beginning: &str) -> bool {
    front_matter_length(beginning) == 0 && front_matter_length(&format!("{beginning}\n---\n+++\n")) > 0
}

/// Whether a text contains a line that is a marker, with or without blanks around the marker.
fn has_marker(text: &str) -> bool {
    text.split(['\n', '\r']).any(|line| [START, END].contains(&line.trim()))
}

/// Returns the start positions of the HTML blocks of Markdown, in bytes.
fn html_blocks(markdown: &str) -> impl Iterator<Item = usize> {
    let events = Parser::new_ext(markdown, Options::empty()).into_offset_iter();
    events.filter_map(|(event, place)| matches!(event, Event::Start(Tag::HtmlBlock)).then_some(place.start))
}

/// Returns the length of the front matter at the start of a text, in bytes. Front matter is TOML between two lines
/// `+++`, or YAML between two lines `---`. The first line of YAML that isn't a comment must be a key, because a line
/// `---` can also be a horizontal rule of Markdown.
fn front_matter_length(text: &str) -> usize {
    let mut end = 0;
    let mut delimiter = None;
    let mut has_key = false;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let line = trim_line_break(line).trim_end_matches([' ', '\t']);
        match delimiter {
            None if line == "---" || line == "+++" => delimiter = Some(line),
            None => return 0,
            Some(delimiter) if line == delimiter || (line == "..." && delimiter == "---") => return end,
            // Front matter always ends above the record, so a line of the record can't close it.
            Some(_) if line == START => return 0,
            Some("---") if !has_key && !line.starts_with('#') => {
                has_key = true;
                if yaml_key(line).is_none() {
                    return 0;
                }
            }
            Some(_) => {}
        }
    }
    0
}

/// Returns the record's start position, the text of the record, and the text after its end marker.
fn find_record(text: &str) -> Option<(usize, &str, &str)> {
    let mut starts = lines(text).filter(|(_, line)| line.trim_end() == START).map(|(at, _)| at).peekable();
    let first = *starts.peek()?;
    // If there is no text above the marker, the marker can't be in a code block.
    let start = if text[..first].trim().is_empty() {
        first
    } else {
        let blocks: HashSet<_> = html_blocks(text).collect();
        starts.find(|at| blocks.contains(at))?
    };
    let inside = &text[start + text[start..].find('\n')? + 1..];
    let (end, closing) = lines(inside).find(|(_, line)| line.trim_end() == END)?;
    Some((start, &inside[..end], &inside[end + trim_line_break(closing).len()..]))
}

/// Returns the lines of a text with their line breaks, each with its start position in bytes.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line))
    })
}

fn strip_leading_line_break(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'))
}

fn trim_line_break(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

/// Whether the first line of a text ends with CRLF.
fn is_crlf(text: &str) -> bool {
    text.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n"))
}

fn toml_value(front_matter: &str, key: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(front_matter).ok()?;
    match table.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(key))?.1 {
        toml::Value::String(text) => Some(text),
        toml::Value::Datetime(time) => Some(time.to_string()),
        _ => None,
    }
}

/// Returns an unindented YAML key and the text after its colon.
fn yaml_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let name = key.trim_end().trim_matches(['"', '\'']);
    // In `https://example.com` and `09:30`, the colon isn't the end of a key.
    let is_key = name.starts_with(char::is_alphanumeric) && (value.is_empty() || value.starts_with([' ', '\t']));
    is_key.then_some((name, value.trim()))
}

/// Returns the YAML scalar of a key. The scalar may continue on indented lines. Lists and mappings are ignored.
fn yaml_value(front_matter: &[&str], key: &str) -> Option<String> {
    let mut lines = front_matter.iter();
    let first = lines.by_ref().find_map(|line| {
        let (name, value) = yaml_key(line)?;
        name.eq_ignore_ascii_case(key).then_some(value)
    })?;
    let more = lines.take_while(|line| line.starts_with([' ', '\t']) || line.is_empty()).map(|line| line.trim());
    let is_block = first.starts_with(['|', '>']);
    let first =
        if is_block || first.starts_with("!!str") { first.split_once(' ').map_or("", |(_, rest)| rest) } else { first };
    if first.is_empty() && !is_block {
        return None;
    }
    Some(scalar([first].into_iter().chain(more).collect::<Vec<_>>().join(" ").trim()))
}

/// Returns a YAML scalar without quotes and comment. Returns an empty text for null, lists, mappings and references.
fn scalar(written: &str) -> String {
    if let Some(inside) = written.strip_prefix('\'').and_then(|rest| rest.rsplit_once('\'')) {
        return inside.0.replace("''", "'");
    }
    // A JSON string is also a valid double-quoted text of YAML. A text with escapes that JSON doesn't know stays
    // unchanged.
    if written.starts_with('"')
        && let Some((quoted, _)) = written.rsplit_once('"')
        && let Ok(text) = serde_json::from_str(&format!("{quoted}\""))
    {
        return text;
    }
    let is_structure = written.starts_with(['[', '{', '&', '*', '#']);
    let plain = written.split(" #").next().unwrap_or_default().trim();
    let is_null = plain == "~" || plain.eq_ignore_ascii_case("null");
    if is_structure || is_null { String::new() } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "# T\n\n## TL;DR\n\nShort.\n";

    fn add_record(original: &str) -> String {
        Document::parse(original).with_record(RECORD)
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
            ("---\n# who\n\"due date\": 1\n---\n", "text\n"),
            ("", "---\n\nA rule.\n\n- [ ] above\n\n---\n# Real\n"),
            ("", "---\n# Heading\n\ntext: more\n---\n"),
            ("", "---\n- [ ] call: Bo\n---\n"),
            ("", "---\nnever closed\n"),
            ("", "\u{a0}---\nx\n---\n"),
        ] {
            assert_eq!(add_record(&format!("{front}{body}")), format!("{front}{block}{body}"), "{front:?}{body:?}");
        }
    }

    #[test]
    fn text_without_the_record_is_the_original() {
        let back = format!("---\na: b\n---\n\ntext {START}\n- {END}\n");
        let long = format!("---\n{}---\ntext\n", "key: value\n".repeat(10_000));
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
            &back,
            &long,
        ] {
            let once = add_record(original);
            assert_eq!(Document::parse(&once).author_text(), original, "{once:?}");
            assert!(Document::parse(&once).record().is_some(), "{once:?}");
            assert_eq!(add_record(&once), once, "a second run changes nothing");
        }
    }

    /// A `---` in the record must not close front matter that the author left open, because the record would then
    /// become part of the author's text.
    #[test]
    fn line_in_the_record_does_not_close_the_front_matter() {
        let edited = format!("---\ntitle: open\n{START}\n{RECORD}{END}\n\ntext\n");
        let again = Document::parse(&edited).with_record("# T\n\nTitle\n---\n");
        assert_eq!(Document::parse(&again).author_text(), "---\ntitle: open\n\ntext\n");
    }

    #[test]
    fn record_has_the_line_breaks_of_the_note() {
        let text = add_record("---\r\na: b\r\n---\r\ntext\r\n");
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
    }

    #[test]
    fn blank_lines_that_a_formatter_adds_above_the_record_stay() {
        let edited = add_record("---\na: b\n---\ntext\n").replace("---\n<", "---\n\n<");
        assert_eq!(Document::parse(&edited).author_text(), "---\na: b\n---\n\ntext\n");
        assert_eq!(add_record(&edited), edited);
    }

    /// If the user edits the text around a record, the next run must not add a second record.
    #[test]
    fn record_stays_the_only_one_after_edits_around_it() {
        for original in ["# Mine\n\nown\n", "---\na: b\n---\ntext\n", "x"] {
            let file = add_record(original);
            let added = Document::parse(original).front.len();
            for (edited, own) in [
                (format!("new line\n{file}"), format!("new line\n{original}")),
                (
                    format!("{}\n \n- a\n{}", &file[..added], &file[added..]),
                    format!("{}\n \n- a\n{}", &original[..added], &original[added..]),
                ),
                (file.replace(END, &format!("{END} \t")), original.to_owned()),
                (file.replace(START, &format!("{START}  ")), original.to_owned()),
                (format!("---\ntitle: new\n---\n{file}"), format!("---\ntitle: new\n---\n{original}")),
            ] {
                let document = Document::parse(&edited);
                assert_eq!(
                    (document.record(), document.author_text().as_ref()),
                    (Some(RECORD), own.as_str()),
                    "{edited:?}"
                );
                let again = document.with_record(RECORD);
                assert_eq!(again.matches(START).count(), 1, "{again:?}");
                assert_eq!(Document::parse(&again).author_text(), own);
            }
        }
    }

    #[test]
    fn record_quoted_in_a_code_block_is_text_of_the_author() {
        let quoted = format!("# How it works\n\n```\n{START}\n## TL;DR\nx\n{END}\n```\n");
        assert_eq!(Document::parse(&quoted).record(), None);
        let moved = format!("text\n{START}\n{RECORD}{END}\n```\n{START}\n```\n");
        assert_eq!(Document::parse(&moved).record(), Some(RECORD));
    }

    #[test]
    fn marker_outside_of_the_record_is_refused() {
        let path = NotePath::parse("a.md").unwrap();
        let file = add_record("own\n");
        Document::parse(&file).check(&path).unwrap();
        for damaged in [
            file.replace(&format!("{END}\n"), ""),
            file.replace(&format!("{START}\n"), ""),
            format!("{file}{file}"),
            format!("```\n{file}"),
            file.replace(START, &format!("    {START}")),
            format!("{file}{END}\r\r\nx"),
        ] {
            let refusal = Document::parse(&damaged).check(&path).unwrap_err();
            assert_eq!(refusal.code, Code::ParseError, "{damaged:?}");
        }
    }

    #[test]
    fn record_that_would_hide_the_text_below_it_is_refused() {
        for open in [
            "```\ncode",
            "<!-- remark",
            "<script>",
            "~~~~\n```\n",
            "<details>\n<summary>s</summary>\n\nhidden",
            "<DIV\nhidden>\n\nx",
            "a <span hidden>b",
            "%% open",
        ] {
            assert!(check_record(open).is_err(), "{open}");
        }
        for marker in [START, END] {
            for written in [marker.to_owned(), format!("{marker}\r\r"), format!("  {marker} "), format!("x\r{marker}")]
            {
                assert!(check_record(&format!("a\n{written}\nb")).is_err(), "{written:?}");
            }
        }
        for closed in [
            RECORD,
            "```\ncode\n```",
            "- ```\n  x",
            "<div>\n\nx\n\n</div>",
            "a <!-- b --> c",
            "> ```\n",
            "Vec<T> %%c%% 5% <br>",
            "```\n<div> %%\n```",
        ] {
            check_record(closed).unwrap();
        }
    }

    #[test]
    fn values_of_yaml_front_matter_are_read_as_text() {
        for (yaml, value) in [
            ("title: \"A: \\\"b\\\"\" # c", Some("A: \"b\"")),
            ("# who\ntitle:   plain   # day", Some("plain")),
            ("title: 'it''s'", Some("it's")),
            ("title: http://a#b", Some("http://a#b")),
            ("subtitle: no\nTitle: x", Some("x")),
            ("\"title\": x", Some("x")),
            ("title: >-\n  folded\n  text\ndate: x", Some("folded text")),
            ("title: |\n  block\n", Some("block")),
            ("title: \"two\n  lines\"", Some("two lines")),
            ("title: plain\n  goes on", Some("plain goes on")),
            ("title: !!str 7", Some("7")),
            ("title:", None),
            ("title: null", None),
            ("title: ~", None),
            ("title: \"\"", None),
            ("title: [a]", None),
            ("title:\n  main: x", None),
            ("nested:\n  title: x", None),
            ("titles: x", None),
        ] {
            let text = format!("---\nkey: x\n{yaml}\n---\ntitle: body\n");
            assert_eq!(Document::parse(&text).front_matter_value("title").as_deref(), value, "{yaml}");
        }
    }

    #[test]
    fn values_of_toml_front_matter_are_read_as_text() {
        for (toml, value) in [
            ("title = 'T'", Some("T")),
            ("\n\"title\" = \"a\\\"b\" # c", Some("a\"b")),
            ("title = \"\"\"\nlong\"\"\"", Some("long")),
            ("title = 2026-11-02", Some("2026-11-02")),
            ("[extra]\ntitle = 'x'", None),
            ("title = 7", None),
            ("title =", None),
        ] {
            let text = format!("+++\n{toml}\n+++\n");
            assert_eq!(Document::parse(&text).front_matter_value("title").as_deref(), value, "{toml}");
        }
    }
}
