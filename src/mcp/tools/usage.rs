//! `get_application_usage` and `get_document_usage`, which differ only in the rows that they count.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Cursor, Device, EndDate, FilterParameter, StartDate, TimeBasisParameter, limit, range};
use crate::{
    activity::{Breakdown, UsageKind, UsageRequest},
    mcp::{arguments::WholeNumber, tool::DataTool},
    request::Error,
};

/// Counts the time of applications.
pub(super) struct GetApplicationUsage;

/// Counts the time of documents.
pub(super) struct GetDocumentUsage;

/// Range and length of the list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Return at most this many applications or documents.
    #[schemars(range(min = 1, max = 1000), extend("default" = 50))]
    limit: Option<WholeNumber>,
    /// `day`: add minutes per day, for at most 31 days.
    #[serde(default)]
    #[schemars(extend("default" = "none"))]
    breakdown: Breakdown,
    cursor: Option<Cursor>,
    /// `active` excludes time away, and is the default with filter. `recorded` includes it.
    #[schemars(extend("default" = "recorded"))]
    time_basis: Option<TimeBasisParameter>,
    device: Option<Device>,
    filter: Option<FilterParameter>,
}

impl Parameters {
    fn request(self, kind: UsageKind) -> Result<UsageRequest, Error> {
        let filter = FilterParameter::filter(self.filter);
        let request = UsageRequest {
            kind,
            range: range(&self.start_date, self.end_date.as_ref())?,
            limit: limit(self.limit, "limit")?,
            breakdown: self.breakdown,
            time_basis: TimeBasisParameter::with_filter(self.time_basis, &filter)?,
            device: Device::name(self.device),
            filter,
            cursor: Cursor::parse(self.cursor.as_ref())?,
        };
        request.check_breakdown("endDate")
    }
}

impl DataTool for GetApplicationUsage {
    const NAME: &'static str = "get_application_usage";
    const TITLE: &'static str = "Application usage";
    const DESCRIPTION: &'static str = "Returns how long the user used each application (program), longest first, in a \
                                       week, a year or a range of any length. Counts time away too, unless \
                                       timeBasis=active. For active time of up to 31 days use get_period_summary.";
    type Parameters = Parameters;
    type Request = UsageRequest;

    fn request(parameters: Parameters) -> Result<UsageRequest, Error> {
        parameters.request(UsageKind::Applications)
    }
}

impl DataTool for GetDocumentUsage {
    const NAME: &'static str = "get_document_usage";
    const TITLE: &'static str = "Document usage";
    const DESCRIPTION: &'static str = "Returns how long the user worked on each document, spreadsheet or other file, \
                                       longest first, over a range of any length. Counts time away too, unless \
                                       timeBasis=active. For websites use get_website_usage. For when a document was \
                                       worked on use get_activity_narrative.";
    type Parameters = Parameters;
    type Request = UsageRequest;

    fn request(parameters: Parameters) -> Result<UsageRequest, Error> {
        parameters.request(UsageKind::Documents)
    }
}
