//! Selects the history that a command reads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use chrono::NaiveDate;
use clap::Args;
use dayledger_core::local_days::LocalDays;
use dayledger_terminal::destination::file_error;
use dayledger_terminal::user_folders;

use super::config::Configuration;
use super::demo_history;
use crate::activity::History;
use crate::activitywatch::Category;
use crate::engine::{self, local_today};
use crate::export::{ExportHistory, is_export};
use crate::files::OffLimits;
use crate::notes;
use crate::request::Error;
use crate::screenshots::ConfiguredFolder;
use crate::source::FoundBy;
use crate::timesheet::{Setup, TimesheetService};
use crate::trackers::{OtherHistory, TrackerName, TrackerSettings};
use crate::{App, AppBuilder};

/// Returns the folders that a command never writes to. They include the folders of the history that the command reads.
/// They also include the folders of this user's own history, which can be another history.
pub(super) fn protected_folders(history: &History) -> Vec<PathBuf> {
    let mut folders = history.own_folders();
    folders.extend(HistoryArguments::default().own_folders());
    folders
}

/// Quotes a path as an argument for the user's shell.
pub(super) fn quote(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain =
        |letter: char| letter.is_alphanumeric() || "/._-+:,@".contains(letter) || (cfg!(windows) && letter == '\\');
    match path.chars().all(is_plain) {
        true if !path.is_empty() => path,
        _ if cfg!(windows) => format!("\"{path}\""),
        _ => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// Which history is read.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Data source")]
pub(super) struct HistoryArguments {
    /// Folder of the tracker's database or of an export of the whole history, or the database file
    #[arg(long, global = true, value_name = "PATH", conflicts_with = "demo")]
    pub(super) data_dir: Option<PathBuf>,
    /// Tracker whose history is read [default: manictime, or activitywatch if only its history exists]
    #[arg(long, global = true, value_name = "TRACKER")]
    pub(super) source: Option<TrackerName>,
    /// Folder that contains the screenshots [default: Screenshots, next to the database]
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "demo")]
    pub(super) screenshots_dir: Option<PathBuf>,
    /// Use sample data, generated in the cache folder on first use
    #[arg(long, global = true)]
    pub(super) demo: bool,
    /// Whether the history is shown to an assistant, or exported. Private browser windows are then hidden unless the
    /// configuration allows it.
    #[arg(skip)]
    pub(super) for_others: bool,
}

impl HistoryArguments {
    /// Whether the command line selects a history.
    pub(super) fn is_given(&self) -> bool {
        self.data_dir.is_some() || self.source.is_some() || self.screenshots_dir.is_some() || self.demo
    }

