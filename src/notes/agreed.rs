//! What was agreed in notes.

use chrono::{Local, NaiveDate};
use dayledger_notes::agreed::{Agreed, Asked};
use dayledger_notes::survey::Survey;

use super::notebook::Notebook;
use super::told::Told;
use crate::question::{Error, Question};

/// Asks for actions over all notes.
#[derive(Debug, Clone, Default)]
pub struct ActionsRequest {
    /// Of that owner; `me` and `self` are the user.
    pub owner: Option<String>,
    /// Of notes from that local day on.
    pub from: Option<NaiveDate>,
    /// With what is done.
    pub include_done: bool,
}

impl Question for ActionsRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let Self { owner, from, include_done } = self;
        let asked = Asked { owner, from, include_done };
        let text = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            Ok(Agreed::of(&survey, &asked, &Local).to_text(&Local::now()))
        });
        Ok(Told(text.await?))
    }
}
