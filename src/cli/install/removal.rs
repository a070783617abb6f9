//! `dayledger uninstall`: the server taken out of the configuration of a client.

use super::client::{Client, name};
use super::document;
use super::error::Error;
use crate::cli::config_file::ConfigFile;
use crate::cli::history::HistoryArguments;
use crate::cli::output::Output;
use crate::files::OffLimits;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger uninstall cursor")]
pub(in crate::cli) struct Removal {
    /// Client that is not to start the server any more
    client: Client,
    /// Name of the server in the configuration
    #[arg(long, default_value = "dayledger", value_parser = name)]
    name: String,
}

/// Why the server is still in the configuration; nothing has been changed then.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(in crate::cli) struct NotRemoved(#[from] Error);

impl NotRemoved {
    /// What to do about it.
    pub(in crate::cli) fn hint(&self) -> &'static str {
        match &self.0 {
            Error::NotInstalled { .. } => "there is nothing to take out",
            _ => "nothing was changed; take the server out of the file by hand",
        }
    }
}

pub(in crate::cli) fn remove(arguments: &Removal, history: &HistoryArguments) -> anyhow::Result<()> {
    let outcome = removed(arguments, &OffLimits::new(history.own_folders())).map_err(NotRemoved)?;
    Output::new().draw(|out, _| writeln!(out, "{outcome}"))
}

/// Takes the server out, and says so.
fn removed(arguments: &Removal, off_limits: &OffLimits) -> Result<String, Error> {
    let Removal { client, name } = arguments;
    let file = ConfigFile::open(client.place()?.file()?)?;
    let path = file.path.display();
    let nothing = format!("nothing to change: `{path}` has no server `{name}`");
    let Some(text) = file.text.as_deref().filter(|text| !text.trim().is_empty()) else { return Ok(nothing) };
    let left = document::take(text, *client, name);
    let left = left.map_err(|trouble| Error::Unusable { path: file.path.clone(), trouble })?;
    let Some(left) = left else { return Ok(nothing) };
    file.replace(&left, off_limits)?;
    Ok(format!(
        "took the server `{name}` out of `{path}`\nnow start {} again, which knows of it until then",
        client.title()
    ))
}
