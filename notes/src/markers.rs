//! The marks at the beginnings of lines, by which somebody who takes notes says what a line is.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

/// Which marks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Syntax {
    /// Those of the reference and what people write for them too: `[ ] `, `- [ ] `, a space after `@`, and names of all
    /// alphabets, with hyphens.
    #[default]
    Wide,
    /// Those of the reference alone.
    Reference,
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionMark {
    /// What is to be done.
    pub text: String,
    /// Whether it was ticked off.
    pub done: bool,
}

impl fmt::Display for ActionMark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", if self.done { "[DONE] " } else { "" }, self.text)
    }
}

/// What somebody said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// Who, as it is written after `@`.
    pub person: String,
    /// What.
    pub said: String,
}

/// What the marked lines of a note say, each kind in the order of the note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markers {
    /// `> `: the writer's own thoughts.
    pub thoughts: Vec<String>,
    /// `! `: what is important.
    pub important: Vec<String>,
    /// `? `: what is not clear.
    pub questions: Vec<String>,
    /// `[] `, or `[x] ` where it is done.
    pub actions: Vec<ActionMark>,
    /// `@name: `.
    pub attributions: Vec<Attribution>,
}

impl Markers {
    /// Reads the marks of a note. A line has one mark at most; how far it is indented and whether it stands in a block of
    /// code makes no difference. A mark needs a space and something after it.
    pub fn read(text: &str, syntax: Syntax) -> Self {
        let mut markers = Self::default();
        for line in text.lines().map(str::trim) {
            markers.read_line(line, syntax);
        }
        markers
    }

    /// Whether no line is marked.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn read_line(&mut self, line: &str, syntax: Syntax) {
        let marked = |mark: &str| Some(line.strip_prefix(mark)?.trim().to_owned());
        if let Some(thought) = marked("> ") {
            self.thoughts.push(thought);
        } else if let Some(important) = marked("! ") {
            self.important.push(important);
        } else if let Some(question) = marked("? ") {
            self.questions.push(question);
        } else if let Some(action) = action(line, syntax) {
            self.actions.push(action);
        } else if let Some(attribution) = attribution(line, syntax) {
            self.attributions.push(attribution);
        }
    }
}

/// How long is what a line begins with that says what it is: blanks, bullets, numbers and headings of Markdown, and marks,
/// with the blank behind. The name of somebody who said something counts where it can be no address.
pub fn marked(line: &str) -> usize {
    static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let name = r"@\s*[\p{L}\p{N}_][\p{L}\p{M}\p{N}_'’-]*:";
        Regex::new(&format!(r"^\s*(?:(?:[-*+>!?•]|#{{1,6}}|[0-9]{{1,9}}[.)]|\[[ xX]?\]|{name})\s+)*")).ok()
    });
    MARKS.as_ref().and_then(|marks| marks.find(line)).map_or(0, |found| found.end())
}

fn action(line: &str, syntax: Syntax) -> Option<ActionMark> {
    let is_wide = syntax == Syntax::Wide;
    let unlisted = ["- ", "* "].iter().find_map(|bullet| line.strip_prefix(bullet)).filter(|_| is_wide).unwrap_or(line);
    let after = |marks: &[&str]| marks.iter().find_map(|mark| unlisted.strip_prefix(mark)).map(str::trim);
    let (text, done) = match after(&["[x] ", "[X] "]) {
        Some(text) => (text, true),
        None => (after(if is_wide { &["[] ", "[ ] "] } else { &["[] "] })?, false),
    };
    (!text.is_empty()).then(|| ActionMark { text: text.to_owned(), done })
}

fn attribution(line: &str, syntax: Syntax) -> Option<Attribution> {
    static REFERENCE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^@([A-Za-z0-9_]+):\s*(.+)$").ok());
    static WIDE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^@\s*([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.'’-]*):\s*(.+)$").ok());
    let pattern = match syntax {
        Syntax::Reference => &*REFERENCE,
        Syntax::Wide => &*WIDE,
    };
    let found = pattern.as_ref()?.captures(line)?;
    Some(Attribution { person: found[1].to_owned(), said: found[2].trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_marks_a_line_is_no_part_of_what_it_says() {
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
            assert_eq!(marked(&format!("{mark}{words}")), mark.len(), "{mark}{words}");
        }
    }

    fn shown(actions: &[ActionMark]) -> Vec<String> {
        actions.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_mark_is_read_in_both_syntaxes() {
        let note = "> a\n! b\n? c\n[] d\n[x] e\n@al: f";
        for (syntax, note) in [
            (Syntax::Reference, note.to_owned()),
            (Syntax::Wide, note.to_owned()),
            (Syntax::Wide, note.replace('\n', "\r\n")),
            (Syntax::Wide, format!("```\n{note}\n```")),
        ] {
            let markers = Markers::read(&note, syntax);
            assert_eq!(markers.thoughts, ["a"]);
            assert_eq!(markers.important, ["b"]);
            assert_eq!(markers.questions, ["c"]);
            assert_eq!(shown(&markers.actions), ["d", "[DONE] e"]);
            assert_eq!(markers.attributions, [Attribution { person: "al".to_owned(), said: "f".to_owned() }]);
        }
    }

    #[test]
    fn a_mark_needs_a_space_and_something_after_it() {
        for syntax in [Syntax::Reference, Syntax::Wide] {
            let read = |note: &str| Markers::read(note, syntax);
            assert!(read(">a\n>> b\n> \n!\n[] \n- [ ]\n@bob:\n@bob\nno > mark").is_empty(), "{syntax:?}");
            assert_eq!(read("> > b\r\n  > i  ").thoughts, ["> b", "i"]);
            assert_eq!(read("@alice:x").attributions[0].said, "x");
        }
    }

    #[test]
    fn what_people_write_too_is_read_unless_the_reference_is_asked_for() {
        let note = "[ ] t\n- [ ] u\n* [X] v\n@ Michael: x\n@José: y\n@mary-ann: z";
        assert!(Markers::read(note, Syntax::Reference).is_empty());
        let wide = Markers::read(note, Syntax::Wide);
        assert_eq!(shown(&wide.actions), ["t", "u", "[DONE] v"]);
        let people: Vec<&str> = wide.attributions.iter().map(|said| said.person.as_str()).collect();
        assert_eq!(people, ["Michael", "José", "mary-ann"]);
    }
}
