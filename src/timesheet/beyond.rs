//! Hours that no activity stands for.

use dayledger_timesheet::draft::Covered;
use dayledger_timesheet::{Bookings, Day, EntryId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::question::{Minutes, minutes};

/// What is told has at least so many seconds: rounding makes less.
const LEAST: i64 = 900;
/// How many entries are told.
const MOST: usize = 10;

/// An entry with more hours than there was activity for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeyondEvidence {
    /// The entry.
    #[schemars(with = "String")]
    pub id: EntryId,
    /// Its first day.
    pub start_date: Day,
    /// Its project.
    pub project_code: String,
    /// Its task.
    pub task: String,
    /// Minutes of its hours, on the days that are asked for, that no activity stands for.
    pub minutes: Minutes,
}

/// The entries that have a quarter of an hour or more beyond what was done, most first, at most 10.
pub(super) fn beyond_evidence(covered: &[Covered], bookings: &Bookings) -> Vec<BeyondEvidence> {
    let mut beyond: Vec<_> = covered.iter().filter(|covered| covered.beyond_evidence >= LEAST).collect();
    beyond.sort_by_key(|covered| std::cmp::Reverse(covered.beyond_evidence));
    let told = beyond.into_iter().filter_map(|covered| {
        let entry = bookings.entries.iter().find(|entry| entry.id == covered.entry)?;
        Some(BeyondEvidence {
            id: entry.id,
            start_date: entry.start_date,
            project_code: entry.project_code.clone(),
            task: entry.task.clone(),
            minutes: minutes(covered.beyond_evidence),
        })
    });
    told.take(MOST).collect()
}
