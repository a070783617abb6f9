//! The commands of dayledger: the command line and the configuration.
//!
//! Flags override environment variables, and environment variables override the configuration file.
//!
//! Invariants: exit codes are 0 for success, 1 for a failure and 2 for wrong usage.
//!
//! Start reading with `Command`. Each command has a file or folder that contains its options and its function `run`.

mod ask;
mod category_rules;
mod client_page;
mod completions;
mod config;
mod config_file;
mod config_mistake;
mod day;
mod demo;
mod demo_history;
mod destination;
mod doctor;
mod export;
mod find;
mod form;
mod history;
mod install;
mod manual;
mod notes;
mod opener;
mod period;
mod program_arguments;
mod report;
mod rules;
mod serve;
mod settings;
mod sql;
mod timesheet;
mod toml_path;
mod why;
mod worker;

use std::env;
use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use dayledger_terminal::{output, program};

use completions::Completion;
use history::HistoryArguments;
use program_arguments::ProgramArguments;

/// The heading of the options for the destination and the format of a result.
const OUTPUT: &str = "Output";

/// See where your time went, from the time tracker's history on this machine
#[derive(Debug, Parser)]
#[command(name = "dayledger", version, max_term_width = 100, help_template = help_template())]
pub struct Cli {
    #[command(flatten)]
    history: HistoryArguments,
    #[command(flatten)]
    program: ProgramArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show a day
    ///
    /// Prints the active time, an activity bar, the top tags, applications and websites, and the blocks of the day. A block is
    /// a period that you mostly spent on one subject. With a filter, the totals cover only the matching time.
    Day(day::Arguments),
    /// Show today (short for `day today`)
    ///
    /// Prints the same as `dayledger day today` and takes the same options.
    #[command(after_help = "Examples:\n\
        \x20 dayledger today\n\
        \x20 dayledger today --segments")]
    Today(day::Options),
    /// Show a period of several days
    ///
    /// Prints the active time of each day and the top tags, applications and websites of the period. With a filter, the totals
    /// cover only the matching time.
    Period(period::Arguments),
    /// Show this week (short for `period this week`)
    ///
    /// Prints the same as `dayledger period this week` and takes the same options.
    #[command(after_help = "Examples:\n\
        \x20 dayledger week\n\
        \x20 dayledger week --compare previous")]
    Week(period::Options),
    /// Show this month (short for `period this month`)
    ///
    /// Prints the same as `dayledger period this month` and takes the same options.
    #[command(after_help = "Examples:\n\
        \x20 dayledger month\n\
        \x20 dayledger month --tag northwind")]
    Month(period::Options),
    /// Find words in window titles, sites, documents, tags, notes and meetings
    ///
    /// Prints when and for how long each name with these words was used, newest first, with the total time and the first and
    /// last time. All words must be in the same text. Case is ignored.
    Find(find::Arguments),
    /// Explain the active time of a day
    ///
    /// Prints the time from the first to the last use, its breaks and gaps, the average of that weekday, and recorded time
    /// that doesn't count. A time of day shows the block around it, to the second.
    Why(why::Arguments),
    /// Write a web page about a day, a week or a month
    ///
    /// Writes one HTML file that works offline and loads nothing from the network. It overwrites pages that dayledger wrote
    /// earlier, and other files only with `--force`.
    Report(report::Arguments),
    /// Show which time your rules match, and suggest rules for the rest
    ///
    /// Prints the active time of each rule and suggests rules for the time that has no rule and no tag. `--add` adds a
    /// suggested rule to the configuration file.
    Rules(rules::Arguments),
    /// Show a week's hours, and draft, log or submit them
    ///
    /// Without a command, prints the hours of each project and day: the logged hours, and the drafted hours that aren't logged
    /// yet. The usual order is `draft`, then `log` or `edit`, then `submit`.
    Timesheet(timesheet::Arguments),
    /// List and search your meeting notes and their action items
    ///
    /// Reads the notes of your workspace, and shows them as they are. Processed notes have action items.
    #[command(
        subcommand,
        after_help = "Examples:\n\
        \x20 dayledger notes list --from last month\n\
        \x20 dayledger notes search rounding rule\n\
        \x20 dayledger notes actions --owner me"
    )]
    Notes(notes::Command),
    /// Ask one of your saved questions
    ///
    /// Runs the SQL statement of a question from the configuration file (`[[questions]]`) with the values that you pass. Without
    /// a question, lists all questions and their parameters.
    #[command(after_help = "Examples:\n\
        \x20 dayledger ask\n\
        \x20 dayledger ask client_hours --client Northwind --period \"last 4 weeks\"")]
    Ask(ask::Arguments),
    /// Query the history with SQL
    ///
    /// Runs the statements from the command line, a file or stdin. Without any, it opens a prompt with completion. Statements
    /// can read the history but can't change it.
    Sql(sql::Arguments),
    /// Export the history to Parquet, CSV or JSON Lines files
    ///
    /// Writes one file per table and month. A later export to the same folder rewrites only files that changed. By default,
    /// the files contain no window titles, notes, URLs or paths.
    Export(export::Arguments),
    /// Check that the history can be read
    ///
    /// Prints the location of the history, its timelines, missing data and how to fix it. Also checks the configuration file,
    /// the calendars, the time zones and the notes. Exits with 1 if the history can't be read.
    Doctor(doctor::Arguments),
    /// Write a sample history in a tracker's format
    ///
    /// Writes ManicTime's database, or with `--source activitywatch` that of ActivityWatch. Use it to try or test dayledger on a
    /// folder of your own. To run one command on sample data, pass `--demo` to that
    /// command instead.
    Demo(demo::Arguments),
    /// Run the MCP server for an AI assistant
    ///
    /// Answers requests of the Model Context Protocol on stdin and stdout. The assistant starts it: use `dayledger install`
    /// to connect one.
    Serve(settings::Settings),
    /// Connect an AI assistant to dayledger
    ///
    /// Adds dayledger as an MCP server to the assistant's configuration file and leaves the rest of the file unchanged.
    Install(install::Arguments),
    /// Disconnect an AI assistant from dayledger
    ///
    /// Removes the MCP server from the assistant's configuration file and leaves the rest of the file unchanged.
    Uninstall(install::Removal),
    /// Generate a shell completion script
    ///
    /// Prints the script to stdout. Save it to a file and load that file when your shell starts. The script completes
    /// commands, options, dates, and the names of your devices, tags, projects and questions.
    Completions(completions::Arguments),
    #[command(hide = true)]
    Manual(manual::Arguments),
    #[command(hide = true)]
    Worker,
}

