//! The path of the history, and how it was found.

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::History;
use dayledger_engine as engine;
use dayledger_request::{Error, Request};

/// Requests the location of the history. The file is not opened, so that a locked file is found too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocationRequest;

/// A history that exists.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryLocation {
    /// The database file.
    pub database: String,
    /// How it was found.
    pub found_by: String,
    /// When the file was last written, in UTC (RFC 3339).
    pub modified: Option<String>,
}

impl Request for LocationRequest {
    type Service = History;
    type Response = HistoryLocation;

    async fn execute(self, history: &History) -> Result<HistoryLocation, Error> {
        let location = history.source().location().map_err(engine::Error::from)?;
        let written = location.modified.map(DateTime::<Utc>::from);
        Ok(HistoryLocation {
            database: location.database.display().to_string(),
            found_by: location.setting.to_owned(),
            modified: written.map(|written| written.to_rfc3339_opts(SecondsFormat::Secs, true)),
        })
    }
}
