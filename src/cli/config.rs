//! The configuration: `dayledger.toml`, overridden by the environment, overridden by flags.

#![expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use directories::{BaseDirs, ProjectDirs};
use serde::Deserialize;

use super::settings::Settings;
use crate::manictime::{FoundBy, Locator};

/// What the configuration file and the environment say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    /// Folder that holds the history, or the file itself.
    data_dir: Option<PathBuf>,
    /// Folder that holds the screenshots, where it is not beside the history.
    pub(super) screenshots_dir: Option<PathBuf>,
    /// What a server offers and withholds, beside its flags.
    #[serde(default)]
    pub(super) serve: Settings,
}

impl Configuration {
    /// Reads the configuration file, where there is one.
    pub(super) fn read() -> anyhow::Result<Self> {
        let Some(path) = project().map(|project| project.config_dir().join("dayledger.toml")) else {
            return Ok(Self::default());
        };
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text, &path),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
        }
    }

    fn parse(text: &str, path: &Path) -> anyhow::Result<Self> {
        toml::from_str(text).map_err(|error| {
            // The rest of the error draws the line over several others.
            let what = error.message();
            anyhow::anyhow!("`{}` is no valid configuration: {what}", path.display())
        })
    }

    /// Where to look for the history: what the flag says, else the environment, else the file, else the usual places.
    pub(super) fn locator(self, flag: Option<&Path>) -> Locator {
        if let Some(flag) = flag {
            return Locator::named(flag, FoundBy::Flag);
        }
        if let Some(place) = data_dir_variable() {
            return Locator::named(place, FoundBy::Environment);
        }
        if let Some(place) = self.data_dir {
            return Locator::named(place, FoundBy::Configuration);
        }
        BaseDirs::new().map_or_else(|| Locator::named("", FoundBy::Platform), |base| Locator::platform(&base))
    }
}

/// The folder for what can be made anew at any time.
pub(super) fn cache_dir() -> anyhow::Result<PathBuf> {
    let project = project().context("this user has no home directory, so there is no cache; name a place with `--data-dir`, or with `--out` of `report`")?;
    Ok(project.cache_dir().to_owned())
}

/// The folder for what this program remembers of its use; none without a home directory.
pub(super) fn state_dir() -> Option<PathBuf> {
    let project = project()?;
    Some(project.state_dir().unwrap_or_else(|| project.data_local_dir()).to_owned())
}

/// The place of the history that the environment names.
pub(super) fn data_dir_variable() -> Option<PathBuf> {
    // A path need not be text.
    env::var_os("MANICTIME_DATA_DIR").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder in which Claude Code keeps its settings, where it is not the usual one.
pub(super) fn claude_config_dir() -> Option<PathBuf> {
    variable("CLAUDE_CONFIG_DIR").map(PathBuf::from)
}

/// The log filter that `DAYLEDGER_LOG` sets.
pub(super) fn log_filter() -> Option<String> {
    variable("DAYLEDGER_LOG")
}

/// What the environment says of the terminal.
pub(super) struct TerminalEnvironment {
    pub(super) no_color: bool,
    pub(super) colorterm: Option<String>,
    pub(super) term: Option<String>,
    pub(super) locale: Option<String>,
}

impl TerminalEnvironment {
    pub(super) fn read() -> Self {
        Self {
            no_color: variable("NO_COLOR").is_some(),
            colorterm: variable("COLORTERM"),
            term: variable("TERM"),
            locale: ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable),
        }
    }
}

/// What the environment says of the pager.
pub(super) struct PagerEnvironment {
    /// The program and its arguments.
    pub(super) pager: Option<String>,
    /// Whether `less` gets its options from the environment.
    pub(super) has_less_options: bool,
}

impl PagerEnvironment {
    pub(super) fn read() -> Self {
        Self { pager: variable("PAGER"), has_less_options: variable("LESS").is_some() }
    }
}

fn project() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "dayledger")
}

/// A variable that is set to something.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_withheld_is_named() {
        for (text, named) in [
            ("[serve]\nredact = ['titels']", "`titels`"),
            ("[serve]\nhide_apps = ['[a']", "`[a`"),
            ("[serve]\nhide_app = ['a']", "`hide_apps`"),
        ] {
            let message = Configuration::parse(text, Path::new("dayledger.toml")).unwrap_err().to_string();
            assert!(message.contains(named) && message.contains("dayledger.toml"), "{message}");
        }
    }

    #[test]
    fn a_wrong_setting_is_named_with_those_that_exist() {
        let path = Path::new("dayledger.toml");
        assert!(Configuration::parse("data_dir = \"history\"", path).is_ok());
        let message = Configuration::parse("data_folder = \"history\"", path).unwrap_err().to_string();
        assert!(message.contains("`data_folder`") && message.contains("`data_dir`"), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}
