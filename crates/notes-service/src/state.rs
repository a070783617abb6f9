//! The status of the notes, for `dayledger doctor`.

use chrono::{Local, NaiveDate};
use dayledger_notes::Refusal;
use dayledger_notes::chronicle::{current_note, read_actions};
use dayledger_notes::survey::Survey;
use schemars::JsonSchema;
use serde::Serialize;

use super::notebook::{CountingState, Notebook};
use dayledger_request::{Error, Request, Truncate};

/// For each kind of file, at most this number of unreadable files is listed.
const MAX_LISTED_FILES: usize = 3;

/// A request for the folder of the notes, and for problems with reading them.
#[derive(Debug, Clone)]
pub struct StateRequest;

/// The folder of the notes, and problems with reading the notes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotesState {
    /// The folder of the workspace. Absent if no workspace was found.
    pub folder: Option<String>,
    /// Number of notes.
    pub notes: usize,
    /// The day of the newest note.
    pub newest: Option<NaiveDate>,
    /// Problems with hints: a configured workspace that doesn't exist, a damaged or missing history, and files of
    /// Chronicle, notes or metadata that can't be read.
    pub problems: Vec<String>,
}

impl Truncate for NotesState {}

impl Request for StateRequest {
    type Service = Notebook;
    type Response = NotesState;

    async fn execute(self, notebook: &Notebook) -> Result<NotesState, Error> {
        let places = notebook.setup()?.places();
        let folder = match places.workspace() {
            Ok(folder) => folder,
            // A missing workspace is a problem only if the user has configured one.
            Err(refusal) => {
                let problems = places.is_named().then(|| notebook.redact_message(&refusal.message));
                return Ok(NotesState { problems: problems.into_iter().collect(), ..NotesState::default() });
            }
        };
        let (_, counting) = notebook.sessions_if_ready().await?;
        let state = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            let notes = survey.notes();
            let unread: Vec<_> = notes.iter().filter_map(|found| opened.workspace.read(&found.path).err()).collect();
            let metadata: Vec<_> = notes.iter().filter_map(|found| survey.meta(&found.path).err()).collect();
            let of_application = [current_note(&opened.workspace).err(), read_actions(&opened.workspace).err()];
            let history = match counting {
                CountingState::Failed(refusal) => Some(refusal),
                CountingState::Complete | CountingState::Running => opened.history().check().err(),
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
                    .chain(problem_messages(&unread, "notes"))
                    .chain(problem_messages(&metadata, "files of metadata"))
                    .collect(),
            })
        });
        state.await
    }
}

/// Returns the messages of the first unreadable files, and a message with the number of further unreadable files.
fn problem_messages(unread: &[Refusal], what: &str) -> impl Iterator<Item = String> {
    let others = unread.len().saturating_sub(MAX_LISTED_FILES);
    let others = (others > 0).then(|| format!("{others} other {what} cannot be read"));
    unread.iter().take(MAX_LISTED_FILES).map(|refusal| refusal.message.clone()).chain(others)
}
