//! What becomes of a note without a language model: its own markers under the headings of a record.
//!
//! Nothing is added and nothing is guessed, and the record says that no model was used. The notes follow below it, so that
//! nothing of them is lost to whoever reads the record alone.

use std::fmt::Write as _;

use crate::markers::Markers;
use crate::plain::one_line;
use crate::sections::Sections;

/// The heading under which the notes themselves stand.
const RAW_NOTES: &str = "## Raw Notes";

/// As long as a line of a note may be without being cut.
const LONGEST_LINE: usize = 10_000;

/// The record of a note, from its markers alone. A section for which nothing is marked keeps its heading and stays empty,
/// so that no reader takes a filler for an item.
pub fn record(title: &str, text: &str, marked: &Markers) -> String {
    let line = |text: &str| one_line(text, LONGEST_LINE);
    let important = marked.important.iter().map(|point| format!("- {}", line(point)));
    let said = marked.attributions.iter().map(|said| format!("- {}: {}", line(&said.person), line(&said.said)));
    let thoughts = marked.thoughts.iter().map(|thought| format!("- Thought: {}", line(thought)));
    let points: Vec<_> = important.chain(said).chain(thoughts).collect();
    let actions = marked.actions.iter();
    let actions: Vec<_> =
        actions.map(|action| format!("- [{}] {}", if action.done { 'x' } else { ' ' }, line(&action.text))).collect();
    let questions: Vec<_> = marked.questions.iter().map(|question| format!("- {}", line(question))).collect();
    let mut record = format!("# {}\n", line(title));
    let sections = [
        ("TL;DR", vec![summary(marked)]),
        ("Key Points", points),
        ("Action Items", actions),
        ("Open Questions", questions),
    ];
    for (heading, lines) in sections {
        let _infallible = write!(record, "\n## {heading}\n");
        if !lines.is_empty() {
            let _infallible = write!(record, "\n{}\n", lines.join("\n"));
        }
    }
    with_raw_notes(&record, text)
}

/// A record with the notes that it was made of below it, under `## Raw Notes`; unchanged if it has that heading already.
///
/// Headings of the notes are two levels deeper there, also in what looks like code: the application takes every line that
/// begins with `## ` for a section of the record, and the last of a name wins.
pub fn with_raw_notes(record: &str, text: &str) -> String {
    if record.lines().any(|line| line.trim_end() == RAW_NOTES) {
        return record.to_owned();
    }
    let mut whole = format!("{}\n\n{RAW_NOTES}\n", record.trim_end());
    for (place, line) in text.trim_end().lines().enumerate() {
        let blank = if place == 0 { "\n" } else { "" };
        let deeper = match heading_level(line) {
            Some(level) => &"##"[..2.min(6 - level)],
            None => "",
        };
        let _infallible = writeln!(whole, "{blank}{deeper}{line}");
    }
    whole
}

/// The notes below a record that has them, else the whole text: what a second record is made of, so that none is made of
/// another.
pub fn raw_notes(text: &str) -> &str {
    parted(text).map_or(text, |(_, notes)| notes)
}

/// The record without the notes that stand below it.
pub fn without_raw_notes(text: &str) -> &str {
    parted(text).map_or(text, |(record, _)| record)
}

/// A record and the notes below it. Where nothing above the heading is a record, the heading is one of the notes.
fn parted(text: &str) -> Option<(&str, &str)> {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == RAW_NOTES {
            let record = &text[..end];
            return Sections::read(record)
                .ok()
                .map(|_| (record, text[end + line.len()..].trim_start_matches(['\r', '\n'])));
        }
        end += line.len();
    }
    None
}

/// The text without the fence that some models put around the whole of it.
pub fn unfenced(text: &str) -> &str {
    let whole = text.trim();
    let inside = whole.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some((language, inside)) = inside.and_then(|inside| inside.split_once('\n')) else { return text };
    let is_alone = !inside.lines().any(|line| line.trim_start().starts_with("```"));
    let is_markdown = ["", "md", "markdown"].contains(&language.trim().to_lowercase().as_str());
    if is_alone && is_markdown { inside } else { text }
}

/// How many `#` a line begins with, where it is a heading.
fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    ((1..=6).contains(&level) && line[level..].starts_with(' ')).then_some(level)
}

