//! Access to the user's notes. The first request that needs the workspace opens it. The first request for changes
//! starts to watch it.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};
use dayledger_notes::app::{App, Triggers};
use dayledger_notes::history::{History, SessionCache, Sessions};
use dayledger_notes::markers::mark_length;
use dayledger_notes::watch::Watch;
use dayledger_notes::{NotePath, Refusal, Workspace};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::changes::ChangeLog;
use super::codes;
use super::errors::unredacted_error;
use super::setup::Setup;
use dayledger_engine as engine;
use dayledger_request::Error;
use dayledger_source::{HIDDEN, Privacy};

/// Access to the user's notes. If notes aren't configured, the notebook is empty and all requests fail. Cloning is
/// cheap.
#[derive(Debug, Clone, Default)]
pub struct Notebook {
    shared: Option<Arc<Shared>>,
}

#[derive(Debug)]
struct Shared {
    setup: Setup,
    privacy: Privacy,
    app: App,
    triggers: Mutex<Option<Triggers>>,
    opened: tokio::sync::Mutex<Option<Arc<OpenWorkspace>>>,
    watched: OnceCell<WatchedWorkspace>,
}

/// A workspace that is watched for changes until the notebook is dropped.
#[derive(Debug)]
struct WatchedWorkspace {
    log: Arc<ChangeLog>,
    _watch: Watch,
}

/// A list of notes waits at most this long for the durations of the notes.
const COUNT_TIMEOUT: Duration = Duration::from_millis(150);

/// Whether the sessions of all notes were counted. The duration of a note comes from its sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CountingState {
    /// All sessions were counted.
    Complete,
    /// The sessions are still being counted. The available sessions come from an earlier count, so the durations of
    /// some notes are missing or too short.
    Running,
    /// The history can no longer be read. The available sessions come from an earlier count.
    Failed(Refusal),
}

/// An open workspace, and the sessions that were counted so far.
#[derive(Debug)]
pub(super) struct OpenWorkspace {
    pub(super) workspace: Workspace,
    sessions: SessionCache,
}

impl Notebook {
    /// Creates a notebook. `privacy` determines the redaction of responses. Doesn't open a file or a connection.
    pub fn new(setup: Setup, privacy: Privacy) -> Self {
        let (port, timeout) = setup.application_settings();
        let (app, triggers) = App::new(port, timeout);
        let shared = Shared {
            setup,
            privacy,
            app,
            triggers: Mutex::new(Some(triggers)),
            opened: tokio::sync::Mutex::default(),
            watched: OnceCell::new(),
        };
        Self { shared: Some(Arc::new(shared)) }
    }

    /// Returns the receiver of Chronicle's requests, and a weak reference to this notebook for processing the requests.
    /// Later calls return `None`.
    pub(super) fn take_triggers(&self) -> Option<(Triggers, WeakNotebook)> {
        let shared = self.shared.as_ref()?;
        let triggers = shared.triggers.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some((triggers, WeakNotebook(Arc::downgrade(shared))))
    }

    /// Redacts the text of a note. URLs and paths are redacted according to the privacy settings. A line that mentions
    /// a hidden site is redacted completely. Line endings stay.
    pub(super) fn redact(&self, text: &str) -> String {
        let Some(privacy) = self.active_privacy() else { return text.to_owned() };
        let redact_line = |line: &str| {
            let (words, end) = line.split_at(line.trim_end_matches(['\r', '\n']).len());
            if privacy.contains_hidden_site(words) {
                return format!("{HIDDEN}{end}");
            }
            let (mark, words) = words.split_at(mark_length(words));
            format!("{mark}{}{end}", privacy.redactions().free_text(words))
        };
        text.split_inclusive('\n').map(redact_line).collect()
    }

    /// Whether a text of a note contains a URL that may belong to a hidden site.
    pub(super) fn names_hidden_site(&self, text: &str) -> bool {
        self.active_privacy().is_some_and(|privacy| privacy.contains_hidden_site(text))
    }

    /// Returns the privacy settings, or `None` if they don't redact anything.
    pub(super) fn active_privacy(&self) -> Option<&Privacy> {
        self.shared.as_ref().map(|shared| &shared.privacy).filter(|privacy| !privacy.is_empty())
    }

    /// Converts a refusal to an error and redacts its message.
    pub(super) fn to_error(&self, mut refusal: Refusal) -> Error {
        refusal.message = self.redact_message(&refusal.message);
        unredacted_error(refusal)
    }

