//! `note://current`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{mcp::tool::Respondent, notes::CurrentRequest, question::Error};

/// The note that is open in the application.
pub(super) struct CurrentNote;

impl SharedResource for CurrentNote {
    const URI: &'static str = "note://current";
    const NAME: &'static str = "current-note";
    const TITLE: &'static str = "Current Note";
    const DESCRIPTION: &'static str = "The note that is open in Chronicle, as Markdown.";
    const MIME_TYPE: &'static str = super::note_file::MARKDOWN;
    const AUDIENCE: &'static [Role] = &[Role::Assistant];
    const PRIORITY: f32 = 0.5;
    const FOLLOWS: Follows = Follows::Notes;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        Ok(material.respondent.respond(CurrentRequest).await?.text.into_string())
    }
}
