//! `list_screenshots`.

use rmcp::model::{Annotations, ContentBlock, Resource, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{EndDate, StartDate, limit, range};
use crate::{
    activity::{Filter, Sampling, ScreenshotList, ScreenshotsRequest},
    mcp::{arguments::WholeNumber, tool::DataTool, toolset::Toolset},
    request::{Error, Minutes},
};

/// Lists screenshots.
pub(super) struct ListScreenshots;

/// Range and choice.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Return at most this many, spread evenly over the range.
    #[schemars(range(min = 1, max = 100), extend("default" = 20))]
    max_count: Option<WholeNumber>,
    /// `activity_transition`: one per segment of work. `interval`: evenly over time.
    #[serde(default)]
    #[schemars(extend("default" = "activity_transition"))]
    sampling_strategy: Sampling,
    /// With `interval`: minutes between screenshots.
    #[schemars(range(min = 0), extend("default" = 0))]
    interval_minutes: Option<f64>,
}

impl DataTool for ListScreenshots {
    const NAME: &'static str = "list_screenshots";
    const TITLE: &'static str = "List screenshots";
    const DESCRIPTION: &'static str = "Lists screenshots of the screen in a range, without pixels: references, times, \
                                       sizes. Use it before any other screenshot tool; if the list is empty, it \
                                       contains the reason. Then look at a few of them with get_screenshot.";
    const TOOLSET: Toolset = Toolset::Screenshots;
    type Parameters = Parameters;
    type Request = ScreenshotsRequest;

    fn request(parameters: Parameters) -> Result<ScreenshotsRequest, Error> {
        let interval = Minutes::parse(parameters.interval_minutes, 0.0, "intervalMinutes")?;
        Ok(ScreenshotsRequest {
            range: range(&parameters.start_date, parameters.end_date.as_ref())?,
            device: None,
            filter: Filter::default(),
            sampling: parameters.sampling_strategy,
            interval: (interval.seconds() > 0).then_some(interval),
            max_count: limit(parameters.max_count, "maxCount")?,
        })
    }

    /// Returns a link to each screenshot, for clients that show images to their user without the model.
    fn extra_content(list: &ScreenshotList) -> Vec<ContentBlock> {
        let link = |screenshot: &crate::activity::ScreenshotEntry| {
            let for_user = Annotations::default().with_audience(vec![Role::User]).with_priority(0.25);
            let link = Resource::new(&screenshot.resource_uri, screenshot.title()).with_annotations(for_user);
            ContentBlock::resource_link(link.with_mime_type("image/jpeg"))
        };
        list.screenshots.iter().map(link).collect()
    }
}
