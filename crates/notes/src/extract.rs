//! The record of a note. It is built from the markers in the note, or extracted from the text that a model wrote.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::display_text::one_line;
use crate::document::{Document, check_record};
use crate::markers::Markers;
use crate::refusal::Refusal;
use crate::sections::{Sections, split_raw_notes};

/// The last line of a record. The author's unchanged notes are below this line. Programs that read the record end the
/// last section at this line.
const RAW_NOTES: &str = "## Raw Notes";

/// The maximum length of a line in a record, in characters.
const MAX_LINE_LENGTH: usize = 10_000;

/// Builds the record of a note from the note's markers only. A section without items keeps its heading and stays empty,
/// because a program could mistake a placeholder for an item.
pub fn record(title: &str, marked: &Markers) -> String {
    let line = |text: &str| one_line(text, MAX_LINE_LENGTH);
    let important = marked.important.iter().map(|point| format!("- {}", line(point)));
    let said = marked.attributions.iter().map(|said| format!("- {}: {}", line(&said.person), line(&said.text)));
    let thoughts = marked.thoughts.iter().map(|thought| format!("- Thought: {}", line(thought)));
    let points: Vec<_> = important.chain(said).chain(thoughts).collect();
    let actions = marked.actions.iter().map(|action| format!("- {} {}", action.checkbox, line(&action.text)));
    let questions: Vec<_> = marked.questions.iter().map(|question| format!("- {}", line(question))).collect();
    let mut record = format!("# {}\n", line(title));
    let sections = [
        ("TL;DR", vec![summary(marked)]),
        ("Key Points", points),
        ("Action Items", actions.collect()),
        ("Open Questions", questions),
    ];
    for (heading, lines) in sections {
        let _infallible = write!(record, "\n## {heading}\n");
        if !lines.is_empty() {
            let _infallible = write!(record, "\n{}\n", lines.join("\n"));
        }
    }
    record
}

/// Returns the record that a model wrote. Adds the note's title if the record doesn't begin with a title.
pub fn with_title(title: &str, record: &str) -> String {
    let record = strip_fence(record).trim_start();
    if record.starts_with("# ") { record.to_owned() } else { format!("# {title}\n\n{record}") }
}

/// Extracts the record from a text that a model wrote. Removes a code fence around the record, front matter above the
/// record, and notes below the record.
///
/// # Errors
///
/// `PARSE_ERROR` if the record contains a marker or leaves a block open. See [`check_record`].
pub(crate) fn clean_record(content: &str) -> Result<String, Refusal> {
    let document = Document::parse(strip_fence(content));
    let content = document.record().map_or_else(|| document.body(), Cow::Borrowed);
    let (record, _) = split_raw_notes(&content);
    let record = format!("{}\n\n{RAW_NOTES}\n", record.trim());
    check_record(&record).map(|()| record)
}

/// Returns the text from which a record is made, usually the author's text. If another program may have replaced the
/// note with its own record, returns the text below `## Raw Notes`. See
/// [`Survey::is_processed_elsewhere`](crate::survey::Survey::is_processed_elsewhere).
pub fn source(text: &str, is_processed_elsewhere: bool) -> Cow<'_, str> {
    let text = Document::parse(text).author_text();
    match notes_below_record(&text).filter(|_| is_processed_elsewhere) {
        Some(notes) => Cow::Owned(notes.to_owned()),
        None => text,
    }
}

/// Whether a note contains a record, written by this program or by another program.
pub fn has_record(text: &str, is_processed_elsewhere: bool) -> bool {
    let document = Document::parse(text);
    document.record().is_some() || is_processed_elsewhere && notes_below_record(&document.body()).is_some()
}

fn notes_below_record(text: &str) -> Option<&str> {
    let (above, below) = split_raw_notes(text);
    let is_record = Sections::read(above, None).is_ok_and(|sections| sections.summary.is_some());
    below.filter(|_| is_record).map(|notes| notes.trim_start_matches(['\r', '\n']))
}

