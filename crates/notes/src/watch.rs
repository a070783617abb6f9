//! Watches a workspace for changes to its notes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::workspace::Workspace;

/// The quiet period after a change. Further changes within this period are reported together with the first one.
const QUIET_PERIOD: Duration = Duration::from_millis(200);
/// The maximum number of quiet periods before a report. Without the maximum, continuous changes would never be
/// reported.
const MAX_WAITS: u32 = 10;

/// Changes in a workspace that are reported together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The notes that were written, created, renamed or deleted.
    pub notes: BTreeSet<NotePath>,
    /// Whether the user may have opened another note in Chronicle.
    pub is_current_changed: bool,
    /// Whether the system dropped some events. In this case, any note may have changed.
    pub is_incomplete: bool,
}

/// Watches a workspace until the value is dropped.
#[derive(Debug)]
pub struct Watch {
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Starts to watch. Passes the changes to `tell` on a separate thread. Changes that follow each other within 200 ms
    /// are passed in a single call.
    ///
    /// # Errors
    ///
    /// `IO_ERROR` if the system can't watch the folder, for example because its maximum number of watches is reached.
    /// The program can then still read notes on each request.
    pub fn start(workspace: &Workspace, tell: impl Fn(Changes) + Send + 'static) -> Result<Self, Refusal> {
        let impossible = |error: &dyn std::fmt::Display| {
            let message =
                format!("cannot watch the workspace for changes: {error}; notes are read again on each request");
            Refusal::new(Code::IoError, message)
        };
        let (sender, receiver) = channel();
        let send = move |event| {
            // Sending fails only if the receiver is gone, because the watch is being stopped.
            let _ = sender.send(event);
        };
        // Notes behind links are not listed. A link could also lead to a large folder, and watching that folder could
        // exceed the system's limit of watches.
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(send, config).map_err(|error| impossible(&reason(&error)))?;
        watcher.watch(workspace.root(), RecursiveMode::Recursive).map_err(|error| impossible(&reason(&error)))?;
        let root = workspace.root().to_owned();
        std::thread::Builder::new()
            .name("notes-watch".to_owned())
            .spawn(move || relay(&root, &receiver, tell))
            .map_err(|error| impossible(&error))?;
        Ok(Self { _watcher: watcher })
    }
}

/// Returns the reason of an error without the paths in the error.
fn reason(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "the system has no more watches to give".to_owned(),
        notify::ErrorKind::Io(error) => error.to_string(),
        kind => format!("{kind:?}"),
    }
}

fn relay(root: &Path, events: &Receiver<notify::Result<Event>>, tell: impl Fn(Changes)) {
    // The watcher owns the sender. So `recv` fails when the watch is dropped, and this thread ends.
    while let Ok(first) = events.recv() {
        let mut changes = Changes::default();
        changes.add(root, first);
        for _ in 0..MAX_WAITS {
            match events.recv_timeout(QUIET_PERIOD) {
                Ok(event) => changes.add(root, event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        if changes != Changes::default() {
            tell(changes);
        }
    }
}

impl Changes {
    fn add(&mut self, root: &Path, event: notify::Result<Event>) {
        let Ok(event) = event else {
            self.is_incomplete = true;
            return;
        };
        self.is_incomplete |= event.need_rescan();
        // Linux also reports that a file was opened. Without this check, reading a note would count as a change.
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for path in event.paths {
            let Ok(path) = path.strip_prefix(root) else { continue };
            self.is_current_changed |= path == Path::new(".chronicle/state.json");
            self.notes.extend(path.to_str().and_then(|path| NotePath::parse(path).ok()));
        }
    }
}
