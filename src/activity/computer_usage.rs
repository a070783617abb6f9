//! When the computer was used, left, locked or off (semantics, section 3).

use schemars::JsonSchema;
use serde::Serialize;

use super::{DateRange, Diagnostics, TimeBasis, Truncation};

/// How many intervals one answer holds at most.
pub const MAX_INTERVALS: usize = 1000;

/// Asks for the states of the computer in a local range.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputerUsageRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Only this device (its display name).
    pub device: Option<String>,
}

/// States of the computer, in order of time, cut at the range.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComputerUsage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// The intervals, cut at the range.
    pub intervals: Vec<UsageInterval>,
    /// Minutes per state over the whole range, whatever is listed; a minute of one state counts once over all devices.
    pub totals: StateTotals,
    /// Whether intervals were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// A state of the computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComputerState {
    /// In use.
    Active,
    /// On, nobody there.
    Away,
    /// Session locked.
    Locked,
    /// Switched off.
    Off,
    /// Anything else.
    Unknown,
}

/// One interval in one state.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageInterval {
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes, measured in UTC.
    pub duration_minutes: f64,
    /// The state.
    pub state: ComputerState,
    /// The device, when the range holds more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub device: Option<String>,
}

/// Minutes per state; states without time are omitted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StateTotals {
    /// In use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub active: Option<f64>,
    /// On, nobody there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub away: Option<f64>,
    /// Session locked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub locked: Option<f64>,
    /// Switched off.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub off: Option<f64>,
    /// Anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub unknown: Option<f64>,
}