/// The commands, grouped and in the order in which the help lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Look", &["day", "today", "period", "week", "month", "find", "why", "report", "rules", "notes"]),
    ("Log", &["timesheet"]),
    ("Connect", &["install", "uninstall", "serve"]),
    ("Query and export", &["ask", "sql", "export"]),
    ("Maintain", &["doctor", "demo", "completions"]),
];

/// Returns the template of the program's help. clap would list all commands under one heading, so the template contains
/// the groups.
fn help_template() -> String {
    let commands = Command::augment_subcommands(clap::Command::new("dayledger"));
    let styles = clap::builder::Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut help = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (heading, names) in GROUPS {
        let _ = writeln!(help, "\n{header}{heading}:{header:#}");
        for name in names {
            let about = commands.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(help, "  {literal}{name:<11}{literal:#}  {about}");
        }
    }
    let _ = writeln!(help, "\n{header}Options:{header:#}\n{{options}}\n");
    help + "Run `dayledger COMMAND --help` for the options and examples of a command.\n"
}

/// Runs the program with the command-line arguments of this process.
pub fn main() -> ExitCode {
    if let Some(completion) = Completion::from_arguments(env::args_os()) {
        return completion.answer(Cli::command);
    }
    // The questions of the configuration file are commands, so the file is selected before the arguments are parsed.
    config::select_file(program::option_value(env::args_os().skip(1), "--config").map(Into::into));
    let cli: Cli = program::parse_arguments();
    cli.program.apply();
    refuse_conflicts(&cli);
    let options = [cli.program.config_option(), cli.history.source_options()];
    output::set_source_options(options.into_iter().filter(|option| !option.is_empty()).collect::<Vec<_>>().join(" "));
    program::run(run(cli))
}