fn summary(marked: &Markers) -> String {
    let counts = [
        (marked.important.len(), "important point", "important points"),
        (marked.attributions.len(), "statement", "statements"),
        (marked.thoughts.len(), "thought", "thoughts"),
        (marked.actions.len(), "action item", "action items"),
        (marked.questions.len(), "question", "questions"),
    ];
    let counted = counts.into_iter().filter(|(count, ..)| *count > 0);
    let counted = counted.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }));
    let counted = counted.collect::<Vec<_>>().join(", ");
    if counted.is_empty() {
        return "No language model was used, and nothing is marked in these notes.".to_owned();
    }
    format!("No language model was used: these are the lines that are marked in the notes, {counted}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markers::{ActionMark, Attribution};

    fn marked() -> Markers {
        Markers {
            thoughts: vec!["push back on the date".to_owned()],
            important: vec!["exports are due\nweekly".to_owned()],
            questions: vec!["who owns IAM?".to_owned()],
            actions: vec![
                ActionMark { text: "ask Sarah — @me".to_owned(), done: false },
                ActionMark { text: "book the room".to_owned(), done: true },
            ],
            attributions: vec![Attribution { person: "Michael".to_owned(), said: "not before May".to_owned() }],
        }
    }

    #[test]
    fn a_second_record_is_made_of_the_notes_and_not_of_the_first() {
        let notes = "# Kickoff\n\n[] exports\n";
        let record = with_raw_notes("# Kickoff\n\n## TL;DR\n\nDone.\n", notes);
        assert_eq!(raw_notes(&record), "### Kickoff\n\n[] exports\n");
        assert_eq!(raw_notes(notes), notes);
        assert_eq!(without_raw_notes(&record), "# Kickoff\n\n## TL;DR\n\nDone.\n\n");
        assert_eq!(without_raw_notes(notes), notes);
        let own = "# Plan\n\nfirst\n\n## Raw Notes\n\nsecond\n";
        assert_eq!((raw_notes(own), without_raw_notes(own)), (own, own), "a heading of the notes themselves");
    }

    #[test]
    fn a_fence_around_the_whole_is_taken_away_and_no_other() {
        for (text, inside) in [
            ("```markdown\n## TL;DR\nx\n```", "## TL;DR\nx\n"),
            ("\n```\n## TL;DR\n```\n", "## TL;DR\n"),
            ("```rust\nfn main() {}\n```", "```rust\nfn main() {}\n```"),
            ("```\na\n```\n\n```\nb\n```", "```\na\n```\n\n```\nb\n```"),
            ("## TL;DR", "## TL;DR"),
        ] {
            assert_eq!(unfenced(text), inside);
        }
    }

    #[test]
    fn markers_become_a_record_that_says_how_it_was_made() {
        assert_eq!(
            record("Kickoff", "# Kickoff\n\n> push back on the date\n", &marked()),
            "# Kickoff\n\n## TL;DR\n\nNo language model was used: these are the lines that are marked in the notes, 1 \
             important point, 1 statement, 1 thought, 2 action items, 1 question.\n\n## Key Points\n\n- exports are due \
             weekly\n- Michael: not before May\n- Thought: push back on the date\n\n## Action Items\n\n- [ ] ask Sarah — \
             @me\n- [x] book the room\n\n## Open Questions\n\n- who owns IAM?\n\n## Raw Notes\n\n### Kickoff\n\n> push back \
             on the date\n"
        );
    }

    #[test]
    fn a_note_without_markers_keeps_the_headings_and_says_so() {
        assert_eq!(
            record("Plain", "only text", &Markers::default()),
            "# Plain\n\n## TL;DR\n\nNo language model was used, and nothing is marked in these notes.\n\n## Key Points\n\n\
             ## Action Items\n\n## Open Questions\n\n## Raw Notes\n\nonly text\n"
        );
    }

    /// The application takes every line that begins with `## ` for a section, and the last of a name wins.
    #[test]
    fn a_heading_of_the_notes_is_no_section_of_the_record() {
        let text = "# T\n## Action Items\n- [ ] old\n```\n## TL;DR\n```\n##### five\n#tag\n####### seven";
        let record = record("T", text, &Markers::default());
        let sections: Vec<_> = record.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(sections, ["## TL;DR", "## Key Points", "## Action Items", "## Open Questions", "## Raw Notes"]);
        assert!(record.ends_with("\n#### TL;DR\n```\n###### five\n#tag\n####### seven\n"), "{record}");
    }

    #[test]
    fn notes_that_stand_below_a_record_already_come_no_second_time() {
        let record = "# T\n\n## TL;DR\n\nx\n\n## Raw Notes \n\nhere";
        assert_eq!(with_raw_notes(record, "here"), record);
        assert_eq!(with_raw_notes("# T\n", ""), "# T\n\n## Raw Notes\n");
    }
}
