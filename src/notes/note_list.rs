//! Which notes there are.

use chrono::{Local, NaiveDate};
use dayledger_notes::listing::{Filter, Listing, SearchableText, limit};
use dayledger_notes::survey::Survey;

use super::notebook::{CountingState, Notebook};
use super::redacted_text::{Redact, RedactedText, Render};
use crate::request::{Error, Request};

/// Asks for the newest notes that fit.
#[derive(Debug, Clone, Default)]
pub struct NotesRequest {
    /// From that local day on.
    pub from: Option<NaiveDate>,
    /// Up to that day, with it.
    pub to: Option<NaiveDate>,
    /// With that in title or text, in any case of letters.
    pub search: Option<String>,
    /// Only what was processed.
    pub processed_only: bool,
    /// How many, from 1 to 100; 20 where it is not said or 0.
    pub limit: Option<i64>,
}

impl Request for NotesRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let Self { from, to, search, processed_only, limit: asked } = self;
        // Who searches for what is withheld does not find it.
        let searched = match notebook.active_privacy() {
            Some(_) => SearchableText::with_redaction(redactor(notebook.clone())),
            None => SearchableText::default(),
        };
        let filter = Filter { from, to, search, searched, processed_only };
        let (sessions, counting) = notebook.sessions_if_ready().await?;
        let listing = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            Listing::collect(&survey, &filter, limit(asked), &sessions, &Local)
        });
        Ok(RedactedText::new(notebook, ListResponse { listing: listing.await?, counting }))
    }
}

fn redactor(notebook: Notebook) -> impl Fn(&str) -> String + Send + Sync + 'static {
    move |text| notebook.redact(text)
}

/// A list, and whether its minutes are all there.
struct ListResponse {
    listing: Listing,
    counting: CountingState,
}

impl Redact for ListResponse {
    fn redact(&mut self, notebook: &Notebook) {
        for note in &mut self.listing.notes {
            note.title.redact(notebook);
            note.summary.iter_mut().for_each(|summary| summary.redact(notebook));
            note.problem.iter_mut().for_each(|problem| problem.redact(notebook));
        }
        self.listing.unread.iter_mut().for_each(|refusal| refusal.redact(notebook));
        if let CountingState::Failed(refusal) = &mut self.counting {
            refusal.redact(notebook);
        }
    }
}

impl Render for ListResponse {
    fn render(self) -> String {
        let listing = self.listing.to_text();
        match self.counting {
            CountingState::Complete => listing,
            CountingState::Running => {
                format!("{listing}\n\nThe duration of notes is still being computed; try again in a moment.")
            }
            CountingState::Failed(refusal) => {
                format!("{listing}\n\nThe duration of notes is unknown: {}.", refusal.message)
            }
        }
    }
}
