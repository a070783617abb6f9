//! `note://today`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{mcp::tool::Respondent, notes::TodayRequest, question::Error};

/// The notes of today.
pub(super) struct TodaysNotes;

impl SharedResource for TodaysNotes {
    const URI: &'static str = "note://today";
    const NAME: &'static str = "notes-today";
    const TITLE: &'static str = "Today's Notes";
    const DESCRIPTION: &'static str = "All notes of today, with minutes and summaries.";
    const AUDIENCE: &'static [Role] = &[Role::Assistant];
    const PRIORITY: f32 = 0.5;
    const FOLLOWS: Follows = Follows::Notes;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        material.answer(TodayRequest).await
    }
}
