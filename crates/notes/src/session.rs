//! Sessions: the periods in which a note was open.

use chrono::{DateTime, TimeDelta, Utc};

/// The maximum length of a session. A longer session means that the note was left open or that a time is wrong.
pub const MAX_SESSION_LENGTH: TimeDelta = TimeDelta::days(7);

/// A period in which a note was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Session {
    /// The start of the session.
    pub start: DateTime<Utc>,
    /// The end of the session. It isn't before the start, and at most [`MAX_SESSION_LENGTH`] after the start.
    pub end: DateTime<Utc>,
}

impl Session {
    /// Creates a session from its end and its length in minutes. Returns `None` if the session is too long.
    pub(crate) fn from_end(end: DateTime<Utc>, minutes: u64) -> Option<Self> {
        let length = TimeDelta::try_minutes(i64::try_from(minutes).ok()?)?;
        Self::from_bounds(end.checked_sub_signed(length)?, end)
    }

    /// Creates a session from its start and end. Returns `None` if the end is before the start, or if the session is
    /// too long.
    pub(crate) fn from_bounds(start: DateTime<Utc>, end: DateTime<Utc>) -> Option<Self> {
        (start <= end && end - start <= MAX_SESSION_LENGTH).then_some(Self { start, end })
    }
}
