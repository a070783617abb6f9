//! `dayledger serve`: MCP over stdio. Starts without a history too; tools then answer with what is wrong.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::config::{self, Configuration};
use super::history::HistoryArguments;
use super::settings::Settings;
use super::worker;
use crate::App;
use crate::manictime::Redaction;
use crate::mcp::{self, Toolset};
use crate::notes;
use crate::screenshots::AllowedBy;

/// What a person sees who starts the server by hand.
const AT_A_TERMINAL: &str = "This is a server for AI assistants: it waits for messages of the Model Context Protocol on its \
                             input.\nRun `dayledger install --help` to let an assistant start it. Press Ctrl-C to stop.";

pub(super) async fn run(flags: Settings, history: &HistoryArguments) -> anyhow::Result<()> {
    let form = config::form_settings()?;
    let allowed_by = match (flags.allow_write.as_slice(), form.allow_write.as_slice()) {
        ([], []) => AllowedBy::Configuration,
        ([], _) => AllowedBy::Form,
        _ => AllowedBy::Flag,
    };
    let settings = flags.merge(form.merge(Configuration::read()?.serve));
    let selection = settings.selection()?.with_writable(settings.writable_folders(allowed_by)?);
    if selection.has_toolset(Toolset::Notes) && settings.redacts(Redaction::Notes) {
        anyhow::bail!(
            "the toolset `notes` tells notes, and `--redact notes` keeps them back: leave one of them out; what `[serve]` \
             redacts, flags do not undo"
        );
    }
    let (history, privacy, shows_screenshots) =
        (history.clone(), settings.privacy(), selection.has_toolset(Toolset::Screenshots));
    let (books_hours, reads_notes) = (selection.has_toolset(Toolset::Timesheet), selection.has_toolset(Toolset::Notes));
    if reads_notes {
        // Who starts the server is told what leaves the machine before anything does.
        let told = history.notes_setup()?.description();
        super::output::write_stderr(|out, _| writeln!(out, "{told}"));
    }
    let built = move || {
        let source = history.source()?.with_privacy(privacy.clone());
        let house = if shows_screenshots { App::from_source(source)? } else { App::without_screenshots(source)? };
        let house = if reads_notes { house.with_notes(history.notes_setup()?) } else { house };
        let house = if books_hours { house.with_timesheet(history.timesheet_setup()?) } else { house };
        notes::serve_triggers(house.notebook());
        anyhow::Ok(house.with_workers(worker::program()?)?)
    };
    let following = ReloadingApp::new(built)?;
    if io::stdin().is_terminal() {
        super::output::write_stderr(|out, _| writeln!(out, "{AT_A_TERMINAL}"));
    }
    Ok(mcp::serve_stdio(Arc::new(move || following.app()), &selection).await?)
}

/// A house that follows the configuration: where the file changed, what it says of a history holds from the next question
/// on. What it says of the server itself (`[serve]`) is read at the start alone, since clients were told of it.
struct ReloadingApp<B> {
    built: B,
    file: Option<PathBuf>,
    present: Mutex<(Stamp, App)>,
}

/// What tells that a file changed: when it was written, and its length; nothing where there is none.
type Stamp = Option<(SystemTime, u64)>;

impl<B: Fn() -> anyhow::Result<App>> ReloadingApp<B> {
    fn new(built: B) -> anyhow::Result<Self> {
        let file = Configuration::file();
        let present = Mutex::new((stamp(file.as_ref()), built()?));
        Ok(Self { built, file, present })
    }

    /// The house for the configuration as it is now. One that cannot be read changes nothing: the user is still writing, or
    /// sees what is wrong with it in every command.
    fn app(&self) -> App {
        let now = stamp(self.file.as_ref());
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        if present.0 != now {
            present.0 = now;
            match (self.built)() {
                Ok(house) => present.1 = house,
                Err(error) => {
                    tracing::warn!("the configuration cannot be read as it is now; what it said before stays");
                    tracing::debug!(%error, "the configuration cannot be read");
                }
            }
        }
        present.1.clone()
    }
}

fn stamp(file: Option<&PathBuf>) -> Stamp {
    let file = std::fs::metadata(file?).ok()?;
    Some((file.modified().ok()?, file.len()))
}
