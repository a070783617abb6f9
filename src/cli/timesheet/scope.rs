//! The days that a timesheet command covers, and the app that reads their hours.

use dayledger_timesheet::{Day, Week};

use super::failure::WEEKS;
use crate::App;
use crate::cli::history::HistoryArguments;
use crate::request::{DateRange, Error};

/// Builds the app with the timesheet of the configuration or of `--demo`.
pub(super) fn app(history: &HistoryArguments) -> anyhow::Result<App> {
    Ok(history.app_builder()?.with_timesheet(history.timesheet_setup()?).build()?)
}

/// Parses the days from the command's words. Without words, returns the week of the default day.
pub(super) fn days(words: &[String], history: &HistoryArguments) -> Result<DateRange, Error> {
    if words.is_empty() {
        let present = history.default_day();
        return DateRange::parse(&present.format("%G-W%V").to_string(), None, ("WEEK", "WEEK"));
    }
    DateRange::parse(&words.join(" "), None, ("WEEK", "WEEK")).map_err(|mut error| {
        WEEKS.clone_into(&mut error.hint);
        error
    })
}

/// Parses exactly one week from the command's words.
pub(super) fn week(words: &[String], history: &HistoryArguments) -> Result<Week, Error> {
    let range = days(words, history)?;
    let week = Day::try_from(range.start().date()).map(Week::from_day).ok();
    let is_whole = |week: &Week| DateRange::parse(&week.to_string(), None, ("", "")).is_ok_and(|whole| whole == range);
    week.filter(is_whole).ok_or_else(|| {
        Error::for_command(format!("invalid week: `{}` is not exactly one week", words.join(" ")), WEEKS)
    })
}
