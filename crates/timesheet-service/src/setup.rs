//! The settings of the timesheet, from the table `[timesheet]` of the configuration file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dayledger_source::ReadHandle;
use dayledger_sqlite::{ReadDeadline, read_once};
use dayledger_timesheet::billing::{Rates, Terms};
use dayledger_timesheet::draft::{Alias, BRANCH, Patterns, TICKET};
use dayledger_timesheet::export::TrackerSettings;
use dayledger_timesheet::graphql::{Endpoint, InvalidEndpoint};
use dayledger_timesheet::import::project_code;
use dayledger_timesheet::push::PushSettings;
use dayledger_timesheet::rules::check_projects;
use dayledger_timesheet::{Hours, Ledger, Project, ProjectTag, ProjectTask, Refusal};
use serde::{Deserialize, Serialize};

use super::targets::{Target, Targets};
use dayledger_request::Error;

/// The name of the timesheet's file in the user's data directory.
const FILE: &str = "timesheet.db";

/// The maximum time for reading the projects of the ledger for a list. Another program may write the file.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

/// The table `[timesheet]` of the configuration file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimesheetConfig {
    /// The file of the ledger. If an API is set, the file contains only the data that the API doesn't store.
    file: Option<PathBuf>,
    /// The URL of a company's API.
    api: Option<String>,
    /// The scope of the access token for the API.
    scope: Option<String>,
    /// The user's target hours for each day from Monday to Friday.
    hours_per_day: Hours,
    /// The user's target hours by weekday. Each target applies from a given day on.
    targets: Vec<Target>,
    /// Calendar files with public holidays and leave.
    days_off: Vec<PathBuf>,
    /// Regular expressions that find tickets in window titles.
    tickets: Option<Vec<String>>,
    /// Regular expressions that find branches in window titles.
    branches: Option<Vec<String>>,
    /// The projects of the ledger.
    projects: Vec<ProjectConfig>,
    /// The user's own words for projects and tasks, in tags and rules.
    aliases: Vec<Alias>,
    /// The rates of projects and tasks, and the rounding of billed hours.
    rates: Vec<Terms>,
    /// The settings for files that other trackers import, such as the names of projects in these trackers.
    export: TrackerSettings,
    /// The accounts at trackers that hours can be pushed to.
    push: PushSettings,
}

/// A project in the configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProjectConfig {
    code: String,
    name: Option<String>,
    tasks: Vec<String>,
    /// The allowed values of each tag.
    #[serde(default)]
    tags: BTreeMap<String, Vec<String>>,
}

/// The checked settings of the timesheet: the storage of the entries, and the settings for drafts. They can be
/// serialised for a worker process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    pub(super) place: StorageLocation,
    /// The projects of the configuration. The ledger may contain further projects.
    pub(super) projects: Vec<Project>,
    pub(super) aliases: Vec<Alias>,
    pub(super) rates: Rates,
    pub(super) trackers: TrackerSettings,
    /// The accounts at trackers. They aren't serialised, because worker processes never push entries.
    #[serde(skip)]
    pub(super) push: PushSettings,
    pub(super) patterns: Patterns,
    /// The user's target hours.
    pub(super) targets: Targets,
}

/// The storage of the entries. Paths are stored as `OsString`, because a path that isn't valid Unicode can't be
/// serialised as a path.
#[derive(Clone, Serialize, Deserialize)]
pub enum StorageLocation {
    /// The entries are in a file on this machine.
    Ledger(OsString),
    /// The entries are in a file on this machine, which also contains the sample projects and entries.
    Demo(OsString),
    /// The entries are stored by a company's API.
    Api {
        /// The URL of the API.
        endpoint: Endpoint,
        /// The scope of the access token.
        scope: String,
        /// The file for the data that exists only on this machine.
        file: OsString,
    },
}

impl std::fmt::Debug for StorageLocation {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Ledger(_) => "Ledger",
            Self::Demo(_) => "Demo",
            Self::Api { .. } => "Api",
        })
    }
}

/// The reason why the settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The URL of the API is invalid.
    #[error("invalid `api` in `[timesheet]`: it is {0}")]
    Endpoint(InvalidEndpoint),
    /// `api` is set, but `scope` is missing.
    #[error(
        "`[timesheet]` lacks `scope`, which `api` needs: set it to a value such as `api://00000000-0000-0000-0000-000000000000/.default`"
    )]
    NoScope,
    /// The configuration contains projects, although the API provides them.
    #[error("`[timesheet]` has `api` and `projects`: remove `projects`, because the server manages them")]
    ProjectsOfApi,
    /// `hours_per_day` isn't from 0 to 24.
    #[error("invalid `hours_per_day` in `[timesheet]`: it must be from 0 to 24")]
    HoursPerDay,
    /// A pattern, a project, a target or a rate is invalid.
    #[error("`[timesheet]`: {0}")]
    Refused(Refusal),
}

