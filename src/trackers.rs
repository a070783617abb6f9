//! The time trackers that dayledger supports. Only this file opens the history of a tracker.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate};
use clap::ValueEnum;
use dayledger_terminal::Folders;
use jiff::civil::Date;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::activitywatch::{self, ActivityWatch, InvalidSetting, Journey};
use crate::export::ExportHistory;
use crate::manictime::{self, DATABASE_FILE, Source};
use crate::source::{FoundBy, HistorySource, Location};

/// A time tracker whose histories can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lower")]
pub(crate) enum TrackerName {
    ManicTime,
    ActivityWatch,
}

impl TrackerName {
    /// All trackers, in the order in which dayledger looks for their histories.
    pub(crate) const ALL: [Self; 2] = [Self::ManicTime, Self::ActivityWatch];

    /// Returns the value of `--source` for this tracker.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ManicTime => "manictime",
            Self::ActivityWatch => "activitywatch",
        }
    }
}

/// The chosen tracker, and the settings with which histories are opened.
#[derive(Debug, Clone, Default)]
pub(crate) struct TrackerSettings {
    /// The tracker that the user chose. The default is ManicTime, unless only a history of ActivityWatch exists.
    pub(crate) tracker: Option<TrackerName>,
    /// The table `[activitywatch]` of the configuration.
    pub(crate) activitywatch: ActivityWatchConfig,
    /// Whether anyone other than the user sees the history, such as an assistant or the readers of an export.
    pub(crate) for_others: bool,
}

/// The table `[activitywatch]` of the configuration.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ActivityWatchConfig {
    /// The folder of the history, or its database. By default, the folders of ActivityWatch's servers are searched.
    folder: Option<PathBuf>,
    /// The IANA name of the time zone of local times. The default is this computer's time zone.
    zone: Option<String>,
    /// Whether a browser tab with sound counts as active time while the browser is in front [default: true].
    audible: Option<bool>,
    /// Whether assistants and exports show the titles and URLs of private windows.
    private_titles: bool,
    /// The device names, by recorded host name. Contains only hosts whose device name differs from the host name.
    devices: BTreeMap<String, String>,
    /// The periods that the user spent in other time zones.
    journey: Vec<JourneyConfig>,
}

/// A journey to another time zone, as written in the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct JourneyConfig {
    from: toml::value::Datetime,
    to: toml::value::Datetime,
    zone: String,
    device: Option<String>,
}

/// Why the table `[activitywatch]` is invalid.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InvalidActivityWatch {
    /// A day of a journey isn't a date.
    #[error("invalid date `{0}` in `[[activitywatch.journey]]`: use a date such as `2025-10-29`")]
    Day(toml::value::Datetime),
    /// A value is invalid.
    #[error("invalid setting in `[activitywatch]`: {0}")]
    Setting(#[from] InvalidSetting),
}

impl JourneyConfig {
    fn to_journey(&self) -> Result<Journey, InvalidActivityWatch> {
        let date = |day: &toml::value::Datetime| {
            let invalid = || InvalidActivityWatch::Day(*day);
            let (Some(date), None, None) = (day.date, day.time, day.offset) else { return Err(invalid()) };
            let part = |part: u8| i8::try_from(part).map_err(|_| invalid());
            let year = i16::try_from(date.year).map_err(|_| invalid())?;
            Date::new(year, part(date.month)?, part(date.day)?).map_err(|_| invalid())
        };
        Ok(Journey {
            from: date(&self.from)?,
            to: date(&self.to)?,
            zone: self.zone.clone(),
            device: self.device.clone(),
        })
    }
}

impl ActivityWatchConfig {
    /// Returns the history that `locator` finds, opened with these settings.
    fn open(&self, locator: activitywatch::Locator, for_others: bool) -> Result<ActivityWatch, InvalidActivityWatch> {
        let journeys = self.journey.iter().map(JourneyConfig::to_journey);
        let settings = activitywatch::Settings {
            zone: self.zone.clone(),
            journeys: journeys.collect::<Result<_, _>>()?,
            devices: self.devices.clone(),
            audible: self.audible.unwrap_or(true),
            private_titles: self.private_titles || !for_others,
            ..activitywatch::Settings::new(locator)
        };
        Ok(ActivityWatch::new(settings)?)
    }

