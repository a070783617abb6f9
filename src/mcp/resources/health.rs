//! `manictime://health`. A history that cannot be read is a state like any other here, never an error.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource, json};
use crate::{
    activity::{HealthRequest, Unavailable},
    mcp::tool::Respondent,
    question::Error,
};

/// How far the history can be relied on.
pub(super) struct Health;

impl SharedResource for Health {
    const URI: &'static str = "manictime://health";
    const NAME: &'static str = "health";
    const TITLE: &'static str = "State of the history";
    const DESCRIPTION: &'static str = "Whether the history can be read, what it cannot tell and what to do, rows that \
                                       sums ignore, whether ManicTime runs, how far its hourly totals lag. Read it \
                                       when an answer is degraded, empty or an error.";
    const AUDIENCE: &'static [Role] = &[Role::User, Role::Assistant];
    const PRIORITY: f32 = 0.5;
    const FOLLOWS: Follows = Follows::Dates;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        match material.respondent.respond(HealthRequest).await {
            Ok(health) => json(&health),
            Err(error) => json(&Unavailable::because(&error).await),
        }
    }
}
