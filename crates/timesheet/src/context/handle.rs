//! The id with which a client continues its session.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::refusal::Refusal;

/// The id that a client sends to continue its session, because the protocol itself lacks sessions. It has 122 random
/// bits, so that no other client can guess it, and is never logged. It is printed as a lower-case UUID.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionHandle(Uuid);

impl SessionHandle {
    /// Creates a random handle.
    #[expect(clippy::new_without_default, reason = "a default that differs each time surprises")]
    pub fn new() -> Self {
        Self(Uuid::new_v4())
    }
}

impl fmt::Display for SessionHandle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for SessionHandle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Handle(..)")
    }
}

impl FromStr for SessionHandle {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        // The message doesn't repeat the text, because it may be a valid handle with a typo.
        let message = "invalid `session`: it is not the ID of a session. Leave it out to start one";
        Uuid::try_parse(text).map(Self).map_err(|_| Refusal::invalid("session", message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_parses_from_its_text_and_is_not_logged() {
        let handle = SessionHandle::new();
        assert_ne!(SessionHandle::new(), handle);
        let shown = handle.to_string();
        assert_eq!(shown.parse(), Ok(handle));
        assert!(!format!("{handle:?}").contains(&shown));
        let error = format!("{shown}0").parse::<SessionHandle>().unwrap_err();
        assert!(!format!("{error} {error:?}").contains(&shown));
    }
}
