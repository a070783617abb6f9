//! `get_timelines`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{activity::TimelinesRequest, mcp::tool::DataTool, request::Error};

/// Lists the timelines.
pub(super) struct GetTimelines;

/// No parameters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {}

impl DataTool for GetTimelines {
    const NAME: &'static str = "get_timelines";
    const TITLE: &'static str = "Timelines";
    const DESCRIPTION: &'static str = "Lists the timelines of the history with ID, role and device. Cheap. Use it only \
                                       for the timelineId of get_activities.";
    type Parameters = Parameters;
    type Request = TimelinesRequest;

    fn request(_parameters: Parameters) -> Result<TimelinesRequest, Error> {
        Ok(TimelinesRequest)
    }
}
