//! The program in which the person changes a text.

use std::path::Path;
use std::process::Command;

use crate::cli::config;

/// An editor: a program and its arguments.
#[derive(Debug)]
pub(super) struct Editor(String);

impl Editor {
    /// That of the environment.
    pub(super) fn of_environment() -> Option<Self> {
        config::editor().filter(|editor| !editor.trim().is_empty()).map(Self)
    }

    /// As the environment names it.
    pub(super) fn name(&self) -> &str {
        &self.0
    }

    /// Opens the file and waits until it is closed.
    ///
    /// # Errors
    /// What became of the editor otherwise, in words that follow its name.
    pub(super) fn open(&self, file: &Path) -> Result<(), String> {
        let mut words = self.0.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        match command.args(words).arg(file).status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("ended with {status}")),
            Err(error) => Err(format!("cannot be started: {error}")),
        }
    }
}
