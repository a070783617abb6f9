//! `dayledger rules`: shows the time that each of the user's rules matches, and suggests rules for the remaining time.
//! With `--add`, adds a suggested rule to the configuration.

use std::path::PathBuf;

use anyhow::Context;
use clap::ArgAction;
use dayledger_terminal::output::{self, Output};

use super::config::Configuration;
use super::config_file::{self, ConfigFile};
use super::history::HistoryArguments;
use super::period::parse_range_flags;
use super::{OUTPUT, category_rules, demo_history};
use crate::activity::{RuleUse, RuleUseRequest};
use crate::files::OffLimits;
use crate::report;
use crate::request::{Error, Minutes, full_message};
use crate::rules::Proposal;
use crate::trackers::TrackerName;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger rules --from last month\n\
    \x20 dayledger rules --from activitywatch\n\
    \x20 dayledger rules --add 9c3f01ab\n\
    \x20 dayledger rules --add Spotify --category Music")]
pub(super) struct Arguments {
    /// First day, such as `2025-01-15`, or a period such as `last week` or `2025-01` [default: the last 30 days].
    /// `activitywatch` prints the categories of ActivityWatch as rules instead
    #[arg(long, value_name = "START", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Last day (inclusive) [default: the end of START]
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set, requires = "from")]
    to: Option<Vec<String>>,
    /// Add a suggested rule to the configuration file, by its id, or a rule for an application, by its name; with --demo, to
    /// the sample data
    #[arg(long, value_name = "ID", help_heading = "Add a rule")]
    add: Option<String>,
    /// Project of the added rule [default: the suggested project]
    #[arg(long, requires = "add", value_parser = non_empty, help_heading = "Add a rule")]
    project: Option<String>,
    /// Task of the project
    #[arg(long, requires = "project", value_parser = non_empty, help_heading = "Add a rule")]
    task: Option<String>,
    /// Category of the added rule [default: the suggested category, unless you pass --project]
    #[arg(long, requires = "add", value_parser = non_empty, help_heading = "Add a rule")]
    category: Option<String>,
    /// Name of the added rule [default: its project or category]
    #[arg(long, requires = "add", value_parser = non_empty, help_heading = "Add a rule")]
    name: Option<String>,
    /// Print JSON, with at most 20 suggested rules
    #[arg(long, conflicts_with = "add", help_heading = OUTPUT)]
    json: bool,
}

/// Checks that a text isn't blank.
fn non_empty(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("the value is empty") } else { Ok(text.to_owned()) }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    if arguments.from.as_ref().is_some_and(|from| from == &[TrackerName::ActivityWatch.as_str()]) {
        return category_rules::run(history);
    }
    let range = arguments.from.as_ref().map(|from| parse_range_flags(from, arguments.to.as_deref())).transpose()?;
    // Data that is hidden from assistants is also hidden here, because other people may see the user's screen.
    let hidden = Configuration::read()?.serve.privacy();
    let answer = history.app()?.run(RuleUseRequest { range, hidden }).await?;
    let Some(asked) = &arguments.add else {
        return Output::new().write_response(&answer, arguments.json, report::write_rule_use);
    };
    let rule = arguments.rule(asked, &answer)?.toml();
    let path = add_to_configuration(&rule, history)?;
    Output::new().write_styled(|out, _| write!(out, "{rule}"))?;
    output::write_stderr(|out, _| writeln!(out, "added to `{}`", path.display()));
    Ok(())
}

impl Arguments {
    /// Returns the rule that the user chose, with the project and category from these arguments.
    fn rule(&self, asked: &str, answer: &RuleUse) -> Result<Proposal, Error> {
        let by_id = answer.proposals.iter().find(|proposal| proposal.id.eq_ignore_ascii_case(asked));
        let mut rule = match by_id {
            Some(proposal) => proposal.rule.clone(),
            None => self.rule_for_application(asked, answer)?,
        };
        if self.project.is_some() || self.category.is_some() {
            rule.project.clone_from(&self.project);
            rule.category.clone_from(&self.category);
        }
        Ok(Proposal { task: self.task.clone(), name: self.name.clone(), ..rule })
    }

    /// Returns a rule for an application. A project or a category is required, because a rule without them would only
    /// repeat the application's name.
    fn rule_for_application(&self, asked: &str, answer: &RuleUse) -> Result<Proposal, Error> {
        let is_asked = |application: &str| application.to_lowercase() == asked.to_lowercase();
        let work = answer.unmatched.iter().find(|work| is_asked(&work.application)).ok_or_else(|| {
            let hint = match answer.proposals.first() {
                Some(first) => format!(
                    "pass the id of a suggestion, such as `{}`, or an application; `dayledger rules` lists them",
                    first.id
                ),
                None if answer.coverage.total_active_minutes <= Minutes::ZERO => {
                    "these days are without activity; pass other days with `--from`".to_owned()
                }
                None if answer.unmatched.is_empty() => {
                    "rules and tags already cover all active time, so a rule for it is not needed".to_owned()
                }
                None => "run `dayledger rules` to list the applications without a rule".to_owned(),
            };
            Error::for_command(format!("cannot add the rule: found no suggestion or application `{asked}`"), hint)
        })?;
        if self.project.is_none() && self.category.is_none() {
            return Err(Error::for_command(
                format!("cannot add the rule: a rule for `{}` needs a project or a category", work.application),
                "pass `--project` or `--category`",
            ));
        }
        Ok(work.rule(""))
    }
}

/// Appends a rule to the configuration file, or with `--demo` to the demo's own rules file. Before writing, checks that
/// no other program has changed the file.
fn add_to_configuration(rule: &str, history: &HistoryArguments) -> anyhow::Result<PathBuf> {
    let no_home = || Error::for_command("cannot find the configuration file: this user has no home folder", "set HOME");
    let path = if history.demo { demo_history::rules_file()? } else { Configuration::file().ok_or_else(no_home)? };
    let unchanged = |error: config_file::Error| error.for_terminal("dayledger rules");
    let file = ConfigFile::open(path.clone()).map_err(unchanged)?;
    let text = with_rule(file.text.as_deref().unwrap_or_default(), rule);
    // A valid rule can still make the whole file invalid, for example if the file already contains `rules = [...]`.
    Configuration::parse(&text, &path).map_err(|error| {
        let message = format!("cannot add the rule to `{}`: {}", path.display(), full_message(&*error));
        let hint = "if the file contains `rules = [...]`, write each rule as a table `[[rules]]` instead";
        Error::for_command(message, hint)
    })?;
    let replaced = file.replace(&text, &OffLimits::new(history.own_folders()));
    replaced.map_err(unchanged).context("cannot add the rule")?;
    Ok(path)
}

/// Returns the text with the rule appended, using the line endings of the text. In TOML, `[[rules]]` adds an element to
/// a list that began earlier in the file.
fn with_rule(text: &str, rule: &str) -> String {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let between = match text {
        "" => String::new(),
        text if text.ends_with('\n') => line_end.to_owned(),
        _ => line_end.repeat(2),
    };
    format!("{text}{between}{}", rule.replace('\n', line_end))
}
