//! `manictime://timelines`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{activity::TimelinesRequest, mcp::tool::Respondent, question::Error};

/// Which timelines there are.
pub(super) struct Timelines;

impl SharedResource for Timelines {
    const URI: &'static str = "manictime://timelines";
    const NAME: &'static str = "timelines";
    const TITLE: &'static str = "Timelines";
    const DESCRIPTION: &'static str = "Timelines of the history with id, role and device.";
    const AUDIENCE: &'static [Role] = &[Role::Assistant];
    const PRIORITY: f32 = 0.5;
    const FOLLOWS: Follows = Follows::Timelines;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        material.answer(TimelinesRequest).await
    }
}
