//! A week that is opened again, by a person only.

use dayledger_timesheet::{EntryId, Hours, Week};
use schemars::JsonSchema;
use serde::Serialize;

use super::codes;
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks to open what was submitted of the entries that start in a week. No tool asks it.
#[derive(Debug, Clone)]
pub struct ReopenRequest {
    /// The week.
    pub week: Week,
}

/// What is open again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reopened {
    /// The week, such as 2025-W43.
    pub week: String,
    /// The entries.
    pub entries: Vec<EntryId>,
    /// Their hours.
    pub hours: Hours,
}

impl Question for ReopenRequest {
    type Of = Sheet;
    type Answer = Reopened;

    async fn answer(self, sheet: &Sheet) -> Result<Reopened, Error> {
        let Some(ledger) = sheet.ledger().await? else {
            return Err(Error::new(
                codes::FORBIDDEN,
                "what was submitted to a company's timesheet can be opened there only",
                "ask whoever approves it to decline the entries",
            ));
        };
        let entries = ledger.reopen(self.week).await?;
        let mut hours = Hours::ZERO;
        for id in &entries {
            hours = hours + sheet.timesheet().await?.find(*id).await?.total_hours();
        }
        Ok(Reopened { week: self.week.to_string(), entries, hours })
    }
}

impl Answer for Reopened {}
