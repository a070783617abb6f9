//! The table `note_actions`: a row is something that was agreed in a note.

use chrono::{Local, NaiveDate};
use dayledger_notes::action::Action;
use dayledger_notes::agreed::{Agreed, Asked, Group};
use dayledger_notes::survey::Survey;

use super::super::notebook::Notebook;
use super::super::told::Withhold;
use crate::engine::columns::{Column, dates, dates_if_any, flags, rows, schema, text, text_if_any};
use crate::engine::{SourceTable, read_whole};

/// Its name in SQL.
pub(super) const NAME: &str = "note_actions";

/// What was agreed in all notes, done or not.
pub(super) fn action_table(notebook: Notebook) -> SourceTable {
    SourceTable::whole(NAME, schema(columns(&[])), move || {
        let (notebook, telling) = (notebook.clone(), notebook.clone());
        read_whole(async move {
            let agreed = notebook.ask(move |opened| {
                let asked = Asked { include_done: true, ..Asked::default() };
                let agreed = Agreed::of(&Survey::of(&opened.workspace), &asked, &Local);
                if !agreed.problems.is_empty() {
                    tracing::warn!("some actions are not told, for they cannot be read: `dayledger doctor` says why");
                }
                Ok(agreed.groups.into_iter().flat_map(|group| told(&telling, group)).collect::<Vec<_>>())
            });
            Ok(rows(columns(&agreed.await?))?)
        })
    })
}

/// An action as it may be told.
struct Told {
    path: String,
    title: String,
    day: NaiveDate,
    action: Action,
}

fn told(notebook: &Notebook, group: Group) -> impl Iterator<Item = Told> + use<'_> {
    let (path, title, day) = (group.path.to_string(), notebook.told(&group.title), group.day);
    let actions = group.actions.into_iter();
    actions.map(move |mut action| {
        action.withhold(notebook);
        Told { path: path.clone(), title: title.clone(), day, action }
    })
}

fn columns(actions: &[Told]) -> [Column; 8] {
    let each = || actions.iter();
    [
        text("path", each().map(|told| told.path.as_str())),
        text("title", each().map(|told| told.title.as_str())),
        dates("date", each().map(|told| told.day)),
        text("action", each().map(|told| told.action.text.as_str())),
        text_if_any("owner", each().map(|told| told.action.owner.as_ref())),
        flags("is_done", each().map(|told| Some(!told.action.is_open())), false),
        flags("is_urgent", each().map(|told| Some(told.action.urgent)), false),
        dates_if_any("due_date", each().map(|told| told.action.due)),
    ]
}
