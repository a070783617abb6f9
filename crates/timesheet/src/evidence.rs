//! The active time behind an entry.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// An interval of active time that an entry covers, from `start_utc` (included) to `end_utc` (excluded).
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// In seconds since 1970, UTC.
    pub start_utc: i64,
    /// In seconds since 1970, UTC; after the start.
    pub end_utc: i64,
    /// The device that recorded it, if known.
    pub device: Option<String>,
    /// The activity in the history that contains it, if any.
    pub activity: Option<i64>,
}
