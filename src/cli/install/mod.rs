//! `dayledger install` and `uninstall`: add the server to an MCP client's configuration, or remove it.
//!
//! The module `client` contains a table of the clients and their configurations, `launch` builds the entry that starts
//! dayledger, and `document` edits the file.
//!
//! Invariants: only the server's entry changes, and all other bytes of the file stay the same. If other content would
//! change, no file is written. The file is replaced atomically. Running the command a second time changes nothing.
//! dayledger keeps no copy of the old configuration, because configurations contain secrets.

mod bundle;
mod client;
mod document;
mod error;
mod launch;

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use dayledger_terminal::output::Output;

use super::OUTPUT;
use super::config::{self, Configuration};
use super::config_file::ConfigFile;
use super::history::HistoryArguments;
use super::settings::Settings;
use crate::export::is_export;
use crate::files::OffLimits;
use crate::report;
use crate::request::full_message;
use crate::source::FoundBy;
use crate::trackers::TrackerName;
use client::{Client, name};
use document::Change;
use error::{Error, install_error, removal_error};
use launch::Launch;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger install\n\
    \x20 dayledger install claude-code\n\
    \x20 dayledger install codex\n\
    \x20 dayledger --demo install cursor --print\n\
    \x20 dayledger install claude-desktop -- --redact titles")]
pub(super) struct Arguments {
    /// Assistant to connect [default: list the supported assistants]
    client: Option<Client>,
    /// Print the configuration instead of writing it
    #[arg(long, requires = "client", help_heading = OUTPUT)]
    print: bool,
    /// Print how to install the bundle `dayledger.mcpb` of a release instead (Claude Desktop only)
    #[arg(long, requires = "client", conflicts_with_all = ["print", "name", "serve"], help_heading = OUTPUT)]
    bundle: bool,
    /// Name of the server in the configuration
    #[arg(long, default_value = "dayledger", value_parser = name)]
    name: String,
    /// Options of `dayledger serve` that the assistant passes to the server
    #[arg(last = true, requires = "client", value_name = "FLAGS OF SERVE")]
    serve: Vec<String>,
}

/// The flags after `--`, read as `serve` will read them.
#[derive(Debug, Parser)]
#[command(name = "dayledger serve", no_binary_name = true)]
struct ServeFlags {
    #[command(flatten)]
    settings: Settings,
}

pub(super) fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    // An invalid flag is reported here. Otherwise the client would later fail to start the server, and would not show
    // the reason.
    let flags = ServeFlags::try_parse_from(&arguments.serve).unwrap_or_else(|error| error.exit());
    let configuration = Configuration::read()?;
    let questions = configuration.questions()?;
    flags.settings.merge(configuration.serve).selection(questions)?;
    let config_flags = config::selected_file().map(|path| vec!["--config".into(), path]).unwrap_or_default();
    let flags = [config_flags, history_flags(history)?].concat();
    let Some(client) = arguments.client else { return list_clients(arguments, &flags) };
    if arguments.bundle {
        if history.demo {
            anyhow::bail!(
                "`--bundle` cannot be used with `--demo`: write a sample history with `dayledger demo DIR`, then choose \
                 its folder in Claude Desktop"
            );
        }
        if let Some(path) = config::selected_file() {
            anyhow::bail!(
                "`--bundle` cannot be used with `--config`: the bundle always reads the default configuration file. \
                 Install without `--bundle` to use `{}`",
                path.display()
            );
        }
        let steps = bundle::steps(client, explicit_place(history).map(std::path::absolute).transpose()?.as_deref())?;
        return Output::new().write_styled(|out, _| write!(out, "{steps}"));
    }
    let launch = Launch::new(&flags, &arguments.serve).map_err(install_error)?;
    if arguments.print {
        let snippet = document::snippet(client, &arguments.name, &launch);
        return Output::new().write_styled(|out, _| out.write_all(snippet.as_bytes()));
    }
    // Without an explicit path, the server looks in the default location, and a history may appear there later.
    if let Some(place) = explicit_place(history) {
        let location = if is_export(&place) {
            history.app_builder_without_notes()?.location()
        } else {
            let trackers = Configuration::read()?.trackers(history.source);
            trackers.history_at(std::path::absolute(place)?, FoundBy::Flag)?.location()
        };
        location.map_err(install_error)?;
    }
    let Installation { file, text, change, is_packaged } = Installation::prepare(client, &arguments.name, &launch)?;
    if change != Change::Nothing {
        file.replace(&text, &OffLimits::new(history.own_folders())).map_err(install_error)?;
    }
    let (name, path) = (&arguments.name, file.path.display());
    let outcome = match change {
        Change::Added => format!("Added the server `{name}` to `{path}`."),
        Change::Replaced => format!("Replaced the server `{name}` in `{path}`, which had other settings."),
        Change::Nothing => format!("Nothing to change: the server `{name}` in `{path}` is up to date."),
    };
    // The server can be installed before a history exists, so a missing history is only a warning. The warning shows
    // the user that dayledger didn't find the history.
    let nothing_to_serve = if history.demo { None } else { history.app_builder_without_notes()?.location().err() };
    Output::new().write_styled(|out, style| {
        writeln!(out, "{outcome}")?;
        match nothing_to_serve {
            Some(error) => writeln!(out, "The server has no history to read yet: {error}; {}", error.hint),
            None => writeln!(out, "Next: {} and ask \"What did I do yesterday?\"", client.profile().next_step),
        }?;
        if is_packaged { writeln!(out, "{}", style.with_source(bundle::FALLBACK_HINT)) } else { Ok(()) }
    })
}