fn refuse_conflicts(cli: &Cli) {
    const SEPARATOR: &str = "`--separator` needs `--format csv` or `--format csv-excel`";
    // clap can't express that an argument conflicts with a global option, a command or a value.
    let message = match &cli.command {
        Command::Sql(arguments) if arguments.exports.is_some() && cli.history.is_given() => {
            "the argument `--exports` cannot be used with `--data-dir`, `--source`, `--screenshots-dir` or `--demo`"
        }
        Command::Timesheet(arguments) if arguments.names_two_weeks() => {
            "put the week after the command, such as `dayledger timesheet draft 2025-W43`"
        }
        Command::Export(arguments) if arguments.has_unused_separator() => SEPARATOR,
        Command::Timesheet(arguments) if arguments.has_unused_separator() => SEPARATOR,
        Command::Timesheet(arguments) if arguments.has_unused_amounts() => {
            "amounts need columns: pass `--format csv` or `csv-excel`, or leave out `--amounts`"
        }
        _ => return,
    };
    let mut command = Cli::command().color(cli.program.color.unwrap_or_default());
    command.error(clap::error::ErrorKind::ArgumentConflict, message).exit();
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    config::check_selected_file()?;
    // The start of days must be set before a date is parsed. The commands that read the configuration report its
    // errors. A worker receives the start with its data source.
    if !matches!(cli.command, Command::Worker)
        && let Ok(days) = cli.history.local_days()
    {
        days.make_current();
    }
    match cli.command {
        Command::Day(arguments) => day::run(&arguments, &cli.history).await?,
        Command::Today(options) => day::run_today(&options, &cli.history).await?,
        Command::Week(options) => period::run_named("this week", &options, &cli.history).await?,
        Command::Month(options) => period::run_named("this month", &options, &cli.history).await?,
        Command::Period(arguments) => period::run(&arguments, &cli.history).await?,
        Command::Find(arguments) => find::run(&arguments, &cli.history.app()?).await?,
        Command::Why(arguments) => why::run(&arguments, &cli.history.app()?).await?,
        Command::Report(arguments) => report::run(&arguments, &cli.history).await?,
        Command::Rules(arguments) => rules::run(&arguments, &cli.history).await?,
        Command::Timesheet(arguments) => return timesheet::run(&arguments, &cli.history).await,
        Command::Notes(command) => notes::run(&command, &cli.history).await?,
        Command::Ask(arguments) => ask::run(&arguments, &cli.history).await?,
        Command::Sql(arguments) => sql::run(&arguments, &cli.history).await?,
        Command::Export(arguments) => export::run(&arguments, &cli.history).await?,
        Command::Doctor(arguments) => return doctor::run(&arguments, &cli.history).await,
        Command::Serve(settings) => serve::run(settings, &cli.history).await?,
        Command::Install(arguments) => install::run(&arguments, &cli.history)?,
        Command::Uninstall(arguments) => install::remove(&arguments, &cli.history)?,
        Command::Demo(arguments) => demo::run(&arguments, &cli.history).await?,
        Command::Completions(arguments) => completions::run(&arguments)?,
        Command::Manual(arguments) => manual::run(&arguments, &cli.history, Cli::command())?,
        Command::Worker => worker::run().await?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a typed command into words. Stops at a redirection of the command's output.
    fn words(typed: &str) -> Vec<&str> {
        let parts = typed.split('"').enumerate();
        let words = parts.flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        words.take_while(|word| *word != ">").collect()
    }

    /// Returns the commands and subcommands that the help shows.
    fn visible_commands(command: &clap::Command) -> Vec<&clap::Command> {
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
        shown.flat_map(|command| std::iter::once(command).chain(visible_commands(command))).collect()
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let program = Cli::command();
        let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut visible: Vec<_> = visible.map(clap::Command::get_name).collect();
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        visible.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, visible);
    }

    #[test]
    fn every_command_explains_itself_after_its_first_line() {
        for command in visible_commands(&Cli::command()) {
            let first = command.get_about().map(ToString::to_string).unwrap_or_default();
            let all = command.get_long_about().map(ToString::to_string).unwrap_or_default();
            assert!(all.starts_with(&format!("{first}\n\n")), "{}: {all}", command.get_name());
        }
    }

    #[test]
    fn every_command_ends_its_help_with_examples_that_it_accepts() {
        for command in visible_commands(&Cli::command()) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<_> = help.lines().skip(1).map(str::trim).collect();
            assert!(!examples.is_empty(), "{}", command.get_name());
            for example in examples {
                let parsed = Cli::try_parse_from(words(example));
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
                assert!(words(example).contains(&command.get_name()), "{example}");
            }
        }
    }
}
