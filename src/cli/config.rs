//! The configuration. Flags override the environment, and the environment overrides `dayledger.toml`.

#![expect(clippy::disallowed_methods, reason = "this is the one place in this crate that reads the environment")]

use std::env;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::Context;
use chrono::Weekday;
use dayledger_core::local_days::{DayStart, LocalDays};
use dayledger_terminal::user_folders;
use dayledger_timesheet::push::PushTracker;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::config_mistake::{describe_mistake, unquoted_time};
use super::settings::Settings;
use super::toml_path::EscapedPath;
use super::{ask, form};
use crate::calendar::{Calendar, Calendars, InvalidCalendarPath};
use crate::files::read_text;
use crate::notes;
use crate::questions::{QuestionConfig, Questions};
use crate::request::Error;
use crate::rules::{Rule, RuleConfig, Rules};
use crate::source::{FoundBy, HistorySource};
use crate::timesheet::{Setup, TimesheetConfig};
use crate::trackers::{ActivityWatchConfig, TrackerName, TrackerSettings};

/// The size limit of the file, in bytes. Tens of thousands of rules fit into a file of this size.
const MAX_BYTES: u64 = 4 << 20;

/// The absolute path of the configuration file that the user selected with `--config`.
static SELECTED_FILE: RwLock<Option<PathBuf>> = RwLock::new(None);

/// Selects the configuration file of this process. Without a path, the default file is read.
pub(super) fn select_file(path: Option<PathBuf>) {
    let path = path.map(|path| std::path::absolute(&path).unwrap_or(path));
    *SELECTED_FILE.write().unwrap_or_else(PoisonError::into_inner) = path;
}

/// Returns the absolute path of the selected configuration file. Returns `None` if the default file is read.
pub(super) fn selected_file() -> Option<PathBuf> {
    SELECTED_FILE.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Checks that the selected configuration file exists. The default file doesn't have to exist.
///
/// # Errors
/// Fails if the selected file doesn't exist.
pub(super) fn check_selected_file() -> Result<(), Error> {
    match selected_file() {
        Some(path) if !path.exists() => {
            let message = format!("cannot read the configuration `{}`: the file does not exist", path.display());
            let default = default_file().map(|file| format!(" to read `{}`", file.display())).unwrap_or_default();
            Err(Error::for_command(message, format!("pass the path of a file, or leave out `--config`{default}")))
        }
        _ => Ok(()),
    }
}

/// Returns the path of the configuration file that is read without `--config`.
fn default_file() -> Option<PathBuf> {
    user_folders().map(|folders| folders.own_settings.join("dayledger.toml"))
}

/// The settings of the configuration file and the environment.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    /// The folder of the history, or its database file.
    data_dir: Option<PathBuf>,
    /// The tracker whose history is read. By default, the first one with a history.
    source: Option<TrackerName>,
    /// The settings for histories of ActivityWatch.
    #[serde(default)]
    activitywatch: ActivityWatchConfig,
    /// The folder of the screenshots. By default, it is next to the history.
    pub(super) screenshots_dir: Option<PathBuf>,
    /// The rules as written in the file, with their positions.
    #[serde(default, rename = "rules")]
    written_rules: Vec<Spanned<RuleConfig>>,
    /// Which time counts as active, and the start of days and weeks.
    #[serde(default)]
    time: TimeConfig,
    /// The checked form of `written_rules`.
    #[serde(skip)]
    pub(super) rules: Rules,
    /// The calendars as written in the file, with their positions.
    #[serde(default, rename = "calendars")]
    written_calendars: Vec<Spanned<CalendarConfig>>,
    /// The checked form of `written_calendars`.
    #[serde(skip)]
    pub(super) calendars: Calendars,
    /// The settings of the timesheet as written in the file.
    #[serde(default, rename = "timesheet")]
    written_timesheet: Option<Spanned<TimesheetConfig>>,
    /// The checked form of `written_timesheet`. `None` without a home directory.
    #[serde(skip)]
    pub(super) timesheet: Option<Setup>,
    /// The settings of the notes as written in the file.
    #[serde(default, rename = "notes")]
    written_notes: notes::NotesConfig,
    /// The saved questions as written in the file.
    #[serde(default, rename = "questions")]
    written_questions: Vec<QuestionConfig>,
    /// The settings of the MCP server.
    #[serde(default)]
    pub(super) serve: Settings,
    /// The path of the file and its text, for errors in questions.
    #[serde(skip)]
    file: (PathBuf, String),
}

