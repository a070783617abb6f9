//! Finds the argument that the user is typing, and lists its candidates.

use clap::{Arg, Command};

use super::values::{self, ValueList};
use super::words::CommandLine;
use super::{Candidate, Candidates};

/// The place of the word that the user is typing.
#[derive(Debug)]
pub(super) struct Place<'c> {
    program: &'c Command,
    /// The last command before the word.
    command: &'c Command,
    /// The option before the word, if the word can be its value.
    option: Option<&'c Arg>,
    /// The values of `option` before the word.
    option_values: Vec<&'c str>,
    /// The positional arguments of `command` before the word.
    positionals: Vec<&'c str>,
    /// Whether `--` is before the word, so that the word can't be an option.
    is_escaped: bool,
}

impl<'c> Place<'c> {
    /// Finds the place after the words `before`. `program` must be built ([`Command::build`]).
    pub(super) fn find(program: &'c Command, before: &'c [String]) -> Self {
        let mut place = Self {
            program,
            command: program,
            option: None,
            option_values: Vec::new(),
            positionals: Vec::new(),
            is_escaped: false,
        };
        for word in before {
            place.pass(word);
        }
        place
    }

    /// Moves the place behind a word.
    fn pass(&mut self, word: &'c str) {
        if !self.is_escaped && word == "--" {
            self.option = None;
            match self.forwarded_command() {
                Some(command) => self.enter(command),
                None => self.is_escaped = true,
            }
        } else if self.is_option(word) {
            let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            self.option = self.find_option(name).filter(|option| value.is_none() && takes_values(option));
            self.option_values.clear();
        } else if let Some(option) = self.option {
            self.option_values.push(word);
            let most = option.get_num_args().map_or(1, |count| count.max_values());
            self.option = Some(option).filter(|_| self.option_values.len() < most);
        } else if let Some(command) = self.command.find_subcommand(word).filter(|_| !self.is_escaped) {
            self.enter(command);
        } else {
            self.positionals.push(word);
        }
    }

    fn enter(&mut self, command: &'c Command) {
        self.command = command;
        self.positionals.clear();
    }

    /// Returns the command that gets the arguments after `--`. `install` passes them to `serve`.
    fn forwarded_command(&self) -> Option<&'c Command> {
        let has_forwarded = self.command.get_positionals().any(Arg::is_last_set);
        self.program.find_subcommand("serve").filter(|_| has_forwarded)
    }

    /// Whether the word is an option. A negative number is a value.
    fn is_option(&self, word: &str) -> bool {
        let is_number = || word.parse::<f64>().is_ok();
        !self.is_escaped && word.len() > 1 && word.starts_with('-') && !is_number()
    }

    /// Returns the option with this name, such as `--tag` or `-f`.
    fn find_option(&self, name: &str) -> Option<&'c Arg> {
        let matches = |option: &&Arg| match name.strip_prefix("--") {
            Some(long) => {
                let mut aliases = option.get_all_aliases().into_iter().flatten();
                option.get_long() == Some(long) || aliases.any(|alias| alias == long)
            }
            None => name.chars().nth(1) == option.get_short() && name.chars().count() == 2,
        };
        self.command.get_arguments().find(matches)
    }

    /// Returns the candidates for the word that the user is typing.
    pub(super) fn candidates(&self, line: &CommandLine) -> Candidates {
        let typed = line.typed.as_str();
        if let Some((name, value)) = typed.split_once('=').filter(|_| self.is_option(typed)) {
            let Some(option) = self.find_option(name) else { return Candidates::Values(Vec::new()) };
            return with_prefix(values_of(option, &[], value, &line.before), &format!("{name}="));
        }
        if self.is_option(typed) || typed == "-" {
            return Candidates::Values(self.options(typed));
        }
        let mut found = Vec::new();
        if let Some(option) = self.option {
            let least = option.get_num_args().map_or(1, |count| count.min_values());
            match values_of(option, &self.option_values, typed, &line.before) {
                Candidates::Values(values) if self.option_values.len() < least => return Candidates::Values(values),
                Candidates::Values(values) => found.extend(values),
                Candidates::Files => return Candidates::Files,
            }
        }
        if self.positionals.is_empty() && !self.is_escaped {
            found.extend(self.commands(typed));
        }
        if let Some(positional) = self.positional() {
            match values_of(positional, &self.positionals, typed, &line.before) {
                Candidates::Values(values) => found.extend(values),
                Candidates::Files if found.is_empty() => return Candidates::Files,
                Candidates::Files => {}
            }
        }
        if found.is_empty() && typed.is_empty() && !self.is_escaped {
            found = self.options(typed);
        }
        Candidates::Values(found)
    }

    /// Returns the positional argument that the word is a value of.
    fn positional(&self) -> Option<&'c Arg> {
        let positionals: Vec<_> = self.command.get_positionals().filter(|argument| !argument.is_last_set()).collect();
        let takes_more = |last: &&&Arg| last.get_num_args().is_some_and(|count| count.max_values() > 1);
        let next = positionals.get(self.positionals.len());
        next.or(positionals.last().filter(takes_more)).copied()
    }

    fn commands(&self, typed: &str) -> Vec<Candidate> {
        let visible = self.command.get_subcommands().filter(|command| !command.is_hide_set());
        let named = visible.filter(|command| command.get_name().starts_with(typed));
        named.map(|command| Candidate::new(command.get_name(), text(command.get_about()))).collect()
    }

    fn options(&self, typed: &str) -> Vec<Candidate> {
        let visible = self.command.get_arguments().filter(|option| !option.is_hide_set());
        let named = visible.filter_map(|option| Some((format!("--{}", option.get_long()?), option)));
        let matching = named.filter(|(name, _)| name.starts_with(typed));
        matching.map(|(name, option)| Candidate::new(name, text(option.get_help()))).collect()
    }
}

