//! Lists the newest notes.

use chrono::{Local, NaiveDate};
use dayledger_notes::listing::{Filter, Listing, SearchableText, limit};
use dayledger_notes::survey::Survey;

use super::notebook::{CountingState, Notebook};
use super::redacted_text::{Redact, RedactedText};
use dayledger_request::{Error, Request};

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
        let (sessions, counting) = notebook.sessions_if_ready().await?;
        let listing = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            Listing::collect(&survey, &filter, limit(asked), &sessions, &Local)
        });
        Ok(RedactedText::new(notebook, (listing.await?, counting), |(listing, counting)| {
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