/// A calendar as written in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CalendarConfig {
    /// The path of a file, or a pattern for several files: only the last component of the path can be a pattern. A
    /// relative path starts at the folder of the configuration file.
    file: PathBuf,
    /// The name of the calendar. By default, the name of its file.
    name: Option<String>,
}

impl CalendarConfig {
    fn open(self, folder: &Path) -> Result<Calendar, InvalidCalendarPath> {
        Ok(Calendar::from_path(&folder.join(self.file))?.with_name(self.name))
    }
}

/// The table `[time]`: which time counts as active, and the start of days and weeks.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TimeConfig {
    /// Whether calls count as active time while the computer records no input.
    calls: bool,
    /// The time at which a day starts, such as `04:00`.
    day_start: DayStart,
    /// The first day of a week.
    #[serde(deserialize_with = "read_weekday")]
    week_start: Option<Weekday>,
}

/// Reads a weekday, such as `sunday`.
fn read_weekday<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Weekday>, D::Error> {
    let text = String::deserialize(from)?;
    let invalid = |_| format!("invalid first day of the week `{text}`: use a weekday such as `monday` or `sunday`");
    text.parse().map(Some).map_err(invalid).map_err(serde::de::Error::custom)
}

impl Configuration {
    /// Reads the configuration file, if it exists.
    pub(super) fn read() -> anyhow::Result<Self> {
        let Some(path) = Self::file() else { return Ok(Self::default()) };
        Self::read_at(&path)
    }

    /// Reads the file at `path`. If it doesn't exist, returns the defaults.
    pub(super) fn read_at(path: &Path) -> anyhow::Result<Self> {
        let text = read_text(path, MAX_BYTES).map_err(io::Error::from);
        let text =
            text.map_err(|error| anyhow::anyhow!("cannot read the configuration `{}`: {error}", path.display()))?;
        Self::parse(&text.unwrap_or_default(), path)
    }

    /// Returns the path of the configuration file, even if the file doesn't exist. Returns `None` without a home
    /// directory, unless the user selected a file.
    pub(super) fn file() -> Option<PathBuf> {
        selected_file().or_else(default_file)
    }

    /// Parses `text`, which is the content of the file at `path`.
    pub(super) fn parse(text: &str, path: &Path) -> anyhow::Result<Self> {
        let invalid = |what: &str, place: Option<Range<usize>>| invalid(path, text, what, place);
        // In a valid TOML file, a backslash in a path can start an escape sequence, which changes the path. Therefore
        // the text is searched for such paths before it is parsed.
        if let Some(path) = EscapedPath::find(text) {
            return Err(invalid(&path.to_string(), Some(path.place)));
        }
        let mut read: Self = toml::from_str(text).map_err(|error| {
            let time = error.span().and_then(|place| unquoted_time(text, error.message(), place));
            invalid(time.as_deref().unwrap_or(error.message()), error.span())
        })?;
        let written = std::mem::take(&mut read.written_rules).into_iter();
        let rules = written.map(|written| {
            let place = written.span();
            Rule::try_from(written.into_inner()).map_err(|error| invalid(&error.to_string(), Some(place)))
        });
        let rules = rules.collect::<anyhow::Result<Vec<_>>>()?;
        let rules = Rules::new(rules).map_err(|error| invalid(&error.to_string(), None))?;
        read.rules = rules.with_calls_counted(read.time.calls);
        read.activitywatch.check().map_err(|error| invalid(&error.to_string(), None))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let written = std::mem::take(&mut read.written_calendars).into_iter();
        let calendars = written.map(|written| {
            let place = written.span();
            written.into_inner().open(folder).map_err(|error| invalid(&error.to_string(), Some(place)))
        });
        read.calendars = Calendars::new(calendars.collect::<anyhow::Result<_>>()?);
        let (written, place) = match read.written_timesheet.take() {
            Some(written) => (written.get_ref().clone(), Some(written.span())),
            None => Default::default(),
        };
        if let Some(data) = data_dir() {
            let setup = Setup::new(written, folder, &data);
            read.timesheet = Some(setup.map_err(|error| invalid(&error.to_string(), place))?);
        }
        read.file = (path.to_owned(), text.to_owned());
        Ok(read)
    }

