//! `note://config`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{mcp::tool::Respondent, notes::ConfigRequest, question::Error};

/// The markers of notes.
pub(super) struct NotesConfig;

impl SharedResource for NotesConfig {
    const URI: &'static str = "note://config";
    const NAME: &'static str = "notes-config";
    const TITLE: &'static str = "Markers of Notes";
    const DESCRIPTION: &'static str = "Marker syntax, and the style in which notes are processed.";
    const AUDIENCE: &'static [Role] = &[Role::Assistant];
    const PRIORITY: f32 = 0.5;
    const FOLLOWS: Follows = Follows::Program;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        material.answer(ConfigRequest).await
    }
}
