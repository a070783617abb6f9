//! The workspace of notes, opened when the first question asks for it.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};
use dayledger_notes::app::{App, Triggers};
use dayledger_notes::history::{History, SessionCache, Sessions};
use dayledger_notes::markers::marked;
use dayledger_notes::watch::Watch;
use dayledger_notes::{NotePath, Refusal, Workspace};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::change_log::Log;
use super::codes;
use super::refused::unwithheld;
use super::setup::{Places, Setup};
use crate::engine;
use crate::manictime::{HIDDEN, Privacy};
use crate::question::Error;

/// The notes of the user. Cheap to clone.
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
    opened: tokio::sync::Mutex<Option<Arc<Opened>>>,
    watched: OnceCell<Watched>,
}

/// A workspace that is watched, for as long as the notes are there.
#[derive(Debug)]
struct Watched {
    log: Arc<Log>,
    _watch: Watch,
}

/// How long a list waits for the minutes of its notes.
const PATIENCE: Duration = Duration::from_millis(150);

/// Whether all sessions were counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Counting {
    /// All.
    IsDone,
    /// Those of before; some notes have no minutes yet, or fewer.
    GoesOn,
    /// Those of before, for what has come since cannot be read.
    Failed(Refusal),
}

/// A workspace that is open.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) workspace: Workspace,
    sessions: SessionCache,
}

impl Notebook {
    /// The notes that are set up so, of which no more is told than `privacy` lets be told. Nothing is opened, and nothing
    /// connects.
    pub fn set_up(setup: Setup, privacy: Privacy) -> Self {
        let (port, patience) = setup.application();
        let (app, triggers) = App::new(port, patience);
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

    /// What the application asks for by itself, for the one who asks first; and the notes for as long as others have them.
    pub(super) fn triggers(&self) -> Option<(Triggers, WeakNotebook)> {
        let shared = self.shared.as_ref()?;
        let triggers = shared.triggers.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some((triggers, WeakNotebook(Arc::downgrade(shared))))
    }

    /// Where notes are looked for, where they are set up.
    pub(crate) fn places(&self) -> Option<&Places> {
        Some(self.shared.as_ref()?.setup.places())
    }

    /// A text of a note as it may be told: addresses and paths in it as the switches want them, and nothing of a line that
    /// names a hidden site. Lines end as they did.
    pub(super) fn told(&self, text: &str) -> String {
        let Some(privacy) = self.withheld() else { return text.to_owned() };
        let told = |line: &str| {
            let (words, end) = line.split_at(line.trim_end_matches(['\r', '\n']).len());
            if privacy.names_hidden_site(words) {
                return format!("{HIDDEN}{end}");
            }
            let (mark, words) = words.split_at(marked(words));
            format!("{mark}{}{end}", privacy.redactions().free_text(words))
        };
        text.split_inclusive('\n').map(told).collect()
    }

    /// Whether a text of a note holds an address that can lead to a site that is hidden.
    pub(super) fn names_hidden_site(&self, text: &str) -> bool {
        self.withheld().is_some_and(|privacy| privacy.names_hidden_site(text))
    }

    /// What is withheld of what is told, where anything is.
    pub(super) fn withheld(&self) -> Option<&Privacy> {
        self.shared.as_ref().map(|shared| &shared.privacy).filter(|privacy| !privacy.is_empty())
    }

    /// A refusal as it may be told.
    pub(super) fn refused(&self, mut refusal: Refusal) -> Error {
        refusal.message = self.told_of_refusal(&refusal.message);
        unwithheld(refusal)
    }

    /// The message of a refusal as it may be told: what it names between backticks stays where it can be the path of a note.
    pub(super) fn told_of_refusal(&self, message: &str) -> String {
        let told = |(place, part): (usize, &str)| {
            let is_named = place % 2 == 1 && !part.contains(['\\', ':']) && NotePath::parse(part).is_ok();
            if is_named { part.to_owned() } else { self.told(part) }
        };
        message.split('`').enumerate().map(told).collect::<Vec<_>>().join("`")
    }

    /// What the clocks of the user show at a time.
    pub(super) fn local(&self, time: DateTime<Utc>) -> NaiveDateTime {
        match &self.shared {
            Some(shared) => shared.setup.places().local(time),
            None => time.naive_utc(),
        }
    }

    /// What the user has set up.
    ///
    /// # Errors
    /// Where nothing is.
    pub(super) fn setup(&self) -> Result<&Setup, Error> {
        Ok(&self.shared()?.setup)
    }

    /// The application.
    ///
    /// # Errors
    /// Where no notes are set up.
    pub(super) fn app(&self) -> Result<&App, Error> {
        Ok(&self.shared()?.app)
    }

    /// The workspace.
    ///
    /// # Errors
    /// `NO_WORKSPACE`, or a folder that cannot be opened.
    pub(super) async fn opened(&self) -> Result<Arc<Opened>, Error> {
        let shared = self.shared()?;
        let folder = shared.setup.places().workspace().map_err(|refusal| self.refused(refusal))?;
        let mut opened = shared.opened.lock().await;
        // Who copies a workspace anew puts another folder in its place.
        if let Some(there) = opened.as_ref().filter(|there| there.workspace.is_in_place()) {
            return Ok(Arc::clone(there));
        }
        let workspace = self.blocking(move || Workspace::open(&folder)).await?;
        let anew = Arc::new(Opened { workspace, sessions: SessionCache::default() });
        *opened = Some(Arc::clone(&anew));
        Ok(anew)
    }

    /// What `ask` finds in the workspace, on a thread where it may block.
    ///
    /// # Errors
    /// Those of [`Self::opened`] and of `ask`.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Opened) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Error> {
        let opened = self.opened().await?;
        self.blocking(move || ask(&opened)).await
    }