    /// Returns the start of local days and weeks.
    pub(super) fn local_days(&self) -> LocalDays {
        let TimeConfig { day_start, week_start, .. } = self.time;
        LocalDays { day_start, week_start: week_start.unwrap_or(LocalDays::default().week_start) }
    }

    /// Checks and returns the saved questions. They are not checked when the file is read, so that an invalid question
    /// doesn't prevent other commands.
    ///
    /// # Errors
    /// Fails with the line of the file if a question is invalid.
    pub(super) fn questions(&self) -> anyhow::Result<Questions> {
        let (path, text) = &self.file;
        Questions::from_config(&self.written_questions, path, text, &ask::RESERVED_FLAGS)
            .map_err(|error| invalid(path, text, &error.message, Some(error.place)))
    }

    /// Returns the settings of the notes, from this file and the environment.
    pub(super) fn notes(&self) -> anyhow::Result<notes::Setup> {
        let text = |name| env::var(name).ok();
        let surroundings = notes::EnvironmentVariables {
            workspace: env::var_os("CHRONICLE_WORKSPACE").map(PathBuf::from),
            port: text("CHRONICLE_WS_PORT"),
            timeout: text("CHRONICLE_WS_TIMEOUT"),
            model: text("CHRONICLE_MODEL"),
            max_tokens: text("CHRONICLE_MAX_TOKENS"),
            key: text("ANTHROPIC_API_KEY"),
            key_address: text("ANTHROPIC_BASE_URL"),
            // Windows sets `USERNAME` instead of `USER`.
            login: text("USER").or_else(|| text("USERNAME")),
            current: env::current_dir().ok(),
            home: user_folders().map(|folders| folders.home),
        };
        let file = Self::file().unwrap_or_default();
        let folder = file.parent().unwrap_or(Path::new(""));
        Ok(notes::Setup::new(self.written_notes.clone(), folder, surroundings)?)
    }

    /// Returns the settings of trackers. The tracker comes from the flag, otherwise from the file.
    pub(super) fn trackers(&self, flag: Option<TrackerName>) -> TrackerSettings {
        TrackerSettings { tracker: flag.or(self.source), activitywatch: self.activitywatch.clone(), for_others: false }
    }

    /// Returns the path of the user's history and the setting that the path comes from: the flag, otherwise the
    /// environment, otherwise the file. The environment variable contains ManicTime's folder. If the user chose
    /// ActivityWatch, the file's `[activitywatch]` folder is used instead of the environment variable.
    pub(super) fn history_path(&self, flag: Option<&Path>, tracker: Option<TrackerName>) -> Option<(PathBuf, FoundBy)> {
        let of_tracker = || match tracker {
            Some(TrackerName::ActivityWatch) => Some((self.activitywatch.folder()?.to_owned(), FoundBy::Configuration)),
            _ => Some((data_dir_variable()?, FoundBy::Environment)),
        };
        flag.map(|path| (path.to_owned(), FoundBy::Flag))
            .or_else(of_tracker)
            .or_else(|| Some((self.data_dir.clone()?, FoundBy::Configuration)))
    }

