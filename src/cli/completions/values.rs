//! Lists the values of arguments: the fixed values of a choice, dates, toolsets, the devices, tags and projects of the
//! history, and the projects and tasks of the timesheet.

use std::collections::BTreeSet;
use std::ffi::OsString;

use anyhow::Context;
use clap::{Arg, ValueEnum, ValueHint};
use dayledger_terminal::program::option_value;
use dayledger_timesheet::Project;

use super::Candidate;
use crate::activity::{HistoryBoundsRequest, RecentTagsRequest, Role};
use crate::cli::config::Configuration;
use crate::cli::demo_history;
use crate::cli::history::HistoryArguments;
use crate::mcp::{Toolset, tool_names};
use crate::trackers::TrackerName;

/// The names in the help for arguments that accept a day.
const DAY_NAMES: [&str; 2] = ["DATE", "DAY"];
/// The names in the help for arguments that accept a day or a period.
const PERIOD_NAMES: [&str; 6] = ["START", "END", "WEEK", "DAYS", "PERIOD", "RANGE"];

const DAYS: [&str; 10] =
    ["today", "yesterday", "2 days ago", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const PERIODS: [&str; 12] = [
    "today",
    "yesterday",
    "this week",
    "last week",
    "this month",
    "last month",
    "last 7 days",
    "last 30 days",
    "this quarter",
    "last quarter",
    "this year",
    "last year",
];

/// The values of an argument.
pub(super) enum ValueList {
    Values(Vec<Candidate>),
    /// Dates, which can consist of several words.
    Dates(&'static [&'static str]),
    /// The names of files.
    Files,
}

/// Returns the values of `argument`. `given` are the values of the same kind before it: those of the option, or the
/// positional arguments of the command. `before` are all words of the command line before the value.
pub(super) fn find(argument: &Arg, given: &[&str], before: &[String]) -> ValueList {
    let fixed = argument.get_possible_values();
    if !fixed.is_empty() {
        let visible = fixed.iter().filter(|value| !value.is_hide_set());
        let help = |value: &clap::builder::PossibleValue| value.get_help().map(ToString::to_string).unwrap_or_default();
        return ValueList::Values(visible.map(|value| Candidate::new(value.get_name(), help(value))).collect());
    }
    if matches!(argument.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath) {
        return ValueList::Files;
    }
    let shown = argument.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match argument.get_id().as_str() {
        "toolsets" => ValueList::Values(values(Toolset::ALL.map(Toolset::as_str))),
        "tools" | "exclude_tools" => ValueList::Values(values(tools())),
        // If the history can't be read, a completion isn't the place to say so.
        "device" => ValueList::Values(values(HistoryNames::read(before).unwrap_or_default().devices)),
        "tag" => ValueList::Values(values(HistoryNames::read(before).unwrap_or_default().tags)),
        // The positional arguments of a timer are a project and a task of the timesheet.
        "project" if argument.is_positional() => ValueList::Values(timesheet_projects(before)),
        "task" if argument.is_positional() => {
            ValueList::Values(given.first().map(|project| timesheet_tasks(project, before)).unwrap_or_default())
        }
        "project" => ValueList::Values(values(HistoryNames::read(before).unwrap_or_default().projects)),
        _ if DAY_NAMES.contains(&shown) => ValueList::Dates(&DAYS),
        _ if PERIOD_NAMES.contains(&shown) => ValueList::Dates(&PERIODS),
        _ => ValueList::Values(Vec::new()),
    }
}

fn values(names: impl IntoIterator<Item = impl Into<String>>) -> Vec<Candidate> {
    names.into_iter().map(|name| Candidate::new(name, "")).collect()
}

/// Returns the names of the server's tools, with the tools of the user's questions.
fn tools() -> Vec<&'static str> {
    let questions = Configuration::read().and_then(|configuration| configuration.questions()).unwrap_or_default();
    tool_names(&questions)
}

/// Returns the projects of the timesheet.
fn timesheet_projects(before: &[String]) -> Vec<Candidate> {
    known_projects(before).into_iter().map(|project| Candidate::new(project.code, project.name)).collect()
}