    /// The minutes of all notes, as far as they can be told at once: counting a long history for the first time takes
    /// seconds, and goes on when nobody waits for it any more.
    ///
    /// # Errors
    /// Those of [`Self::opened`].
    pub(super) async fn sessions_soon(&self) -> Result<(Arc<Sessions>, Counting), Error> {
        let opened = self.opened().await?;
        let counted = spawn_blocking({
            let opened = Arc::clone(&opened);
            move || opened.counted()
        });
        Ok(match timeout(PATIENCE, counted).await {
            Ok(Ok(Ok(sessions))) => (sessions, Counting::IsDone),
            Ok(Ok(Err(refusal))) => (opened.sessions.known(), Counting::Failed(refusal)),
            Ok(Err(_)) | Err(_) => (opened.sessions.known(), Counting::GoesOn),
        })
    }

    /// What changes in the workspace, from the first question for it on.
    ///
    /// # Errors
    /// Those of [`Self::opened`], and a system that cannot watch.
    pub(super) async fn watched(&self) -> Result<Arc<Log>, Error> {
        let opened = self.opened().await?;
        let watch = || async {
            let log = Arc::new(Log::new());
            let told = Arc::clone(&log);
            let watch =
                self.blocking(move || Watch::start(&opened.workspace, move |changes| told.add(changes))).await?;
            Ok::<_, Error>(Watched { log, _watch: watch })
        };
        let watched = self.shared()?.watched.get_or_try_init(watch).await?;
        Ok(Arc::clone(&watched.log))
    }

    /// Runs what reads or writes files.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Error> {
        let done = spawn_blocking(work).await.map_err(|_| engine::Error::Internal)?;
        done.map_err(|refusal| self.refused(refusal))
    }

    fn shared(&self) -> Result<&Arc<Shared>, Error> {
        self.shared.as_ref().ok_or_else(|| {
            let hint = "start the server with --toolsets notes";
            Error::new(codes::NO_WORKSPACE, "no notes are set up here", hint)
        })
    }
}

/// Notes that are there only as long as somebody else has them.
#[derive(Debug, Clone)]
pub(super) struct WeakNotebook(Weak<Shared>);

impl WeakNotebook {
    /// The notes, where they are still there.
    pub(super) fn notebook(&self) -> Option<Notebook> {
        self.0.upgrade().map(|shared| Notebook { shared: Some(shared) })
    }
}

impl Opened {
    /// When all notes were taken, as their history tells it.
    ///
    /// # Errors
    /// A history that is damaged.
    pub(super) fn counted(&self) -> Result<Arc<Sessions>, Refusal> {
        self.sessions.count(&self.history())
    }

    /// The versions of notes.
    pub(super) fn history(&self) -> History {
        History::of(&self.workspace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manictime::{Pattern, Redaction};

    fn under(privacy: Privacy) -> Notebook {
        Notebook::set_up(Setup::reading(Places::default()), privacy)
    }

    fn all() -> Privacy {
        let site = Pattern::parse("*.bank.example").unwrap();
        Privacy::new([Redaction::Urls, Redaction::Paths], [], [site])
    }

    #[test]
    fn without_switches_a_text_stays_to_the_byte() {
        let text = "# T\r\n\r\nsee https://login.bank.example/a?b\rand C:\\x\\y.txt\n\n\n\u{feff}end \r";
        assert_eq!(under(Privacy::default()).told(text), text);
        assert_eq!(Notebook::default().told(text), text);
    }

    #[test]
    fn what_may_be_told_stands_where_the_text_stood() {
        let notebook = under(all());
        for (text, told) in [
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
            assert_eq!(notebook.told(text), told, "{text:?}");
            assert_eq!(notebook.told(told), told, "{told:?}");
        }
    }

    #[test]
    fn a_site_of_one_word_is_found_by_its_address() {
        let notebook = under(Privacy::new([], [], [Pattern::parse("intranet").unwrap()]));
        assert_eq!(notebook.told("see https://intranet/a\nour intranet"), "(hidden)\nour intranet");
    }

    #[test]
    fn a_refusal_names_the_note_and_no_folder() {
        let notebook = under(all());
        for (message, told) in [
            ("`clients/2024-12-09-b.md` has changed", "`clients/2024-12-09-b.md` has changed"),
            ("`/home/ada/notes` is not there; set it", "`(redacted)` is not there; set it"),
            ("`C:\\ada\\a.md` is no note", "`(redacted)` is no note"),
        ] {
            assert_eq!(notebook.told_of_refusal(message), told);
        }
    }
}
