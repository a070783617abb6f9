//! A sitting in which a note was taken.

use chrono::{DateTime, TimeDelta, Utc};

/// A note that is said to have been open for longer was not taken in one sitting: somebody forgot to leave it, or mistyped.
pub const MAX_SESSION_LENGTH: TimeDelta = TimeDelta::days(7);

/// From when to when a note was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Session {
    /// When it began.
    pub start: DateTime<Utc>,
    /// When it ended; not before it began, and at most [`MAX_SESSION_LENGTH`] after.
    pub end: DateTime<Utc>,
}

impl Session {
    /// The session of so many minutes that ended then; none where that is too long.
    pub(crate) fn from_end(end: DateTime<Utc>, minutes: u64) -> Option<Self> {
        let length = TimeDelta::try_minutes(i64::try_from(minutes).ok()?)?;
        Self::from_bounds(end.checked_sub_signed(length)?, end)
    }

    /// The session between two times; none where it ends before it begins, or is too long.
    pub(crate) fn from_bounds(start: DateTime<Utc>, end: DateTime<Utc>) -> Option<Self> {
        (start <= end && end - start <= MAX_SESSION_LENGTH).then_some(Self { start, end })
    }
}
