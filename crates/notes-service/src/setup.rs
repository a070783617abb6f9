//! The settings of the notes. They come from the table `[notes]` of the configuration, and from environment variables
//! that Chronicle's own server also uses.

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

/// The table `[notes]` of the configuration file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NotesConfig {
    /// The folder of the notes. A relative path is relative to the folder of the configuration file.
    pub workspace: Option<PathBuf>,
    /// The user's name in action items. By default, the login name and the name in git's configuration.
    pub name: Option<String>,
    /// The name of a model, or `none` to make records from the markers only.
    pub model: Option<String>,
    /// The URL of a model with an `OpenAI`-compatible API. It must be on this machine unless `model_remote` is set.
    pub model_url: Option<String>,
    /// Whether `model_url` may be on another machine.
    pub model_remote: bool,
}

/// The environment variables and folders that affect notes.
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
    /// Formats without any values, because `key` is a secret.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Surroundings").finish_non_exhaustive()
    }
}

/// The settings that determine the folder of the notes. They are sent to worker processes, so they must not contain the
/// API key.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct WorkspaceLocations {
    /// The sample notes that replace the user's own notes, if any.
    invented: Option<SampleNotes>,
    /// The setting `workspace` in the configuration.
    setting: Option<OsString>,
    /// `CHRONICLE_WORKSPACE`.
    environment: Option<OsString>,
    /// The current directory.
    current: Option<OsString>,
    /// The user's home directory.
    home: Option<OsString>,
}

/// Sample notes, whose author is an invented person.
#[derive(Clone, Serialize, Deserialize)]
struct SampleNotes {
    folder: OsString,
    /// The IANA name of the author's time zone.
    zone: String,
}

impl std::fmt::Debug for WorkspaceLocations {
    /// Formats without any paths.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Places").finish_non_exhaustive()
    }
}

impl WorkspaceLocations {
    /// Returns the folder of the notes.
    ///
    /// # Errors
    /// `NO_WORKSPACE` if no workspace is found.
    pub(super) fn workspace(&self) -> Result<PathBuf, Refusal> {
        if let Some(invented) = &self.invented {
            return Ok(PathBuf::from(&invented.folder));
        }
        let [setting, environment, current, home] =
            [&self.setting, &self.environment, &self.current, &self.home].map(|place| place.as_deref().map(Path::new));
        let whereabouts = WorkspaceCandidates { setting, environment, current, home };
        whereabouts.locate(Path::is_dir)
    }

    /// Whether the configuration or the environment sets a workspace.
    pub(super) fn is_named(&self) -> bool {
        [&self.setting, &self.environment].into_iter().flatten().any(|place| !place.is_empty())
    }

    /// Converts a UTC time to the local time of the notes' author.
    pub(super) fn local(&self, time: DateTime<Utc>) -> NaiveDateTime {
        match &self.invented {
            Some(invented) => local_time(&invented.zone, time.naive_utc()),
            None => time.with_timezone(&Local).naive_local(),
        }
    }
}

/// The settings of the notes: the folder of the notes, and the method that makes records.
#[derive(Debug, Clone)]
pub struct Setup {
    locations: WorkspaceLocations,
    /// The user's name according to the configuration.
    name: Option<String>,
    /// The user's login name.
    login: Option<String>,
    /// Chronicle's port, as text from the environment.
    port: Option<String>,
    timeout: Option<String>,
    /// The method that makes records.
    pub(super) processor: Processor,
}

/// The reason why the settings can't be used.
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
    /// Creates the settings from the table `[notes]` and from the environment. `folder` is the folder of the
    /// configuration file.
    ///
    /// # Errors
    /// [`SetupError`] if the API key or the settings of the model are invalid.
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
        // A path that begins with `~` isn't joined to `folder`, because `~` is expanded when the workspace is located.
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

    /// Returns the settings with the sample notes in `folder` instead of the user's notes. `zone` is the IANA name of
    /// the time zone of the sample notes' author. Chronicle isn't contacted, because it doesn't know these notes.
    #[must_use]
    pub fn demo(self, folder: PathBuf, zone: &str) -> Self {
        let invented = Some(SampleNotes { folder: folder.into_os_string(), zone: zone.to_owned() });
        Self { locations: WorkspaceLocations { invented, ..self.locations }, ..self }
    }

    /// Returns settings for reading the notes at these locations, without a configured model.
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

    /// Returns the settings that determine the folder of the notes.
    pub fn places(&self) -> &WorkspaceLocations {
        &self.locations
    }

    /// Returns the names of the notes' author. For sample notes, returns an empty list, because their author isn't the
    /// user.
    pub(super) fn names(&self) -> Vec<String> {
        match self.locations.invented {
            Some(_) => Vec::new(),
            None => author::names(self.name.as_deref(), self.login.as_deref()),
        }
    }

    /// Returns Chronicle's port, and the timeout for its responses.
    pub(super) fn application_settings(&self) -> (app::Loopback, app::Timeouts) {
        let usual = app::Timeouts::default();
        let port = setting::parse_number(self.port.as_deref(), app::PORT);
        // With sample notes, the port is 0. No program listens on port 0, so Chronicle isn't contacted. Chronicle
        // doesn't know the sample notes, and the note that the user has open must not be mixed with them.
        let port = if self.locations.invented.is_some() { 0 } else { port };
        let millis = setting::parse_number(self.timeout.as_deref(), 0);
        let request = if millis == 0 { usual.request } else { Duration::from_millis(millis) };
        (app::Loopback { port }, app::Timeouts { request, ..usual })
    }

    /// Whether the client's own model makes the records.
    pub(super) fn uses_client_model(&self) -> bool {
        matches!(self.processor, Processor::Handle { .. })
    }

    /// Returns a sentence that describes the data sent when a note is processed, and the destination.
    pub fn description(&self) -> String {
        self.processor.description()
    }
}
