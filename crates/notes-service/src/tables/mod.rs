//! The SQL tables of the notes: notes, action items and sessions, and the items in use during the sessions of a note.
//!
//! The tables read the notes while a statement runs. This statement already holds one of the engine's permits. If its
//! tables needed another permit for the queries that they run, statements could wait for each other forever. So the
//! tables use an engine with its own permits ([`Engine::with_own_turns`]).

mod action_table;
mod context;
mod note_table;
mod session_table;

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

use action_table::action_table;
use context::Context;
pub use context::ScreenshotPolicy;
use note_table::note_table;
use session_table::session_table;

use super::notebook::Notebook;
use dayledger_engine::{Engine, Function, Model, Parameter};

const NOTE_CONTEXT: Function = Function {
    name: "note_context",
    parameters: &[Parameter::text("path")],
    sql: include_str!("../../../../sql/functions/note_context.sql"),
    parts: None,
};

/// Adds the tables and functions of the user's notes to `model`. `engine` runs the queries of these tables.
pub fn register(model: Model, notebook: &Notebook, engine: &Engine, screens: ScreenshotPolicy) -> Model {
    let context = Context { notebook: notebook.clone(), engine: engine.with_own_turns(), screens };
    model
        .with_value_function(has_notes(true))
        .with_unlisted_table(session_table(session_table::SOURCE, notebook.clone()))
        .with_virtual_table(session_table(session_table::NAME, notebook.clone()))
        .with_virtual_table(note_table(notebook.clone()))
        .with_virtual_table(action_table(notebook.clone()))
        .with_unlisted_table(context.table())
        .with_function(NOTE_CONTEXT)
}

/// For the model of a history without notes, adds tables and functions with the same names as [`register`]. A statement
/// that uses one of the tables fails with an error that explains how to get notes.
pub fn register_unavailable(model: Model) -> Model {
    let empty = session_table(session_table::SOURCE, Notebook::default());
    let model = model.with_value_function(has_notes(false)).with_unlisted_table(empty);
    [note_table::NAME, action_table::NAME, session_table::NAME, NOTE_CONTEXT.name].into_iter().fold(
        model,
        |model, name| {
            let reason = format!(
                "`{name}` is of the notes: ask with `dayledger sql` over a history, or start the server with \
             `--toolsets activity,screenshots,sql,notes`"
            );
            model.without_relation(name, reason)
        },
    )
}

/// Returns the function `has_notes()`, which is true if notes are configured. The function is constant, so the planner
/// evaluates it.
fn has_notes(names: bool) -> Arc<ScalarUDF> {
    let body = Arc::new(move |_: &[ColumnarValue]| Ok(ColumnarValue::Scalar(ScalarValue::Boolean(Some(names)))));
    Arc::new(create_udf("has_notes", Vec::new(), DataType::Boolean, Volatility::Immutable, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../docs/sql.md");

    #[test]
    fn the_page_lists_every_table_and_function() {
        for name in [note_table::NAME, action_table::NAME, session_table::NAME, "note_context(path)"] {
            assert!(PAGE.contains(&format!("\n| `{name}` | ")), "docs/sql.md lacks `{name}`");
        }
    }
}