/// Returns the values of an argument that begin with `typed`. Case is ignored. `given` are the values of the argument
/// before `typed`, and `before` are all words of the command line before it.
fn values_of(argument: &Arg, given: &[&str], typed: &str, before: &[String]) -> Candidates {
    let is_list = argument.get_value_delimiter().is_some_and(|delimiter| delimiter == ',');
    let (prefix, typed) = match typed.rsplit_once(',').filter(|_| is_list) {
        Some((others, typed)) => (format!("{others},"), typed),
        None => (String::new(), typed),
    };
    let all = match values::find(argument, given, before) {
        ValueList::Files => return Candidates::Files,
        ValueList::Values(values) => values,
        ValueList::Dates(phrases) => date_phrases(phrases, given),
    };
    let typed = typed.to_lowercase();
    let is_safe = |candidate: &Candidate| !candidate.value.contains(char::is_control);
    let matching = all.into_iter().filter(is_safe).filter(|found| found.value.to_lowercase().starts_with(&typed));
    with_prefix(Candidates::Values(matching.collect()), &prefix)
}

/// Returns the dates that can follow the words `given`. If the last words are the beginning of a date, such as `last`,
/// returns only the rest of the dates with this beginning, because dates of several words don't need quotes.
fn date_phrases(phrases: &[&str], given: &[&str]) -> Vec<Candidate> {
    for start in 0..given.len() {
        let begun = format!("{} ", given[start..].join(" ").to_lowercase());
        let rests: Vec<_> = phrases.iter().filter_map(|phrase| phrase.strip_prefix(&begun)).collect();
        if !rests.is_empty() {
            return rests.into_iter().map(|rest| Candidate::new(rest, "")).collect();
        }
    }
    phrases.iter().map(|phrase| Candidate::new(*phrase, "")).collect()
}

fn with_prefix(candidates: Candidates, prefix: &str) -> Candidates {
    match candidates {
        Candidates::Values(values) => Candidates::Values(
            values.into_iter().map(|found| Candidate { value: format!("{prefix}{}", found.value), ..found }).collect(),
        ),
        Candidates::Files => Candidates::Files,
    }
}

fn takes_values(option: &Arg) -> bool {
    option.get_num_args().is_some_and(|count| count.takes_values())
}

/// Returns the first line of a help text.
fn text(help: Option<&clap::builder::StyledStr>) -> String {
    let help = help.map(ToString::to_string).unwrap_or_default();
    help.lines().next().unwrap_or_default().to_owned()
}
