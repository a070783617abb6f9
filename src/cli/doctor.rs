//! `dayledger doctor`: shows the location and content of the history, and a hint for each kind of missing data. Also
//! shows the calendars, the notes, and the privacy settings of `serve` from the configuration file. The output contains
//! the user's privacy patterns, because only the user sees it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use chrono::Local;
use dayledger_core::local_days::{LocalDays, weekday_name};
use dayledger_terminal::output::{self, Output};
use serde_json::json;

use super::OUTPUT;
use super::config::Configuration;
use super::config_file::{self, ConfigFile};
use super::history::HistoryArguments;
use super::sql::open_history;
use crate::App;
use crate::activity::{Health, HealthRequest, UnavailableRequest};
use crate::calendar::ZoneDataVersion;
use crate::engine;
use crate::files::OffLimits;
use crate::notes::{NotesState, StateRequest};
use crate::report;
use crate::request::{Error, full_message};
use crate::source::TrackerDays;
use crate::trackers::OtherHistory;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger doctor\n\
    \x20 dayledger --data-dir backup doctor --json\n\
    \x20 dayledger doctor --adopt-days")]
pub(super) struct Arguments {
    /// Set the tracker's start of days and weeks in the configuration file, if the history contains it
    #[arg(long, conflicts_with = "json")]
    adopt_days: bool,
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    if arguments.adopt_days {
        adopt_days(history).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let configuration = Configuration::read()?;
    let file = Configuration::file();
    let file = file.as_deref().map(|file| (file, file.is_file()));
    let told_file = || json!(file.map(|(file, is_there)| json!({ "path": file, "isThere": is_there })));
    let app = history.app()?;
    let calls = app.history().rules().count_calls();
    let days = LocalDays::current();
    let withheld = configuration.serve.privacy_patterns();
    let calendars = app.calendars().clone();
    let calendars = tokio::task::spawn_blocking(move || calendars.states()).await?;
    let notes = notes(history, &app).await;
    let (questions, question_problems) = questions(&configuration, history).await?;
    let (zones, now) = (ZoneDataVersion::current(), Local::now().naive_local());
    let are_outdated = zones.is_outdated(now.date());
    match app.run(HealthRequest).await {
        Ok(health) if arguments.json => {
            let mut answer = serde_json::to_value(&health)?;
            let others = other_histories(history, &health).await?;
            let other = |other: &OtherHistory| {
                let database = other.database.display().to_string();
                json!({ "tracker": other.tracker, "database": database, "period": other.period() })
            };
            answer["otherHistories"] = others.iter().map(other).collect();
            answer["usable"] = json!(true);
            answer["configuration"] = told_file();
            answer["time"] = json!({ "calls": calls });
            if days != LocalDays::default() {
                answer["time"]["dayStart"] = json!(days.day_start);
                answer["time"]["weekStart"] = json!(days.week_start);
            }
            answer["serve"] = withheld.into_iter().map(|(setting, values)| (setting, json!(values))).collect();
            answer["calendars"] = json!(calendars);
            answer["timeZones"] = json!(zones);
            answer["timeZones"]["outdated"] = json!(are_outdated);
            answer["notes"] = json!(notes);
            answer["questions"] = json!({ "count": questions, "problems": question_problems });
            Output::new().write_json(&answer)?;
            Ok(ExitCode::SUCCESS)
        }
        Ok(health) => {
            let others = other_histories(history, &health).await?;
            let others: Vec<_> = others.iter().map(|other| (other.label(), &*other.database, other.period())).collect();
            Output::new().write_styled(|out, style| {
                report::write_health(out, &health, now, style)?;
                report::write_other_histories(out, &others, style)?;
                report::write_configuration(out, file, style)?;
                report::write_calendars(out, &calendars, style)?;
                report::write_zone_data(out, zones, are_outdated, style)?;
                report::write_notes_state(out, &notes, style)?;
                report::write_questions(out, questions, &question_problems, style)?;
                if calls {
                    report::write_counted_calls(out, style)?;
                }
                if days != LocalDays::default() {
                    report::write_local_days(out, days, style)?;
                }
                report::write_privacy_settings(out, &withheld, style)
            })?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) if arguments.json => {
            let mut answer = serde_json::to_value(app.run(UnavailableRequest(error.clone())).await?)?;
            answer["usable"] = json!(false);
            answer["configuration"] = told_file();
            answer["notes"] = json!(notes);
            Output::new().write_json(&answer)?;
            Ok(ExitCode::FAILURE)
        }
        Err(error) => {
            // Notes can be set up without a history, so their state is shown before the error.
            Output::new().write_styled(|out, style| report::write_notes_state(out, &notes, style))?;
            output::print_error(&error.message, Some(&error.hint));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Writes the tracker's start of days and weeks to the configuration file.
async fn adopt_days(history: &HistoryArguments) -> anyhow::Result<()> {
    let source = history.app_builder_without_notes()?.source;
    let found = tokio::task::spawn_blocking(move || source.tracker_days()).await?;
    let found = found.map_err(engine::Error::from).map_err(Error::from)?;
    let TrackerDays { day_start, unsupported_start, week_start } = found;
    if let Some(start) = unsupported_start {
        let message = format!("cannot adopt the tracker's days: a start of days at `{start}` is not supported");
        let hint =
            "choose a start from -12:00 to 12:00 and set it as `day_start` in `[time]` of the configuration file";
        return Err(Error::for_command(message, hint).into());
    }
    let day_start = day_start.map(|start| ("day_start", start.to_string()));
    let week_start = week_start.map(|weekday| ("week_start", weekday_name(weekday).to_lowercase()));
    let settings: Vec<_> = day_start.into_iter().chain(week_start).collect();
    if settings.is_empty() {
        return Err(Error::for_command(
            "cannot adopt the tracker's days: this history does not contain when its days start",
            "set `day_start` in `[time]` of the configuration file, such as `day_start = \"04:00\"`",
        )
        .into());
    }
    let no_home = || Error::for_command("cannot find the configuration file: this user has no home folder", "set HOME");
    let path = Configuration::file().ok_or_else(no_home)?;
    let unchanged = |error: config_file::Error| error.for_terminal("dayledger doctor");
    let file = ConfigFile::open(path.clone()).map_err(unchanged)?;
    let text = settings.iter().fold(file.text.clone().unwrap_or_default(), |text, (key, value)| {
        config_file::with_setting(&text, "time", &format!("{key} = \"{value}\""))
    });
    Configuration::parse(&text, &path).map_err(|error| {
        let message = format!("cannot set the days in `{}`: {}", path.display(), full_message(&*error));
        Error::for_command(message, "set `day_start` and `week_start` in its table `[time]` by hand")
    })?;
    let replaced = file.replace(&text, &OffLimits::new(history.own_folders()));
    replaced.map_err(unchanged).context("cannot set the days")?;
    Output::new()
        .write_styled(|out, _| settings.iter().try_for_each(|(key, value)| writeln!(out, "{key} = \"{value}\"")))?;
    output::write_stderr(|out, _| writeln!(out, "set in `{}`", path.display()));
    Ok(())
}

/// Returns the histories on this computer other than the one that dayledger reads.
async fn other_histories(history: &HistoryArguments, health: &Health) -> anyhow::Result<Vec<OtherHistory>> {
    let (history, read) = (history.clone(), PathBuf::from(&health.database));
    tokio::task::spawn_blocking(move || history.other_histories(&read)).await?
}

/// Returns the number of saved questions, and the problems of those that can't be asked.
async fn questions(configuration: &Configuration, history: &HistoryArguments) -> anyhow::Result<(usize, Vec<String>)> {
    let questions = match configuration.questions() {
        Ok(questions) => questions,
        Err(error) => return Ok((0, vec![error.to_string()])),
    };
    let mut problems = Vec::new();
    let questions = questions.as_slice();
    if !questions.is_empty() {
        // `ask` uses the same tables.
        let engine = open_history(history)?.engine;
        for question in questions {
            let checked = engine.check(question.example()).await;
            if let Some(error) = checked.err().and_then(|error| question.explain_example(error.into())) {
                problems.push(format!("{}; {}", error.message, error.hint));
            }
        }
    }
    Ok((questions.len(), problems))
}

/// Returns the state of the notes, or the error in their settings.
async fn notes(history: &HistoryArguments, app: &App) -> NotesState {
    let problem = match history.notes_setup() {
        Ok(_) => match app.run(StateRequest).await {
            Ok(state) => return state,
            Err(error) => error.message.clone(),
        },
        Err(error) => error.to_string(),
    };
    NotesState { problems: vec![problem], ..NotesState::default() }
}
