//! Which notes there are.

use chrono::{Local, NaiveDate};
use dayledger_notes::listing::{Filter, Listing, limit};
use dayledger_notes::survey::Survey;

use super::notebook::{Counting, Notebook};
use super::told::Told;
use crate::question::{Error, Question};

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

impl Question for NotesRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let Self { from, to, search, processed_only, limit: asked } = self;
        let filter = Filter { from, to, search, processed_only };
        let (sessions, counting) = notebook.sessions_soon().await?;
        let listing = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            Listing::of(&survey, &filter, limit(asked), &sessions, &Local)
        });
        let listing = listing.await?.to_text();
        Ok(Told(match counting {
            Counting::IsDone => listing,
            Counting::GoesOn => {
                format!("{listing}\n\nHow long notes took is still being counted; ask again in a moment.")
            }
        }))
    }
}
