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
    /// Filter: entries that start on this day or later.
    start_date: Option<Date>,
    /// Filter: entries that end on this day or earlier. Inclusive, unlike in activity tools.
    end_date: Option<Date>,
    /// Filter: project code.
    project_code: Option<String>,
    /// Filter: task, case-sensitive.
    task: Option<String>,
    /// Filter: status.
    #[serde(default)]
    #[schemars(with = "Status")]
    status: Option<String>,
    /// Filter: text in the description, case-sensitive.
    description_contains: Option<String>,
    /// Filter: entries with all of these tags.
    tags: Option<Tags>,
    /// Filter: entries with overtime (true) or without (false).
    has_overtime: Option<bool>,
    /// Filter: at least this many hours, overtime included.
    min_hours: Option<Hours>,
    /// Filter: at most this many hours, overtime included.
    max_hours: Option<Hours>,
    /// Filter: email address of the entry's user.
    user_email: Option<String>,
    /// startDate, completionDate or standardHours.
    #[schemars(extend("default" = "startDate"))]
    sort_by: Option<String>,
    /// asc or desc.
    #[schemars(extend("default" = "desc"))]
    sort_order: Option<String>,
    /// Return at most this many entries.
    #[serde(default)]
    #[schemars(with = "i64", range(min = 1, max = 200), extend("default" = 50))]
    limit: Option<WholeNumber>,
    /// Skip this many entries.
    #[serde(default)]
    #[schemars(with = "i64", range(min = 0), extend("default" = 0))]
    offset: Option<WholeNumber>,
    session: Option<Session>,
}

impl DataTool for QueryTimeEntries {
    const NAME: &'static str = "query_time_entries";
    const TITLE: &'static str = "Logged time";
    const DESCRIPTION: &'static str = "Lists the entries of the timesheet: logged hours, with status. Don't use it for \
                                       activity. For hours that are not logged yet use suggest_time_entries.";
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
