//! `dayledger serve`: runs the MCP server over stdio. The server also starts without a history. Its tools then return
//! an error that explains the problem.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use dayledger_terminal::{output, program};

use super::config::{self, Configuration};
use super::history::HistoryArguments;
use super::settings::Settings;
use crate::App;
use crate::export::ExportHistory;
use crate::files::FileStamp;
use crate::mcp::{self, Toolset};
use crate::notes;
use crate::screenshots::AllowedBy;
use crate::source::Redaction;

/// The message for a user who starts the server by hand.
const TERMINAL_NOTICE: &str = "The MCP server is running and waits for an AI assistant's messages on stdin. Press Ctrl-C to \
                             stop.\nTo let an assistant start it, see `dayledger install --help`.";

pub(super) async fn run(flags: Settings, history: &HistoryArguments) -> anyhow::Result<()> {
    let form = config::form_settings()?;
    let allowed_by = match (flags.allow_write.as_slice(), form.allow_write.as_slice()) {
        ([], []) => AllowedBy::Configuration,
        ([], _) => AllowedBy::Form,
        _ => AllowedBy::Flag,
    };
    let (file, questions) = {
        let configuration = Configuration::read()?;
        let questions = configuration.questions()?;
        (configuration.serve, questions)
    };
    let settings = flags.merge(form.merge(file));
    let selection = settings.selection(questions)?.with_writable(settings.writable_folders(allowed_by)?);
    if selection.has_toolset(Toolset::Notes) && settings.redacts(Redaction::Notes) {
        anyhow::bail!(
            "cannot start the server: the toolset `notes` returns notes, but `--redact notes` or `[serve]` redacts them. \
             Remove one of the two."
        );
    }
    let history = HistoryArguments { for_others: true, ..history.clone() };
    let (privacy, shows_screenshots) = (settings.privacy(), selection.has_toolset(Toolset::Screenshots));
    let (logs_hours, reads_notes) = (selection.has_toolset(Toolset::Timesheet), selection.has_toolset(Toolset::Notes));
    if reads_notes {
        // Before the server sends anything, shows the user which data it sends when it processes a note.
        let description = history.notes_setup()?.description();
        output::write_stderr(|out, _| writeln!(out, "{description}"));
    }
    let build = move || {
        let export = history.possible_export()?;
        history.local_days()?.make_current();
        let app = history
            .app_builder_without_notes()?
            .with_privacy(privacy.clone())
            .with_screenshots(shows_screenshots)
            .with_notes(reads_notes.then(|| history.notes_setup()).transpose()?)
            .with_timesheet(logs_hours.then(|| history.timesheet_setup()).transpose()?)
            .build_with_workers(program::path()?)?;
        notes::serve_triggers(app.notebook());
        anyhow::Ok((app, export))
    };
    let reloading = ReloadingApp::new(build)?;
    if io::stdin().is_terminal() {
        output::write_stderr(|out, _| writeln!(out, "{TERMINAL_NOTICE}"));
    }
    Ok(mcp::serve_stdio(Arc::new(move || reloading.app()), &selection).await?)
}

/// An app that applies changes of the configuration file. If the file changes, the next request uses the new settings
/// of the history. The settings of the server itself (`[serve]`) and the saved questions are read only at the start,
/// because clients store lists that depend on them.
///
/// The app's rules can come from an export that is read as the history. Therefore the app is also built again when an
/// export appears or is written again with other rules.
struct ReloadingApp<B> {
    build: B,
    file: Option<PathBuf>,
    current: Mutex<CurrentApp>,
}

/// An app, with the versions of the configuration and the export from which it was built.
struct CurrentApp {
    app: App,
    configuration: Option<FileStamp>,
    /// The export that is read as the history. Set if the user chose a folder that is an export or can become one.
    export: Option<ExportHistory>,
}

impl<B: Fn() -> anyhow::Result<(App, Option<ExportHistory>)>> ReloadingApp<B> {
    fn new(build: B) -> anyhow::Result<Self> {
        let file = Configuration::file();
        // The stamp is taken before the file is read, so a change during the reading is noticed by the next request.
        let configuration = stamp(file.as_ref());
        let (app, export) = build()?;
        Ok(Self { build, file, current: Mutex::new(CurrentApp { app, configuration, export }) })
    }

    /// Returns the app for the current configuration and export. If the configuration can't be read, returns the
    /// previous app: the user may still be editing the file, and every other command reports the error.
    fn app(&self) -> App {
        let now = stamp(self.file.as_ref());
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.configuration != now || current.export.as_ref().is_some_and(ExportHistory::is_outdated) {
            // The stamp is stored even if the reading fails. Otherwise each request would read the invalid file again.
            current.configuration = now;
            match (self.build)() {
                Ok((app, export)) => (current.app, current.export) = (app, export),
                Err(error) => {
                    tracing::warn!("cannot read the changed configuration; the previous settings stay in use");
                    tracing::debug!(%error, "cannot read the changed configuration");
                }
            }
        }
        current.app.clone()
    }
}

fn stamp(file: Option<&PathBuf>) -> Option<FileStamp> {
    FileStamp::read(file?)
}
