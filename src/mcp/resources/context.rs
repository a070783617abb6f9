//! `timesheet://context`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{mcp::tool::Respondent, question::Error, timesheet::ContextRequest};

/// What the session of the timesheet remembers.
pub(super) struct Context;

impl SharedResource for Context {
    const URI: &'static str = "timesheet://context";
    const NAME: &'static str = "timesheet-context";
    const TITLE: &'static str = "Timesheet session";
    const DESCRIPTION: &'static str =
        "Project and task used last, recent entries, since when there is work that is in none, what was said of it.";
    const AUDIENCE: &'static [Role] = &[Role::Assistant];
    const PRIORITY: f32 = 0.5;
    const FOLLOWS: Follows = Follows::Session;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        material.answer(ContextRequest { asker: material.asker }).await
    }
}
