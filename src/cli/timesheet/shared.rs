//! Functions that several timesheet commands share. They parse the days of a command, build the app, ask the user
//! questions, and create errors.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use chrono::Days;
use dayledger_core::local_days::LocalDays;
use dayledger_terminal::output;
use dayledger_timesheet::{Hours, Week};

use crate::App;
use crate::cli::history::{HistoryArguments, quote};
use crate::request::{DateRange, Error, full_message, start_and_end};
use crate::timesheet::{CallSession, SuggestRequest, Suggestions, exact_week};

/// The hint that explains how to pass a week.
const WEEKS: &str = "pass a week such as `2025-W43`, `this week` or `last week`";

/// Builds the app with the configured timesheet, or with the sample timesheet of `--demo`.
pub(super) fn app(history: &HistoryArguments) -> anyhow::Result<App> {
    Ok(history.app_builder()?.with_timesheet(history.timesheet_setup()?).build()?)
}

/// Parses the days from the command's words: a period, or the first and the last day. Without words, returns the week of
/// the default day.
pub(super) fn days(words: &[String], history: &HistoryArguments) -> Result<DateRange, Error> {
    let fields = ("WEEK", "WEEK");
    if words.is_empty() {
        let present = history.default_day();
        let first = LocalDays::current().first_of_week(present).unwrap_or(present);
        let last = first.checked_add_days(Days::new(6)).unwrap_or(present);
        return DateRange::parse_inclusive(&first.to_string(), &*last.to_string(), fields);
    }
    let (start, end) = start_and_end(&words.iter().map(String::as_str).collect::<Vec<_>>());
    DateRange::parse_inclusive(&start, end.as_deref(), fields).map_err(|mut error| {
        WEEKS.clone_into(&mut error.hint);
        error
    })
}

/// Parses exactly one week from the command's words.
pub(super) fn week(words: &[String], history: &HistoryArguments) -> Result<Week, Error> {
    exact_week(days(words, history)?).ok_or_else(|| {
        Error::for_command(format!("invalid week: `{}` is not exactly one week", words.join(" ")), WEEKS)
    })
}

/// The rounding of a draft.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct RoundingArguments {
    /// Round hours to multiples of this, from 0.01 to 24 [default: 0.25]
    #[arg(long, value_name = "HOURS")]
    pub(super) round_to: Option<Hours>,
}

/// Drafts the hours of these days, and stores the draft.
pub(super) async fn draft_days(days: DateRange, rounding: RoundingArguments, app: &App) -> Result<Suggestions, Error> {
    app.run(SuggestRequest::new(days, rounding.round_to, None, CallSession::new())?).await
}

/// Whether a user at a terminal can answer questions.
pub(super) fn is_interactive() -> bool {
    io::stdin().is_terminal()
}

/// Asks the user on stderr. An answer other than yes means no. The end of the input also means no.
pub(super) fn confirm(question: &str) -> io::Result<bool> {
    output::write_stderr(|out, _| {
        write!(out, "{question} [y/N] ")?;
        out.flush()
    });
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Returns the hint that explains how to continue with an edited text.
pub(super) fn resume_hint(text: &Path) -> String {
    format!("continue with `dayledger timesheet edit --resume {}`", quote(text))
}

/// Returns the error for a draft that isn't logged. `why` is the start of the message. If the user's text was kept in
/// the file `text`, the error explains how to continue with the file. Otherwise the hint of the error is `otherwise`.
pub(super) fn not_logged(why: &str, text: Option<&Path>, otherwise: &str) -> Error {
    match text {
        Some(text) => {
            let message = format!("{why}nothing was logged; your text is in `{}`", text.display());
            Error::for_command(message, resume_hint(text))
        }
        None => Error::for_command(format!("{why}nothing was logged"), otherwise),
    }
}

/// Returns the error for a file that a command can't read or write. `what` is the verb in the message, such as "read".
pub(super) fn file_error(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::for_command(format!("cannot {what} `{}`: {}", path.display(), full_message(error)), "")
}
