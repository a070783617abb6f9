//! What was agreed in notes.

use chrono::{Local, NaiveDate};
use dayledger_notes::agreed::{Agreed, Asked, Page};
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
    /// Due before that local day.
    pub due_before: Option<NaiveDate>,
    /// Due before today.
    pub overdue: bool,
    /// With actions that are done or cancelled.
    pub include_done: bool,
    /// How many: 1 to 100, by default 50.
    pub limit: Option<i64>,
    /// How many to skip.
    pub offset: Option<i64>,
}

impl Question for ActionsRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let Self { owner, from, due_before, overdue, include_done, limit, offset } = self;
        let today = overdue.then(|| Local::now().date_naive());
        let due_before = today.into_iter().chain(due_before).min();
        let asked = Asked { from, due_before, include_done, ..Asked::default() };
        let names = notebook.setup()?.names();
        let agreed = notebook.ask(move |opened| {
            let survey = Survey::of(&opened.workspace);
            Ok(Agreed::of(&survey, &asked, &Local))
        });
        let page = Page::new(limit, offset);
        Ok(Told::of(notebook, AgreedWith { agreed: agreed.await?, owner, names, page }))
    }
}

/// What was agreed with an owner, or with anybody.
struct AgreedWith {
    agreed: Agreed,
    owner: Option<String>,
    names: Vec<String>,
    page: Page,
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
        let Self { mut agreed, owner, names, page } = self;
        // An owner that is withheld is not found either.
        if let Some(owner) = owner {
            agreed.of_owner(&owner, &names);
        }
        agreed.to_text(&Local::now(), page)
    }
}