    /// Redacts the message of a refusal. A text in backticks stays unredacted if it can be the path of a note.
    pub(super) fn redact_message(&self, message: &str) -> String {
        let redact_part = |(place, part): (usize, &str)| {
            let is_named = place % 2 == 1 && !part.contains(['\\', ':']) && NotePath::parse(part).is_ok();
            if is_named { part.to_owned() } else { self.redact(part) }
        };
        message.split('`').enumerate().map(redact_part).collect::<Vec<_>>().join("`")
    }

    /// Converts a UTC time to the user's local time.
    pub(super) fn local(&self, time: DateTime<Utc>) -> NaiveDateTime {
        match &self.shared {
            Some(shared) => shared.setup.places().local(time),
            None => time.naive_utc(),
        }
    }

    /// Returns the settings of the notes.
    ///
    /// # Errors
    /// Fails if notes aren't configured.
    pub(super) fn setup(&self) -> Result<&Setup, Error> {
        Ok(&self.shared_state()?.setup)
    }

    /// Returns the connection to Chronicle.
    ///
    /// # Errors
    /// Fails if notes aren't configured.
    pub(super) fn app(&self) -> Result<&App, Error> {
        Ok(&self.shared_state()?.app)
    }

    /// Returns the workspace. Opens the workspace if it isn't open yet.
    ///
    /// # Errors
    /// `NO_WORKSPACE` if no workspace is found. Also fails if the folder can't be opened.
    pub(super) async fn open_workspace(&self) -> Result<Arc<OpenWorkspace>, Error> {
        let shared = self.shared_state()?;
        let folder = shared.setup.places().workspace().map_err(|refusal| self.to_error(refusal))?;
        let mut opened = shared.opened.lock().await;
        // If the user replaced the folder, for example with a copy, the workspace is opened again. Otherwise, requests
        // would still read the old folder.
        if let Some(there) = opened.as_ref().filter(|there| there.workspace.is_in_place()) {
            return Ok(Arc::clone(there));
        }
        let workspace = self.run_blocking(move || Workspace::open(&folder)).await?;
        let opened_workspace = Arc::new(OpenWorkspace { workspace, sessions: SessionCache::default() });
        *opened = Some(Arc::clone(&opened_workspace));
        Ok(opened_workspace)
    }

    /// Runs `ask` with the workspace, on a thread that may block.
    ///
    /// # Errors
    /// The errors of [`Self::open_workspace`] and of `ask`.
    pub(super) async fn with_workspace<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&OpenWorkspace) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Error> {
        let opened = self.open_workspace().await?;
        self.run_blocking(move || ask(&opened)).await
    }

    /// Returns the sessions that can be counted within [`COUNT_TIMEOUT`]. The first count of a long history takes
    /// seconds. The count continues in the background, and a later call returns the result.
    ///
    /// # Errors
    /// The errors of [`Self::open_workspace`].
    pub(super) async fn sessions_if_ready(&self) -> Result<(Arc<Sessions>, CountingState), Error> {
        self.sessions_within(COUNT_TIMEOUT).await
    }

    /// Returns the sessions that can be counted within `limit`, like [`Self::sessions_if_ready`].
    ///
    /// # Errors
    /// The errors of [`Self::open_workspace`].
    pub(super) async fn sessions_within(&self, limit: Duration) -> Result<(Arc<Sessions>, CountingState), Error> {
        let opened = self.open_workspace().await?;
        let counted = spawn_blocking({
            let opened = Arc::clone(&opened);
            move || opened.count_sessions()
        });
        Ok(match timeout(limit, counted).await {
            Ok(Ok(Ok(sessions))) => (sessions, CountingState::Complete),
            Ok(Ok(Err(refusal))) => (opened.sessions.latest(), CountingState::Failed(refusal)),
            Ok(Err(_)) | Err(_) => (opened.sessions.latest(), CountingState::Running),
        })
    }

    /// Returns the log of changes in the workspace. The first call starts to watch the workspace.
    ///
    /// # Errors
    /// The errors of [`Self::open_workspace`]. Also fails if the system can't watch the folder.
    pub(super) async fn change_log(&self) -> Result<Arc<ChangeLog>, Error> {
        let opened = self.open_workspace().await?;
        let watch = || async {
            let log = Arc::new(ChangeLog::new());
            let watcher_log = Arc::clone(&log);
            let watch = self
                .run_blocking(move || Watch::start(&opened.workspace, move |changes| watcher_log.add(changes)))
                .await?;
            Ok::<_, Error>(WatchedWorkspace { log, _watch: watch })
        };
        let watched = self.shared_state()?.watched.get_or_try_init(watch).await?;
        Ok(Arc::clone(&watched.log))
    }

    /// Runs `work` on a thread that may block, because `work` reads or writes files.
    async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Error> {
        let done = spawn_blocking(work).await.map_err(|_| engine::Error::Internal)?;
        done.map_err(|refusal| self.to_error(refusal))
    }

    fn shared_state(&self) -> Result<&Arc<Shared>, Error> {
        self.shared.as_ref().ok_or_else(|| {
            let hint = "restart the server with `--toolsets notes`";
            Error::new(codes::NO_WORKSPACE, "this server has no notes", hint)
        })
    }
}

