//! `get_activities`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Cursor, EndDate, StartDate, default_true, limit, range};
use crate::{
    activity::ActivitiesRequest,
    mcp::{arguments::WholeNumber, tool::DataTool},
    request::Error,
};

/// Lists the activities of one timeline.
pub(super) struct GetActivities;

/// Timeline, range and page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    /// Timeline ID. It comes from `get_timelines`.
    timeline_id: WholeNumber,
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Return at most this many activities.
    #[schemars(range(min = 1, max = 5000), extend("default" = 100))]
    limit: Option<WholeNumber>,
    cursor: Option<Cursor>,
    /// Add the group name, color and key of each activity.
    #[serde(default = "default_true")]
    include_group_details: bool,
}

impl DataTool for GetActivities {
    const NAME: &'static str = "get_activities";
    const TITLE: &'static str = "Recorded activities";
    const DESCRIPTION: &'static str = "Lists the activities of one timeline as recorded (window titles, URLs, paths, \
                                       notes), page by page. Expensive. Use it only for details that \
                                       get_activity_narrative lacks.";
    type Parameters = Parameters;
    type Request = ActivitiesRequest;

    fn request(parameters: Parameters) -> Result<ActivitiesRequest, Error> {
        Ok(ActivitiesRequest {
            timeline_id: parameters.timeline_id.0,
            range: range(&parameters.start_date, parameters.end_date.as_ref())?,
            limit: limit(parameters.limit, "limit")?,
            cursor: Cursor::parse(parameters.cursor.as_ref())?,
            include_group_details: parameters.include_group_details,
        })
    }
}
