//! The options of every command that concern the program itself: its configuration file and its colours.

use std::path::PathBuf;

use clap::{Args, ColorChoice};
use dayledger_terminal::output;

use super::config;
use super::history::quote;
use crate::source::set_configuration_name;

/// The configuration file and the colours of the program.
#[derive(Debug, Default, Args)]
pub(super) struct ProgramArguments {
    /// Configuration file to read instead of the default one
    #[arg(long, global = true, value_name = "PATH")]
    pub(super) config: Option<PathBuf>,
    /// When to print colours [default: auto: on a terminal, unless `NO_COLOR` is set]
    #[arg(long, global = true, value_name = "WHEN")]
    pub(super) color: Option<ColorChoice>,
}

impl ProgramArguments {
    /// Applies the options to this process.
    pub(super) fn apply(&self) {
        if let Some(path) = &self.config {
            config::select_file(Some(path.into()));
            if let Some(name) = path.file_name() {
                set_configuration_name(name.to_string_lossy().into_owned());
            }
        }
        output::set_color(self.color.unwrap_or_default());
    }

    /// Returns the option that selects the configuration file, as the user would type it. For the default file, the
    /// text is empty.
    pub(super) fn config_option(&self) -> String {
        self.config.as_ref().map(|path| format!("--config {}", quote(path))).unwrap_or_default()
    }
}
