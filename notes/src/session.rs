//! A sitting in which a note was taken.

use chrono::{DateTime, TimeDelta, Utc};

/// From when to when a note was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Session {
    /// When it began.
    pub start: DateTime<Utc>,
    /// When it ended; not before it began.
    pub end: DateTime<Utc>,
}

impl Session {
    /// The session of so many minutes that ended then. One that had begun before all times is as if it had no length.
    pub(crate) fn ended(end: DateTime<Utc>, minutes: u64) -> Self {
        let length = i64::try_from(minutes).ok().and_then(TimeDelta::try_minutes);
        let start = length.and_then(|length| end.checked_sub_signed(length)).unwrap_or(end);
        Self { start, end }
    }

    /// The session between two times; none where it ends before it begins.
    pub(crate) fn between(start: DateTime<Utc>, end: DateTime<Utc>) -> Option<Self> {
        (start <= end).then_some(Self { start, end })
    }
}
