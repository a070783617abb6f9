//! Where notes are, and which model reads them: the table `[notes]` and the variables of the application's own server.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Local, NaiveDateTime, Utc};
use dayledger_notes::Refusal;
use dayledger_notes::location::WorkspaceCandidates;
use dayledger_notes::model::{InvalidKey, Key, Processor, Reach, Settings};
use dayledger_notes::{app, author, setting};
use serde::{Deserialize, Serialize};

use crate::calendar::local_time;

/// The table `[notes]` as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NotesConfig {
    /// The folder of the notes; a relative one is looked for beside the configuration.
    pub workspace: Option<PathBuf>,
    /// The user's name as action items use it. By default the login name and git's identity.
    pub name: Option<String>,
    /// `none` for markers alone, else the name of a model.
    pub model: Option<String>,
    /// Where a model is that speaks as `OpenAI` does: on this machine.
    pub model_url: Option<String>,
    /// Whether that may be another machine.
    pub model_remote: bool,
}

/// What the environment of the program says of notes.
#[derive(Clone, Default)]
pub struct EnvironmentVariables {
    /// `CHRONICLE_WORKSPACE`.
    pub workspace: Option<PathBuf>,
    /// `CHRONICLE_WS_PORT`.
    pub port: Option<String>,
    /// `CHRONICLE_WS_TIMEOUT`, in milliseconds.
    pub timeout: Option<String>,
    /// `CHRONICLE_MODEL`.
    pub model: Option<String>,
    /// `CHRONICLE_MAX_TOKENS`.
    pub max_tokens: Option<String>,
    /// `ANTHROPIC_API_KEY`.
    pub key: Option<String>,
    /// `ANTHROPIC_BASE_URL`.
    pub key_address: Option<String>,
    /// `USER` or `USERNAME`.
    pub login: Option<String>,
    /// The current directory.
    pub current: Option<PathBuf>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
}

impl std::fmt::Debug for EnvironmentVariables {
    /// Without the key.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Surroundings").finish_non_exhaustive()
    }
}

/// Where a workspace is looked for. It can be told to another process of this program, and holds no key.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct WorkspaceLocations {
    /// Invented notes in the place of the user's.
    invented: Option<SampleNotes>,
    /// What the configuration says.
    setting: Option<OsString>,
    /// `CHRONICLE_WORKSPACE`.
    environment: Option<OsString>,
    /// The current directory.
    current: Option<OsString>,
    /// The user's home directory.
    home: Option<OsString>,
}

/// Notes of somebody else.
#[derive(Clone, Serialize, Deserialize)]
struct SampleNotes {
    folder: OsString,
    /// The IANA name of the zone where that person lives.
    zone: String,
}

impl std::fmt::Debug for WorkspaceLocations {
    /// Without paths.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Places").finish_non_exhaustive()
    }
}

impl WorkspaceLocations {
    /// The folder of the notes.
    ///
    /// # Errors
    /// `NO_WORKSPACE`.
    pub(super) fn workspace(&self) -> Result<PathBuf, Refusal> {
        if let Some(invented) = &self.invented {
            return Ok(PathBuf::from(&invented.folder));
        }
        let [setting, environment, current, home] =
            [&self.setting, &self.environment, &self.current, &self.home].map(|place| place.as_deref().map(Path::new));
        let whereabouts = WorkspaceCandidates { setting, environment, current, home };
        whereabouts.locate(Path::is_dir)
    }

    /// Whether the user has named a workspace.
    pub(super) fn is_named(&self) -> bool {
        [&self.setting, &self.environment].into_iter().flatten().any(|place| !place.is_empty())
    }

    /// What the clocks of whose notes they are show at a time.
    pub(super) fn local(&self, time: DateTime<Utc>) -> NaiveDateTime {
        match &self.invented {
            Some(invented) => local_time(&invented.zone, time.naive_utc()),
            None => time.with_timezone(&Local).naive_local(),
        }
    }
}

