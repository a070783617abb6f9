//! Lists the action items of all notes.

use chrono::{Local, NaiveDate};
use dayledger_notes::action_list::{ActionFilter, ActionList, NoteActions, Page};
use dayledger_notes::survey::Survey;

use super::notebook::Notebook;
use super::redacted_text::{Redact, RedactedText};
use dayledger_request::{Error, Request};

/// A request for action items from all notes.
#[derive(Debug, Clone, Default)]
pub struct ActionsRequest {
    /// Includes only the actions of this owner. `me` and `self` mean the user.
    pub owner: Option<String>,
    /// Includes only notes of this local day or later.
    pub from: Option<NaiveDate>,
    /// Includes only actions that are due before this local day.
    pub due_before: Option<NaiveDate>,
    /// Includes only actions that were due before today, in local time.
    pub overdue: bool,
    /// Whether to include actions that are done or cancelled.
    pub include_done: bool,
    /// The maximum number of actions to return: 1 to 100, by default 50.
    pub limit: Option<i64>,
    /// The number of actions to skip.
    pub offset: Option<i64>,
}

impl Request for ActionsRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let Self { owner, from, due_before, overdue, include_done, limit, offset } = self;
        let today = overdue.then(|| Local::now().date_naive());
        let due_before = today.into_iter().chain(due_before).min();
        let filter = ActionFilter { from, due_before, include_done, ..ActionFilter::default() };
        let names = notebook.setup()?.names();
        let agreed = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            Ok(ActionList::collect(&survey, &filter, &Local))
        });
        Ok(RedactedText::new(notebook, agreed.await?, |mut agreed| {
            // The filter by owner runs after the redaction, so that a request for a redacted name finds no action.
            if let Some(owner) = owner {
                agreed.retain_owner(&owner, &names);
            }
            agreed.to_text(&Local::now(), Page::new(limit, offset))
        }))
    }
}

impl Redact for NoteActions {
    fn redact(&mut self, notebook: &Notebook) {
        self.title.redact(notebook);
        self.actions.iter_mut().for_each(|action| action.redact(notebook));
    }
}

impl Redact for ActionList {
    fn redact(&mut self, notebook: &Notebook) {
        self.groups.iter_mut().for_each(|group| group.redact(notebook));
        self.problems.iter_mut().for_each(|problem| problem.redact(notebook));
    }
}
