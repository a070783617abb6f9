//! Shows meeting notes and their action items.

use std::io::{self, Write};

use dayledger_notes_service::{ActionItem, ActionItems, NoteList};

use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::sections::{pluralize, write_item, write_note, write_prose};
use super::style::{Style, TextStyle};

/// Writes a list of notes with their days, minutes, titles and paths, newest first.
pub fn write_note_list(out: &mut dyn Write, list: &NoteList, style: &Style) -> io::Result<()> {
    write_prose(out, &pluralize(list.total, "note"), TextStyle::Strong, style)?;
    let tick = if style.unicode { "✓" } else { "yes" };
    let columns = [
        Column::left("Day"),
        Column::right("Minutes").with_overflow(Overflow::Hide(1)),
        Column::left("Processed").with_overflow(Overflow::Hide(2)),
        Column::left("Title").with_overflow(Overflow::Shrink),
        Column::left("Note").with_overflow(Overflow::Shrink),
    ];
    let rows: Vec<_> = list
        .notes
        .iter()
        .map(|note| {
            Row::Cells(vec![
                Cell::plain(note.date.to_string()),
                Cell::plain(note.minutes.map(|minutes| minutes.to_string()).unwrap_or_default()),
                Cell::plain(if note.is_processed { tick } else { "" }),
                Cell::plain(&note.title),
                Cell::new(&note.path, TextStyle::Faint),
            ])
        })
        .collect();
    if !rows.is_empty() {
        write_columns(out, &columns, &rows, style)?;
    }
    if list.notes.len() < list.total {
        let shown = list.notes.len();
        let text = format!("Showing the newest {shown}. For others, pass `--from` and `--to`, or raise `--limit`.");
        write_note(out, &text, style)?;
    }
    write_problems(out, &list.problems, style)
}

/// Writes action items below their notes, newest note first. `offset` is the number of actions that were skipped.
pub fn write_action_items(out: &mut dyn Write, items: &ActionItems, offset: usize, style: &Style) -> io::Result<()> {
    write_prose(out, &pluralize(items.total, "action item"), TextStyle::Strong, style)?;
    let mut last_note = None;
    for item in &items.actions {
        if last_note != Some(&item.path) {
            writeln!(out)?;
            let day = item.date.format("%-d %b %Y");
            write_prose(out, &format!("{}, {day} ({})", item.title, item.path), TextStyle::Plain, style)?;
            last_note = Some(&item.path);
        }
        write_item(out, &action_text(item), TextStyle::Plain, style)?;
    }
    let end = offset + items.actions.len();
    if end < items.total {
        let first = offset + 1;
        let range = if items.actions.is_empty() { "none".to_owned() } else { format!("{first} to {end}") };
        let next = if items.actions.is_empty() { String::new() } else { format!(" Pass `--offset {end}` for more.") };
        writeln!(out)?;
        write_note(out, &format!("Showing {range} of {}.{next}", items.total), style)?;
    }
    write_problems(out, &items.problems, style)
}

/// Returns the line of an action, such as `[ ] Send figures (due 2026-12-04, urgent, Marit)`.
fn action_text(item: &ActionItem) -> String {
    let mark = match item.state {
        "open" => "[ ]",
        "done" => "[x]",
        _ => "[-]",
    };
    let due = item.due_date.map(|due| format!("due {due}"));
    let urgent = item.is_urgent.then(|| "urgent".to_owned());
    // An action of the user doesn't need an owner.
    let owner = item.owner.clone().filter(|owner| owner != "self");
    let facts: Vec<_> = due.into_iter().chain(urgent).chain(owner).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    format!("{mark} {}{facts}", item.action)
}

fn write_problems(out: &mut dyn Write, problems: &[String], style: &Style) -> io::Result<()> {
    problems.iter().try_for_each(|problem| write_note(out, &format!("Note: {problem}."), style))
}

#[cfg(test)]
mod tests {
    use dayledger_notes_service::ListedNote;

    use super::*;
    use crate::ColorDepth;

    const STYLE: Style = Style { color: ColorDepth::None, width: 80, unicode: true, source_options: "" };

    fn item(action: &str) -> ActionItem {
        ActionItem {
            path: "a.md".to_owned(),
            title: "Kickoff".to_owned(),
            date: "2026-11-18".parse().unwrap(),
            action: action.to_owned(),
            owner: None,
            state: "open",
            is_urgent: false,
            due_date: None,
        }
    }

    #[test]
    fn a_list_of_notes_fits_into_the_line() {
        let note = ListedNote {
            path: "clients/2026-11-18-kickoff-with-the-whole-team.md".to_owned(),
            title: "Kickoff with the whole team".to_owned(),
            date: "2026-11-18".parse().unwrap(),
            minutes: Some(32),
            is_processed: true,
            summary: None,
        };
        let list = NoteList { notes: vec![note], total: 3, problems: vec!["`b.md` cannot be read".to_owned()] };
        let mut out = Vec::new();
        write_note_list(&mut out, &list, &STYLE).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains("2026-11-18       32  ✓") && text.contains("Kickoff"), "{text}");
        assert!(text.contains("or raise `--limit`.\nNote: `b.md` cannot be read.\n"), "{text}");
    }

    #[test]
    fn actions_show_their_due_date_and_owner() {
        let items = ActionItems {
            actions: vec![
                ActionItem {
                    due_date: "2026-11-20".parse().ok(),
                    owner: Some("Marit".to_owned()),
                    is_urgent: true,
                    ..item("Send figures")
                },
                ActionItem { owner: Some("self".to_owned()), state: "done", ..item("Book a room") },
            ],
            total: 5,
            problems: Vec::new(),
        };
        let mut out = Vec::new();
        write_action_items(&mut out, &items, 2, &STYLE).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "5 action items\n\nKickoff, 18 Nov 2026 (a.md)\n  \
             [ ] Send figures (due 2026-11-20, urgent, Marit)\n  [x] Book a room\n\n\
             Showing 3 to 4 of 5. Pass `--offset 4` for more.\n"
        );
    }
}