    /// Returns the history at the path of [`Self::history_path`]. Without a path, returns the history in a default
    /// folder.
    ///
    /// # Errors
    /// Fails if the settings of the tracker are invalid.
    pub(super) fn history(
        &self,
        flag: Option<&Path>,
        trackers: &TrackerSettings,
    ) -> anyhow::Result<Arc<dyn HistorySource>> {
        if let Some((path, found_by)) = self.history_path(flag, trackers.tracker) {
            return Ok(trackers.history_at(path, found_by)?);
        }
        Ok(match user_folders() {
            Some(folders) => trackers.default_history(&folders)?,
            None => trackers.history_at("", FoundBy::Platform)?,
        })
    }
}

/// Returns the error for the configuration `text` in the file at `path`. `place` is the place of the mistake.
fn invalid(path: &Path, text: &str, what: &str, place: Option<Range<usize>>) -> anyhow::Error {
    anyhow::anyhow!("invalid configuration `{}`: {}", path.display(), describe_mistake(text, what, place))
}

/// Returns the folder for files that can be generated again at any time.
pub(super) fn cache_dir() -> anyhow::Result<PathBuf> {
    let folders = user_folders().context("cannot find the cache folder: this user has no home folder")?;
    Ok(folders.own_cache)
}

/// Returns the folder for state, such as unfinished texts. Returns `None` without a home directory.
pub(super) fn state_dir() -> Option<PathBuf> {
    Some(user_folders()?.own_state)
}

/// Returns the path of the history that the environment sets.
pub(super) fn data_dir_variable() -> Option<PathBuf> {
    // A path can contain bytes that aren't valid Unicode.
    env::var_os("MANICTIME_DATA_DIR").filter(|value| form::is_filled_in(&value.to_string_lossy())).map(PathBuf::from)
}

/// Returns the settings that a user entered into an MCP client's form.
pub(super) fn form_settings() -> anyhow::Result<Settings> {
    form::settings(variable)
}

