//! Sessions of taking notes.

use chrono::{DateTime, TimeDelta, Utc};

/// The maximum length of a session. A longer one means that the note was left open, or that a time is mistyped.
pub const MAX_SESSION_LENGTH: TimeDelta = TimeDelta::days(7);

/// A period in which a note was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Session {
    /// The start.
    pub start: DateTime<Utc>,
    /// The end; not before the start, and at most [`MAX_SESSION_LENGTH`] after it.
    pub end: DateTime<Utc>,
}

impl Session {
    /// Creates a session from its end and its minutes, unless it is too long.
    pub(crate) fn from_end(end: DateTime<Utc>, minutes: u64) -> Option<Self> {
        let length = TimeDelta::try_minutes(i64::try_from(minutes).ok()?)?;
        Self::from_bounds(end.checked_sub_signed(length)?, end)
    }

    /// Creates a session from its bounds, unless they are in the wrong order or it is too long.
    pub(crate) fn from_bounds(start: DateTime<Utc>, end: DateTime<Utc>) -> Option<Self> {
        (start <= end && end - start <= MAX_SESSION_LENGTH).then_some(Self { start, end })
    }
}
