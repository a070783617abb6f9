//! `manictime://environment`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{activity::EnvironmentRequest, mcp::tool::Respondent, question::Error};

/// Which devices recorded the history.
pub(super) struct Environment;

impl SharedResource for Environment {
    const URI: &'static str = "manictime://environment";
    const NAME: &'static str = "environment";
    const TITLE: &'static str = "Devices";
    const DESCRIPTION: &'static str =
        "Devices that recorded the history, each with operating system, ManicTime and .NET versions. For diagnostics.";
    const AUDIENCE: &'static [Role] = &[Role::User, Role::Assistant];
    const PRIORITY: f32 = 0.25;
    const FOLLOWS: Follows = Follows::Timelines;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        material.answer(EnvironmentRequest).await
    }
}
