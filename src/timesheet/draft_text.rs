//! A draft as a text that a person edits.

use dayledger_timesheet::draft::text::to_text;
use dayledger_timesheet::{DraftId, ProjectsAsked};
use schemars::JsonSchema;
use serde::Serialize;

use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// What stands before the id of the draft, in the first line of its text.
const DRAFT: &str = "# Draft ";
const HEAD: &str = "\
# Save and leave the editor to log what stands here; delete all entries to log nothing.
";

/// Asks for the text of a draft that is kept.
#[derive(Debug, Clone)]
pub struct DraftTextRequest {
    /// The draft.
    pub draft: DraftId,
}

/// The text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftText {
    /// Its lines, with comments that say how to edit them; the first names the draft.
    pub text: String,
    /// How many rows the draft has.
    pub rows: usize,
}

impl Question for DraftTextRequest {
    type Of = Sheet;
    type Answer = DraftText;

    async fn answer(self, sheet: &Sheet) -> Result<DraftText, Error> {
        let draft = sheet.book().await?.draft(self.draft).await?;
        let projects = sheet.timesheet().await?.projects(ProjectsAsked::All).await?;
        let text = format!("{DRAFT}{}\n{HEAD}{}", self.draft, to_text(&draft, &projects));
        Ok(DraftText { text, rows: draft.rows.len() })
    }
}

impl Answer for DraftText {}

impl DraftText {
    /// The draft that a text names, which somebody may have edited.
    pub fn draft_of(text: &str) -> Option<DraftId> {
        text.lines().find_map(|line| line.trim().strip_prefix(DRAFT)?.trim().parse().ok())
    }
}
