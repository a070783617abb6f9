//! `get_computer_usage`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{Cursor, Device, EndDate, StartDate, default_true, range};
use crate::{activity::ComputerUsageRequest, mcp::tool::DataTool, request::Error};

/// Lists the states of the computer.
pub(super) struct GetComputerUsage;

/// Range and device.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    start_date: StartDate,
    end_date: Option<EndDate>,
    device: Option<Device>,
    /// false: only totals, without intervals.
    #[serde(default = "default_true")]
    include_intervals: bool,
    cursor: Option<Cursor>,
}

impl DataTool for GetComputerUsage {
    const NAME: &'static str = "get_computer_usage";
    const TITLE: &'static str = "Computer usage";
    const DESCRIPTION: &'static str = "Lists when the computer was active, away (no keyboard or mouse use), locked or \
                                       off: intervals and minutes per state. Use it for presence, breaks, start and \
                                       end of work; not for what was done.";
    type Parameters = Parameters;
    type Request = ComputerUsageRequest;

    fn request(parameters: Parameters) -> Result<ComputerUsageRequest, Error> {
        Ok(ComputerUsageRequest {
            range: range(&parameters.start_date, parameters.end_date.as_ref())?,
            device: Device::name(parameters.device),
            include_intervals: parameters.include_intervals,
            cursor: Cursor::parse(parameters.cursor.as_ref())?,
        })
    }
}
