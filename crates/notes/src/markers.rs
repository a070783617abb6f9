//! Markers at the start of lines. An author uses a marker to mark a line, for example as an action or a question.

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag};
use regex::Regex;
use serde_json::{Value, json};

use crate::action::{Checkbox, State};
use crate::document::Document;

/// An action item that the author has marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionMark {
    /// The text of the task.
    pub text: String,
    /// The checkbox of the task.
    pub checkbox: Checkbox,
}

impl ActionMark {
    fn append(&mut self, more: &str) {
        self.text.push(' ');
        self.text.push_str(more);
    }
}

impl fmt::Display for ActionMark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = if self.checkbox.state() == State::Done { "[DONE] " } else { "" };
        write!(formatter, "{done}{}", self.text)
    }
}

/// A statement that the author attributes to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// The person, as written after `@`.
    pub person: String,
    /// The statement.
    pub text: String,
}

/// The marked lines of a note. Each list has the order of the note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markers {
    /// Thoughts of the author, from lines that begin with `> `.
    pub thoughts: Vec<String>,
    /// Important points, from lines that begin with `! `.
    pub important: Vec<String>,
    /// Open questions, from lines that begin with `? `.
    pub questions: Vec<String>,
    /// Actions, from lines that begin with `[] ` or with a checkbox such as `[x] `.
    pub actions: Vec<ActionMark>,
    /// Statements, from lines that begin with `@name: `.
    pub attributions: Vec<Attribution>,
}

impl Markers {
    /// Reads the markers of a note. A line has at most one marker. The indentation of the line doesn't matter. A marker
    /// without text after it is ignored.
    ///
    /// In addition to Chronicle's markers, common variants are read: task lists (`- [ ] `, `1. [ ] `, `> - [ ] ` and
    /// the boxes of Obsidian), a space after `@`, and names with hyphens and in all writing systems. Indented lines
    /// below an action continue the action. Front matter, code blocks and HTML comments are skipped.
    pub fn read(text: &str) -> Self {
        let mut markers = Self::default();
        let text = Document::parse(text).body();
        let mut fences = code_and_comments(&text).into_iter().peekable();
        let mut start = 0;
        let mut can_go_on = false;
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            while fences.next_if(|fence| fence.end <= start).is_some() {}
            if fences.peek().is_some_and(|fence| end > fence.start) {
                can_go_on = false;
            } else if can_go_on && continues_action(line) {
                markers.actions.last_mut().into_iter().for_each(|action| action.append(line.trim()));
            } else {
                let actions = markers.actions.len();
                markers.read_line(line.trim());
                can_go_on = markers.actions.len() > actions;
            }
            start = end;
        }
        markers
    }

    /// Whether the note has no marked lines.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn read_line(&mut self, line: &str) {
        let marked = |mark: &str| Some(line.strip_prefix(mark)?.trim().to_owned());
        // Tasks in a block quote and thoughts both begin with `>`, so tasks are tested first.
        if let Some(action) = action(line).filter(|_| line.starts_with('>')) {
            self.actions.push(action);
        } else if let Some(thought) = marked("> ") {
            self.thoughts.push(thought);
        } else if let Some(important) = marked("! ") {
            self.important.push(important);
        } else if let Some(question) = marked("? ") {
            self.questions.push(question);
        } else if let Some(action) = action(line) {
            self.actions.push(action);
        } else if let Some(attribution) = attribution(line) {
            self.attributions.push(attribution);
        }
    }
}

/// Returns the length in bytes of the prefix that classifies a line. The prefix consists of indentation, Markdown
/// bullets, list numbers, heading signs and markers, with the space after each of them. A name after `@` counts only if
/// a colon follows the name. Without a colon, the text could be an email address.
pub fn mark_length(line: &str) -> usize {
    static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let name = r"@\s*[\p{L}\p{N}_][\p{L}\p{M}\p{N}_'’-]*:";
        Regex::new(&format!(r"^\s*(?:(?:[-*+>!?•]|#{{1,6}}|[0-9]{{1,9}}[.)]|\[[ xX/!>-]?\]|{name})\s+)*")).ok()
    });
    MARKS.as_ref().and_then(|marks| marks.find(line)).map_or(0, |found| found.end())
}

/// Whether a line continues the action above. Such a line is indented and has no marker or bullet.
fn continues_action(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty() && mark_length(line.trim()) == 0
}

/// Returns the byte ranges of the code blocks and HTML comments of a text, in order.
fn code_and_comments(text: &str) -> Vec<Range<usize>> {
    let events = Parser::new_ext(text, Options::empty()).into_offset_iter();
    let block = |(event, place): (Event<'_>, Range<usize>)| match event {
        Event::Start(Tag::CodeBlock(_)) => Some(place),
        Event::Start(Tag::HtmlBlock) if text[place.clone()].trim_start().starts_with("<!--") => Some(place),
        _ => None,
    };
    events.filter_map(block).collect()
}

fn action(line: &str) -> Option<ActionMark> {
    let is_plain = ["[]", "[ ]", "[x]", "[X]"].iter().any(|mark| line.starts_with(mark));
    let (checkbox, text) = task(line).or_else(|| is_plain.then(|| Checkbox::split(line)).flatten())?;
    (!text.is_empty()).then(|| ActionMark { text: text.to_owned(), checkbox })
}

/// Reads the checkbox and the text of a task list item, which may be in a block quote.
fn task(line: &str) -> Option<(Checkbox, &str)> {
    static BULLET: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^(?:>\s*)*(?:[-*+•]|[0-9]{1,9}[.)])\s+").ok());
    Checkbox::split(&line[BULLET.as_ref()?.find(line)?.end()..])
}

