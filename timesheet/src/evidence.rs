//! What a history shows of the time that an entry stands for.

use serde::{Deserialize, Serialize};

/// A stretch of active time that an entry covers: from `start_utc` up to `end_utc`, which is not part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// In seconds since 1970, UTC.
    pub start_utc: i64,
    /// In seconds since 1970, UTC; after the start.
    pub end_utc: i64,
    /// The device that recorded it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The activity of the history that it is part of, if it is part of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<i64>,
}
