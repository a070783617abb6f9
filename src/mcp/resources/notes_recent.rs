//! `note://recent`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{mcp::tool::Respondent, notes::RecentRequest, question::Error};

/// The notes of the last seven days.
pub(super) struct RecentNotes;

impl SharedResource for RecentNotes {
    const URI: &'static str = "note://recent";
    const NAME: &'static str = "notes-recent";
    const TITLE: &'static str = "Recent Notes";
    const DESCRIPTION: &'static str = "All notes of the last seven days, by day.";
    const AUDIENCE: &'static [Role] = &[Role::Assistant];
    const PRIORITY: f32 = 0.5;
    const FOLLOWS: Follows = Follows::Notes;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        material.answer(RecentRequest).await
    }
}
