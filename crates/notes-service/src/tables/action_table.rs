//! The table `note_actions`: each row is an action item of a note.

use chrono::{Local, NaiveDate};
use dayledger_notes::action::Action;
use dayledger_notes::action_list::{ActionFilter, ActionList, NoteActions};
use dayledger_notes::survey::Survey;

use super::super::notebook::Notebook;
use super::super::redacted_text::Redact;
use dayledger_engine::columns::{Column, dates, flags, optional_dates, optional_text, record_batch, schema, text};
use dayledger_engine::{VirtualTable, rows_from_future};

pub(super) const NAME: &str = "note_actions";

/// Returns the table of all action items, done or not.
pub(super) fn action_table(notebook: Notebook) -> VirtualTable {
    VirtualTable::whole(NAME, schema(columns(&[])), move || {
        let (notebook, telling) = (notebook.clone(), notebook.clone());
        rows_from_future(async move {
            let agreed = notebook.with_workspace(move |opened| {
                let filter = ActionFilter { include_done: true, ..ActionFilter::default() };
                let agreed = ActionList::collect(&Survey::new(&opened.workspace), &filter, &Local);
                if !agreed.problems.is_empty() {
                    tracing::warn!("some actions cannot be read and are missing: run `dayledger doctor` to see why");
                }
                Ok(agreed.groups.into_iter().flat_map(|group| action_rows(&telling, group)).collect::<Vec<_>>())
            });
            Ok(record_batch(columns(&agreed.await?))?)
        })
    })
}

/// An action item of a note. Redacted.
struct ActionRow {
    path: String,
    title: String,
    day: NaiveDate,
    action: Action,
}

fn action_rows(notebook: &Notebook, group: NoteActions) -> impl Iterator<Item = ActionRow> + use<'_> {
    let (path, title, day) = (group.path.to_string(), notebook.redact(&group.title), group.day);
    let actions = group.actions.into_iter();
    actions.map(move |mut action| {
        action.redact(notebook);
        ActionRow { path: path.clone(), title: title.clone(), day, action }
    })
}

fn columns(actions: &[ActionRow]) -> [Column; 8] {
    let each = || actions.iter();
    [
        text("path", each().map(|told| told.path.as_str())),
        text("title", each().map(|told| told.title.as_str())),
        dates("date", each().map(|told| told.day)),
        text("action", each().map(|told| told.action.text.as_str())),
        optional_text("owner", each().map(|told| told.action.owner.as_ref())),
        flags("is_done", each().map(|told| Some(!told.action.is_open())), false),
        flags("is_urgent", each().map(|told| Some(told.action.urgent)), false),
        optional_dates("due_date", each().map(|told| told.action.due)),
    ]
}
