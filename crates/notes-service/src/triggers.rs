//! Processes the open note when the application requests it.

use dayledger_notes::app::{Push, Triggers};

use tokio::runtime::Handle;

use super::note_ref::NoteRef;
use super::notebook::{Notebook, WeakNotebook};
use super::process::process_triggered;

/// Connects to the application and processes its requests in the background. Only the first call has an effect, and
/// only inside of a Tokio runtime.
pub fn serve_triggers(notebook: &Notebook) {
    let (Some((triggers, notes)), Ok(runtime)) = (notebook.take_triggers(), Handle::try_current()) else { return };
    if let Ok(app) = notebook.app() {
        app.start();
    }
    runtime.spawn(run(triggers, notes));
}

/// Processes the open note at each request of the application, one at a time, until the notes are dropped.
async fn run(mut triggers: Triggers, notes: WeakNotebook) {
    while let Some(trigger) = triggers.next().await {
        let Some(notebook) = notes.notebook() else { return };
        let Ok(app) = notebook.app() else { return };
        app.send(&Push::Started { style: trigger.style });
        let found = NoteRef::Current.resolve(&notebook).await;
        let path = found.as_ref().ok().map(ToString::to_string);
        let done = match found {
            Ok(path) => process_triggered(&notebook, path, trigger.style).await,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            tracing::debug!(code = error.code.as_str(), "a note was not processed");
            app.send(&Push::Error { path, error: error.message.clone() });
        }
    }
}
