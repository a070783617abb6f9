//! Lists the newest notes.

use std::sync::Arc;
use std::time::Duration;

use chrono::{Local, NaiveDate};
use dayledger_notes::history::Sessions;
use dayledger_notes::listing::{Filter, Listing, SearchableText, limit};
use dayledger_notes::survey::Survey;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::notebook::{CountingState, Notebook};
use super::redacted_text::{Redact, RedactedText};
use dayledger_request::{Error, Request};

/// The maximum time for counting the sessions of all notes, for a list in a terminal. A server responds earlier, because
/// a later call returns the complete durations.
const COUNT_TIMEOUT: Duration = Duration::from_mins(1);

/// A request for the newest notes that match the filters.
#[derive(Debug, Clone, Default)]
pub struct NotesRequest {
    /// Includes only notes of this local day or later.
    pub from: Option<NaiveDate>,
    /// Includes only notes of this local day or earlier.
    pub to: Option<NaiveDate>,
    /// Includes only notes that contain this text in their title or body, ignoring case.
    pub search: Option<String>,
    /// Whether to include only processed notes.
    pub processed_only: bool,
    /// The maximum number of notes to return: 1 to 100. If unset or 0, it is 20.
    pub limit: Option<i64>,
}

impl Request for NotesRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let (sessions, counting) = notebook.sessions_if_ready().await?;
        let listing = self.collect(notebook, sessions).await?;
        Ok(RedactedText::new(notebook, (listing, counting), |(listing, counting)| {
            let listing = listing.to_text();
            match counting {
                CountingState::Complete => listing,
                CountingState::Running => {
                    format!("{listing}\n\nThe duration of notes is still being computed; try again in a moment.")
                }
                CountingState::Failed(refusal) => {
                    format!("{listing}\n\nThe duration of notes is unknown: {}.", refusal.message)
                }
            }
        }))
    }
}

impl NotesRequest {
    /// Returns the notes, which are not redacted yet.
    async fn collect(self, notebook: &Notebook, sessions: Arc<Sessions>) -> Result<Listing, Error> {
        let Self { from, to, search, processed_only, limit: asked } = self;
        // The search runs over the redacted text, so that redacted text can't be found.
        let searched = match notebook.active_privacy() {
            Some(_) => {
                let notebook = notebook.clone();
                SearchableText::with_redaction(move |text| notebook.redact(text))
            }
            None => SearchableText::default(),
        };
        let filter = Filter { from, to, search, searched, processed_only };
        let listing = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            Listing::collect(&survey, &filter, limit(asked), &sessions, &Local)
        });
        listing.await
    }
}

/// A request for the same notes as [`NotesRequest`], as data for a terminal or a program.
#[derive(Debug, Clone, Default)]
pub struct NoteListRequest(pub NotesRequest);

/// A list of notes, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteList {
    /// The newest matching notes, up to the limit.
    pub notes: Vec<ListedNote>,
    /// The number of matching notes.
    pub total: usize,
    /// The reasons why a note, a part of a note or a duration could not be read.
    pub problems: Vec<String>,
}

/// A note in a list.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedNote {
    /// The path in the workspace.
    pub path: String,
    /// The title.
    pub title: String,
    /// The local day.
    pub date: NaiveDate,
    /// The duration in minutes, if it is known.
    pub minutes: Option<u64>,
    /// Whether the note was processed.
    pub is_processed: bool,
    /// The summary of the note's record.
    pub summary: Option<String>,
}

impl Request for NoteListRequest {
    type Service = Notebook;
    type Response = NoteList;

    async fn execute(self, notebook: &Notebook) -> Result<NoteList, Error> {
        let (sessions, counting) = notebook.sessions_within(COUNT_TIMEOUT).await?;
        let mut collected = (self.0.collect(notebook, sessions).await?, counting);
        collected.redact(notebook);
        let (Listing { notes, found, unread }, counting) = collected;
        let counting = match counting {
            CountingState::Complete => None,
            CountingState::Running => Some("the durations of the notes are not complete".to_owned()),
            CountingState::Failed(refusal) => Some(refusal.message),
        };
        let of_notes = notes.iter().filter_map(|note| note.problem.as_ref()).chain(&unread);
        let problems = of_notes.map(|refusal| refusal.message.clone()).chain(counting).collect();
        let notes = notes.into_iter().map(|note| ListedNote {
            path: note.path.to_string(),
            title: note.title,
            date: note.day,
            minutes: note.minutes,
            is_processed: note.processed,
            summary: note.summary,
        });
        Ok(NoteList { notes: notes.collect(), total: found, problems })
    }
}

impl Redact for (Listing, CountingState) {
    fn redact(&mut self, notebook: &Notebook) {
        let (listing, counting) = self;
        for note in &mut listing.notes {
            note.title.redact(notebook);
            note.summary.iter_mut().for_each(|summary| summary.redact(notebook));
            note.problem.iter_mut().for_each(|problem| problem.redact(notebook));
        }
        listing.unread.iter_mut().for_each(|refusal| refusal.redact(notebook));
        if let CountingState::Failed(refusal) = counting {
            refusal.redact(notebook);
        }
    }
}
