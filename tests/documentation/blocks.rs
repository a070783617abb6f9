//! Finds the fenced blocks of a page, and the commands in them.

use crate::source_rules::sources::SourceFile;

/// A line that represents any number of omitted lines.
const ELLIPSIS: &str = "…";

/// A fenced block.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// The text after the opening fence.
    pub(super) language: &'a str,
    pub(super) text: &'a str,
    /// The line number of the opening fence, counted from 1.
    pub(super) line: usize,
}

/// A command, and the part of its output that the page shows.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) command: String,
    /// The output. `None` if the page shows only the command.
    pub(super) output: Option<String>,
}

/// Returns the blocks of a page, in order.
pub(super) fn blocks(page: &SourceFile) -> Vec<Block<'_>> {
    let (mut blocks, mut open, mut position) = (Vec::new(), None, 0);
    for (index, line) in page.text.split_inclusive('\n').enumerate() {
        let start = position;
        position += line.len();
        let Some(after) = line.trim_start().strip_prefix("```") else { continue };
        match open.take() {
            None => open = Some((after.trim(), position, index + 1)),
            Some((language, from, line)) => blocks.push(Block { language, text: &page.text[from..start], line }),
        }
    }
    assert!(open.is_none(), "{}: a block has no end", page.path);
    blocks
}

impl Block<'_> {
    /// Returns the commands of a block: every line of a script, or the text after `$` in a session.
    pub(super) fn commands(&self) -> Vec<Example> {
        match self.language {
            "sh" => script(self.text),
            "text" if self.text.starts_with("$ ") => session(self.text),
            _ => Vec::new(),
        }
    }
}

fn script(text: &str) -> Vec<Example> {
    let mut commands = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let command = whole(line, &mut lines);
        if !command.trim().is_empty() && !command.starts_with('#') {
            commands.push(Example { command, output: None });
        }
    }
    commands
}

fn session(text: &str) -> Vec<Example> {
    let mut commands: Vec<Example> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(begun) = line.strip_prefix("$ ") {
            commands.push(Example { command: whole(begun, &mut lines), output: Some(String::new()) });
        } else if let Some(output_lines) = commands.last_mut().and_then(|example| example.output.as_mut()) {
            output_lines.push_str(line);
            output_lines.push('\n');
        }
    }
    commands
}

/// Returns a complete command. Adds lines to its beginning until all quotes are closed.
fn whole<'a>(begun: &str, lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut command = begun.to_owned();
    while command.matches('"').count() % 2 == 1 {
        command.push('\n');
        command.push_str(lines.next().expect("a quote has its end"));
    }
    command
}

/// Whether the output in an example equals `output`. The example may omit lines.
pub(super) fn matches_output(example: &str, output: &str) -> bool {
    let mut parts = Vec::from([String::new()]);
    for line in example.split_inclusive('\n') {
        if line.trim() == ELLIPSIS {
            parts.push(String::new());
        } else {
            parts.last_mut().unwrap().push_str(line);
        }
    }
    let [first, middle @ .., last] = parts.as_slice() else { return example == output };
    let Some(mut rest) = output.strip_prefix(first.as_str()) else { return false };
    for part in middle {
        let Some((_, after)) = rest.split_once(part.as_str()) else { return false };
        rest = after;
    }
    rest.ends_with(last.as_str())
}

/// Whether the example omits lines.
pub(super) fn leaves_out(example: &str) -> bool {
    example.lines().any(|line| line.trim() == ELLIPSIS)
}

#[test]
fn omitted_lines_match_any_lines() {
    assert!(matches_output("a\n  …\nd\n", "a\nb\nc\nd\n") && matches_output("a\n", "a\n"));
    assert!(
        !matches_output("a\n…\nd\n", "a\nb\n")
            && !matches_output("a\n", "a\nb\n")
            && !matches_output("b\n…\n", "a\nb\n")
    );
}
