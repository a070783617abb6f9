//! Records which notes of a workspace changed, and lets requests wait for changes. A client that polls late still gets
//! earlier changes.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use dayledger_notes::watch::Changes;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::watch;

use super::notebook::Notebook;
use dayledger_request::{Error, Request, Truncate};

/// The maximum number of recorded change groups. If a client missed more groups, the response only says that other
/// notes may have changed.
const MAX_CHANGE_GROUPS: usize = 64;

/// The changes after a known state of the notes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteChanges {
    /// The number of the current state.
    pub state: u64,
    /// The notes that were changed, created, renamed or deleted.
    pub notes: BTreeSet<String>,
    /// Whether other notes may have changed too.
    pub may_be_more: bool,
}

impl Truncate for NoteChanges {}

/// The recorded changes. Each group of changes gets the next state number.
#[derive(Debug)]
pub(super) struct ChangeLog {
    states: watch::Sender<u64>,
    recent: Mutex<VecDeque<(u64, Changes)>>,
}

impl ChangeLog {
    /// Creates a log without changes, at state 0.
    pub(super) fn new() -> Self {
        Self { states: watch::Sender::new(0), recent: Mutex::default() }
    }

    /// Adds a group of changes as the next state, and wakes the requests that wait for changes.
    pub(super) fn add(&self, changes: Changes) {
        let mut kept = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let state = *self.states.borrow() + 1;
        kept.push_back((state, changes));
        if kept.len() > MAX_CHANGE_GROUPS {
            kept.pop_front();
        }
        drop(kept);
        // `send_replace` also stores the state if no request is waiting. `send` would not store it, and a client that
        // polls later would miss the change.
        self.states.send_replace(state);
    }

    /// Returns the current state number, with an empty list of changes.
    pub(super) fn now(&self) -> NoteChanges {
        NoteChanges { state: *self.states.borrow(), ..NoteChanges::default() }
    }

    /// Waits for a change after the state `after`. Returns all changes after this state.
    pub(super) async fn next(&self, after: u64) -> NoteChanges {
        // The sender lives as long as `self`, so the wait can't fail.
        let _ = self.states.subscribe().wait_for(|state| *state > after).await;
        self.changes_since(after)
    }

    fn changes_since(&self, after: u64) -> NoteChanges {
        let kept = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_forgotten = kept.front().is_some_and(|(oldest, _)| *oldest > after + 1);
        let mut told = NoteChanges { state: after, notes: BTreeSet::new(), may_be_more: is_forgotten };
        for (state, changes) in kept.iter().filter(|(state, _)| *state > after) {
            told.state = *state;
            told.notes.extend(changes.notes.iter().map(ToString::to_string));
            told.may_be_more |= changes.is_incomplete;
        }
        told
    }
}

/// A request that waits for the next change after a known state of the notes. Without a known state, the request
/// returns the current state immediately. The first request for changes starts to watch the workspace.
#[derive(Debug, Clone)]
pub struct ChangesRequest {
    /// The last state that the caller knows, if any.
    pub after: Option<u64>,
}

impl Request for ChangesRequest {
    type Service = Notebook;
    type Response = NoteChanges;

    async fn execute(self, notebook: &Notebook) -> Result<NoteChanges, Error> {
        let log = notebook.change_log().await?;
        Ok(match self.after {
            Some(after) => log.next(after).await,
            None => log.now(),
        })
    }
}

#[cfg(test)]
mod tests {
    use dayledger_notes::NotePath;

    use super::*;

    fn changed_note(path: &str) -> Changes {
        Changes { notes: [NotePath::parse(path).unwrap()].into(), ..Changes::default() }
    }

    #[test]
    fn late_callers_get_all_changes_or_a_warning() {
        let log = ChangeLog::new();
        for path in ["a.md", "b.md", "a.md"] {
            log.add(changed_note(path));
        }
        let notes = |changes: &NoteChanges| changes.notes.iter().cloned().collect::<Vec<_>>().join(" ");
        let all = log.changes_since(0);
        assert_eq!((all.state, notes(&all).as_str(), all.may_be_more), (3, "a.md b.md", false));
        assert_eq!(notes(&log.changes_since(2)), "a.md");
        for _ in 0..MAX_CHANGE_GROUPS {
            log.add(changed_note("c.md"));
        }
        assert!(log.changes_since(1).may_be_more && !log.changes_since(4).may_be_more);
    }
}
