//! Which name has which colour on a page.

use super::colors::Legend;
use crate::activity::{Daybook, NamedStretch, NamedTotal};

/// The colours of what a page shows.
pub(super) struct Legends<'a> {
    pub(super) applications: Legend<'a>,
    pub(super) websites: Legend<'a>,
    pub(super) tags: Legend<'a>,
}

impl<'a> Legends<'a> {
    /// Those of everything that is told of `daybook`.
    pub(super) fn of(daybook: &'a Daybook) -> Self {
        let aggregate = &daybook.summary.aggregate;
        let applications = aggregate.top_apps.iter().map(|total| (total.name.as_str(), total.color.as_deref()));
        // The names with the most time first: they shall be told apart where the user gave no colours.
        let named = |totals: &'a [NamedTotal]| totals.iter().map(|total| (total.name.as_str(), None));
        let tasks = daybook.purposes.tasks();
        let tasks = tasks.iter().map(|task| (task.name.as_str(), None));
        Self {
            applications: Legend::of(applications.chain(colored(&daybook.applications))),
            websites: Legend::of(named(&aggregate.top_websites).chain(colored(&daybook.websites))),
            tags: Legend::of(tasks.chain(colored(&daybook.tags))),
        }
    }
}

fn colored(stretches: &[NamedStretch]) -> impl Iterator<Item = (&str, Option<&str>)> + Clone {
    stretches.iter().map(|stretch| (stretch.name.as_str(), stretch.color.as_deref()))
}