/// The new configuration of a client, not yet written to the file.
struct Installation {
    file: ConfigFile,
    text: String,
    change: Change,
    /// Whether the client is a Windows package ([`ConfigLocation`](client::ConfigLocation)).
    is_packaged: bool,
}

impl Installation {
    /// Reads the configuration of a client, and adds the server to its text.
    fn prepare(client: Client, name: &str, launch: &Launch) -> anyhow::Result<Self> {
        let location = client.config_location().map_err(install_error)?;
        let file = ConfigFile::open(location.file).map_err(install_error)?;
        let (text, change) = match &file.text {
            Some(text) => document::add_server(text, client, name, launch)
                .map_err(|trouble| install_error(Error::Unusable { path: file.path.clone(), trouble }))?,
            None => (document::snippet(client, name, launch), Change::Added),
        };
        Ok(Self { file, text, change, is_packaged: location.is_packaged })
    }
}

/// Lists the supported clients, and the change that an installation would make to each client's configuration. Writes
/// no files. `flags` are the global options of the server.
fn list_clients(arguments: &Arguments, flags: &[PathBuf]) -> anyhow::Result<()> {
    let name = &arguments.name;
    let launch = Launch::new(flags, &[]).map_err(install_error)?;
    let mut lines = Vec::new();
    for client in Client::value_variants() {
        let effect = match Installation::prepare(*client, name, &launch) {
            Ok(Installation { file, change, .. }) => {
                let path = file.path.display();
                match change {
                    Change::Added => format!("would add the server `{name}` to `{path}`"),
                    Change::Replaced => {
                        format!("would replace the server `{name}` in `{path}`, which has other settings")
                    }
                    Change::Nothing => format!("is connected: the server `{name}` in `{path}` is up to date"),
                }
            }
            Err(error) => full_message(&*error),
        };
        let key = client.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        lines.push(format!("{key:<16}{effect}"));
    }
    Output::new().write_styled(|out, style| {
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
        let next = "To connect one of these assistants, run `dayledger install ASSISTANT`. With `--print`, the command only \
                    prints the configuration.";
        report::write_note(out, next, style)
    })
}

/// Returns the flags that select this history. A client starts the server in another folder with another environment.
/// Therefore paths are made absolute, and the path in the environment variable is passed as a flag.
fn history_flags(history: &HistoryArguments) -> anyhow::Result<Vec<PathBuf>> {
    let source = history.source.map(|tracker| ["--source".into(), tracker.as_str().into()]);
    let source = source.into_iter().flatten();
    if history.demo {
        return Ok([PathBuf::from("--demo")].into_iter().chain(source).collect());
    }
    let named = [("--data-dir", explicit_place(history)), ("--screenshots-dir", history.screenshots_dir.clone())];
    let mut flags: Vec<_> = source.collect();
    for (flag, dir) in named {
        if let Some(dir) = dir {
            flags.extend([flag.into(), std::path::absolute(dir)?]);
        }
    }
    Ok(flags)
}

/// Returns the path of the history if the command line or the environment sets it.
fn explicit_place(history: &HistoryArguments) -> Option<PathBuf> {
    let variable = || config::data_dir_variable().filter(|_| history.source != Some(TrackerName::ActivityWatch));
    let place = history.data_dir.clone().or_else(variable);
    place.filter(|_| !history.demo)
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger uninstall cursor")]
pub(super) struct Removal {
    /// Assistant to disconnect
    client: Client,
    /// Name of the server in the configuration
    #[arg(long, default_value = "dayledger", value_parser = name)]
    name: String,
}

pub(super) fn remove(arguments: &Removal, history: &HistoryArguments) -> anyhow::Result<()> {
    let outcome =
        remove_server(arguments, &OffLimits::new(history.own_folders())).map_err(|error| removal_error(&error))?;
    Output::new().write_styled(|out, _| writeln!(out, "{outcome}"))
}

/// Removes the server and returns a report for the terminal.
fn remove_server(arguments: &Removal, off_limits: &OffLimits) -> Result<String, Error> {
    let Removal { client, name } = arguments;
    let file = ConfigFile::open(client.config_location()?.file)?;
    let path = file.path.display();
    let nothing = format!("Nothing to change: `{path}` has no server `{name}`.");
    let Some(text) = file.text.as_deref().filter(|text| !text.trim().is_empty()) else { return Ok(nothing) };
    let left = document::remove_server(text, *client, name);
    let left = left.map_err(|trouble| Error::Unusable { path: file.path.clone(), trouble })?;
    let Some(left) = left else { return Ok(nothing) };
    file.replace(&left, off_limits)?;
    Ok(format!("Removed the server `{name}` from `{path}`.\nRestart {} to apply the change.", client.title()))
}
