//! Where notes are, and which model reads them: the table `[notes]` and the variables of the application's own server.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dayledger_notes::Refusal;
use dayledger_notes::location::Whereabouts;
use dayledger_notes::model::{InvalidKey, Key, Reach, Settings, Way};
use dayledger_notes::{app, setting};
use serde::Deserialize;

/// The table `[notes]` as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WrittenNotes {
    /// The folder of the notes; a relative one is looked for beside the configuration.
    pub workspace: Option<PathBuf>,
    /// `none` for markers alone, else the name of a model.
    pub model: Option<String>,
    /// Where a model is that speaks as `OpenAI` does: on this machine.
    pub model_url: Option<String>,
    /// Whether that may be another machine.
    pub model_remote: bool,
}

/// What the environment of the program says of notes.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// `CHRONICLE_WORKSPACE`.
    pub workspace: Option<PathBuf>,
    /// `CHRONICLE_WS_PORT`.
    pub port: Option<String>,
    /// `CHRONICLE_WS_TIMEOUT`, in milliseconds.
    pub patience: Option<String>,
    /// `CHRONICLE_MODEL`.
    pub model: Option<String>,
    /// `CHRONICLE_MAX_TOKENS`.
    pub max_tokens: Option<String>,
    /// `ANTHROPIC_API_KEY`.
    pub key: Option<String>,
    /// The current directory.
    pub current: Option<PathBuf>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
}

impl std::fmt::Debug for Surroundings {
    /// Without the key.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Surroundings").finish_non_exhaustive()
    }
}

/// Where notes are, and what becomes of one that is processed.
#[derive(Debug, Clone)]
pub struct Setup {
    setting: Option<PathBuf>,
    /// The folder of invented notes, in the place of the user's.
    demo: Option<PathBuf>,
    surroundings: Surroundings,
    /// Which way notes are processed.
    pub(super) way: Way,
}

/// Why that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A model that cannot be asked.
    #[error("`[notes]`: {0}")]
    Model(Refusal),
    /// A key that is none.
    #[error("ANTHROPIC_API_KEY: {0}")]
    Key(InvalidKey),
}

impl Setup {
    /// What the table says, whose configuration lies in `folder`, and the environment.
    ///
    /// # Errors
    /// [`SetupError`].
    pub fn new(written: WrittenNotes, folder: &Path, surroundings: Surroundings) -> Result<Self, SetupError> {
        let WrittenNotes { workspace, model, model_url, model_remote } = written;
        let settings = Settings {
            model,
            model_url,
            reach: if model_remote { Reach::Anywhere } else { Reach::ThisMachine },
            key: Key::read(surroundings.key.as_deref().unwrap_or_default()).map_err(SetupError::Key)?,
            chronicle_model: surroundings.model.clone(),
            max_tokens: surroundings.max_tokens.clone(),
        };
        let way = Way::choose(settings).map_err(SetupError::Model)?;
        // What begins with `~` is expanded where it is looked for.
        let beside = |workspace: PathBuf| {
            if workspace.starts_with("~") { workspace } else { folder.join(workspace) }
        };
        let setting = workspace.map(beside);
        Ok(Self { setting, demo: None, surroundings, way })
    }

    /// The same setup with the invented notes in `folder`, which no application has open.
    #[must_use]
    pub fn demo(self, folder: PathBuf) -> Self {
        Self { demo: Some(folder), ..self }
    }

    /// The folder of the notes.
    ///
    /// # Errors
    /// `NO_WORKSPACE`.
    pub(super) fn workspace(&self) -> Result<PathBuf, Refusal> {
        if let Some(folder) = &self.demo {
            return Ok(folder.clone());
        }
        let whereabouts = Whereabouts {
            setting: self.setting.as_deref(),
            environment: self.surroundings.workspace.as_deref(),
            current: self.surroundings.current.as_deref(),
            home: self.surroundings.home.as_deref(),
        };
        whereabouts.locate(Path::is_dir).map(|(folder, _)| folder)
    }

    /// The application's port, and how long an answer of it is waited for.
    pub(super) fn application(&self) -> (app::Loopback, app::Patience) {
        let usual = app::Patience::default();
        let port = setting::number(self.surroundings.port.as_deref(), app::PORT);
        // At port 0 nothing listens: the user's application knows nothing of invented notes, nor are they mixed with its own.
        let port = if self.demo.is_some() { 0 } else { port };
        let millis = setting::number(self.surroundings.patience.as_deref(), 0);
        let request = if millis == 0 { usual.request } else { Duration::from_millis(millis) };
        (app::Loopback { port }, app::Patience { request, ..usual })
    }

    /// Whether notes are processed by the model of whoever asks.
    pub(super) fn is_client_asked(&self) -> bool {
        matches!(self.way, Way::Handle)
    }

    /// In a sentence, what is sent where when a note is processed.
    pub fn told(&self) -> String {
        self.way.told()
    }
}
