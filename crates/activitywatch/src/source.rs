//! `ActivityWatch`'s history as a [`HistorySource`].

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use dayledger_source::{
    Contents, Error, ErrorKind, HiddenScreenshots, HistorySource, Location, Privacy, ReadHandle, ReadRows, ScanExtent,
    ScanRequest, SourceHealth,
};

use crate::settings::{InvalidSetting, Settings};

/// A history of `ActivityWatch`. It is found and opened when it is read. Cheap to clone.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
#[must_use]
pub struct ActivityWatch {
    settings: Arc<Settings>,
    privacy: Privacy,
}

/// The serialised form of [`ActivityWatch`].
#[derive(Serialize, Deserialize)]
struct Stored {
    settings: Settings,
    privacy: Privacy,
}

impl TryFrom<Stored> for ActivityWatch {
    type Error = InvalidSetting;

    fn try_from(stored: Stored) -> Result<Self, InvalidSetting> {
        Ok(Self { privacy: stored.privacy, ..Self::new(stored.settings)? })
    }
}

impl From<ActivityWatch> for Stored {
    fn from(source: ActivityWatch) -> Self {
        Self { settings: Arc::unwrap_or_clone(source.settings), privacy: source.privacy }
    }
}

impl ActivityWatch {
    /// Creates a source. Doesn't open the database yet.
    ///
    /// # Errors
    /// Fails if a time zone is unknown, or if a journey ends before it begins.
    pub fn new(settings: Settings) -> Result<Self, InvalidSetting> {
        settings.check()?;
        Ok(Self { settings: Arc::new(settings), privacy: Privacy::default() })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns facts about the history for `doctor`, each in a sentence without a full stop: buckets and rows that aren't
    /// read, and settings of `ActivityWatch` that aren't applied.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn remarks(&self) -> Result<Vec<String>, Error> {
        Err(self.unreadable())
    }

    /// Returns the IANA name of the zone of local times, or its offset from UTC if the zone of this computer has no name.
    pub fn zone_name(&self) -> String {
        self.settings.zone.clone().unwrap_or_default()
    }

    fn unreadable(&self) -> Error {
        let place = self.settings.locator.find();
        place.err().unwrap_or_else(|| Error {
            kind: ErrorKind::Failed,
            message: "cannot read the ActivityWatch history".to_owned(),
            hint: "use another history".to_owned(),
        })
    }
}

impl HistorySource for ActivityWatch {
    fn name(&self) -> &'static str {
        "activitywatch"
    }

    fn label(&self) -> &'static str {
        "ActivityWatch"
    }

    fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource> {
        Arc::new(Self { settings: Arc::clone(&self.settings), privacy })
    }

    fn location(&self) -> Result<Location, Error> {
        let location = self.settings.locator.find()?;
        Ok(Location { database: self.privacy.redact_path(&location.database), ..location })
    }

    fn folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn contents(&self) -> Result<Arc<Contents>, Error> {
        Err(self.unreadable())
    }

    fn read(&self, _scans: &[(&ScanRequest, ScanExtent)], _handle: &ReadHandle) -> Result<Vec<ReadRows>, Error> {
        Err(self.unreadable())
    }

    fn describe(&self, scan: &ScanRequest) -> String {
        format!("table={}", scan.table.name())
    }

    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error> {
        Err(self.unreadable())
    }

    fn health(&self) -> Result<SourceHealth, Error> {
        Err(self.unreadable())
    }

    fn zone(&self) -> Option<String> {
        Some(self.zone_name())
    }

    fn remarks(&self) -> Result<Vec<String>, Error> {
        self.remarks()
    }

    fn settings(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }
}