impl Setup {
    /// Checks the settings. `folder` is the folder of the configuration file, and relative paths start there. `data` is
    /// the user's data directory, which contains the timesheet if no file is set.
    ///
    /// # Errors
    /// [`SetupError`] for the first invalid setting.
    pub fn new(written: TimesheetConfig, folder: &Path, data: &Path) -> Result<Self, SetupError> {
        let TimesheetConfig {
            file,
            api,
            scope,
            hours_per_day,
            targets,
            days_off,
            tickets,
            branches,
            projects,
            aliases,
            rates,
            export,
            push,
        } = written;
        let push = push.in_folder(folder);
        let file = file.map_or_else(|| data.join(FILE), |file| folder.join(file)).into_os_string();
        let projects: Vec<_> = projects.into_iter().map(Project::from).collect();
        check_projects(&projects).map_err(SetupError::Refused)?;
        let place = match api {
            None => StorageLocation::Ledger(file),
            Some(_) if !projects.is_empty() => return Err(SetupError::ProjectsOfApi),
            Some(api) => StorageLocation::Api {
                endpoint: api.parse().map_err(SetupError::Endpoint)?,
                scope: scope.ok_or(SetupError::NoScope)?,
                file,
            },
        };
        if !(0..=24_00).contains(&hours_per_day.hundredths()) {
            return Err(SetupError::HoursPerDay);
        }
        let targets = Targets::new(hours_per_day, targets, &days_off, folder).map_err(SetupError::Refused)?;
        let rates = Rates::new(rates).map_err(SetupError::Refused)?;
        let tickets = tickets.unwrap_or_else(|| vec![TICKET.to_owned()]);
        let branches = branches.unwrap_or_else(|| vec![BRANCH.to_owned()]);
        let patterns = Patterns::new(&tickets, &branches).map_err(SetupError::Refused)?;
        Ok(Self { place, projects, aliases, rates, trackers: export, push, patterns, targets })
    }

    /// Returns the projects that accept hours, without changing the file of the ledger. Leaves out the projects of an
    /// API, and the projects of a file that can't be read.
    pub fn known_projects(&self) -> Vec<Project> {
        let deadline = ReadDeadline::after(&ReadHandle::default(), READ_TIMEOUT);
        let stored = read_once(self.file(), READ_TIMEOUT, &deadline, Ledger::read_projects);
        let stored = stored.ok().flatten().unwrap_or_default();
        let is_configured = |project: &Project| self.projects.iter().any(|known| known.code == project.code);
        let stored = stored.into_iter().filter(|project| !is_configured(project));
        self.projects.iter().filter(|project| project.is_active).cloned().chain(stored).collect()
    }

    /// Returns the path of the file on this machine. It contains the ledger, or the evidence and pending attempts of
    /// entries at an API.
    pub fn file(&self) -> &Path {
        let (StorageLocation::Ledger(file) | StorageLocation::Demo(file) | StorageLocation::Api { file, .. }) =
            &self.place;
        Path::new(file)
    }

    /// Checks that the projects and tasks of the rates exist. With the sample timesheet, the rates are not checked,
    /// because they are for the user's own projects.
    ///
    /// # Errors
    /// Fails with `VALIDATION_ERROR` if a project or task of the rates isn't in `projects`.
    pub(super) fn check_rates(&self, projects: &[Project]) -> Result<(), Error> {
        if matches!(self.place, StorageLocation::Demo(_)) {
            return Ok(());
        }
        self.rates.check_names(projects).map_err(Error::from)
    }

    /// Returns false if nothing can have been logged yet, because the file of the ledger doesn't exist. The first
    /// command or tool that needs the file creates it.
    pub(super) fn may_have_entries(&self) -> bool {
        matches!(self.place, StorageLocation::Api { .. }) || self.file().exists()
    }

    /// Returns the same settings with the sample timesheet, whose file is in `folder`. The timesheet also contains
    /// `projects`, each with its name and its tasks.
    #[must_use]
    pub fn demo(self, folder: &Path, projects: impl IntoIterator<Item = (String, Vec<String>)>) -> Self {
        let mut all = dayledger_timesheet::demo::projects();
        for (name, tasks) in projects {
            let code = project_code(&name);
            let tasks = tasks.into_iter().map(|name| ProjectTask { name, is_active: true });
            match all.iter_mut().find(|project| project.code == code) {
                Some(project) => project.tasks.extend(tasks),
                None => all.push(Project { code, name, is_active: true, tasks: tasks.collect(), tags: Vec::new() }),
            }
        }
        Self { place: StorageLocation::Demo(folder.join(FILE).into()), projects: all, ..self }
    }
}

impl From<ProjectConfig> for Project {
    fn from(ProjectConfig { code, name, tasks, tags }: ProjectConfig) -> Self {
        let tags = tags.into_iter().map(|(name, allowed_values)| ProjectTag {
            name,
            is_required: false,
            is_active: true,
            allowed_values,
        });
        Self {
            name: name.unwrap_or_else(|| code.clone()),
            code,
            is_active: true,
            tasks: tasks.into_iter().map(|name| ProjectTask { name, is_active: true }).collect(),
            tags: tags.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setup_round_trips_to_another_process() {
        let written: TimesheetConfig = toml::from_str(
            r#"
            api = "https://time.example/graphql?key=7"
            scope = "api://time/.default"
            hours_per_day = 7.5
            tickets = ['#\d+']
            branches = []
            [[aliases]]
            name = "Portal"
            project = "CLIENT-A"
            [[rates]]
            project = "CLIENT-A"
            rate = 95.5
            currency = "EUR"
            rounding = { to = 0.25, mode = "up" }
            "#,
        )
        .unwrap();
        let mut setup = Setup::new(written, Path::new("/etc"), Path::new("/data")).unwrap();
        setup.projects = dayledger_timesheet::demo::projects();
        let text = serde_json::to_string(&setup).unwrap();
        for part in ["https://time.example/graphql?key=7", r"#\\d+", "Portal", "7.5", "Security Patches", "95.50"] {
            assert!(text.contains(part), "`{part}`: {text}");
        }
        let read: Setup = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }

    #[cfg(unix)] // only Unix paths can be invalid UTF-8
    #[test]
    fn non_unicode_ledger_path_round_trips() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let data = Path::new(OsStr::from_bytes(b"/data/\xff"));
        let setup = Setup::new(TimesheetConfig::default(), data, data).unwrap();
        let read: Setup = serde_json::from_str(&serde_json::to_string(&setup).unwrap()).unwrap();
        assert!(matches!(read.place, StorageLocation::Ledger(path) if path == data.join(FILE)));
    }
}
