//! `dayledger demo`: writes a sample history in a tracker's own format.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use dayledger_fixtures::Error;
use dayledger_fixtures::demo::Plan;
use dayledger_terminal::Interrupts;
use dayledger_terminal::destination::file_error;
use dayledger_terminal::output::Output;

use super::demo_history;
use super::history::HistoryArguments;
use crate::files::{OffLimits, make_folder};
use crate::request::parse_date;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger demo history --days 365 --seed 7\n\
    \x20 dayledger demo history --source activitywatch")]
pub(super) struct Arguments {
    /// Folder to write the history into [default: manictime-demo, or activitywatch-demo with `--source activitywatch`]
    dir: Option<PathBuf>,
    /// Last local day, such as `2025-01-15` [default: today, up to the last full hour]
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Number of days [default: 42]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    days: Option<u32>,
    /// Approximate number of activities per day, over all timelines [default: 550]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    activities_per_day: Option<u32>,
    /// Seed of the random numbers: the same seed generates the same history
    #[arg(long)]
    seed: Option<u64>,
    /// Leave out the screenshots
    #[arg(long)]
    no_screenshots: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let tracker = history.demo_tracker();
    let mut plan = Plan { format: demo_history::format(tracker), ..demo_history::plan() };
    let dir = arguments.dir.clone().unwrap_or_else(|| format!("{}-demo", tracker.as_str()).into());
    if let Some(text) = &arguments.until {
        (plan.until, plan.now) = (parse_date(text, "--until")?, None);
    }
    plan.days = arguments.days.unwrap_or(plan.days);
    plan.activities_per_day = arguments.activities_per_day.unwrap_or(plan.activities_per_day);
    plan.seed = arguments.seed.unwrap_or(plan.seed);
    if arguments.no_screenshots {
        plan.screenshots = false;
    }
    let missing: Vec<_> = dir.ancestors().take_while(|folder| !folder.exists()).collect();
    make_folder(&dir, &OffLimits::new(history.own_folders())).map_err(|error| file_error(&dir, error))?;
    let folder = dir.clone();
    let write =
        move |stop: &AtomicBool| demo_history::write_history(&folder, &plan, "{bar:30} {percent}%, {eta} left", stop);
    let (written, _) = Interrupts::listen().await.run_stoppable(write).await?;
    if let Err(Error::Stopped) = written {
        // If a folder isn't empty, another program has written into it, so the folder is kept.
        let _ = missing.into_iter().try_for_each(fs::remove_dir);
    }
    let summary = written?;
    Output::new().write_styled(|out, _| {
        writeln!(
            out,
            "{} activities, {} screenshots and {} notes from {} to {} in {}",
            summary.activities,
            summary.screenshots,
            summary.notes,
            summary.first,
            summary.last,
            summary.path.display()
        )
    })
}