fn attribution(line: &str) -> Option<Attribution> {
    static PATTERN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^@\s*([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.'’-]*):\s*(.+)$").ok());
    let found = PATTERN.as_ref()?.captures(line)?;
    Some(Attribution { person: found[1].to_owned(), text: found[2].trim().to_owned() })
}

/// Returns the content of the MCP resource `note://config`: the markers and the default style.
pub fn config() -> Value {
    json!({
        "markers": {"thought": ">", "important": "!", "question": "?", "action": "[]", "attribution": "@"},
        "processing": {"default_style": "standard"},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mark_length_covers_the_mark_and_not_the_text() {
        for (mark, words) in [
            ("! ", "src/a.rs"),
            ("  - [ ] ", "x"),
            ("[] ", "x"),
            ("## 2. ", "x"),
            ("@bob: ", "x"),
            ("> > ", "x"),
            ("", "!x"),
            ("", "@a.example: x"),
            ("- ", "@a.example: x"),
            ("", ""),
            ("   ", ""),
        ] {
            assert_eq!(mark_length(&format!("{mark}{words}")), mark.len(), "{mark}{words}");
        }
    }

    fn action_texts(actions: &[ActionMark]) -> Vec<String> {
        actions.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_mark_is_read() {
        let note = "> a\n! b\n? c\n[] d\n[x] e\n@al: f";
        for note in [note.to_owned(), note.replace('\n', "\r\n")] {
            let markers = Markers::read(&note);
            assert_eq!(markers.thoughts, ["a"]);
            assert_eq!(markers.important, ["b"]);
            assert_eq!(markers.questions, ["c"]);
            assert_eq!(action_texts(&markers.actions), ["d", "[DONE] e"]);
            assert_eq!(markers.attributions, [Attribution { person: "al".to_owned(), text: "f".to_owned() }]);
        }
    }

    #[test]
    fn a_mark_needs_a_space_and_something_after_it() {
        assert!(Markers::read(">a\n>> b\n> \n!\n[] \n- [ ]\n@bob:\n@bob\nno > mark").is_empty());
        assert_eq!(Markers::read("> > b\r\n  > i  ").thoughts, ["> b", "i"]);
        assert_eq!(Markers::read("@alice:x").attributions[0].text, "x");
    }

    #[test]
    fn marks_that_people_write_differently_are_read() {
        let read = Markers::read("[ ] t\n- [ ] u\n* [X] v\n@ Michael: x\n@José: y\n@mary-ann: z");
        assert_eq!(action_texts(&read.actions), ["t", "u", "[DONE] v"]);
        let people: Vec<&str> = read.attributions.iter().map(|attribution| attribution.person.as_str()).collect();
        assert_eq!(people, ["Michael", "José", "mary-ann"]);
    }

    #[test]
    fn tasks_are_read_from_every_kind_of_list() {
        let note = "- [ ] dash\n* [ ] star\n+ [ ] plus\n1. [ ] numbered\n2) [x] done\n- [/] in progress\n- [!] important\n\
                    - [>] moved\n- [-] cancelled\n> - [ ] quoted\n>> 1. [x] twice\n- parent\n  - [ ] nested\n\t- [ ] deep\n";
        let marks = |note: &str| {
            let actions = Markers::read(note).actions;
            actions.iter().map(|action| format!("{} {}", action.checkbox, action.text)).collect::<Vec<_>>()
        };
        let expected = [
            "[ ] dash",
            "[ ] star",
            "[ ] plus",
            "[ ] numbered",
            "[x] done",
            "[/] in progress",
            "[!] important",
            "[>] moved",
            "[-] cancelled",
            "[ ] quoted",
            "[x] twice",
            "[ ] nested",
            "[ ] deep",
        ];
        assert_eq!(marks(note), expected);
        assert_eq!(marks(&note.replace('\n', "\r\n")), expected);
        assert_eq!(marks("- [1] a\n- [a](b)\n[/] c\n> [ ] d\n- text [ ] e\n"), [""; 0]);
    }

    /// An action may continue on several lines.
    #[test]
    fn action_continues_in_indented_lines() {
        let note = "- [ ] wrapped\n  continues @Bo\n\tand on\n- [ ] next\nnot indented\n- [ ] last\n\n  paragraph\n- [ ] a\n  - b\n  ! c\n";
        let read = Markers::read(note);
        assert_eq!(action_texts(&read.actions), ["wrapped continues @Bo and on", "next", "last", "a"]);
        assert_eq!(read.important, ["c"]);
    }

    #[test]
    fn comments_and_indented_code_have_no_marks() {
        let note =
            "<!--\n- [ ] hidden\n\n! hidden\n-->\n- [ ] a\n\ntext:\n\n    - [ ] code\n\n<div>\n- [ ] b\n</div>\n";
        let read = Markers::read(note);
        assert_eq!((action_texts(&read.actions), read.important.len()), (vec!["a".to_owned(), "b".to_owned()], 0));
    }

    /// A script in a code block can contain text that looks like a task list.
    #[test]
    fn front_matter_and_code_fences_have_no_marks() {
        let note = "---\nkey: 1\n? key\n[] x\n---\n- [ ] a\n```\n- [ ] code\n! code\n```\n- [ ] b\n\n  ~~~sh\n  - [ ] code\n  ~~~\n\
                    > ```\n> - [ ] code\n> ```\n! c\n~~~\n- [ ] never closed\n";
        let wide = Markers::read(note);
        assert_eq!(
            (action_texts(&wide.actions), wide.important, wide.thoughts),
            (vec!["a".into(), "b".into()], vec!["c".into()], vec![])
        );
    }
}