/// Returns the tasks of a project of the timesheet. `project` is its code or its name.
fn timesheet_tasks(project: &str, before: &[String]) -> Vec<Candidate> {
    let is_project = |name: &String| name.to_lowercase() == project.to_lowercase();
    let is_chosen = |known: &Project| is_project(&known.code) || is_project(&known.name);
    let chosen = known_projects(before).into_iter().find(is_chosen);
    chosen.iter().flat_map(Project::active_tasks).map(|task| Candidate::new(task, "")).collect()
}

/// Returns the projects that accept hours.
fn known_projects(before: &[String]) -> Vec<Project> {
    let setup = Configuration::read().ok().and_then(|configuration| configuration.timesheet);
    let setup = if is_demo(before) { setup.and_then(|setup| demo_history::timesheet(setup).ok()) } else { setup };
    setup.map(|setup| setup.known_projects()).unwrap_or_default()
}

fn is_demo(before: &[String]) -> bool {
    before.iter().any(|word| word == "--demo")
}

/// The names in the history, without names that the privacy settings of the server hide.
#[derive(Debug, Default)]
struct HistoryNames {
    devices: Vec<String>,
    /// The tags, the tag that was used last first.
    tags: Vec<String>,
    /// The first levels of the tags, and the projects of rules.
    projects: Vec<String>,
}

impl HistoryNames {
    /// Reads the names of the history that the command line selects.
    fn read(before: &[String]) -> anyhow::Result<Self> {
        let option = |name| option_value(before.iter().map(OsString::from), name);
        let source = option("--source").and_then(|name| TrackerName::from_str(&name.to_string_lossy(), false).ok());
        let data_dir = if is_demo(before) {
            // A completion never generates the sample history, because that takes seconds.
            let cached = demo_history::newest_cached(source.unwrap_or(TrackerName::ManicTime));
            Some(cached.context("the sample history does not exist yet")?)
        } else {
            option("--data-dir").map(Into::into)
        };
        let history = HistoryArguments { data_dir, source, for_others: true, ..HistoryArguments::default() };
        tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(Self::query(&history))
    }

    async fn query(history: &HistoryArguments) -> anyhow::Result<Self> {
        history.local_days()?.make_current();
        let hidden = Configuration::read()?.serve.privacy();
        let app = history.app_builder_without_notes()?.with_privacy(hidden).build()?;
        let bounds = app.run(HistoryBoundsRequest).await?;
        // Tags belong to a person, so the device of their timeline can be the name of the person.
        let recording = bounds.timelines.iter().filter(|timeline| timeline.role != Role::Tags);
        let devices: BTreeSet<_> = recording.map(|timeline| timeline.device.clone()).collect();
        let tags = app.run(RecentTagsRequest).await?.0;
        let of_rules = app.history().rules().rules().iter().filter_map(|rule| rule.project.clone());
        let mut projects: Vec<_> = tags.iter().map(|tag| tag.client.clone()).chain(of_rules).collect();
        let mut seen = BTreeSet::new();
        projects.retain(|project| seen.insert(project.to_lowercase()));
        let tags = tags.into_iter().map(|tag| tag.tag).collect();
        Ok(Self { devices: devices.into_iter().collect(), tags, projects })
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;
    use crate::request::{DateRange, parse_date};

    #[test]
    fn every_date_is_valid() {
        for day in DAYS {
            assert!(parse_date(day, "DAY").is_ok(), "{day}");
        }
        for period in PERIODS {
            assert!(DateRange::parse(period, None, ("START", "END")).is_ok(), "{period}");
        }
    }

    /// Returns the arguments of a command and of its subcommands.
    fn all_arguments(command: &clap::Command) -> Vec<&Arg> {
        command.get_arguments().chain(command.get_subcommands().flat_map(all_arguments)).collect()
    }

    #[test]
    fn every_completed_argument_exists() {
        let program = Cli::command();
        let arguments = all_arguments(&program);
        for id in ["toolsets", "tools", "exclude_tools", "device", "tag", "project", "task"] {
            assert!(arguments.iter().any(|argument| argument.get_id() == id), "{id}");
        }
        let names = arguments.iter().filter_map(|argument| argument.get_value_names()?.first());
        let names: BTreeSet<_> = names.map(clap::builder::Str::as_str).collect();
        // The parameters of questions are named `RANGE`.
        for name in DAY_NAMES.iter().chain(&PERIOD_NAMES).filter(|name| **name != "RANGE") {
            assert!(names.contains(name), "{name}");
        }
    }
}
