//! Hours of a whole team, in which groups of too few people are hidden.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::Range;

use chrono::NaiveDate;
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The subject of a row of [`statement`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GroupBy {
    /// An application.
    #[default]
    Application,
    /// A local day.
    Day,
    /// A week from Monday.
    Week,
    /// The whole range.
    All,
}

impl fmt::Display for GroupBy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// People, with local days that the exports of all of them cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredDays {
    /// The days; the end is exclusive.
    pub days: Range<NaiveDate>,
    /// The people's names.
    pub people: Vec<String>,
}

/// Returns the statement for the active hours of all people on the `covered` days: `name`, `persons` and `hours`. No
/// row has fewer people than `least`.
pub fn statement(covered: &[CoveredDays], by: GroupBy, least: NonZeroU16) -> String {
    let parts: Vec<_> = covered.iter().map(CoveredDays::statement).collect();
    include_str!("../sql/hours.sql")
        .replace("$covered_days", &parts.join("UNION ALL\n"))
        .replace("$by", &literal(&by.to_string()))
        .replace("$least", &least.to_string())
}

impl CoveredDays {
    fn statement(&self) -> String {
        let people: Vec<_> = self.people.iter().map(|name| literal(name)).collect();
        let lines = include_str!("../sql/covered_days.sql").lines();
        // Comments would be repeated for each range of days, and the length of a statement is limited.
        let lines: String = lines.filter(|line| !line.starts_with("--")).flat_map(|line| [line, "\n"]).collect();
        lines
            .replace("$start", &literal(&self.days.start.to_string()))
            .replace("$end", &literal(&self.days.end.to_string()))
            .replace("$people", &people.join(", "))
    }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
