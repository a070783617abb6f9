//! The history itself: its location, timelines, dates, devices and activities, and its health.
//!
//! [`History`] is the service of requests that need more than the engine. Start reading at [`HealthRequest`], whose
//! response lists missing data (`degradation`).

mod activities;
mod data_range;
mod degradation;
mod environment;
mod health;
mod history_bounds;
mod hourly;
mod location;
mod privacy_summary;
mod timeline_dates;
mod timelines;

use std::path::PathBuf;
use std::sync::Arc;

use crate::screenshots::ScreenshotService;
use dayledger_engine as engine;
use dayledger_engine::Engine;
use dayledger_request::Error;
use dayledger_rules::Rules;
use dayledger_source::{HistorySource, SourceHealth, Tracker};

pub use activities::{Activities, ActivitiesRequest, ActivityEntry};
pub use data_range::{DataRange, DataRangeRequest};
pub use degradation::Degradation;
pub use environment::{Environment, EnvironmentDevice, EnvironmentRequest};
pub use health::{
    DeviceVersion, Failure, Health, HealthRequest, HealthStatus, TableHealth, TimelineHealth, Unavailable,
    UnavailableRequest,
};
pub use history_bounds::{HistoryBounds, HistoryBoundsRequest};
pub use hourly::HourlyCoverage;
pub use location::{HistoryLocation, LocationRequest};
pub use privacy_summary::PrivacySummaryRequest;
pub use timeline_dates::{TimelineDates, TimelineRange};
pub use timelines::{Timeline, TimelineDetails, TimelineRequest, Timelines, TimelinesRequest};

/// A history with the settings of its user: its engine, its source, the user's rules and the screenshots. Cheap to
/// clone.
#[derive(Debug, Clone)]
pub struct History {
    engine: Engine,
    source: Arc<dyn HistorySource>,
    rules: Rules,
    screenshots: ScreenshotService,
    shows_screenshots: bool,
}

impl History {
    /// Creates the history of `source` with the `engine` over it. Responses mention screenshots if they are shown.
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

    /// Returns the folders that dayledger never writes to: those of the tracker and of the screenshots.
    pub fn own_folders(&self) -> Vec<PathBuf> {
        self.screenshots.own_folders()
    }

    /// Returns the state of the files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    pub(super) async fn health(&self) -> Result<SourceHealth, Error> {
        let source = Arc::clone(&self.source);
        Ok(self.engine.run_blocking(move || source.health()).await?.map_err(engine::Error::from)?)
    }

    /// Returns whether the tracker runs on this computer.
    pub(super) async fn tracker(&self) -> Tracker {
        let source = Arc::clone(&self.source);
        tokio::task::spawn_blocking(move || source.tracker()).await.unwrap_or(Tracker::Unknown)
    }
}
