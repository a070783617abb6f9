//! `push.json`: the mark of a running push.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The object's name.
pub(super) const MARK: &str = "push.json";
/// The most bytes of the object.
pub(super) const MAX_MARK_BYTES: u64 = 1 << 10;
/// The maximum duration of a push. An older mark belongs to an interrupted push.
const MAX_PUSH_DURATION: TimeDelta = TimeDelta::days(1);

/// When a push began.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PushMark {
    began_utc: DateTime<Utc>,
}

impl PushMark {
    pub(super) fn now() -> Self {
        Self { began_utc: Utc::now() }
    }

    /// Whether the push may still be running. The clocks of two machines may differ.
    pub(super) fn is_recent(self) -> bool {
        (Utc::now() - self.began_utc).abs() < MAX_PUSH_DURATION
    }
}