/// A weak reference to a notebook. It doesn't keep the notebook alive.
#[derive(Debug, Clone)]
pub(super) struct WeakNotebook(Weak<Shared>);

impl WeakNotebook {
    /// Returns the notebook, or `None` if it was dropped.
    pub(super) fn notebook(&self) -> Option<Notebook> {
        self.0.upgrade().map(|shared| Notebook { shared: Some(shared) })
    }
}

impl OpenWorkspace {
    /// Returns the sessions of all notes, according to the history of the workspace.
    ///
    /// # Errors
    /// Fails if the history is damaged.
    pub(super) fn count_sessions(&self) -> Result<Arc<Sessions>, Refusal> {
        self.sessions.count(&self.history())
    }

    /// Returns the history of the workspace, which contains the versions of all notes.
    pub(super) fn history(&self) -> History {
        History::new(&self.workspace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorkspaceLocations;
    use dayledger_source::{Pattern, Redaction};

    fn notebook_with(privacy: Privacy) -> Notebook {
        Notebook::new(Setup::read_only(WorkspaceLocations::default()), privacy)
    }

    fn all_redactions() -> Privacy {
        let site = Pattern::parse("*.bank.example").unwrap();
        Privacy::new([Redaction::Urls, Redaction::Paths], [], [site])
    }

    #[test]
    fn text_is_unchanged_without_privacy_settings() {
        let text = "# T\r\n\r\nsee https://login.bank.example/a?b\rand C:\\x\\y.txt\n\n\n\u{feff}end \r";
        assert_eq!(notebook_with(Privacy::default()).redact(text), text);
        assert_eq!(Notebook::default().redact(text), text);
    }

    #[test]
    fn redaction_keeps_lines_and_marks() {
        let notebook = notebook_with(all_redactions());
        for (text, expected) in [
            ("", ""),
            ("\r\n\n", "\r\n\n"),
            ("# T\r\n\r\n- [ ] x\r\n", "# T\r\n\r\n- [ ] x\r\n"),
            ("see https://portal.example/a?b\r\nnext", "(redacted)\r\nnext"),
            ("! the plan is C:\\a b\\plan.docx\n", "! (redacted)\n"),
            ("a\n! pay at https://login.bank.example/x today\r\nb", "a\n(hidden)\r\nb"),
            ("login.bank.example", "(hidden)"),
            ("| [pay](https://login.bank.example/x) |\n\n", "(hidden)\n\n"),
            ("**login.bank.example**, a", "(hidden)"),
        ] {
            assert_eq!(notebook.redact(text), expected, "{text:?}");
            assert_eq!(notebook.redact(expected), expected, "{expected:?}");
        }
    }

    #[test]
    fn a_hidden_site_of_one_word_is_redacted_only_in_urls() {
        let notebook = notebook_with(Privacy::new([], [], [Pattern::parse("intranet").unwrap()]));
        assert_eq!(notebook.redact("see https://intranet/a\nour intranet"), "(hidden)\nour intranet");
    }

    #[test]
    fn an_error_contains_the_note_but_no_folder() {
        let notebook = notebook_with(all_redactions());
        for (message, expected) in [
            ("`clients/2024-12-09-b.md` has changed", "`clients/2024-12-09-b.md` has changed"),
            ("`/home/ada/notes` is not there; set it", "`(redacted)` is not there; set it"),
            ("`C:\\ada\\a.md` is no note", "`(redacted)` is no note"),
        ] {
            assert_eq!(notebook.redact_message(message), expected);
        }
    }
}
