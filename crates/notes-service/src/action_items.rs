//! Lists the action items of all notes.

use chrono::{Local, NaiveDate};
use dayledger_notes::action::State;
use dayledger_notes::action_list::{ActionFilter, ActionList, NoteActions, Page};
use dayledger_notes::survey::Survey;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::notebook::{Notebook, OpenWorkspace};
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
        let (page, owner) = (Page::new(self.limit, self.offset), self.owner.clone());
        let names = notebook.setup()?.names();
        let collected = self.collect(notebook).await?;
        Ok(RedactedText::new(notebook, collected, |mut actions| {
            retain_owner(&mut actions, owner.as_deref(), &names);
            actions.to_text(&Local::now(), page)
        }))
    }
}

impl ActionsRequest {
    /// Returns the actions of all owners, which are not redacted yet.
    async fn collect(self, notebook: &Notebook) -> Result<ActionList, Error> {
        let today = self.overdue.then(|| Local::now().date_naive());
        let due_before = today.into_iter().chain(self.due_before).min();
        let filter =
            ActionFilter { from: self.from, due_before, include_done: self.include_done, ..ActionFilter::default() };
        let collect = move |opened: &OpenWorkspace| {
            let survey = Survey::new(&opened.workspace);
            Ok(ActionList::collect(&survey, &filter, &Local))
        };
        notebook.with_workspace(collect).await
    }
}

/// Removes the actions of other owners. This filter runs after the redaction, so that a request for a redacted name
/// finds no action.
fn retain_owner(actions: &mut ActionList, owner: Option<&str>, names: &[String]) {
    if let Some(owner) = owner {
        actions.retain_owner(owner, names);
    }
}

/// A request for the same action items as [`ActionsRequest`], as data for a terminal or a program.
#[derive(Debug, Clone, Default)]
pub struct ActionItemsRequest(pub ActionsRequest);

/// A page of the action items of several notes, newest note first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionItems {
    /// The action items of the page.
    pub actions: Vec<ActionItem>,
    /// The number of action items on all pages.
    pub total: usize,
    /// The reasons why some action items could not be read.
    pub problems: Vec<String>,
}

/// An action item with its note.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionItem {
    /// The path of the note in the workspace.
    pub path: String,
    /// The title of the note.
    pub title: String,
    /// The local day of the note.
    pub date: NaiveDate,
    /// The text of the action.
    pub action: String,
    /// The owner, if any. `self` means the user.
    pub owner: Option<String>,
    /// `open`, `done` or `cancelled`.
    pub state: &'static str,
    /// Whether the action is urgent.
    pub is_urgent: bool,
    /// The local day on which the action is due, if any.
    pub due_date: Option<NaiveDate>,
}

impl Request for ActionItemsRequest {
    type Service = Notebook;
    type Response = ActionItems;

    async fn execute(self, notebook: &Notebook) -> Result<ActionItems, Error> {
        let Self(request) = self;
        let (page, owner) = (Page::new(request.limit, request.offset), request.owner.clone());
        let names = notebook.setup()?.names();
        let mut collected = request.collect(notebook).await?;
        collected.redact(notebook);
        retain_owner(&mut collected, owner.as_deref(), &names);
        let actions = collected.page(page).map(|(note, action)| ActionItem {
            path: note.path.to_string(),
            title: note.title.clone(),
            date: note.day,
            action: action.text.clone(),
            owner: action.owner.clone(),
            state: match action.state {
                State::Open => "open",
                State::Done => "done",
                State::Cancelled => "cancelled",
            },
            is_urgent: action.urgent,
            due_date: action.due,
        });
        Ok(ActionItems {
            actions: actions.collect(),
            total: collected.total(),
            problems: collected.problems.iter().map(|refusal| refusal.message.clone()).collect(),
        })
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
