//! Configuration of the notes: the table `[notes]`, and the environment variables of the Chronicle application's own
//! server.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Local, NaiveDateTime, Utc};
use dayledger_notes::Refusal;
use dayledger_notes::location::WorkspaceCandidates;
use dayledger_notes::model::{InvalidKey, Key, Processor, Reach, Settings};
use dayledger_notes::{app, author, setting};
use serde::{Deserialize, Serialize};

use dayledger_calendar::local_time;

/// The table `[notes]` as written in the configuration file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NotesConfig {
    /// The folder of the notes. A relative path starts at the folder of the configuration file.
    pub workspace: Option<PathBuf>,
    /// The user's name in action items. By default, the login name and git's identity.
    pub name: Option<String>,
    /// The name of a model, or `none` to use the markers alone.
    pub model: Option<String>,
    /// The URL of a model with an `OpenAI`-compatible API on this machine.
    pub model_url: Option<String>,
    /// Whether `model_url` may lead to another machine.
    pub model_remote: bool,
}

/// The environment variables that affect notes.
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
    /// Prints no value, because `key` is a secret.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Surroundings").finish_non_exhaustive()
    }
}

/// The settings that determine the workspace. A worker process receives them, so they don't contain a key.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct WorkspaceLocations {
    /// Sample notes that replace the user's.
    invented: Option<SampleNotes>,
    /// The setting `workspace` of the configuration.
    setting: Option<OsString>,
    /// `CHRONICLE_WORKSPACE`.
    environment: Option<OsString>,
    /// The current directory.
    current: Option<OsString>,
    /// The user's home directory.
    home: Option<OsString>,
}

/// Sample notes of an invented person.
#[derive(Clone, Serialize, Deserialize)]
struct SampleNotes {
    folder: OsString,
    /// The IANA name of the time zone of that person.
    zone: String,
}

impl std::fmt::Debug for WorkspaceLocations {
    /// Prints no path.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Places").finish_non_exhaustive()
    }
}

impl WorkspaceLocations {
    /// Returns the folder of the notes.
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

    /// Whether the user has set a workspace, in the configuration or the environment.
    pub(super) fn is_named(&self) -> bool {
        [&self.setting, &self.environment].into_iter().flatten().any(|place| !place.is_empty())
    }

    /// Converts a time to local time of the notes' author.
    pub(super) fn local(&self, time: DateTime<Utc>) -> NaiveDateTime {
        match &self.invented {
            Some(invented) => local_time(&invented.zone, time.naive_utc()),
            None => time.with_timezone(&Local).naive_local(),
        }
    }
}

/// The settings of the notes: their location, and how they are processed.
#[derive(Debug, Clone)]
pub struct Setup {
    locations: WorkspaceLocations,
    /// The user's name in the configuration.
    name: Option<String>,
    /// The login name.
    login: Option<String>,
    /// The application's port, from the environment.
    port: Option<String>,
    timeout: Option<String>,
    /// How notes are processed.
    pub(super) processor: Processor,
}

/// Why the settings can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The settings of the model are invalid.
    #[error("invalid notes configuration: {0}")]
    Model(Refusal),
    /// The API key is invalid.
    #[error("ANTHROPIC_API_KEY: {0}")]
    Key(InvalidKey),
}

impl Setup {
    /// Builds the setup from the table of the configuration in `folder`, and from the environment.
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
        // `~` is expanded later, when the workspace is located.
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

    /// Returns the same setup with the sample notes in `folder`, whose author lives in that IANA time zone. No
    /// application has these notes open.
    #[must_use]
    pub fn demo(self, folder: PathBuf, zone: &str) -> Self {
        let invented = Some(SampleNotes { folder: folder.into_os_string(), zone: zone.to_owned() });
        Self { locations: WorkspaceLocations { invented, ..self.locations }, ..self }
    }

    /// Returns a setup that can only read the notes at these locations.
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

    /// Returns the settings that determine the workspace.
    pub fn places(&self) -> &WorkspaceLocations {
        &self.locations
    }

    /// Returns the names of the author of the notes. Sample notes have another author, so they return none.
    pub(super) fn names(&self) -> Vec<String> {
        match self.locations.invented {
            Some(_) => Vec::new(),
            None => author::names(self.name.as_deref(), self.login.as_deref()),
        }
    }

    /// Returns the application's port, and how long to wait for its responses.
    pub(super) fn application_settings(&self) -> (app::Loopback, app::Timeouts) {
        let usual = app::Timeouts::default();
        let port = setting::parse_number(self.port.as_deref(), app::PORT);
        // Nothing listens at port 0. The user's application doesn't know the sample notes, and its notes must not mix
        // with them.
        let port = if self.locations.invented.is_some() { 0 } else { port };
        let millis = setting::parse_number(self.timeout.as_deref(), 0);
        let request = if millis == 0 { usual.request } else { Duration::from_millis(millis) };
        (app::Loopback { port }, app::Timeouts { request, ..usual })
    }

    /// Whether notes are processed by the client's own model.
    pub(super) fn uses_client_model(&self) -> bool {
        matches!(self.processor, Processor::Handle { .. })
    }

    /// Describes in a sentence which data processing a note sends, and to which destination.
    pub fn description(&self) -> String {
        self.processor.description()
    }
}
