//! The time of each client in a summary (docs/spec/time.md#client-time).

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use dayledger_engine as engine;
use dayledger_engine::Rows;
use dayledger_request::{Minutes, minutes};

/// The maximum number of clients in a response.
const TOP: usize = 20;

/// Time for clients, at the computer and away from it. A client is the first level of a tag or, for untagged time, the
/// project of a rule.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientTotals {
    /// Minutes for all clients, at the computer and away from it, each counted once.
    pub client_minutes: Minutes,
    /// The part of `clientMinutes` away from the computer, which is tagged time. Not active time.
    pub away_minutes: Minutes,
    /// The sum over all clients minus `clientMinutes`, if they differ. For example, 10 minutes that three clients share
    /// give 20.
    pub shared_minutes: Option<Minutes>,
    /// Clients with the most time, at most 20.
    pub top_clients: Vec<ClientTotal>,
}

/// The time for one client.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientTotal {
    /// First level of the tags, or project of a rule.
    pub name: String,
    /// Minutes at the computer and away from it.
    pub client_minutes: Minutes,
    /// The part of `clientMinutes` away from the computer, if there is any.
    pub away_minutes: Option<Minutes>,
}

impl ClientTotals {
    /// Reads the totals from the rows of [`PURPOSES`]. Returns `None` if no client has time.
    ///
    /// [`PURPOSES`]: super::purposes::PURPOSES
    pub(crate) fn from_rows(purposes: &Rows) -> Result<Option<Self>, engine::Error> {
        let (mut all, mut clients) = ((0, 0), Vec::new());
        for row in purposes.iter() {
            let away: i64 = row.get("away_seconds")?;
            let total = row.get::<i64>("active_seconds")?.saturating_add(away);
            match (row.get_optional::<String>("key")?, row.get_optional::<String>("task")?) {
                (None, _) => all = (total, away),
                (Some(_), None) => clients.push((row.get_optional("name")?.unwrap_or_default(), total, away)),
                (Some(_), Some(_)) => {}
            }
        }
        if clients.is_empty() {
            return Ok(None);
        }
        let sum: i64 = clients.iter().map(|(_, total, _)| total).sum();
        let client = |(name, total, away)| ClientTotal {
            name,
            client_minutes: minutes(total),
            away_minutes: (away > 0).then(|| minutes(away)),
        };
        Ok(Some(Self {
            client_minutes: minutes(all.0),
            away_minutes: minutes(all.1),
            shared_minutes: (sum > all.0).then(|| minutes(sum - all.0)),
            top_clients: clients.into_iter().take(TOP).map(client).collect(),
        }))
    }
}
