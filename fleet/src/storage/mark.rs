//! `push.json`: the mark of a running push.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The object's name.
pub(super) const MARK: &str = "push.json";
/// The most bytes of the object.
pub(super) const MOST_BYTES_OF_MARK: u64 = 1 << 10;
/// How long a push can take. An older mark is of a push that was interrupted.
const LONGEST: TimeDelta = TimeDelta::days(1);

/// When a push began.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Mark {
    began_utc: DateTime<Utc>,
}

impl Mark {
    pub(super) fn now() -> Self {
        Self { began_utc: Utc::now() }
    }

    /// Reads a mark; `None` if the text is not one.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text).ok()
    }

    /// The object.
    ///
    /// # Errors
    /// None that is known: a time can be written as JSON.
    pub(super) fn text(self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&self)
    }

    /// Whether the push can still be running. The clocks of two machines may differ.
    pub(super) fn is_recent(self) -> bool {
        (Utc::now() - self.began_utc).abs() < LONGEST
    }
}
