//! `dayledger demo` and `--demo`: an invented history in ManicTime's own format.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::ExitCode;

use chrono::{Local, NaiveDate};

use super::destination::{self, own_folders};
use super::{HistoryArguments, Output, config, output};
use crate::files::{OffLimits, make_folder_at};
use crate::manictime::{DATABASE_FILE, FoundBy, Locator};
use crate::question::parse_date;
use dayledger_fixtures::demo::{Pictures, Plan, write};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Folder to write ManicTimeReports.db into
    #[arg(default_value = "manictime-demo")]
    dir: PathBuf,
    /// Last local day of the history (YYYY-MM-DD) [default: today]
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// How many days it covers [default: 42]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    days: Option<u32>,
    /// About how many activities a day has, over all timelines [default: 550]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    activities_per_day: Option<u32>,
    /// The same seed gives the same history
    #[arg(long)]
    seed: Option<u64>,
    /// Write no screenshots
    #[arg(long)]
    no_screenshots: bool,
}

pub(super) fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let until = arguments.until.as_deref().map(|text| parse_date(text, "--until")).transpose();
    let mut plan = Plan::new(until?.unwrap_or_else(today));
    plan.days = arguments.days.unwrap_or(plan.days);
    plan.activities_per_day = arguments.activities_per_day.unwrap_or(plan.activities_per_day);
    plan.seed = arguments.seed.unwrap_or(plan.seed);
    plan.pictures = (!arguments.no_screenshots).then(Pictures::default);
    make_folder_at(&arguments.dir, &OffLimits::new(own_folders(history)))
        .map_err(|error| destination::Error::of(&arguments.dir, error))?;
    let bar = output::progress_bar("{bar:30} {percent}%, {eta} left");
    let summary = write(&arguments.dir, &plan, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    Output::new().draw(|out, _| {
        writeln!(
            out,
            "{} activities and {} screenshots from {} to {} in {}",
            summary.activities,
            summary.pictures,
            summary.first,
            summary.last,
            summary.path.display()
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The demo history in the cache, made on first use and anew when the day has changed.
///
/// It is made in a folder of its own and appears at once: neither a crash nor a second process leaves a part of it. Who
/// makes it holds a lock, which ends with the process, so that what is unfinished then was left by a killed one. On a
/// file system without locks several make it at once, and what is left of today's goes another day.
pub(super) fn cached() -> anyhow::Result<Locator> {
    let demos = config::cache_dir()?.join("demo");
    let today = today();
    let dir = demos.join(today.to_string());
    let is_made = || dir.join(DATABASE_FILE).is_file();
    if !is_made() {
        fs::create_dir_all(&demos)?;
        let lock =
            File::options().read(true).write(true).create(true).truncate(false).open(demos.with_extension("lock"))?;
        let is_alone = lock.lock().is_ok();
        if is_made() {
            return Ok(Locator::named(dir, FoundBy::Demo));
        }
        for old in fs::read_dir(&demos)?.flatten() {
            // What begins with today's date is one that another process may be making.
            if is_alone || !old.file_name().to_string_lossy().starts_with(&today.to_string()) {
                // Somebody may still read an old one; it goes another day.
                let _ = fs::remove_dir_all(old.path());
            }
        }
        let made = tempfile::Builder::new().prefix(&format!("{today}.")).tempdir_in(&demos)?;
        write(made.path(), &Plan { pictures: Some(Pictures::default()), ..Plan::new(today) }, &mut |_, _| {})?;
        match fs::rename(made.path(), &dir) {
            Ok(()) => drop(made.keep()),
            // Another process was faster; both have written the same.
            Err(_) if is_made() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Locator::named(dir, FoundBy::Demo))
}

fn today() -> NaiveDate {
    Local::now().date_naive()
}
