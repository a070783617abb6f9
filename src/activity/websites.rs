//! Recorded time of websites, over time (contract, `get_website_usage`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{DateRange, Diagnostics, Limit, Minutes, TimeBasis, Truncation};

/// Asks for recorded time by website, at most 31 days.
#[derive(Debug, Clone, PartialEq)]
pub struct WebsiteUsageRequest {
    /// Local range, end exclusive, at most 31 days.
    pub range: DateRange,
    /// How many websites are returned, most time first.
    pub limit: Limit<50, 200>,
    /// Websites with less time are left out.
    pub min_minutes: Minutes,
}

/// Recorded time by website.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteUsage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// Recorded minutes of all websites in the range, whatever is listed. Authoritative.
    pub total_minutes: f64,
    /// `hour` for ranges up to 7 days, else `day`.
    pub breakdown_granularity: BreakdownGranularity,
    /// The websites, most time first.
    pub websites: Vec<WebsiteUsageItem>,
    /// Whether websites were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// The length of a breakdown's periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BreakdownGranularity {
    /// Local hours.
    Hour,
    /// Local days.
    Day,
}

/// Recorded time of one website.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteUsageItem {
    /// The site (host name).
    pub name: String,
    /// Recorded minutes in the range.
    pub total_minutes: f64,
    /// The periods with any time, in order.
    pub time_breakdown: Vec<WebsitePeriod>,
}

/// Recorded time of a website in one period.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsitePeriod {
    /// Local hour (`2025-01-15T09:00:00`) or date (`2025-01-15`).
    pub period: String,
    /// Recorded minutes.
    pub minutes: f64,
}
