//! The sample history of `--demo`, written in the format of one tracker.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{Local, NaiveTime, Timelike};
use dayledger_fixtures::demo::{self, CALENDAR, Format, HOME, NOTES, Plan, Summary, clients};
use dayledger_terminal::output;

use super::config::{self, Configuration};
use crate::calendar::{Calendar, Calendars};
use crate::notes;
use crate::rules::Rules;
use crate::source::{FoundBy, HistorySource};
use crate::timesheet::Setup;
use crate::trackers::{ActivityWatchConfig, TrackerName, TrackerSettings};

/// Opens the demo history in the cache, with its calendar. The history is generated on first use, and again in each new
/// hour.
///
/// The history is generated in a temporary folder, which is then renamed. Therefore neither a crash nor a second
/// process leaves an incomplete history. The process that generates the history holds a lock, and the lock ends with
/// the process. An incomplete folder without a lock therefore comes from a process that was killed. On a file system
/// without locks, several processes may generate the history simultaneously. In that case, incomplete folders are
/// removed only on a later day.
pub(super) fn open_cached(tracker: TrackerName) -> anyhow::Result<(Arc<dyn HistorySource>, Calendars)> {
    let dir = ensure_folder(tracker)?;
    // The user's own settings are not used, because they describe other devices and another time zone.
    let activitywatch = ActivityWatchConfig::default().with_zone(HOME);
    let trackers = TrackerSettings { tracker: Some(tracker), activitywatch, for_others: false };
    // The computer can be in any time zone, but the calendar uses the time zone of the fictional user.
    let calendars = Calendars::new(vec![Calendar::from_path(&dir.join(CALENDAR))?]).with_zone(HOME);
    Ok((trackers.history_at(dir, FoundBy::Demo)?, calendars))
}

/// Returns the timesheet of the fictional user, with a project for each client. The timesheet stays in the cache when
/// the history is generated again.
pub(super) fn timesheet(setup: Setup) -> anyhow::Result<Setup> {
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let projects = clients().into_iter().map(|(client, work)| (client.to_owned(), names(work)));
    Ok(setup.demo(&config::cache_dir()?, projects))
}

/// Returns the path of the file to which `--demo rules --add` adds rules. The file is in the cache, like the demo's
/// timesheet, so trying out rules never changes the user's configuration.
pub(super) fn rules_file() -> anyhow::Result<PathBuf> {
    Ok(config::cache_dir()?.join("demo.toml"))
}

/// Returns the rules of the user's configuration, followed by the rules that were added to the demo.
pub(super) fn rules(configured: &Rules) -> anyhow::Result<Rules> {
    let added = Configuration::read_at(&rules_file()?)?.rules;
    let all = configured.rules().iter().chain(added.rules()).cloned().collect();
    Ok(Rules::new(all)?.with_calls_counted(configured.count_calls()))
}

/// Returns the notes of the fictional user. The notes are generated together with the history.
pub(super) fn notes(setup: notes::Setup, tracker: TrackerName) -> anyhow::Result<notes::Setup> {
    Ok(setup.demo(ensure_folder(tracker)?.join(NOTES), HOME))
}

/// Returns the folder of the newest demo history in the cache, if there is one. The history can be older than an hour.
pub(super) fn newest_cached(tracker: TrackerName) -> Option<PathBuf> {
    let folders = fs::read_dir(demos_folder(tracker).ok()?).ok()?.flatten().map(|entry| entry.path());
    // The names of incomplete folders have an extension.
    let is_complete =
        |folder: &PathBuf| folder.extension().is_none() && folder.join(format(tracker).file_name()).is_file();
    folders.filter(is_complete).max()
}

/// Returns the folder of the tracker's demo histories.
fn demos_folder(tracker: TrackerName) -> anyhow::Result<PathBuf> {
    Ok(config::cache_dir()?.join(match tracker {
        TrackerName::ManicTime => "demo",
        TrackerName::ActivityWatch => "demo-activitywatch",
    }))
}

/// Returns the folder of the demo history, and generates the history if needed.
pub(super) fn ensure_folder(tracker: TrackerName) -> anyhow::Result<PathBuf> {
    let demos = demos_folder(tracker)?;
    let plan = Plan { format: format(tracker), ..plan() };
    let today = plan.until.to_string();
    let name = format!("{today}-{:02}", plan.now.map_or(24, |now| now.hour()));
    let dir = demos.join(&name);
    let is_made = || dir.join(plan.format.file_name()).is_file();
    if !is_made() {
        fs::create_dir_all(&demos)?;
        let lock =
            File::options().read(true).write(true).create(true).truncate(false).open(demos.with_extension("lock"))?;
        let is_alone = lock.lock().is_ok();
        // Another process may have generated the history while this process waited for the lock.
        if is_made() {
            return Ok(dir);
        }
        for old in fs::read_dir(&demos)?.flatten() {
            let old_name = old.file_name().to_string_lossy().into_owned();
            // Histories of today are kept. A server may still read an older history of today. Another process may be
            // generating a history in a temporary folder, whose name is longer.
            let is_todays = old_name.starts_with(&today) && !(is_alone && old_name.contains('.'));
            if !is_todays {
                // If another process still reads the history, Windows refuses to remove the folder. A later run then
                // removes it.
                let _ = fs::remove_dir_all(old.path());
            }
        }
        // The history gets its final name only when it is complete, because a folder with a final name counts as
        // complete.
        let made = tempfile::Builder::new().prefix(&format!("{name}.")).tempdir_in(&demos)?;
        write_history(made.path(), &plan, "generating sample data {bar:30} {percent}%", &AtomicBool::new(false))?;
        match fs::rename(made.path(), &dir) {
            Ok(()) => drop(made.keep()),
            // Another process has generated the same history since the check above.
            Err(_) if is_made() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(dir)
}

/// Returns the format of a tracker's sample history.
pub(super) const fn format(tracker: TrackerName) -> Format {
    match tracker {
        TrackerName::ManicTime => Format::ManicTime,
        TrackerName::ActivityWatch => Format::ActivityWatch,
    }
}

/// Writes a sample history into `dir` until it is complete or `stop` is set. On a terminal, shows a progress bar in the
/// format of `template`.
pub(super) fn write_history(
    dir: &Path,
    plan: &Plan,
    template: &str,
    stop: &AtomicBool,
) -> Result<Summary, dayledger_fixtures::Error> {
    let bar = output::progress_bar(template);
    let summary = demo::write_with_progress(dir, plan, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    summary
}

/// Returns the default plan of a sample history. The history ends at the last full hour of today. It therefore contains
/// no future times, and the cached history is generated at most once an hour. [`Plan::showcase`] returns the most
/// useful day. On weekends and before eleven, this is the last working day. Otherwise it is today.
pub(super) fn plan() -> Plan {
    let now = Local::now().naive_local();
    Plan {
        now: NaiveTime::from_hms_opt(now.hour(), 0, 0),
        screenshots: true,
        calendar: true,
        notes: true,
        ..Plan::new(now.date())
    }
}
