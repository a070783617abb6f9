//! Parameters that tools of the notes share, described once.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    notes::NoteRef,
    request::{Error, parse_date},
};

/// Path of a note in the workspace, or `current`: the note that is open in Chronicle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct NotePath(String);

impl NotePath {
    /// Parses the note.
    pub(super) fn note(&self) -> NoteRef {
        NoteRef::parse(&self.0)
    }
}

/// Day, YYYY-MM-DD.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct NoteDate(#[schemars(extend("format" = "date"))] String);

impl NoteDate {
    /// Parses the day in the parameter `field`.
    pub(super) fn day(date: Option<&Self>, field: &str) -> Result<Option<chrono::NaiveDate>, Error> {
        date.map(|date| parse_date(&date.0, field)).transpose()
    }
}
