//! The SQL table `note_actions`. Each row is an action item of a note.

use chrono::Local;
use dayledger_notes::action_list::{ActionFilter, ActionList, NoteActions};
use dayledger_notes::survey::Survey;

use super::super::notebook::Notebook;
use super::super::redacted_text::Redact;
use dayledger_engine::columns::{Column, dates, flags, optional_dates, optional_text, record_batch, schema, text};
use dayledger_engine::{VirtualTable, rows_from_future};

pub(super) const NAME: &str = "note_actions";

/// Returns the table of all action items, including done and cancelled ones.
pub(super) fn action_table(notebook: Notebook) -> VirtualTable {
    VirtualTable::whole(NAME, schema(columns(&[])), move || {
        let (notebook, telling) = (notebook.clone(), notebook.clone());
        rows_from_future(async move {
            let agreed = notebook.with_workspace(move |opened| {
                let filter = ActionFilter { include_done: true, ..ActionFilter::default() };
                let mut agreed = ActionList::collect(&Survey::new(&opened.workspace), &filter, &Local);
                if !agreed.problems.is_empty() {
                    tracing::warn!("some actions cannot be read and are missing: run `dayledger doctor` to see why");
                }
                agreed.redact(&telling);
                Ok(agreed.groups)
            });
            Ok(record_batch(columns(&agreed.await?))?)
        })
    })
}

fn columns(notes: &[NoteActions]) -> [Column; 8] {
    let each = || notes.iter().flat_map(|note| note.actions.iter().map(move |action| (note, action)));
    [
        text("path", each().map(|(note, _)| note.path.as_str())),
        text("title", each().map(|(note, _)| note.title.as_str())),
        dates("date", each().map(|(note, _)| note.day)),
        text("action", each().map(|(_, action)| action.text.as_str())),
        optional_text("owner", each().map(|(_, action)| action.owner.as_ref())),
        flags("is_done", each().map(|(_, action)| Some(!action.is_open())), false),
        flags("is_urgent", each().map(|(_, action)| Some(action.urgent)), false),
        optional_dates("due_date", each().map(|(_, action)| action.due)),
    ]
}
