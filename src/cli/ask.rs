//! `dayledger ask`: runs a saved question of the configuration file, or lists all questions.

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use dayledger_terminal::output::Output;
use dayledger_terminal::sql::{RowArguments, run_statement};

use super::config::Configuration;
use super::history::HistoryArguments;
use super::sql::open_history;
use crate::questions::{Kind, Parameter, Question, Questions};
use crate::report;
use crate::request::Error;

/// The flags of this command. A parameter of a question can't have the name of such a flag.
pub(super) const RESERVED_FLAGS: [&str; 12] = [
    "color",
    "config",
    "data-dir",
    "demo",
    "format",
    "help",
    "max-rows",
    "memory",
    "screenshots-dir",
    "separator",
    "source",
    "timeout",
];

/// The question to ask. `None` if the command lists all questions.
#[derive(Debug)]
pub(super) struct Arguments(Option<AskedQuestion>);

/// A question, and the values of its parameters as text.
#[derive(Debug)]
struct AskedQuestion {
    name: String,
    values: Vec<(String, String)>,
    /// `None` if the question doesn't exist, because its flags are then unknown, too.
    rows: Option<RowArguments>,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let questions = Configuration::read()?.questions()?;
    let Some(asked) = &arguments.0 else { return list(&questions) };
    let question = questions.find(&asked.name)?;
    let rows = asked.rows.as_ref().context("the flags of the question are unknown")?;
    let value = |name: &str| asked.values.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let statement = question.statement(value)?;
    run_statement(statement, rows, &open_history(history)?, |error| question.explain(error.into(), value).into()).await
}

/// Prints all questions with their flags.
fn list(questions: &Questions) -> anyhow::Result<()> {
    if questions.as_slice().is_empty() {
        let hint = "add `[[questions]]` to the configuration file; docs/questions.md has examples";
        return Err(
            Error::for_command("cannot list the questions: the configuration does not contain any", hint).into()
        );
    }
    Output::new().write_styled(|out, style| {
        for (index, question) in questions.as_slice().iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}", style.strong(&question.name))?;
            report::write_note(out, &question.description, style)?;
            let lines = question.parameters.iter().map(|parameter| vec![usage(parameter), help(parameter)]);
            report::write_lines(out, lines, style)?;
        }
        Ok(())
    })
}

impl clap::Args for Arguments {
    fn augment_args(command: Command) -> Command {
        // The configuration is read only if the user runs this command, or completes a command line.
        command.defer(add_questions)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Arguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Some((name, matches)) = matches.subcommand() else { return Ok(Self(None)) };
        let rows = RowArguments::from_arg_matches(matches).ok();
        let text = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
        let values = matches.ids().filter_map(|id| Some((id.as_str().to_owned(), text(id.as_str())?)));
        Ok(Self(Some(AskedQuestion { name: name.to_owned(), values: values.collect(), rows })))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds each question of the configuration as a subcommand.
fn add_questions(command: Command) -> Command {
    // If the configuration is invalid, `run` reports the error.
    let questions = Configuration::read().and_then(|configuration| configuration.questions()).unwrap_or_default();
    command
        .subcommand_value_name("QUESTION")
        .subcommand_help_heading("Questions")
        .disable_help_subcommand(true)
        // `run` reports an unknown question.
        .allow_external_subcommands(true)
        .subcommands(questions.as_slice().iter().map(subcommand))
}

fn subcommand(question: &Question) -> Command {
    let flags = question.parameters.iter().map(|parameter| {
        let flag = Arg::new(leak(&parameter.name))
            .long(leak(&flag(parameter)))
            .aliases(parameter.name.contains('_').then(|| leak(&parameter.name)))
            .value_name(value_name(&parameter.kind))
            .required(parameter.is_required)
            .help(help(parameter))
            .help_heading("Parameters");
        match &parameter.kind {
            Kind::Choice(values) => {
                flag.value_parser(PossibleValuesParser::new(values.iter().map(|value| leak(value))))
            }
            _ => flag.allow_negative_numbers(true),
        }
    });
    let name = &question.name;
    let hyphenated = name.contains('_').then(|| leak(&name.replace('_', "-")));
    let command = Command::new(leak(name)).aliases(hyphenated).args(flags);
    <RowArguments as clap::Args>::augment_args(command).about(question.description.clone()).long_about(None)
}

/// Returns a text that stays in memory until the process ends. clap accepts only such texts as names.
fn leak(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

fn flag(parameter: &Parameter) -> String {
    parameter.name.replace('_', "-")
}

/// Returns the flag of a parameter with its value, such as `--week <RANGE>`.
fn usage(parameter: &Parameter) -> String {
    format!("  --{} <{}>", flag(parameter), value_name(&parameter.kind))
}

/// Returns the description of a parameter, with its default.
fn help(parameter: &Parameter) -> String {
    let Parameter { description, default, is_required, .. } = parameter;
    match default {
        Some(default) => format!("{description} [default: {default}]"),
        None if *is_required => description.clone(),
        None => format!("{description} [optional]"),
    }
}

fn value_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Day => "DAY",
        Kind::Range => "RANGE",
        Kind::Text => "TEXT",
        Kind::Integer | Kind::Number => "NUMBER",
        Kind::Choice(_) => "VALUE",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Args;

    use super::*;
    use crate::cli::program_arguments::ProgramArguments;

    /// A parameter with the name of a flag would make the program panic.
    #[test]
    fn every_flag_of_a_question_is_reserved() {
        let text = "[[questions]]\nname = 'one'\ndescription = 'One'\nsql = 'SELECT 1'";
        let questions = Configuration::parse(text, Path::new("dayledger.toml")).unwrap().questions().unwrap();
        let ask = Command::new("ask").subcommands(questions.as_slice().iter().map(subcommand));
        let program = ProgramArguments::augment_args(Command::new("dayledger"));
        let mut program = HistoryArguments::augment_args(program).subcommand(ask);
        program.build();
        let one = program.find_subcommand("ask").and_then(|ask| ask.find_subcommand("one")).unwrap();
        let mut flags: Vec<_> = one.get_arguments().filter_map(Arg::get_long).collect();
        flags.sort_unstable();
        assert_eq!(flags, RESERVED_FLAGS);
    }
}
