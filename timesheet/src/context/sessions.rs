//! Whose session is whose.

use std::collections::VecDeque;
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use uuid::Uuid;

use super::session::Session;
use crate::id::InvalidId;

/// What a client shows to find its session again, as a protocol without sessions asks for: 122 random bits, which no
/// other client guesses, and which no log holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle(Uuid);

impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Handle(..)")
    }
}

impl FromStr for Handle {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Uuid::try_parse(text).map(Self).map_err(|_| InvalidId::new(text))
    }
}

/// The sessions of many clients, so many that the one that was not asked for the longest leaves for a new one.
#[derive(Debug)]
pub struct Sessions {
    /// The one that was asked for last at the end.
    sessions: VecDeque<(Handle, Session)>,
    most: NonZeroUsize,
}

impl Sessions {
    /// No sessions yet, and never more than so many.
    pub const fn new(most: NonZeroUsize) -> Self {
        Self { sessions: VecDeque::new(), most }
    }

    /// A new session, which knows nothing, and what it is found by.
    pub fn open(&mut self) -> Handle {
        while self.sessions.len() >= self.most.get() {
            self.sessions.pop_front();
        }
        let handle = Handle(Uuid::new_v4());
        self.sessions.push_back((handle, Session::default()));
        handle
    }

    /// The session with that handle, unless it has left.
    pub fn find(&mut self, handle: Handle) -> Option<&mut Session> {
        let place = self.sessions.iter().position(|(known, _)| *known == handle)?;
        let found = self.sessions.remove(place)?;
        self.sessions.push_back(found);
        self.sessions.back_mut().map(|(_, session)| session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(most: usize) -> Sessions {
        Sessions::new(NonZeroUsize::new(most).unwrap())
    }

    #[test]
    fn a_client_finds_its_own_session_and_no_other() {
        let mut sessions = sessions(10);
        let one = sessions.open();
        sessions.find(one).unwrap().used("CLIENT-A", "Support");
        let other = sessions.open();
        let session = sessions.find(other).unwrap();
        assert_eq!(session.last_task(), None, "the project of one is no default of another");
        session.used("INTERNAL", "Testing");
        assert_eq!(sessions.find(one).unwrap().last_task(), Some(("CLIENT-A", "Support")));
        let shown: Handle = other.to_string().parse().unwrap();
        assert_eq!(sessions.find(shown).unwrap().last_task(), Some(("INTERNAL", "Testing")));
        assert_eq!(sessions.find(Handle(Uuid::new_v4())), None);
        assert!("INTERNAL".parse::<Handle>().is_err());
        assert!(!format!("{sessions:?}").contains(&one.to_string()), "a handle is no word for a log");
    }

    #[test]
    fn the_session_that_was_not_asked_for_the_longest_leaves() {
        let mut sessions = sessions(3);
        let handles: Vec<_> = (0..3).map(|_| sessions.open()).collect();
        sessions.find(handles[0]).unwrap();
        let new = sessions.open();
        let stayed = [handles[0], handles[1], handles[2], new].map(|handle| sessions.find(handle).is_some());
        assert_eq!(stayed, [true, false, true, true]);
    }
}
