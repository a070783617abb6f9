//! `dayledger doctor`: shows the location and content of the history, and a hint for each kind of missing data. Also
//! shows the calendars, the notes, and the privacy settings of `serve` from the configuration file. The output contains
//! the user's privacy patterns, because only the user sees it.

use std::path::PathBuf;
use std::process::ExitCode;

use chrono::Local;
use dayledger_terminal::output::{self, Output};
use serde_json::json;

use super::OUTPUT;
use super::config::Configuration;
use super::history::HistoryArguments;
use crate::App;
use crate::activity::{Health, HealthRequest, UnavailableRequest};
use crate::calendar::ZoneDataVersion;
use crate::notes::{NotesState, StateRequest};
use crate::report;
use crate::trackers::OtherHistory;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger doctor\n\
    \x20 dayledger --data-dir backup doctor --json")]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::read()?;
    let file = Configuration::file();
    let file = file.as_deref().map(|file| (file, file.is_file()));
    let told_file = || json!(file.map(|(file, is_there)| json!({ "path": file, "isThere": is_there })));
    let app = history.app()?;
    let calls = app.history().rules().count_calls();
    let withheld = configuration.serve.privacy_patterns();
    let calendars = app.calendars().clone();
    let calendars = tokio::task::spawn_blocking(move || calendars.states()).await?;
    let notes = notes(history, &app).await;
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
            answer["serve"] = withheld.into_iter().map(|(setting, values)| (setting, json!(values))).collect();
            answer["calendars"] = json!(calendars);
            answer["timeZones"] = json!(zones);
            answer["timeZones"]["outdated"] = json!(are_outdated);
            answer["notes"] = json!(notes);
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
                if calls {
                    report::write_counted_calls(out, style)?;
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

/// Returns the histories on this computer other than the one that dayledger reads.
async fn other_histories(history: &HistoryArguments, health: &Health) -> anyhow::Result<Vec<OtherHistory>> {
    let (history, read) = (history.clone(), PathBuf::from(&health.database));
    tokio::task::spawn_blocking(move || history.other_histories(&read)).await?
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
