//! `dayledger timesheet push`: pushes entries to another tracker.

use clap::ValueEnum;
use dayledger_terminal::output::{self, Output};
use dayledger_timesheet::push::{ApiToken, PushTracker, SystemClock};

use super::shared::{app, confirm, days, file_error, is_interactive};
use crate::cli::config::push_token;
use crate::cli::history::HistoryArguments;
use crate::files::read_text;
use crate::report;
use crate::request::Error;

/// The size limit of a file that contains a token, in bytes.
const MAX_BYTES: u64 = 64 << 10;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Tracker that gets the entries
    tracker: Tracker,
    /// Week such as `2025-W43` or `last week`, a date or a month [default: this week]
    week: Vec<String>,
    /// Push without asking
    #[arg(long, short)]
    yes: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Tracker {
    /// Harvest
    Harvest,
    /// Kimai
    Kimai,
}

impl From<Tracker> for PushTracker {
    fn from(tracker: Tracker) -> Self {
        match tracker {
            Tracker::Harvest => Self::Harvest,
            Tracker::Kimai => Self::Kimai,
        }
    }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let (tracker, range) = (arguments.tracker.into(), days(&arguments.week, history)?);
    let app = app(history)?;
    if !arguments.yes {
        let plan = app.timesheet().plan_push(range, tracker).await?;
        Output::new().write_styled(|out, style| report::write_push_plan(out, tracker, &plan, style))?;
        if plan.new.is_empty() {
            return Ok(());
        }
        if !is_interactive() {
            output::write_stderr(|out, _| writeln!(out, "nothing was pushed: pass `--yes` to push these rows"));
            return Ok(());
        }
        if !confirm(&format!("Push {} to {tracker}?", report::pluralize(plan.new.len(), "row")))? {
            output::write_stderr(|out, _| writeln!(out, "cancelled: nothing was pushed"));
            return Ok(());
        }
    }
    let clock = SystemClock {
        report: |wait, why| {
            // A shorter wait than a second is shown as a second.
            let seconds = usize::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(usize::MAX);
            let wait = report::pluralize(seconds, "second");
            output::write_stderr(|out, _| writeln!(out, "waiting {wait}: {why}"));
        },
    };
    let pushed = app.timesheet().push(range, tracker, token(tracker, history)?, &clock).await?;
    Output::new().write_styled(|out, style| report::write_pushed(out, tracker, &pushed, style))?;
    match pushed.error {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Returns the token from the environment, otherwise from the file that the configuration sets.
fn token(tracker: PushTracker, history: &HistoryArguments) -> anyhow::Result<ApiToken> {
    let (variable, key) = (tracker.token_variable(), tracker.key());
    if let Some(text) = push_token(tracker) {
        return Ok(ApiToken::new(tracker, &text, &format!("`{variable}`"))?);
    }
    let setup = history.timesheet_setup()?;
    let Some(file) = setup.token_file(tracker) else {
        let message = format!("cannot push to {tracker}: its token is not set");
        let hint = format!("set the environment variable `{variable}`, or `token_file` in `[timesheet.push.{key}]`");
        return Err(Error::for_command(message, hint).into());
    };
    let text = read_text(file, MAX_BYTES).map_err(|error| file_error("read", file, &error.into()))?;
    Ok(ApiToken::new(tracker, &text.unwrap_or_default(), &format!("`{}`", file.display()))?)
}