    /// Checks the settings without opening a history.
    ///
    /// # Errors
    /// Fails if a time zone or a journey is invalid.
    pub(crate) fn check(&self) -> Result<(), InvalidActivityWatch> {
        // Only the settings are checked, so the path doesn't matter.
        self.open(activitywatch::Locator::from_path("", FoundBy::Platform), false).map(drop)
    }

    /// Returns these settings with another time zone.
    pub(crate) fn with_zone(self, zone: &str) -> Self {
        Self { zone: Some(zone.to_owned()), ..self }
    }

    /// Returns the path of the history if the user set it.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn locator(&self, folders: &Folders) -> activitywatch::Locator {
        match &self.folder {
            Some(folder) => activitywatch::Locator::from_path(folder, FoundBy::Configuration),
            None => activitywatch::Locator::new_for_platform(&folders.settings, &folders.local_data),
        }
    }
}

impl TrackerSettings {
    /// Returns the history at `path`, which is a tracker's folder or its database. The history doesn't have to exist
    /// yet. If no tracker was chosen, the files at `path` determine the tracker.
    ///
    /// # Errors
    /// Fails if the settings of the tracker are invalid.
    pub(crate) fn history_at(
        &self,
        path: impl Into<PathBuf>,
        found_by: FoundBy,
    ) -> Result<Arc<dyn HistorySource>, InvalidActivityWatch> {
        let path = path.into();
        let manictime = manictime::Locator::from_path(&path, found_by);
        self.open(manictime, activitywatch::Locator::from_path(path, found_by))
    }

    /// Returns the history in a tracker's default folder on this platform. The history doesn't have to exist yet.
    ///
    /// # Errors
    /// Fails if the settings of the tracker are invalid.
    pub(crate) fn default_history(&self, folders: &Folders) -> Result<Arc<dyn HistorySource>, InvalidActivityWatch> {
        self.open(default_manictime(folders), self.activitywatch.locator(folders))
    }

    /// Returns the history of ActivityWatch at `path`. Without a path, returns the history in a default folder.
    ///
    /// # Errors
    /// Fails if the settings of ActivityWatch are invalid.
    pub(crate) fn activitywatch(
        &self,
        path: Option<(PathBuf, FoundBy)>,
        folders: &Folders,
    ) -> Result<ActivityWatch, InvalidActivityWatch> {
        let locator = path.map(|(path, found_by)| activitywatch::Locator::from_path(path, found_by));
        self.activitywatch.open(locator.unwrap_or_else(|| self.activitywatch.locator(folders)), self.for_others)
    }

    fn open(
        &self,
        manictime: manictime::Locator,
        activitywatch: activitywatch::Locator,
    ) -> Result<Arc<dyn HistorySource>, InvalidActivityWatch> {
        match self.tracker.unwrap_or_else(|| recognise(&manictime, &activitywatch)) {
            TrackerName::ManicTime => Ok(Arc::new(Source::new(manictime))),
            TrackerName::ActivityWatch => Ok(Arc::new(self.activitywatch.open(activitywatch, self.for_others)?)),
        }
    }

    /// Returns the histories in the default folders, except the history in the file `read`.
    pub(crate) fn other_histories(&self, folders: &Folders, read: &Path) -> Vec<OtherHistory> {
        let manictime = default_manictime(folders).find().ok();
        let manictime = manictime.map(|location| OtherHistory::new(TrackerName::ManicTime, location, None));
        let activitywatch = self.activitywatch.locator(folders).candidates().into_iter().map(|candidate| {
            let days = candidate.bounds.ok().flatten();
            OtherHistory::new(TrackerName::ActivityWatch, candidate.location, days)
        });
        manictime.into_iter().chain(activitywatch).filter(|history| history.database != read).collect()
    }
}

/// Determines the tracker of a history. Only ManicTime's database has the name [`DATABASE_FILE`]. The content of a file
/// with another name determines its tracker.
fn recognise(manictime: &manictime::Locator, activitywatch: &activitywatch::Locator) -> TrackerName {
    let found = manictime.find().ok().map(|location| location.database);
    let is_activitywatch = match found {
        Some(file) if file.file_name().is_some_and(|name| name == DATABASE_FILE) => false,
        Some(_) => activitywatch.candidates().iter().any(|candidate| candidate.bounds.is_ok()),
        None => !activitywatch.candidates().is_empty(),
    };
    if is_activitywatch { TrackerName::ActivityWatch } else { TrackerName::ManicTime }
}

