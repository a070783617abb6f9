//! One entry as an answer.

use dayledger_timesheet::TimeEntry;
use schemars::JsonSchema;
use serde::Serialize;

use super::asker::Aside;
use crate::question::Answer;

/// An entry as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EntryAnswer {
    /// The entry.
    #[serde(flatten)]
    pub entry: TimeEntry,
    /// What the session has to say.
    #[serde(flatten)]
    pub aside: Aside,
}

impl Answer for EntryAnswer {}
