//! Requests about the history itself: its location, timelines, dates, activities and health.
//!
//! Requests that need more than the engine run on a [`History`]. Start reading at [`HealthRequest`]. Its response lists
//! missing data, which `degradation` finds.

mod activities;
mod dates;
mod degradation;
mod health;
mod hourly;
mod names;
mod timelines;

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::screenshots::ScreenshotService;
use dayledger_engine as engine;
use dayledger_engine::Engine;
use dayledger_request::{Error, Request};
use dayledger_rules::Rules;
use dayledger_source::{HistorySource, PrivacySummary, SourceHealth, Tracker};

pub use activities::{Activities, ActivitiesRequest, ActivityEntry};
pub use dates::{DataRange, DataRangeRequest, HistoryBounds, HistoryBoundsRequest, TimelineDates, TimelineRange};
pub use degradation::Degradation;
pub use health::{
    DeviceVersion, Failure, Health, HealthRequest, HealthStatus, TableHealth, TimelineHealth, Unavailable,
    UnavailableRequest,
};
pub use hourly::HourlyCoverage;
pub use names::{RecentNames, RecentNamesRequest, RecentTag, RecentTags, RecentTagsRequest};
pub use timelines::{Timeline, TimelineDetails, TimelineRequest, Timelines, TimelinesRequest};

/// A history: its engine, its source, the user's rules and the screenshots. Cheap to clone.
#[derive(Debug, Clone)]
pub struct History {
    engine: Engine,
    source: Arc<dyn HistorySource>,
    rules: Rules,
    screenshots: ScreenshotService,
    shows_screenshots: bool,
}

impl History {
    /// Creates a history from its `source` and the `engine` that queries this source. Responses mention screenshots
    /// only if `shows_screenshots` is true.
    pub fn new(
        engine: Engine,
        source: Arc<dyn HistorySource>,
        rules: Rules,
        screenshots: ScreenshotService,
        shows_screenshots: bool,
    ) -> Self {
        Self { engine, source, rules, screenshots, shows_screenshots }
    }

    /// Returns the engine for queries.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the source of the history.
    pub fn source(&self) -> &dyn HistorySource {
        &*self.source
    }

    /// Returns the user's rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the screenshots, or `None` if they are not offered.
    pub fn screenshots(&self) -> Option<&ScreenshotService> {
        self.shows_screenshots.then_some(&self.screenshots)
    }

    /// Returns the folders that dayledger never writes to: the folders of the tracker and of the screenshots.
    pub fn own_folders(&self) -> Vec<PathBuf> {
        self.screenshots.own_folders()
    }

    /// Returns the health of the history's files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    pub(super) async fn health(&self) -> Result<SourceHealth, Error> {
        let source = Arc::clone(&self.source);
        Ok(self.engine.run_blocking(move || source.health()).await?.map_err(engine::Error::from)?)
    }

    /// Returns a sentence for each part of the history that dayledger doesn't read. The list is empty if privacy
    /// settings are active, because the sentences can contain names.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    pub(super) async fn remarks(&self) -> Result<Vec<String>, Error> {
        if !self.source.privacy().is_empty() {
            return Ok(Vec::new());
        }
        let source = Arc::clone(&self.source);
        Ok(self.engine.run_blocking(move || source.remarks()).await?.map_err(engine::Error::from)?)
    }

    /// Returns whether the tracker runs on this computer.
    pub(super) async fn tracker(&self) -> Tracker {
        let source = Arc::clone(&self.source);
        tokio::task::spawn_blocking(move || source.tracker()).await.unwrap_or(Tracker::Unknown)
    }
}

/// Requests the location of the history. The database is not opened, so that a locked database is found too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocationRequest;

/// A history that exists.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryLocation {
    /// The database file.
    pub database: String,
    /// How the database was found.
    pub found_by: String,
    /// When the database was last written, in UTC (RFC 3339).
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

/// Requests the privacy settings. Doesn't read any file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrivacySummaryRequest;

impl Request for PrivacySummaryRequest {
    type Service = History;
    type Response = PrivacySummary;

    async fn execute(self, history: &History) -> Result<PrivacySummary, Error> {
        Ok(history.source().privacy().summary())
    }
}