fn default_manictime(folders: &Folders) -> manictime::Locator {
    manictime::Locator::new_for_platform(&folders.settings, &folders.local_data)
}

/// A history on this computer that dayledger doesn't read at present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OtherHistory {
    pub(crate) tracker: TrackerName,
    pub(crate) database: PathBuf,
    /// The dates of the first and of the last event in UTC, if they are known.
    pub(crate) days: Option<(NaiveDate, NaiveDate)>,
}

impl OtherHistory {
    fn new(tracker: TrackerName, location: Location, bounds: Option<(i64, i64)>) -> Self {
        let day = |seconds| Some(DateTime::from_timestamp(seconds, 0)?.date_naive());
        let days = bounds.and_then(|(first, last)| day(first).zip(day(last)));
        Self { tracker, database: location.database, days }
    }

    /// Returns the tracker's name in its official spelling.
    pub(crate) const fn label(&self) -> &'static str {
        match self.tracker {
            TrackerName::ManicTime => "ManicTime",
            TrackerName::ActivityWatch => "ActivityWatch",
        }
    }

    /// Returns the dates of the first and last event as text.
    pub(crate) fn period(&self) -> Option<String> {
        self.days.map(|(first, last)| format!("from {first} to {last}"))
    }
}

/// The settings with which another process opens a history. The type doesn't implement `Debug`, because the settings
/// contain private patterns of hidden applications.
#[derive(Serialize, Deserialize)]
pub(crate) struct HistorySettings {
    /// The tracker's name, from [`HistorySource::name`].
    tracker: String,
    /// The tracker's settings, from [`HistorySource::settings`].
    settings: serde_json::Value,
}

impl HistorySettings {
    /// Returns the settings of the history in `source`.
    ///
    /// # Errors
    /// Fails like [`HistorySource::settings`].
    pub(crate) fn from_source(source: &dyn HistorySource) -> serde_json::Result<Self> {
        Ok(Self { tracker: source.name().to_owned(), settings: source.settings()? })
    }

