//! The interactive SQL session, from the greeting to the end.

use std::sync::{Arc, PoisonError};

use dayledger_engine::{Engine, QueryLimits};
use dayledger_render::write_note;

use super::arguments::StatementArguments;
use super::editor::{Editor, SharedModel, Typed};
use super::shell::{Flow, Shell};
use super::target::Target;
use crate::environment::user_folders;
use crate::interrupts::Interrupts;
use crate::output;

/// The name of the file that stores earlier inputs, in dayledger's folder for state.
const HISTORY: &str = "sql_history";
/// The name of the file that runs at the start of each session, in dayledger's folder for settings.
const START_FILE: &str = "start.sql";

pub(super) async fn run(arguments: &StatementArguments, asked: &Target) -> anyhow::Result<()> {
    let engine = &asked.engine;
    let model = SharedModel::default();
    let folders = user_folders();
    let history = folders.as_ref().filter(|_| !arguments.no_history).map(|folders| folders.own_state.join(HISTORY));
    let mut editor = Editor::start(Arc::clone(&model), output::style(), history)?;
    greet(&asked.place);
    learn(engine.clone(), Arc::clone(&model));
    // A higher limit would only use more memory, because people don't read so many rows.
    let limits = arguments.rows.limits(QueryLimits { rows: 100_000, ..QueryLimits::default() });
    let interrupts = Interrupts::listen().await;
    let mut shell = Shell::new(asked, limits, arguments.rows.style(), model, interrupts);
    let start_file = folders.map(|folders| folders.own_settings.join(START_FILE));
    if let Some(path) = start_file.filter(|path| !arguments.no_start && path.is_file())
        && shell.run_start_file(&path).await == Flow::Exit
    {
        return Ok(());
    }
    let mut begun = String::new();
    loop {
        shell.forget_interrupts();
        match editor.read(std::mem::take(&mut begun)).await? {
            Typed::Input(text) => match shell.enter(&text).await {
                Flow::Continue => {}
                Flow::Resume(statement) => begun = statement,
                Flow::Exit => break,
            },
            Typed::Cleared => {}
            Typed::End => break,
        }
    }
    Ok(())
}

fn greet(place: &str) {
    output::write_stderr(|out, style| {
        writeln!(out, "{} {}", style.strong(concat!("dayledger ", env!("CARGO_PKG_VERSION"))), style.faint(place))?;
        let help = "End statements with a semicolon. \\? lists commands, \\examples lists example queries.";
        write_note(out, help, style)
    });
}

/// Loads the names for completion in a background task.
fn learn(engine: Engine, model: SharedModel) {
    tokio::spawn(async move {
        match engine.describe().await {
            Ok(found) => *model.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(found),
            Err(error) => tracing::debug!(%error, "names cannot be completed"),
        }
    });
}