/// Returns the folder that the environment variable `name` of another program sets.
pub(super) fn folder_variable(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

/// Returns the command of the user's editor: a program and its arguments.
pub(super) fn editor() -> Option<String> {
    ["VISUAL", "EDITOR"].into_iter().find_map(variable)
}

/// Returns a tracker's token, which the environment contains.
pub(super) fn push_token(tracker: PushTracker) -> Option<String> {
    variable(tracker.token_variable())
}

/// Returns the folder for data that can't be generated again. Returns `None` without a home directory.
fn data_dir() -> Option<PathBuf> {
    Some(user_folders()?.own_data)
}

/// Returns the value of a variable, unless it is empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors for a Windows path in double quotes used to mention "too few unicode value digits". Some paths were even
    /// accepted, with a line break and a tab in them.
    #[test]
    fn error_for_a_windows_path_in_double_quotes_shows_the_key_and_valid_notations() {
        let refused = |text: &str| Configuration::parse(text, Path::new("dayledger.toml")).unwrap_err().to_string();
        for path in [r"C:\Users\me\ManicTime", r"D:\notes\temp"] {
            let message = refused(&format!("data_dir = \"{path}\""));
            let slashes = path.replace('\\', "/");
            assert!(message.contains("`data_dir` is in double quotes"), "{message}");
            assert!(message.contains(&format!("use `'{path}'` or `\"{slashes}\"`")), "{message}");
            assert!(message.contains("\n  line 1: data_dir = "), "{message}");
        }
    }

    #[test]
    fn folder_of_activitywatch_comes_before_data_dir() {
        let text = "data_dir = '/m'\n[activitywatch]\nfolder = '/a'";
        let read = |text| Configuration::parse(text, Path::new("dayledger.toml")).unwrap();
        let path = |text| read(text).history_path(None, Some(TrackerName::ActivityWatch));
        assert_eq!(path(text), Some(("/a".into(), FoundBy::Configuration)));
        assert_eq!(path("data_dir = '/m'"), Some(("/m".into(), FoundBy::Configuration)));
        let flag = read(text).history_path(Some(Path::new("/f")), Some(TrackerName::ActivityWatch));
        assert_eq!(flag, Some(("/f".into(), FoundBy::Flag)));
    }

    #[test]
    fn invalid_privacy_settings_are_named_in_the_error() {
        for (text, named) in [
            ("[serve]\nredact = ['titels']", "`titels`"),
            ("[serve]\nhide_apps = ['[a']", "`[a`"),
            ("[serve]\nhide_app = ['a']", "`hide_apps`"),
        ] {
            let message = Configuration::parse(text, Path::new("dayledger.toml")).unwrap_err().to_string();
            assert!(message.contains(named) && message.contains("dayledger.toml"), "{message}");
        }
    }

    #[test]
    fn invalid_start_of_the_day_or_week_is_marked() {
        for (text, what) in [
            ("[time]\nday_start = '25:00'", "invalid start of the day `25:00`"),
            ("[time]\nday_start = 4", "expected a string"),
            ("[time]\nday_start = 04:00", "a date or time needs quotes: write `\"04:00\"`"),
            ("[time]\nday_start = 4:00 # early", "a date or time needs quotes: write `\"4:00\"`"),
            ("[time]\nweek_start = 'someday'", "invalid first day of the week `someday`"),
        ] {
            let message = Configuration::parse(text, Path::new("dayledger.toml")).unwrap_err().to_string();
            assert!(message.contains(what) && message.contains("\n  line 2: "), "{message}");
        }
        let text = "[time]\nday_start = '-02:00'\nweek_start = 'Sunday'";
        let days = Configuration::parse(text, Path::new("dayledger.toml")).unwrap().local_days();
        assert_eq!((days.day_start.to_string().as_str(), days.week_start), ("-02:00", Weekday::Sun));
    }

    #[test]
    fn invalid_rule_is_marked() {
        let refused = |text: &str| Configuration::parse(text, Path::new("dayledger.toml")).unwrap_err().to_string();
        for (rule, what, line, marked) in [
            ("app = 'code*'\ncategory = 'Work'\nprio = 1", "`prio`", 4, "prio"),
            ("app = 'regex:a('\ncategory = 'Work'", "unclosed group", 2, "'regex:a('"),
            ("app = ''\ncategory = 'Work'", "empty pattern", 2, "''"),
            ("app = ['a']\ncategory = 'Work'", "expected a string", 2, "['a']"),
            ("category = 'Work'", "needs a condition", 1, "[[rules]]"),
            ("app = 'code*'", "something to set", 1, "[[rules]]"),
            ("app = 'code*'\ntask = 'Review'", "part of a project", 1, "[[rules]]"),
            ("app = 'code*'\ncategory = ' '", "`category` is empty", 1, "[[rules]]"),
        ] {
            // The invalid rule is the second of two rules, to check that the line number counts from the start of the
            // file.
            let text = format!("[[rules]]\napp = 'x'\ncategory = 'X'\n[[rules]]\n{rule}");
            let (message, line) = (refused(&text), line + 3);
            assert!(message.contains(what) && message.contains("dayledger.toml"), "{message}");
            let lines: Vec<_> = message.lines().rev().take(2).collect();
            let prefix = format!("  line {line}: ");
            let column = lines[1].strip_prefix(&prefix).and_then(|line| line.find(marked));
            let column = column.unwrap_or_else(|| panic!("{message}"));
            assert_eq!(lines[0].find('^'), Some(prefix.len() + column), "{message}");
        }
    }

    #[test]
    fn rules_keep_the_order_of_the_file() {
        let text = "[[rules]]\napp = 'Code'\ntitle = '*billing*'\nproject = 'Northwind'\ntask = 'Billing'\n\
                    [[rules]]\nname = 'rest'\nsite = 'regex:(git|lab)hub'\ncategory = 'Development'";
        let rules = Configuration::parse(text, Path::new("dayledger.toml")).unwrap().rules;
        let names: Vec<_> = rules.rules().iter().map(|rule| (rule.name(), rule.conditions().len())).collect();
        assert_eq!(names, [("Northwind, Billing", 2), ("rest", 1)]);
        assert!(Configuration::parse("", Path::new("dayledger.toml")).unwrap().rules.is_empty());
    }

    #[test]
    fn calendar_paths_are_relative_to_the_configuration_file() {
        let path = Path::new("/home/me/dayledger.toml");
        let parsed = |text: &str| Configuration::parse(text, path);
        let read = parsed("[[calendars]]\nfile = '*.ics'\n[[calendars]]\nname = 'Work'\nfile = '/work/a.ics'").unwrap();
        let states = read.calendars.states();
        let actual: Vec<_> = states.iter().map(|state| (state.file.as_str(), state.name.as_deref())).collect();
        let beside = path.with_file_name("*.ics");
        assert_eq!(actual, [(beside.to_str().unwrap(), None), ("/work/a.ics", Some("Work"))]);
        for (text, what) in [
            ("file = '*/work.ics'", "only in its last part"),
            ("file = '..'", "is not a file"),
            ("file = '*.[ics'", "invalid pattern"),
            ("name = 'Work'", "missing field `file`"),
            ("file = 'a.ics'\nzone = 'UTC'", "`zone`"),
        ] {
            let message = parsed(&format!("[[calendars]]\n{text}")).unwrap_err().to_string();
            assert!(message.contains(what) && message.contains("\n  line "), "{message}");
        }
    }

    #[test]
    fn invalid_settings_of_activitywatch_are_named_in_the_error() {
        let parsed = |text: &str| Configuration::parse(text, Path::new("dayledger.toml"));
        let journey = |to: &str| {
            format!("[[activitywatch.journey]]\nfrom = 2025-10-29\nto = {to}\nzone = 'America/New_York'\ndevice = 'x'")
        };
        let valid = format!("source = 'activitywatch'\n[activitywatch]\nzone = 'UTC'\n{}", journey("2025-10-31"));
        let read = parsed(&valid).unwrap();
        assert_eq!(read.trackers(None).tracker, Some(TrackerName::ActivityWatch));
        assert_eq!(read.trackers(Some(TrackerName::ManicTime)).tracker, Some(TrackerName::ManicTime));
        for (text, named) in [
            ("[activitywatch]\nzone = 'Mars/Base'".to_owned(), "`Mars/Base`"),
            ("[activitywatch]\nzones = 'UTC'".to_owned(), "`zones`"),
            ("source = 'sundial'".to_owned(), "`sundial`"),
            (journey("2025-10-28"), "2025-10-28"),
            (journey("2025-10-31T08:00:00"), "2025-10-31T08:00:00"),
        ] {
            let message = parsed(&text).unwrap_err().to_string();
            assert!(message.contains(named) && message.contains("dayledger.toml"), "{message}");
        }
    }

    #[test]
    fn error_for_an_unknown_setting_lists_the_known_ones() {
        let path = Path::new("dayledger.toml");
        assert!(Configuration::parse("data_dir = \"history\"", path).is_ok());
        let message = Configuration::parse("data_folder = \"history\"", path).unwrap_err().to_string();
        assert!(message.contains("`data_folder`") && message.contains("`data_dir`"), "{message}");
        let place = message.split_once('\n').unwrap().1;
        assert_eq!(place, "  line 1: data_folder = …\n          ^^^^^^^^^^^", "{message}");
    }
}
