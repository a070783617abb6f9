//! `dayledger timesheet push`: pushes entries to another tracker.

use std::fmt::Display;
use std::io;

use clap::ValueEnum;
use dayledger_terminal::output::{self, Output};
use dayledger_timesheet::push::{ApiToken, PushTracker, SystemClock};

use super::shared::{app, confirm, days, is_interactive};
use crate::cli::config::push_token;
use crate::cli::history::HistoryArguments;
use crate::files::read_text;
use crate::report;
use crate::request::{Error, full_message};

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
    let (app, token) = (app(history)?, token(tracker, history)?);
    let clock = SystemClock {
        report: |wait, why| {
            // A shorter wait than a second is shown as a second.
            let seconds = usize::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(usize::MAX);
            let wait = report::pluralize(seconds, "second");
            output::write_stderr(|out, _| writeln!(out, "waiting {wait}: {why}"));
        },
    };
    if !arguments.yes {
        let plan = app.timesheet().plan_push(range, tracker, token.clone(), &clock).await?;
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
    let token = token.ok_or_else(|| missing_token(tracker))?;
    let pushed = app.timesheet().push(range, tracker, token, &clock).await?;
    Output::new().write_styled(|out, style| report::write_pushed(out, tracker, &pushed, style))?;
    match pushed.error {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Returns the token from the environment, otherwise from the file that the configuration sets. Returns `None` if
/// neither is set.
fn token(tracker: PushTracker, history: &HistoryArguments) -> anyhow::Result<Option<ApiToken>> {
    if let Some(text) = push_token(tracker) {
        return Ok(Some(ApiToken::new(tracker, &text, &format!("`{}`", tracker.token_variable()))?));
    }
    let setup = history.timesheet_setup()?;
    let Some(file) = setup.token_file(tracker) else { return Ok(None) };
    // Messages don't contain the path, because a user can set `token_file` to the token itself by mistake.
    let origin = format!("the file that `token_file` in `[timesheet.push.{}]` sets", tracker.key());
    let unreadable = |why: &dyn Display| {
        let message = format!("cannot push to {tracker}: cannot read {origin}: {why}");
        Error::for_command(message, "set `token_file` to the path of a file that contains the token")
    };
    let text = read_text(file, MAX_BYTES).map_err(|error| unreadable(&full_message(&io::Error::from(error))))?;
    let text = text.ok_or_else(|| unreadable(&"it does not exist"))?;
    Ok(Some(ApiToken::new(tracker, &text, &origin)?))
}

fn missing_token(tracker: PushTracker) -> Error {
    let (variable, key) = (tracker.token_variable(), tracker.key());
    let message = format!("cannot push to {tracker}: its token is not set");
    let hint = format!("set the environment variable `{variable}`, or `token_file` in `[timesheet.push.{key}]`");
    Error::for_command(message, hint)
}
