//! What was agreed in notes.

use chrono::{Local, NaiveDate};
use dayledger_notes::agreed::{Agreed, Asked};
use dayledger_notes::survey::Survey;

use super::notebook::Notebook;
use super::told::{Telling, Told, Withhold};
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
        let asked = Asked { owner: None, from, include_done };
        let agreed = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            Ok(Agreed::of(&survey, &asked, &Local))
        });
        Ok(Told::of(notebook, AgreedWith { agreed: agreed.await?, owner }))
    }
}

/// What was agreed with an owner, or with anybody.
struct AgreedWith {
    agreed: Agreed,
    owner: Option<String>,
}

impl Withhold for AgreedWith {
    fn withhold(&mut self, notebook: &Notebook) {
        for group in &mut self.agreed.groups {
            group.title.withhold(notebook);
            for action in &mut group.actions {
                action.withhold(notebook);
            }
        }
        self.agreed.problems.iter_mut().for_each(|problem| problem.withhold(notebook));
    }
}

impl Telling for AgreedWith {
    fn into_text(self) -> String {
        let Self { mut agreed, owner } = self;
        // An owner that is withheld is not found either.
        if let Some(owner) = owner {
            agreed.of_owner(&owner);
        }
        agreed.to_text(&Local::now())
    }
}
