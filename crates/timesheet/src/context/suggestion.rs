//! An entry that a session suggests.

use chrono::TimeDelta;
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::day::Day;
use crate::hours::Hours;

/// Suggestions are multiples of this many hundredths of an hour, and at least one.
const QUARTER: i64 = 25;
/// A quarter of an hour in seconds.
const QUARTER_SECONDS: i64 = 900;
/// The longest suggestion, in quarters of an hour: eight hours.
const MAX_QUARTERS: i64 = 32;

/// A proposed entry for the work since the start of the session or the last entry.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The last project, if any.
    pub project_code: Option<String>,
    /// The last task, if any.
    pub task: Option<String>,
    /// Hours, rounded to quarters of an hour with ties to the even one, from 0.25 to 8.
    pub hours: Hours,
    /// Duration of the work in whole minutes.
    pub minutes: i64,
    /// Today.
    pub date: Day,
    /// Description of the work.
    pub description: Option<String>,
}

impl Suggestion {
    pub(super) fn new(task: Option<(&str, &str)>, worked: TimeDelta, date: Day, description: Option<String>) -> Self {
        let (project_code, task) = task.map(|(project, task)| (project.to_owned(), task.to_owned())).unzip();
        Self { project_code, task, hours: round_to_quarters(worked), minutes: worked.num_minutes(), date, description }
    }
}

fn round_to_quarters(worked: TimeDelta) -> Hours {
    let quarters = Decimal::from(worked.num_seconds()) / Decimal::from(QUARTER_SECONDS);
    let rounded = quarters.round_dp_with_strategy(0, RoundingStrategy::MidpointNearestEven).to_i64();
    Hours::from_hundredths(rounded.unwrap_or(MAX_QUARTERS).clamp(1, MAX_QUARTERS) * QUARTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_rounded_to_the_quarter_with_ties_to_the_even_one() {
        for (seconds, hours) in [
            (37 * 60, "0.5"),
            (45 * 60, "0.75"),
            (52 * 60 + 30, "1"),
            (37 * 60 + 30, "0.5"),
            (37 * 60 + 31, "0.75"),
            (22 * 60 + 30, "0.5"),
            (5 * 60, "0.25"),
            (120 * 60, "2"),
            (8 * 3600 + 1000, "8"),
            (10 * 3600, "8"),
            (i64::from(u32::MAX), "8"),
        ] {
            assert_eq!(round_to_quarters(TimeDelta::seconds(seconds)), hours.parse().unwrap(), "{seconds} s");
        }
    }
}