    /// Returns the options that select this history, as the user would type them. For the default history, the list of
    /// options is empty.
    pub(super) fn source_options(&self) -> String {
        let folders = [("--data-dir", &self.data_dir), ("--screenshots-dir", &self.screenshots_dir)];
        let folders = folders.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?)));
        let options = folders.map(|(flag, path)| format!("{flag} {}", quote(path)));
        let demo = self.demo.then(|| "--demo".to_owned());
        let tracker = self.source.map(|tracker| format!("--source {}", tracker.as_str()));
        demo.into_iter().chain(tracker).chain(options).collect::<Vec<_>>().join(" ")
    }

    /// Returns the options of an app over this history. The app doesn't include notes or a timesheet.
    pub(super) fn app_builder_without_notes(&self) -> anyhow::Result<AppBuilder> {
        let mut configuration = Configuration::read()?;
        if self.demo {
            // The user's rules also apply to the demo, so that users can try out rules on sample data.
            let rules = demo_history::rules(&configuration.rules)?;
            let (source, calendars) = demo_history::open_cached(self.demo_tracker())?;
            return Ok(App::builder(source).with_rules(rules).with_calendars(calendars));
        }
        let flag = self.screenshots_dir.as_ref().map(|folder| ConfiguredFolder::new(folder, FoundBy::Flag));
        let configured = configuration.screenshots_dir.take();
        let (rules, calendars) =
            (std::mem::take(&mut configuration.rules), std::mem::take(&mut configuration.calendars));
        let folder = flag.or_else(|| configured.map(|folder| ConfiguredFolder::new(&folder, FoundBy::Configuration)));
        let selected = self.path(&configuration);
        if let Some((export, found_by)) = selected.filter(|(folder, _)| is_export(folder)) {
            let source = ExportHistory::new(&export, found_by);
            // The rows of an export contain the results of the rules that were active during the export. They don't
            // contain the text that rules read, so today's rules can't be applied.
            let rules = source.rules();
            let builder = App::builder(Arc::new(source)).with_rules(rules).with_calendars(calendars);
            return Ok(builder.with_screenshots_folder(folder));
        }
        let source = configuration.history(self.data_dir.as_deref(), &self.trackers(&configuration))?;
        Ok(App::builder(source).with_rules(rules).with_calendars(calendars).with_screenshots_folder(folder))
    }

    /// Returns the history in the folder that the user set, if the folder is an export or can become one.
    pub(super) fn possible_export(&self) -> anyhow::Result<Option<ExportHistory>> {
        if self.demo {
            return Ok(None);
        }
        let selected = self.path(&Configuration::read()?);
        Ok(selected.map(|(folder, found_by)| ExportHistory::new(&folder, found_by)))
    }

    /// Returns the start of local days and weeks from the configuration. If the history is an export, its days start as
    /// in the export. The demo uses the default.
    ///
    /// # Errors
    /// Fails if the configuration is invalid.
    pub(super) fn local_days(&self) -> anyhow::Result<LocalDays> {
        if self.demo {
            return Ok(LocalDays::default());
        }
        let configuration = Configuration::read()?;
        let days = configuration.local_days();
        let export = self.path(&configuration).filter(|(folder, _)| is_export(folder));
        let day_start = export.and_then(|(folder, found_by)| ExportHistory::new(&folder, found_by).day_start());
        Ok(LocalDays { day_start: day_start.unwrap_or(days.day_start), ..days })
    }

    /// Returns the path of the history that the user selected, and the setting that the path comes from.
    fn path(&self, configuration: &Configuration) -> Option<(PathBuf, FoundBy)> {
        configuration.history_path(self.data_dir.as_deref(), self.trackers(configuration).tracker)
    }

    /// Returns the settings of trackers from the configuration and the command line.
    fn trackers(&self, configuration: &Configuration) -> TrackerSettings {
        TrackerSettings { for_others: self.for_others, ..configuration.trackers(self.source) }
    }

    /// Returns the categories of ActivityWatch's settings, or `None` if the user never changed them.
    pub(super) fn activitywatch_categories(&self) -> anyhow::Result<Option<Vec<Category>>> {
        let configuration = Configuration::read()?;
        let path = if self.demo {
            Some((demo_history::ensure_folder(TrackerName::ActivityWatch)?, FoundBy::Demo))
        } else {
            configuration.history_path(self.data_dir.as_deref(), Some(TrackerName::ActivityWatch))
        };
        let folders = user_folders().context("cannot find ActivityWatch: this user has no home folder")?;
        let source = self.trackers(&configuration).activitywatch(path, &folders)?;
        Ok(source
            .categories(&[&folders.settings, &folders.local_data])
            .map_err(engine::Error::from)
            .map_err(Error::from)?)
    }

    /// Returns the tracker in whose format sample data is written.
    pub(super) fn demo_tracker(&self) -> TrackerName {
        self.source.unwrap_or(TrackerName::ManicTime)
    }

    /// Returns the histories in the default folders of trackers, except the history at `read`. Returns an empty list if
    /// the user set the path of the history.
    pub(super) fn other_histories(&self, read: &Path) -> anyhow::Result<Vec<OtherHistory>> {
        let configuration = Configuration::read()?;
        if self.demo || self.path(&configuration).is_some() {
            return Ok(Vec::new());
        }
        let trackers = self.trackers(&configuration);
        Ok(user_folders().map(|folders| trackers.other_histories(&folders, read)).unwrap_or_default())
    }

    /// Returns the default day: today. For the demo, returns the last day with several hours of work.
    pub(super) fn default_day(&self) -> NaiveDate {
        if self.demo { demo_history::plan().showcase() } else { local_today() }
    }

    /// Builds the app over this history, with its notes.
    pub(super) fn app(&self) -> anyhow::Result<App> {
        Ok(self.app_builder()?.build()?)
    }

    /// Returns the options of the app over this history, with its notes. If the settings of the notes are invalid, the
    /// app doesn't include notes. Only `serve` reports the invalid settings.
    pub(super) fn app_builder(&self) -> anyhow::Result<AppBuilder> {
        Ok(self.app_builder_without_notes()?.with_notes(self.notes_setup().ok()))
    }

    /// Returns the settings of the timesheet. With `--demo`, returns the settings of the sample timesheet.
    pub(super) fn timesheet_setup(&self) -> anyhow::Result<Setup> {
        self.timesheet_setup_if_any()?.context("cannot open the timesheet: this user has no home folder")
    }

    /// Returns the timesheet service over the history of `app`, for a command that only reads.
    pub(super) fn timesheet_service(&self, app: &App) -> anyhow::Result<TimesheetService> {
        let service = app.timesheet();
        Ok(self.timesheet_setup_if_any()?.map_or_else(|| service.clone(), |setup| service.with_setup(setup)))
    }

    /// Returns the settings of the timesheet. Returns `None` without a home directory.
    ///
    /// # Errors
    /// Fails if the configuration is invalid, or if the timesheet file is inside the tracker's folders, directly or
    /// through a link.
    pub(super) fn timesheet_setup_if_any(&self) -> anyhow::Result<Option<Setup>> {
        let Some(setup) = Configuration::read()?.timesheet else { return Ok(None) };
        let setup = if self.demo { demo_history::timesheet(setup)? } else { setup };
        let outside = OffLimits::new(self.own_folders()).check(setup.file());
        outside.map_err(|error| file_error(setup.file(), error)).context("cannot use the timesheet")?;
        Ok(Some(setup))
    }

    /// Returns the settings of the notes. With `--demo`, returns the settings of the sample notes.
    pub(super) fn notes_setup(&self) -> anyhow::Result<notes::Setup> {
        let setup = Configuration::read()?.notes()?;
        if self.demo { demo_history::notes(setup, self.demo_tracker()) } else { Ok(setup) }
    }

    /// Returns the tracker's own folders for a command that doesn't read a history. They include the folders of the
    /// history that the arguments select, and the folders of this user's own history.
    pub(super) fn own_folders(&self) -> Vec<PathBuf> {
        // The demo's folders are left out, because they would have to be generated first.
        let named = (!self.demo).then_some(self);
        // The histories of all trackers are protected, even those of a tracker that the user didn't choose.
        let configured = TrackerName::ALL.map(|tracker| Self { source: Some(tracker), ..Self::default() });
        let histories = named.into_iter().chain(&configured);
        let builders = histories.filter_map(|history| history.app_builder_without_notes().ok());
        builders.flat_map(|builder| builder.own_folders()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_options_select_the_same_history() {
        let options = |arguments: HistoryArguments| arguments.source_options();
        assert_eq!(options(HistoryArguments::default()), "");
        let tracker = Some(TrackerName::ActivityWatch);
        let demo = HistoryArguments { demo: true, source: tracker, ..HistoryArguments::default() };
        assert_eq!(options(demo), "--demo --source activitywatch");
        let backup = HistoryArguments {
            data_dir: Some("backup/2025".into()),
            screenshots_dir: Some("my shots".into()),
            ..HistoryArguments::default()
        };
        let quote = if cfg!(windows) { '"' } else { '\'' };
        assert_eq!(options(backup), format!("--data-dir backup/2025 --screenshots-dir {quote}my shots{quote}"));
    }

    #[cfg(unix)]
    #[test]
    fn a_quote_in_a_path_stays_part_of_the_argument() {
        assert_eq!(quote(Path::new("it's here")), r"'it'\''s here'");
    }
}
