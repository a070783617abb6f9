//! Selects screenshots of a range (docs/spec/time.md#screenshots, docs/contract.md, `list_screenshots`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ScreenshotEntry, ScreenshotService};
use crate::time::narrative::segment_times;
use crate::{Diagnostics, Filter, ReasonCode};
use dayledger_request::{DateRange, Error, Limit, LimitedBy, Minutes, Request, Truncate, Truncation};
use dayledger_screenshots as screenshots;

/// How screenshots are chosen from a range (docs/contract.md, `samplingStrategy`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// One screenshot for each segment of the narrative: the screenshot nearest to the middle of the segment.
    #[default]
    ActivityTransition,
    /// Screenshots spread evenly over time.
    Interval,
}

/// Requests the screenshots of a local range, without pixels.
///
/// If the list is empty, the diagnostics of the response contain the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct ScreenshotsRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Only screenshots taken during segments of this device, by its display name.
    pub device: Option<String>,
    /// Only screenshots taken during segments that match the filter.
    pub filter: Filter,
    /// The method of selection.
    pub sampling: Sampling,
    /// Time between screenshots, for [`Sampling::Interval`]. `None` selects all screenshots.
    pub interval: Option<Minutes>,
    /// The maximum number of screenshots. If more are selected, the list is thinned evenly.
    pub max_count: Limit<20, 100>,
}

/// Screenshots in order of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotList {
    /// How the screenshots were selected. `interval` if the range has no segments to select by.
    pub sampling: Sampling,
    /// Number of screenshots in the range.
    pub screenshots_in_range: usize,
    /// The selected screenshots, in order of time.
    pub screenshots: Vec<ScreenshotEntry>,
    /// `totalAvailable` is the number of selected screenshots before the list was thinned evenly to `maxCount`.
    pub truncation: Truncation,
    /// The reason if the list is empty.
    pub diagnostics: Diagnostics,
}

impl Request for ScreenshotsRequest {
    type Service = ScreenshotService;
    type Response = ScreenshotList;

    async fn execute(self, pictures: &ScreenshotService) -> Result<ScreenshotList, Error> {
        let window = self.range.start()..self.range.end();
        let wanted = window.clone();
        let found = match pictures.run_on_engine(move |screenshots| screenshots.find_in(&wanted)).await? {
            // An unreadable folder is not an error here, because the diagnostics report it.
            Err(screenshots::Error::Unreadable { .. }) => Vec::new(),
            found => found?,
        };
        let in_range = found.len();
        let none = |diagnostics| ScreenshotList {
            sampling: self.sampling,
            screenshots_in_range: in_range,
            screenshots: Vec::new(),
            truncation: Truncation::new(0, 0),
            diagnostics,
        };
        if in_range == 0 {
            let diagnostics = pictures.explain_absence(window.clone()).await;
            return Ok(none(match pictures.describe_nearest(window).await {
                Some(nearest) => diagnostics.with_fact(&nearest),
                None => diagnostics,
            }));
        }
        let segments = match self.sampling {
            Sampling::ActivityTransition => {
                segment_times(pictures.engine(), &self.range, self.device.as_deref(), &self.filter).await?
            }
            Sampling::Interval => Vec::new(),
        };
        if segments.is_empty() && !self.filter.is_empty() {
            return Ok(none(Diagnostics::remark(ReasonCode::FilterMatchesNothing)));
        }
        let interval = self.interval.filter(|_| self.sampling == Sampling::Interval).map(Minutes::to_duration);
        let sample = screenshots::sample(found, &window, &segments, interval, self.max_count.get());
        let screenshots: Vec<_> = sample.screenshots.iter().map(ScreenshotEntry::from_screenshot).collect();
        let mut truncation = Truncation::new(screenshots.len(), sample.available);
        truncation.limited_by = truncation.truncated.then_some(LimitedBy::MaxCount);
        Ok(ScreenshotList {
            sampling: if sample.by_segment { Sampling::ActivityTransition } else { Sampling::Interval },
            screenshots_in_range: in_range,
            screenshots,
            truncation,
            diagnostics: Diagnostics::healthy(),
        })
    }
}

impl Truncate for ScreenshotList {
    fn rows(&self) -> usize {
        self.screenshots.len()
    }

    fn keep(&mut self, rows: usize) {
        self.screenshots.truncate(rows);
        self.truncation.keep(rows);
    }
}
