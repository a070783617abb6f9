//! What state the notes are in.

use chrono::{Local, NaiveDate};
use dayledger_notes::Refusal;
use dayledger_notes::chronicle::{current, kept_actions};
use dayledger_notes::survey::Survey;
use schemars::JsonSchema;
use serde::Serialize;

use super::notebook::{Counting, Notebook};
use crate::question::{Answer, Error, Question};

/// How many files of a kind that cannot be read are named.
const MOST_NAMED: usize = 3;

/// Asks where the notes are, and what of them cannot be read.
#[derive(Debug, Clone)]
pub struct StateRequest;

/// Where notes are, and what of them cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotesState {
    /// The folder of the workspace; absent where none is found.
    pub folder: Option<String>,
    /// How many notes there are.
    pub notes: usize,
    /// The day of the newest.
    pub newest: Option<NaiveDate>,
    /// What cannot be read of them, and what to do: a workspace that is named and not there, a history that is damaged or
    /// missing, files of the application, notes, their metadata.
    pub problems: Vec<String>,
}

impl Answer for NotesState {}

impl Question for StateRequest {
    type Of = Notebook;
    type Answer = NotesState;

    async fn answer(self, notebook: &Notebook) -> Result<NotesState, Error> {
        let places = notebook.setup()?.places();
        let folder = match places.workspace() {
            Ok(folder) => folder,
            // Who has no workspace misses nothing.
            Err(refusal) => {
                let problems = places.is_named().then(|| notebook.told_of_refusal(&refusal.message));
                return Ok(NotesState { problems: problems.into_iter().collect(), ..NotesState::default() });
            }
        };
        let (_, counting) = notebook.sessions_soon().await?;
        let state = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            let notes = survey.notes();
            let unread: Vec<_> = notes.iter().filter_map(|found| opened.workspace.read(&found.path).err()).collect();
            let metadata: Vec<_> = notes.iter().filter_map(|found| survey.meta(&found.path).err()).collect();
            let of_application = [current(&opened.workspace).err(), kept_actions(&opened.workspace).err()];
            let history = match counting {
                Counting::Failed(refusal) => Some(refusal),
                Counting::IsDone | Counting::GoesOn => opened.history().check().err(),
            };
            Ok(NotesState {
                folder: Some(folder.display().to_string()),
                notes: notes.len(),
                newest: notes.iter().map(|found| survey.day(found, &Local)).max(),
                problems: [history]
                    .into_iter()
                    .chain(of_application)
                    .flatten()
                    .map(|refusal| refusal.message)
                    .chain(told(&unread, "notes"))
                    .chain(told(&metadata, "files of metadata"))
                    .collect(),
            })
        });
        state.await
    }
}

/// What cannot be read: the first of it, and how much else.
fn told(unread: &[Refusal], what: &str) -> impl Iterator<Item = String> {
    let others = unread.len().saturating_sub(MOST_NAMED);
    let others = (others > 0).then(|| format!("{others} other {what} cannot be read"));
    unread.iter().take(MOST_NAMED).map(|refusal| refusal.message.clone()).chain(others)
}
