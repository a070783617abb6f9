//! The invented history that `--demo` reads.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{Local, NaiveTime, Timelike};
use dayledger_fixtures::demo::{self, CALENDAR, HOME, NOTES, Plan, Summary, clients};

use super::config::Configuration;
use super::{config, output};
use crate::calendar::{Calendar, Calendars};
use crate::manictime::{DATABASE_FILE, Locator, Source};
use crate::notes;
use crate::rules::Rules;
use crate::source::FoundBy;
use crate::timesheet::Setup;

/// The demo history in the cache with its calendar and notes, made on first use and anew when an hour has passed.
///
/// It is made in a folder of its own and appears at once: neither a crash nor a second process leaves a part of it. Who
/// makes it holds a lock, which ends with the process, so that what is unfinished then was left by a killed one. On a
/// file system without locks several make it at once, and what is left of today's goes another day.
pub(super) fn open_cached() -> anyhow::Result<(Source, Calendars)> {
    let dir = ensure_folder()?;
    // Whoever looks at it may be anywhere; its clocks are those of the person in it.
    let calendars = Calendars::new(vec![Calendar::from_path(&dir.join(CALENDAR))?]).with_zone(HOME);
    Ok((Source::new(Locator::from_path(dir, FoundBy::Demo)), calendars))
}

/// The timesheet of the person in it, kept in the cache from one demo to the next, with a project for each client.
pub(super) fn timesheet(setup: Setup) -> anyhow::Result<Setup> {
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let projects = clients().into_iter().map(|(client, work)| (client.to_owned(), names(work)));
    Ok(setup.demo(&config::cache_dir()?, projects))
}

/// The file of rules that `--demo rules --add` adds to. It is kept in the cache like the demo's timesheet, so that trying
/// out rules never changes the user's configuration.
pub(super) fn rules_file() -> anyhow::Result<PathBuf> {
    Ok(config::cache_dir()?.join("demo.toml"))
}

/// The rules of the user's configuration, followed by those that were added to the demo.
pub(super) fn rules(configured: &Rules) -> anyhow::Result<Rules> {
    let added = Configuration::read_at(&rules_file()?)?.rules;
    let all = configured.rules().iter().chain(added.rules()).cloned().collect();
    Ok(Rules::new(all)?.with_calls_counted(configured.count_calls()))
}

/// The notes of the person in it, which last as long as it does.
pub(super) fn notes(setup: notes::Setup) -> anyhow::Result<notes::Setup> {
    Ok(setup.demo(ensure_folder()?.join(NOTES), HOME))
}

/// Its folder.
fn ensure_folder() -> anyhow::Result<PathBuf> {
    let demos = config::cache_dir()?.join("demo");
    let plan = plan();
    let today = plan.until.to_string();
    let name = format!("{today}-{:02}", plan.now.map_or(24, |now| now.hour()));
    let dir = demos.join(&name);
    let is_made = || dir.join(DATABASE_FILE).is_file();
    if !is_made() {
        fs::create_dir_all(&demos)?;
        let lock =
            File::options().read(true).write(true).create(true).truncate(false).open(demos.with_extension("lock"))?;
        let is_alone = lock.lock().is_ok();
        if is_made() {
            return Ok(dir);
        }
        for old in fs::read_dir(&demos)?.flatten() {
            let old_name = old.file_name().to_string_lossy().into_owned();
            // A server may still read one of an earlier hour, and another process may be making one under a longer name.
            let is_todays = old_name.starts_with(&today) && !(is_alone && old_name.contains('.'));
            if !is_todays {
                // Somebody may still read an old one; it goes another day.
                let _ = fs::remove_dir_all(old.path());
            }
        }
        let made = tempfile::Builder::new().prefix(&format!("{name}.")).tempdir_in(&demos)?;
        write_history(made.path(), &plan, "generating sample data {bar:30} {percent}%", &AtomicBool::new(false))?;
        match fs::rename(made.path(), &dir) {
            Ok(()) => drop(made.keep()),
            // Another process was faster; both have written the same.
            Err(_) if is_made() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(dir)
}

/// Writes an invented history into `dir` unless it is stopped, with a bar of that template where somebody sees it.
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

/// What an invented history is like unless something else is asked for: it ends at the last full hour of today, so that
/// nothing in it lies in the future, and the one in the cache is made anew once an hour at most. [`Plan::showcase`] tells
/// the day to look at first: today, or the last working day on weekends and before eleven.
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
