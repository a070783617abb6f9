//! `dayledger rules`: shows the time that the user's rules match, suggests rules for the rest, and adds one to the
//! configuration.

use std::path::PathBuf;

use anyhow::Context;
use clap::ArgAction;
use dayledger_terminal::output::{self, Output};

use super::config::Configuration;
use super::config_file::{self, ConfigFile};
use super::history::HistoryArguments;
use super::period::parse_range_flags;
use super::{OUTPUT, demo_history};
use crate::activity::{RuleUseRequest, UnmatchedWork};
use crate::files::OffLimits;
use crate::report;
use crate::request::{Error, full_message};
use crate::rules::Proposal;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger rules --from last month\n\
    \x20 dayledger rules --add 1 --project Website")]
pub(super) struct Arguments {
    /// First day, such as `2025-01-15`, or a period such as `last week` or `2025-01` [default: the last 30 days]
    #[arg(long, value_name = "START", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Last day (inclusive) [default: the end of START]
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set, requires = "from")]
    to: Option<Vec<String>>,
    /// Add a suggested rule to the configuration file, by its number or its application; with --demo, to the sample data
    #[arg(long, value_name = "SUGGESTION", help_heading = "Add a rule")]
    add: Option<String>,
    /// Project of the added rule
    #[arg(long, requires = "add", value_parser = non_empty, help_heading = "Add a rule")]
    project: Option<String>,
    /// Task of the project
    #[arg(long, requires = "project", value_parser = non_empty, help_heading = "Add a rule")]
    task: Option<String>,
    /// Category of the added rule [default: the application, site or folder, unless you pass --project]
    #[arg(long, requires = "add", value_parser = non_empty, help_heading = "Add a rule")]
    category: Option<String>,
    /// Name of the added rule [default: its project or category]
    #[arg(long, requires = "add", value_parser = non_empty, help_heading = "Add a rule")]
    name: Option<String>,
    /// Print JSON, with at most 50 suggested rules
    #[arg(long, conflicts_with = "add", help_heading = OUTPUT)]
    json: bool,
}

/// Reads a text that isn't blank.
fn non_empty(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("the value is empty") } else { Ok(text.to_owned()) }
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let range = arguments.from.as_ref().map(|from| parse_range_flags(from, arguments.to.as_deref())).transpose()?;
    // Data that is hidden from assistants is also hidden here, because other people may see the screen.
    let hidden = Configuration::read()?.serve.privacy();
    let answer = history.app()?.run(RuleUseRequest { range, hidden }).await?;
    let Some(asked) = &arguments.add else {
        return Output::new().write_response(&answer, arguments.json, report::write_rule_use);
    };
    let rule = arguments.rule(asked, &answer.unmatched)?.toml();
    let path = add_to_configuration(&rule, history)?;
    Output::new().write_styled(|out, _| write!(out, "{rule}"))?;
    output::write_stderr(|out, _| writeln!(out, "added to `{}`", path.display()));
    Ok(())
}

impl Arguments {
    /// Returns the suggestion that the user chose, with the values of these arguments.
    fn rule(&self, asked: &str, unmatched: &[UnmatchedWork]) -> Result<Proposal, Error> {
        let by_number = asked.parse().ok().and_then(|number: usize| unmatched.get(number.checked_sub(1)?));
        let is_asked = |work: &&UnmatchedWork| work.application.to_lowercase() == asked.to_lowercase();
        let found = by_number.or_else(|| unmatched.iter().find(is_asked));
        let work = found.ok_or_else(|| {
            let hint = match unmatched.len() {
                0 => "there are no suggestions, because rules and tags cover all active time".to_owned(),
                count => {
                    format!("pass a number from 1 to {count}, or an application; `dayledger rules --json` lists them")
                }
            };
            Error::for_command(format!("cannot add the rule: there is no suggestion `{asked}`"), hint)
        })?;
        let proposed = work.rule.clone();
        let category = if self.project.is_some() { None } else { proposed.category };
        Ok(Proposal {
            category: self.category.clone().or(category),
            project: self.project.clone(),
            task: self.task.clone(),
            name: self.name.clone(),
            ..proposed
        })
    }
}

/// Appends a rule to the configuration file, or to the demo's own file of rules. Checks that the file has not changed
/// before it replaces it.
fn add_to_configuration(rule: &str, history: &HistoryArguments) -> anyhow::Result<PathBuf> {
    let no_home = || Error::for_command("cannot find the configuration file: this user has no home folder", "set HOME");
    let path = if history.demo { demo_history::rules_file()? } else { Configuration::file().ok_or_else(no_home)? };
    let unchanged = |error: config_file::Error| error.for_terminal("dayledger rules");
    let file = ConfigFile::open(path.clone()).map_err(unchanged)?;
    let text = with_rule(file.text.as_deref().unwrap_or_default(), rule);
    Configuration::parse(&text, &path).map_err(|error| {
        let message = format!("cannot add the rule to `{}`: {}", path.display(), full_message(&*error));
        let hint = "if the file contains `rules = [...]`, write each rule as a table `[[rules]]` instead";
        Error::for_command(message, hint)
    })?;
    let replaced = file.replace(&text, &OffLimits::new(history.own_folders()));
    replaced.map_err(unchanged).context("cannot add the rule")?;
    Ok(path)
}

/// Returns the text with the rule at its end, with the line ends of the text. In TOML, `[[rules]]` can continue a list
/// that began earlier in the file.
fn with_rule(text: &str, rule: &str) -> String {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let between = match text {
        "" => String::new(),
        text if text.ends_with('\n') => line_end.to_owned(),
        _ => line_end.repeat(2),
    };
    format!("{text}{between}{}", rule.replace('\n', line_end))
}
