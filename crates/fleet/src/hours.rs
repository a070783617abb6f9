//! Active hours of a whole team. Rows with too few people are hidden.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::Range;

use chrono::NaiveDate;
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The grouping of the rows of [`statement`].
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

/// People, and local days that the exports of all these people cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredDays {
    /// The range of days. Its end is exclusive.
    pub days: Range<NaiveDate>,
    /// The names of the people.
    pub people: Vec<String>,
}

/// Returns the SQL statement for the active hours of all people on the `covered` days. The columns are `name`,
/// `persons` and `hours`. Each row has at least `least` people.
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
        // Comments are removed, because the text is repeated for each range of days and the length of a statement is
        // limited.
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