    /// Opens the history with these settings.
    ///
    /// # Errors
    /// Fails if the tracker is unknown, or if the settings belong to another tracker.
    pub(crate) fn open(self) -> serde_json::Result<Arc<dyn HistorySource>> {
        match self.tracker.as_str() {
            "manictime" => Ok(Arc::new(serde_json::from_value::<Source>(self.settings)?)),
            "activitywatch" => Ok(Arc::new(serde_json::from_value::<ActivityWatch>(self.settings)?)),
            "export" => Ok(Arc::new(serde_json::from_value::<ExportHistory>(self.settings)?)),
            unknown => Err(serde_json::Error::custom(format!("unknown time tracker `{unknown}`"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use dayledger_fixtures::{ActivityWatchWriter, HistoryWriter, SchemaOptions, Server};
    use serde_json::json;

    use super::*;
    use crate::source::{Pattern, Privacy, Redaction};

    fn tracker(name: TrackerName) -> TrackerSettings {
        TrackerSettings { tracker: Some(name), ..TrackerSettings::default() }
    }

    #[test]
    fn history_opened_from_its_settings_is_the_same_history_with_the_same_privacy() {
        for name in TrackerName::ALL {
            let hidden = [Pattern::parse("keepass*").unwrap()];
            let source = tracker(name).history_at("/histories/one", FoundBy::Configuration).unwrap();
            let source = source.with_privacy(Privacy::new([Redaction::Urls], hidden, []));
            let settings = serde_json::to_string(&HistorySettings::from_source(&*source).unwrap()).unwrap();
            let opened = serde_json::from_str::<HistorySettings>(&settings).unwrap().open().unwrap();
            assert_eq!(opened.name(), name.as_str());
            assert_eq!((opened.name(), opened.settings().unwrap()), (source.name(), source.settings().unwrap()));
        }
    }

    #[test]
    fn settings_of_an_unknown_tracker_are_an_error() {
        let settings: HistorySettings =
            serde_json::from_value(json!({"tracker": "sundial", "settings": {"place": "garden"}})).unwrap();
        let error = settings.open().unwrap_err().to_string();
        assert!(error.contains("unknown time tracker `sundial`"), "{error}");
    }

    /// Returns a home folder with the folders of both trackers.
    fn home() -> (tempfile::TempDir, Folders) {
        let home = tempfile::tempdir().unwrap();
        let folder = |name: &str| home.path().join(name);
        let folders = Folders {
            home: folder("home"),
            settings: folder("settings"),
            local_data: folder("data"),
            own_settings: folder("own"),
            own_data: folder("own"),
            own_cache: folder("own"),
            own_state: folder("own"),
        };
        (home, folders)
    }

    fn write_activitywatch(folder: &Path, server: Server, start: i64) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let mut writer = ActivityWatchWriter::in_folder(folder, server).unwrap();
        let bucket = writer.add_bucket("aw-watcher-window_desk", "currentwindow", "desk").unwrap();
        let data = json!({"app": "Code.exe", "title": "main.rs"});
        writer.add_event(bucket, start * 1_000_000, 60_000_000, &data).unwrap();
        writer.commit().unwrap();
        folder.join(server.file_name())
    }

    #[test]
    fn activitywatch_is_found_if_manictime_has_no_history() {
        let (_home, folders) = home();
        let default = |settings: &TrackerSettings| settings.default_history(&folders).unwrap();
        let settings = TrackerSettings::default();
        assert_eq!(default(&settings).name(), "manictime");
        let python = folders.local_data.join("activitywatch").join("aw-server");
        let python = write_activitywatch(&python, Server::Python, 1_736_726_400);
        let found = default(&settings);
        assert_eq!((found.name(), found.location().unwrap().database), ("activitywatch", python.clone()));
        assert!(settings.other_histories(&folders, &python).is_empty());

        let manictime = match manictime::Locator::new_for_platform(&folders.settings, &folders.local_data).find() {
            Err(manictime::Error::NotFound { searched, .. }) => searched.into_iter().next_back().unwrap(),
            other => panic!("{other:?}"),
        };
        fs::create_dir_all(&manictime).unwrap();
        HistoryWriter::in_folder(&manictime, SchemaOptions::default()).unwrap().finish().unwrap();
        let found = default(&settings);
        assert_eq!(found.name(), "manictime");
        let others = settings.other_histories(&folders, &found.location().unwrap().database);
        let others: Vec<_> = others.into_iter().map(|other| (other.tracker, other.database)).collect();
        assert_eq!(others, [(TrackerName::ActivityWatch, python)]);
        assert_eq!(default(&tracker(TrackerName::ActivityWatch)).name(), "activitywatch");
    }

    #[test]
    fn of_two_files_of_activitywatch_the_one_with_the_newest_event_is_read() {
        let (_home, folders) = home();
        let servers = folders.local_data.join("activitywatch");
        let python = write_activitywatch(&servers.join("aw-server"), Server::Python, 1_736_726_400);
        let rust = write_activitywatch(&servers.join("aw-server-rust"), Server::Rust, 1_736_812_800);
        let settings = TrackerSettings::default();
        assert_eq!(settings.default_history(&folders).unwrap().location().unwrap().database, rust);
        let [other]: [OtherHistory; 1] = settings.other_histories(&folders, &rust).try_into().unwrap();
        let day = NaiveDate::from_ymd_opt(2025, 1, 13).unwrap();
        assert_eq!((other.database, other.days), (python, Some((day, day))));
    }

    #[test]
    fn path_of_a_history_shows_its_tracker() {
        let dir = tempfile::tempdir().unwrap();
        let settings = TrackerSettings::default();
        let name = |path: &Path| settings.history_at(path, FoundBy::Flag).unwrap().name();
        let file = write_activitywatch(&dir.path().join("aw"), Server::Rust, 1_736_726_400);
        let renamed = dir.path().join("backup.db");
        fs::copy(&file, &renamed).unwrap();
        for path in [dir.path().join("aw"), file, renamed] {
            assert_eq!(name(&path), "activitywatch", "{}", path.display());
        }
        let manictime = HistoryWriter::in_folder(dir.path(), SchemaOptions::default()).unwrap();
        manictime.finish().unwrap();
        let copy = dir.path().join("copy.db");
        fs::copy(dir.path().join(DATABASE_FILE), &copy).unwrap();
        for path in [dir.path(), &dir.path().join(DATABASE_FILE), &copy, Path::new("/nowhere")] {
            assert_eq!(name(path), "manictime", "{}", path.display());
        }
    }
}
