//! Several days at a glance (semantics, section 6).

use schemars::JsonSchema;
use serde::Serialize;

use super::{ApplicationTotal, DateRange, Diagnostics, TimeBasis, Truncation, NamedTotal};

/// The longest period that one summary covers, in days (contract, `get_period_summary`).
pub const MAX_PERIOD_DAYS: i64 = 31;

/// Asks for days, tops and weekday pattern of up to 31 days.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodSummaryRequest {
    /// Local range, end exclusive, at most 31 days.
    pub range: DateRange,
    /// Only this device (its display name).
    pub device: Option<String>,
}

/// The days of a period and what they add up to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodSummary {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// `active`; `recorded` only where activities are no longer kept.
    pub time_basis: TimeBasis,
    /// Active minutes of the whole period. Authoritative: the days add up to it before rounding.
    pub total_active_minutes: f64,
    /// One entry per day with activity, in order of date.
    pub days: Vec<PeriodDay>,
    /// Tops and averages over the period.
    pub aggregate: PeriodAggregate,
    /// How the time spreads over the week.
    pub patterns: PeriodPatterns,
    /// Whether days were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// One local day with activity.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodDay {
    /// Local date, `YYYY-MM-DD`.
    pub date: String,
    /// Active minutes of the day, each minute counted once over all devices.
    pub total_active_minutes: f64,
    /// The application with the most active time.
    pub top_app: String,
    /// Local start of the day's first piece; absent for recorded time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub first_activity: Option<String>,
    /// Local end of the day's last piece; absent for recorded time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub last_activity: Option<String>,
}

/// Tops and averages over a period.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodAggregate {
    /// Applications with the most time.
    pub top_apps: Vec<ApplicationTotal>,
    /// Websites with the most time.
    pub top_websites: Vec<NamedTotal>,
    /// Average over the days with activity.
    pub avg_daily_minutes: f64,
    /// The day with the most time, earliest on a tie.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub busiest_day: Option<String>,
    /// The day with activity that has the least time, earliest on a tie.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub quietest_day: Option<String>,
}

/// How a period's time spreads.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodPatterns {
    /// One entry for every weekday that occurs in the range, idle ones with 0.0.
    pub day_of_week_distribution: Vec<WeekdayTotal>,
}

/// The time of one weekday.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekdayTotal {
    /// 0 = Sunday ... 6 = Saturday.
    pub day_of_week: u8,
    /// Minutes, rounded to one decimal.
    pub total_minutes: f64,
}
