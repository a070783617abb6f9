//! `dayledger timesheet start` and `stop`: start and stop a timer.

use dayledger_terminal::output::Output;
use dayledger_timesheet::Hours;

use super::shared::app;
use crate::cli::history::HistoryArguments;
use crate::report;
use crate::timesheet::StoppedTime;

#[derive(Debug, clap::Args)]
pub(super) struct StartArguments {
    /// Code, name or configured alias of the project
    project: String,
    /// Name of the task [default: the only task of the project]
    task: Option<String>,
    /// Description of the work
    #[arg(long, short, value_name = "TEXT")]
    description: Option<String>,
}

pub(super) async fn start(arguments: &StartArguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let description = arguments.description.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let app = app(history)?;
    let started =
        app.timesheet().start(&arguments.project, arguments.task.as_deref(), description.map(str::to_owned)).await?;
    Output::new().write_styled(|out, style| report::write_started(out, &started, style))
}

#[derive(Debug, clap::Args)]
pub(super) struct StopArguments {
    /// Log nothing
    #[arg(long)]
    discard: bool,
    /// Log this many hours from the start instead, if you forgot to stop the timer
    #[arg(long, value_name = "HOURS", conflicts_with = "discard")]
    hours: Option<Hours>,
}

pub(super) async fn stop(arguments: &StopArguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let time = match arguments.hours {
        Some(hours) => StoppedTime::Hours(hours),
        None if arguments.discard => StoppedTime::Discarded,
        None => StoppedTime::Logged,
    };
    let stopped = app(history)?.timesheet().stop(time).await?;
    Output::new().write_styled(|out, style| report::write_stopped(out, &stopped, style))
}
