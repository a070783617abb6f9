//! Watching a workspace for changes to its notes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::workspace::Workspace;

/// Changes within this period are reported together.
const QUIET_PERIOD: Duration = Duration::from_millis(200);
/// The maximum number of further periods to wait, so that continuous changes are reported too.
const MAX_WAITS: u32 = 10;

/// Changes in a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The notes that were written, created, renamed or deleted.
    pub notes: BTreeSet<NotePath>,
    /// Whether the application may have another note open.
    pub is_current_changed: bool,
    /// Whether the system dropped some events, so that any note may have changed.
    pub is_incomplete: bool,
}

/// Watches a workspace until it is dropped.
#[derive(Debug)]
pub struct Watch {
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Starts to watch. Calls `tell` on a separate thread, once for changes that follow each other within 200 ms.
    ///
    /// # Errors
    ///
    /// `IO_ERROR` if the system can't watch, for example because it has no watches left. Everything else works
    /// without.
    pub fn start(workspace: &Workspace, tell: impl Fn(Changes) + Send + 'static) -> Result<Self, Refusal> {
        let impossible = |error: &dyn std::fmt::Display| {
            let message =
                format!("cannot watch the workspace for changes: {error}; notes are read again on each request");
            Refusal::new(Code::IoError, message)
        };
        let (sender, receiver) = channel();
        let send = move |event| {
            // The receiver is gone only while this stops.
            let _ = sender.send(event);
        };
        // Notes behind links are not listed, and a link could lead to a large folder, whose watches would use up the
        // system's limit.
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

/// Returns the error without paths.
fn reason(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "the system has no more watches to give".to_owned(),
        notify::ErrorKind::Io(error) => error.to_string(),
        kind => format!("{kind:?}"),
    }
}

fn relay(root: &Path, events: &Receiver<notify::Result<Event>>, tell: impl Fn(Changes)) {
    // The sender belongs to the watcher, so this thread ends when the watch is dropped.
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
        // Linux also reports when a file is opened, so that reading a note would count as a change.
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
