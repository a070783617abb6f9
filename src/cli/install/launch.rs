//! The command that a client runs to start dayledger.

use std::env;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Error;
use super::client::{Member, Profile};

/// The command that starts dayledger.
#[derive(Debug)]
pub(super) struct Launch {
    program: String,
    args: Vec<String>,
}

/// A member of the entry that starts dayledger: its key and its value, a text or a list of texts.
#[derive(Debug)]
pub(super) struct EntryMember {
    pub(super) key: &'static str,
    pub(super) value: Value,
    /// Whether an existing value is kept.
    pub(super) keeps_existing: bool,
}

impl Launch {
    /// Returns the command for the program that is running now. `global_flags` select the configuration file and the
    /// history.
    pub(super) fn new(global_flags: &[PathBuf], serve_flags: &[String]) -> Result<Self, Error> {
        let program = stable_path(env::current_exe().map_err(Error::NoProgram)?);
        let mut args = global_flags.iter().map(|flag| unicode_path(flag)).collect::<Result<Vec<_>, _>>()?;
        args.push("serve".to_owned());
        args.extend_from_slice(serve_flags);
        Ok(Self { program: unicode_path(&program)?, args })
    }

    /// Returns the members of the entry for a client.
    pub(super) fn members(&self, client: &Profile) -> Vec<EntryMember> {
        let command_line = || [&self.program].into_iter().chain(&self.args).collect::<Vec<_>>();
        let member = |member: &Member| {
            let (key, value) = match member {
                Member::Type(transport) => ("type", json!(transport)),
                Member::Command => ("command", json!(self.program)),
                Member::Args => ("args", json!(self.args)),
                Member::CommandLine => ("command", json!(command_line())),
                Member::AllTools => ("tools", json!(["*"])),
            };
            EntryMember { key, value, keeps_existing: *member == Member::AllTools }
        };
        client.entry.iter().map(member).collect()
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
