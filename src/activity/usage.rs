//! Recorded time of applications and documents (semantics, section 6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DateRange, Diagnostics, Limit, TimeBasis, Truncation};

/// Which usage is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageKind {
    /// `Ar_ApplicationByDay`, or applications.
    Applications,
    /// `Ar_DocumentByDay`, or documents.
    Documents,
}

/// How usage is broken down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Breakdown {
    /// Totals of the range only.
    #[default]
    None,
    /// Totals of the range and of each local day.
    Day,
}

/// Asks for recorded time by application or document.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageRequest {
    /// Applications or documents.
    pub kind: UsageKind,
    /// Local range, end exclusive.
    pub range: DateRange,
    /// How many items are returned, most time first.
    pub limit: Limit<50, 1000>,
    /// Whether days are listed too.
    pub breakdown: Breakdown,
}

/// Recorded time by application or document.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// Recorded minutes of everything in the range, whatever is listed. Authoritative.
    pub total_minutes: f64,
    /// The items, most time first.
    pub usage: Vec<UsageItem>,
    /// The same by local day, for the listed items, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<UsageDay>")]
    pub days: Option<Vec<UsageDay>>,
    /// Whether items were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// Recorded time of one application or document.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageItem {
    /// Display name.
    pub name: String,
    /// Colour as six hex digits without `#`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub color: Option<String>,
    /// Key, such as `chrome.exe;google chrome`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub key: Option<String>,
    /// Recorded minutes.
    pub total_minutes: f64,
}

/// Recorded time of one local day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageDay {
    /// Local date, `YYYY-MM-DD`.
    pub date: String,
    /// Recorded minutes of everything on that day.
    pub total_minutes: f64,
    /// The day's minutes of each listed item that has any, in the order of `usage`, by name.
    pub usage: Vec<super::NamedTotal>,
}
