//! What a history shows of the time that an entry stands for.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A stretch of active time that an entry covers: from `start_utc` up to `end_utc`, which is not part of it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// In seconds since 1970, UTC.
    pub start_utc: i64,
    /// In seconds since 1970, UTC; after the start.
    pub end_utc: i64,
    /// The device that recorded it, if that is known.
    pub device: Option<String>,
    /// The activity of the history that it is part of, if it is part of one.
    pub activity: Option<i64>,
}
