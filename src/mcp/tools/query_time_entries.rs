//! `query_time_entries`.

use dayledger_timesheet::{EntryQuery, Hours, Limit, Order, Refusal, Sort, SortBy, Status};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;

use super::entry_parameters::{Date, Session, Tags};
use crate::{
    mcp::{
        arguments::WholeNumber,
        tool::{Caller, DataTool},
        toolset::Toolset,
    },
    request::Error,
    timesheet::EntriesRequest,
};

/// Lists entries.
pub(super) struct QueryTimeEntries;

/// Filters, order and page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    /// Entries start on this day or later.
    start_date: Option<Date>,
    /// Entries end on this day or earlier: inclusive, unlike in the history.
    end_date: Option<Date>,
    project_code: Option<String>,
    task: Option<String>,
    /// Status of the entries.
    #[serde(default)]
    #[schemars(with = "Status")]
    status: Option<String>,
    /// Text in the description, in its exact case.
    description_contains: Option<String>,
    tags: Option<Tags>,
    has_overtime: Option<bool>,
    min_hours: Option<Hours>,
    max_hours: Option<Hours>,
    user_email: Option<String>,
    /// startDate, completionDate or standardHours.
    #[schemars(extend("default" = "startDate"))]
    sort_by: Option<String>,
    /// asc or desc.
    #[schemars(extend("default" = "desc"))]
    sort_order: Option<String>,
    #[serde(default)]
    #[schemars(with = "i64", range(min = 1, max = 200), extend("default" = 50))]
    limit: Option<WholeNumber>,
    #[serde(default)]
    #[schemars(with = "i64", range(min = 0), extend("default" = 0))]
    offset: Option<WholeNumber>,
    session: Option<Session>,
}

impl DataTool for QueryTimeEntries {
    const NAME: &'static str = "query_time_entries";
    const TITLE: &'static str = "Logged time";
    const DESCRIPTION: &'static str = "Entries of the timesheet: logged hours, with status. For activity see the \
                                       history, for hours that are not logged yet suggest_time_entries.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    type Parameters = Parameters;
    type Request = EntriesRequest;

    fn normalize_arguments(mut arguments: JsonObject) -> JsonObject {
        for (other, name) in [("take", "limit"), ("skip", "offset")] {
            if !arguments.contains_key(name)
                && let Some(value) = arguments.remove(other)
            {
                arguments.insert(name.to_owned(), value);
            }
        }
        arguments
    }

    fn request(parameters: Parameters) -> Result<EntriesRequest, Error> {
        let count = |number: WholeNumber, field| {
            u32::try_from(number.0).map_err(|_| Refusal::invalid(field, format_args!("`{field}` is {}", number.0)))
        };
        let status = parameters.status.map(|text| text.parse::<Status>()).transpose();
        let by = parameters.sort_by.map(|text| text.parse::<SortBy>()).transpose();
        let order = parameters.sort_order.map(|text| text.parse::<Order>()).transpose();
        let query = EntryQuery {
            start_date: Date::day(parameters.start_date.as_ref(), "startDate")?,
            end_date: Date::day(parameters.end_date.as_ref(), "endDate")?,
            project_code: parameters.project_code,
            task: parameters.task,
            status: status?,
            description_contains: parameters.description_contains,
            tags: Tags::parse(parameters.tags)?.unwrap_or_default(),
            has_overtime: parameters.has_overtime,
            min_hours: parameters.min_hours,
            max_hours: parameters.max_hours,
            user_email: parameters.user_email,
            sort: Sort { by: by?.unwrap_or_default(), order: order?.unwrap_or_default() },
            limit: match parameters.limit {
                Some(number) => Limit::new(u32::try_from(number.0).unwrap_or_default())?,
                None => Limit::default(),
            },
            offset: parameters.offset.map(|number| count(number, "offset")).transpose()?.unwrap_or_default(),
        };
        Ok(EntriesRequest { query, call_session: Session::to_call_session(parameters.session.as_ref())? })
    }

    fn with_caller(request: EntriesRequest, caller: &Caller) -> EntriesRequest {
        EntriesRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}
