//! Which notes there are.

use chrono::{Local, NaiveDate};
use dayledger_notes::listing::{Filter, Listing, Searched, limit};
use dayledger_notes::survey::Survey;

use super::notebook::{Counting, Notebook};
use super::told::{Telling, Told, Withhold};
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
        // Who searches for what is withheld does not find it.
        let searched = match notebook.withheld() {
            Some(_) => Searched::part(told_by(notebook.clone())),
            None => Searched::default(),
        };
        let filter = Filter { from, to, search, searched, processed_only };
        let (sessions, counting) = notebook.sessions_soon().await?;
        let listing = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            Listing::of(&survey, &filter, limit(asked), &sessions, &Local)
        });
        Ok(Told::of(notebook, Listed { listing: listing.await?, counting }))
    }
}

fn told_by(notebook: Notebook) -> impl Fn(&str) -> String + Send + Sync + 'static {
    move |text| notebook.told(text)
}

/// A list, and whether its minutes are all there.
struct Listed {
    listing: Listing,
    counting: Counting,
}

impl Withhold for Listed {
    fn withhold(&mut self, notebook: &Notebook) {
        for note in &mut self.listing.notes {
            note.title.withhold(notebook);
            note.summary.iter_mut().for_each(|summary| summary.withhold(notebook));
            note.problem.iter_mut().for_each(|problem| problem.withhold(notebook));
        }
        self.listing.unread.iter_mut().for_each(|refusal| refusal.withhold(notebook));
        if let Counting::Failed(refusal) = &mut self.counting {
            refusal.withhold(notebook);
        }
    }
}

impl Telling for Listed {
    fn into_text(self) -> String {
        let listing = self.listing.to_text();
        match self.counting {
            Counting::IsDone => listing,
            Counting::GoesOn => {
                format!("{listing}\n\nHow long notes took is still being counted; ask again in a moment.")
            }
            Counting::Failed(refusal) => format!("{listing}\n\nHow long notes took is not known: {}.", refusal.message),
        }
    }
}
