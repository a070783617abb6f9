//! The workspace of notes, opened when the first question asks for it.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};
use dayledger_notes::app::{App, Triggers};
use dayledger_notes::history::{History, SessionCache, Sessions};
use dayledger_notes::watch::Watch;
use dayledger_notes::{Refusal, Workspace};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::change_log::Log;
use super::codes;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counting {
    /// All.
    IsDone,
    /// Those of before; some notes have no minutes yet, or fewer.
    GoesOn,
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
    /// names a hidden site.
    pub(super) fn told(&self, text: &str) -> String {
        let Some(privacy) = self.shared.as_ref().map(|shared| &shared.privacy).filter(|privacy| !privacy.is_empty())
        else {
            return text.to_owned();
        };
        let told = |line: &str| match line.trim_end_matches(['\r', '\n']) {
            "" => line.to_owned(),
            hidden if privacy.names_hidden_site(hidden) => line.replace(hidden, HIDDEN),
            words => line.replace(words, &privacy.redactions().text(words)),
        };
        text.split_inclusive('\n').map(told).collect()
    }

    /// What the clocks of the user show at a time.
    pub(super) fn local(&self, time: DateTime<Utc>) -> NaiveDateTime {
        match &self.shared {
            Some(shared) => shared.setup.local(time),
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
        let folder = shared.setup.workspace()?;
        let mut opened = shared.opened.lock().await;
        // Who copies a workspace anew puts another folder in its place.
        if let Some(there) = opened.as_ref().filter(|there| there.workspace.is_in_place()) {
            return Ok(Arc::clone(there));
        }
        let workspace = blocking(move || Workspace::open(&folder)).await?;
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
        blocking(move || ask(&opened)).await
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
            move || opened.sessions()
        });
        Ok(match timeout(PATIENCE, counted).await {
            Ok(Ok(sessions)) => (sessions, Counting::IsDone),
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
            let watch = blocking(move || Watch::start(&opened.workspace, move |changes| told.add(changes))).await?;
            Ok::<_, Error>(Watched { log, _watch: watch })
        };
        let watched = self.shared()?.watched.get_or_try_init(watch).await?;
        Ok(Arc::clone(&watched.log))
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
    /// The minutes of all notes that their history tells, those of a damaged one left out.
    pub(super) fn sessions(&self) -> Arc<Sessions> {
        let counted = self.sessions.count(&self.history());
        counted.unwrap_or_else(|_| self.sessions.known())
    }

    /// The versions of notes.
    pub(super) fn history(&self) -> History {
        History::of(&self.workspace)
    }
}

/// Runs what reads or writes files.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Error> {
    let done = spawn_blocking(work).await.map_err(|_| engine::Error::Internal)?;
    Ok(done?)
}
