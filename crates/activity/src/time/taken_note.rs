//! The meeting notes that were taken in a range.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Filter, devices};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Row, Statement, statement};
use dayledger_request::format_iso;

static NOTES_TAKEN: Statement = statement!(queries / "notes_taken", devices::RANGE);

static MATCHING_NOTES: Statement = statement!(queries / "matching_notes", devices::RANGE_OF_DEVICE);

/// The maximum number of notes in a response. The earliest notes are returned.
const MAX_NOTES: usize = 100;

/// A session in which a note was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TakenNote {
    /// Path of the note in the workspace, for the notes tools.
    pub path: String,
    /// Title of the note.
    pub title: String,
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
}

impl TakenNote {
    pub(super) fn from_row(row: Row<'_>) -> Result<Self, engine::Error> {
        Ok(Self {
            path: row.get("path")?,
            title: row.get("title")?,
            start: format_iso(row.get("start_local")?),
            end: format_iso(row.get("end_local")?),
        })
    }
}

/// Returns the statement for the notes of a range. With a filter, the statement returns only notes that were taken
/// during matching time.
pub(super) fn statement(arguments: &Arguments, filter: &Filter) -> (&'static Statement, Arguments) {
    let notes = if filter.is_empty() { &NOTES_TAKEN } else { &MATCHING_NOTES };
    (notes, arguments.clone().with_first_rows(MAX_NOTES))
}
