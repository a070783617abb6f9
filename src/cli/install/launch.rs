//! The command that a client runs to start dayledger.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use serde_with::skip_serializing_none;

use super::Error;
use super::client::Client;

/// The entry that starts dayledger from a client's configuration.
#[skip_serializing_none]
#[derive(Debug, Serialize)]
pub(super) struct Launch {
    #[serde(rename = "type")]
    transport: Option<&'static str>,
    command: String,
    args: Vec<String>,
}

impl Launch {
    /// Returns the entry for the program that is running now. `history_flags` select the history.
    pub(super) fn new(client: Client, history_flags: &[PathBuf], serve_flags: &[String]) -> Result<Self, Error> {
        let program = stable_path(env::current_exe().map_err(Error::NoProgram)?);
        let mut args = history_flags.iter().map(|flag| unicode_path(flag)).collect::<Result<Vec<_>, _>>()?;
        args.push("serve".to_owned());
        args.extend_from_slice(serve_flags);
        Ok(Self { transport: client.names_transport().then_some("stdio"), command: unicode_path(&program)?, args })
    }

    /// Returns the members of the entry, in the order in which they appear in the configuration.
    pub(super) fn members(&self) -> Vec<(&'static str, Value)> {
        let transport = self.transport.map(|transport| ("type", json!(transport)));
        transport.into_iter().chain([("command", json!(self.command)), ("args", json!(self.args))]).collect()
    }

    /// Returns a complete configuration that contains only this entry.
    pub(super) fn snippet(&self, list: &str, name: &str) -> anyhow::Result<String> {
        let whole = BTreeMap::from([(list, BTreeMap::from([(name, self)]))]);
        Ok(serde_json::to_string_pretty(&whole)? + "\n")
    }
}

/// Returns the path of `program` in `PATH`, or the path with which it was started. `program` itself isn't used, because
/// the operating system has resolved its links. The target of a link may disappear with the next upgrade, because
/// package managers include the version in the target's path.
#[expect(clippy::disallowed_methods, reason = "`PATH` belongs to the system, not to the configuration")]
fn stable_path(program: PathBuf) -> PathBuf {
    let started_as = env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let names: Vec<_> = [&started_as, &program].into_iter().filter_map(|path| path.file_name()).collect();
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    let of_path = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>());
    let has_folder = started_as.components().count() > 1;
    let as_started = has_folder.then(|| std::path::absolute(&started_as).ok()).flatten();
    let is_program = |candidate: &PathBuf| {
        candidate.canonicalize().is_ok_and(|found| program.canonicalize().is_ok_and(|program| found == program))
    };
    of_path.chain(as_started).find(is_program).unwrap_or(program)
}

fn unicode_path(path: &Path) -> Result<String, Error> {
    path.to_str().map(str::to_owned).ok_or_else(|| Error::NotUnicode { path: path.to_owned() })
}
