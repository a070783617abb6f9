//! `get_tags`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Cursor, EndDate, FilterParameter, StartDate, default_true, range};
use crate::{activity::TagsRequest, mcp::tool::DataTool, request::Error};

/// Lists tagged time.
pub(super) struct GetTags;

/// Range.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// false: only totals, without intervals.
    #[serde(default = "default_true")]
    include_intervals: bool,
    cursor: Option<Cursor>,
    filter: Option<FilterParameter>,
}

impl DataTool for GetTags {
    const NAME: &'static str = "get_tags";
    const TITLE: &'static str = "Tagged time";
    const DESCRIPTION: &'static str = "Lists what the user tagged (clients, projects, meetings), when (for example the \
                                       first time) and with which note: the tags in order, and minutes per tag and \
                                       client. Recorded time, also while away. Doesn't list time without a tag.";
    type Parameters = Parameters;
    type Request = TagsRequest;

    fn request(parameters: Parameters) -> Result<TagsRequest, Error> {
        Ok(TagsRequest {
            range: range(&parameters.start_date, parameters.end_date.as_ref())?,
            include_intervals: parameters.include_intervals,
            cursor: Cursor::parse(parameters.cursor.as_ref())?,
            filter: FilterParameter::filter(parameters.filter),
        })
    }
}
