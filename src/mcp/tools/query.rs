//! `query`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::limit;
use crate::{
    activity::QueryRequest,
    mcp::{arguments::WholeNumber, flow::Lane, tool::DataTool, toolset::Toolset},
    request::Error,
};

/// Runs a statement.
#[derive(Debug)]
pub struct RunQuery;

/// Statement and maximum number of rows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Parameters {
    /// One SELECT statement.
    sql: String,
    /// Return at most this many rows.
    #[schemars(range(min = 1, max = 1000), extend("default" = 100))]
    max_rows: Option<WholeNumber>,
}

impl DataTool for RunQuery {
    const NAME: &'static str = "query";
    const TITLE: &'static str = "SQL query";
    const DESCRIPTION: &'static str = "Runs one read-only SELECT in SQL. Use it only for questions that no other tool \
                                       answers. Examples are how many meetings the calendar has and which one when, \
                                       the longest break, which of several devices ran, or both at the same time, at \
                                       which hour of the day, on how many days or evenings of a year, calls, billable \
                                       or untagged time. Call describe_model first. DataFusion, close to PostgreSQL; \
                                       *_local is local time, *_utc UTC; never mix active and recorded time.";
    const TOOLSET: Toolset = Toolset::Sql;
    const LANE: Lane = Lane::Statements;
    type Parameters = Parameters;
    type Request = QueryRequest;

    fn request(parameters: Parameters) -> Result<QueryRequest, Error> {
        Ok(QueryRequest { sql: parameters.sql, max_rows: limit(parameters.max_rows, "maxRows")? })
    }
}