/// Where notes are, and what becomes of one that is processed.
#[derive(Debug, Clone)]
pub struct Setup {
    locations: WorkspaceLocations,
    /// The user's name in the configuration.
    name: Option<String>,
    /// The login name.
    login: Option<String>,
    /// What the application is reached by.
    port: Option<String>,
    timeout: Option<String>,
    /// Which way notes are processed.
    pub(super) processor: Processor,
}

/// Why that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A model that cannot be asked.
    #[error("invalid notes configuration: {0}")]
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
    pub fn new(written: NotesConfig, folder: &Path, surroundings: EnvironmentVariables) -> Result<Self, SetupError> {
        let NotesConfig { workspace, name, model, model_url, model_remote } = written;
        let settings = Settings {
            model,
            model_url,
            reach: if model_remote { Reach::Anywhere } else { Reach::ThisMachine },
            key: Key::read(surroundings.key.as_deref().unwrap_or_default()).map_err(SetupError::Key)?,
            key_address: surroundings.key_address.clone(),
            chronicle_model: surroundings.model.clone(),
            max_tokens: surroundings.max_tokens.clone(),
        };
        let processor = Processor::from_settings(settings).map_err(SetupError::Model)?;
        // What begins with `~` is expanded where it is looked for.
        let beside = |workspace: PathBuf| {
            if workspace.starts_with("~") { workspace } else { folder.join(workspace) }
        };
        let setting = workspace.map(beside);
        let EnvironmentVariables { workspace: environment, port, timeout, login, current, home, .. } = surroundings;
        let text = |place: Option<PathBuf>| place.map(PathBuf::into_os_string);
        let locations = WorkspaceLocations {
            invented: None,
            setting: text(setting),
            environment: text(environment),
            current: text(current),
            home: text(home),
        };
        Ok(Self { locations, name, login, port, timeout, processor })
    }

    /// The same setup with the sample notes in `folder` of a person in that IANA zone, which no application has open.
    #[must_use]
    pub fn demo(self, folder: PathBuf, zone: &str) -> Self {
        let invented = Some(SampleNotes { folder: folder.into_os_string(), zone: zone.to_owned() });
        Self { locations: WorkspaceLocations { invented, ..self.locations }, ..self }
    }

    /// Notes that are looked for there, for who only reads them.
    pub fn read_only(locations: WorkspaceLocations) -> Self {
        Self {
            locations,
            name: None,
            login: None,
            port: None,
            timeout: None,
            processor: Processor::Handle { unused: None },
        }
    }

    /// Where they are looked for.
    pub fn places(&self) -> &WorkspaceLocations {
        &self.locations
    }

    /// The names of the author of the notes. Those of sample notes aren't the user's.
    pub(super) fn names(&self) -> Vec<String> {
        match self.locations.invented {
            Some(_) => Vec::new(),
            None => author::names(self.name.as_deref(), self.login.as_deref()),
        }
    }

    /// The application's port, and how long an answer of it is waited for.
    pub(super) fn application_settings(&self) -> (app::Loopback, app::Timeouts) {
        let usual = app::Timeouts::default();
        let port = setting::parse_number(self.port.as_deref(), app::PORT);
        // At port 0 nothing listens: the user's application knows nothing of invented notes, nor are they mixed with its own.
        let port = if self.locations.invented.is_some() { 0 } else { port };
        let millis = setting::parse_number(self.timeout.as_deref(), 0);
        let request = if millis == 0 { usual.request } else { Duration::from_millis(millis) };
        (app::Loopback { port }, app::Timeouts { request, ..usual })
    }

    /// Whether notes are processed by the model of whoever asks.
    pub(super) fn uses_client_model(&self) -> bool {
        matches!(self.processor, Processor::Handle { .. })
    }

    /// In a sentence, what is sent where when a note is processed.
    pub fn description(&self) -> String {
        self.processor.description()
    }
}