/// Removes the code fence that some models add around the whole text.
fn strip_fence(text: &str) -> &str {
    let whole = text.trim();
    let inside = whole.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some((language, inside)) = inside.and_then(|inside| inside.split_once('\n')) else { return text };
    // If there is another fence inside, the first and the last fence can belong to two different blocks.
    let is_alone = !inside.lines().any(|line| line.trim_start().starts_with("```"));
    let is_markdown = ["", "md", "markdown"].contains(&language.trim().to_lowercase().as_str());
    if is_alone && is_markdown { inside } else { text }
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
    use crate::action::{Checkbox, State};
    use crate::markers::{ActionMark, Attribution};

    fn sample_markers() -> Markers {
        let action = |text: &str, state| ActionMark { text: text.to_owned(), checkbox: Checkbox::from(state) };
        Markers {
            thoughts: vec!["push back on the date".to_owned()],
            important: vec!["exports are due\nweekly".to_owned()],
            questions: vec!["who owns IAM?".to_owned()],
            actions: vec![action("ask Sarah — @me", State::Open), action("book the room", State::Done)],
            attributions: vec![Attribution { person: "Michael".to_owned(), text: "not before May".to_owned() }],
        }
    }

    #[test]
    fn record_from_markers_states_its_origin() {
        assert_eq!(
            record("Kickoff", &sample_markers()),
            "# Kickoff\n\n## TL;DR\n\nNo language model was used: these are the lines that are marked in the notes, 1 \
             important point, 1 statement, 1 thought, 2 action items, 1 question.\n\n## Key Points\n\n- exports are due \
             weekly\n- Michael: not before May\n- Thought: push back on the date\n\n## Action Items\n\n- [ ] ask Sarah — \
             @me\n- [x] book the room\n\n## Open Questions\n\n- who owns IAM?\n"
        );
    }

    #[test]
    fn record_without_markers_keeps_its_headings() {
        assert_eq!(
            record("Plain", &Markers::default()),
            "# Plain\n\n## TL;DR\n\nNo language model was used, and nothing is marked in these notes.\n\n## Key Points\n\n\
             ## Action Items\n\n## Open Questions\n"
        );
    }

    #[test]
    fn record_is_extracted_from_a_models_text() {
        let clean = "# T\n\n## TL;DR\n\nx\n\n## Raw Notes\n";
        let whole = Document::parse("---\na: b\n---\n# T\n\nown words\n").with_record(clean);
        for content in [
            "# T\n\n## TL;DR\n\nx",
            "```markdown\n# T\n\n## TL;DR\n\nx\n```",
            "---\na: b\n---\n\n# T\n\n## TL;DR\n\nx\n",
            "# T\n\n## TL;DR\n\nx\n\n## Raw Notes\n\nown words\n",
            &whole,
        ] {
            assert_eq!(clean_record(content).unwrap(), clean, "{content}");
        }
        clean_record("## TL;DR\n\n```\nnever closed").unwrap_err();
    }

    #[test]
    fn only_a_fence_around_the_whole_text_is_removed() {
        for (text, inside) in [
            ("```markdown\n## TL;DR\nx\n```", "## TL;DR\nx\n"),
            ("\n```\n## TL;DR\n```\n", "## TL;DR\n"),
            ("```rust\nfn main() {}\n```", "```rust\nfn main() {}\n```"),
            ("```\na\n```\n\n```\nb\n```", "```\na\n```\n\n```\nb\n```"),
            ("## TL;DR", "## TL;DR"),
        ] {
            assert_eq!(strip_fence(text), inside);
        }
        assert_eq!(with_title("T", "```\n## TL;DR\nx\n```"), "# T\n\n## TL;DR\nx\n");
        assert_eq!(with_title("T", "\n# Own\n"), "# Own\n");
    }

    #[test]
    fn second_record_is_made_from_the_notes() {
        let notes = "---\na: b\n---\n# Kickoff\n\n[] exports\n";
        let processed = Document::parse(notes).with_record(&clean_record("# Kickoff\n\n## TL;DR\n\nDone.\n").unwrap());
        assert_eq!((source(&processed, false).as_ref(), source(notes, true).as_ref()), (notes, notes));
        assert!(has_record(&processed, false) && !has_record(notes, true));
        let of_chronicle = "# Kickoff\n\n## TL;DR\n\nDone.\n\n## Raw Notes\n\n[] exports\n";
        assert_eq!(source(of_chronicle, true), "[] exports\n");
        assert!(has_record(of_chronicle, true));
        let own = "# Plan\n\nfirst\n\n## Raw Notes\n\nsecond\n";
        assert_eq!(source(own, true), own, "the author wrote the heading");
        assert!(!has_record(own, true));
    }
}
