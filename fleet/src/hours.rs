//! What many persons did together, without what few of them did.

use std::num::NonZeroU16;

use clap::ValueEnum;
use dayledger::question::DateRange;
use schemars::JsonSchema;
use serde::Deserialize;

/// What a row of [`statement`] is of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
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

impl By {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Application => "application",
            Self::Day => "day",
            Self::Week => "week",
            Self::All => "all",
        }
    }
}

/// The statement for the active hours of all persons in `range`: `name`, `persons` and `hours`, no row of fewer persons than
/// `least`.
pub fn statement(range: &DateRange, by: By, least: NonZeroU16) -> String {
    include_str!("../sql/hours.sql")
        .replace("$start", &format!("'{}'", range.start_text()))
        .replace("$end", &format!("'{}'", range.end_text()))
        .replace("$by", &format!("'{}'", by.name()))
        .replace("$least", &least.to_string())
}
