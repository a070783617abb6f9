//! The tools of the toolset `sql`. Two servers offer these tools: the server of one person's history, and the server of
//! a team.

use dayledger_activity::{DescribeModelRequest, QueryRequest};
use dayledger_request::{Error, Limit};
use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::WholeNumber;
use super::flow::Lane;
use super::tool::{Caller, DataTool};
use super::toolset::Toolset;

/// Describes the tables and functions of SQL.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DescribeModel {
    /// Table or function. Default: an overview of all.
    name: Option<String>,
}

impl DataTool for DescribeModel {
    const NAME: &'static str = "describe_model";
    const TITLE: &'static str = "SQL model";
    const DESCRIPTION: &'static str = "Describes the tables, columns and functions of SQL; with name, one of them in \
                                       detail. Use it before the first call of query.";
    const TOOLSET: Toolset = Toolset::Sql;
    type Request = DescribeModelRequest;

    fn request(self, _: &Caller) -> Result<DescribeModelRequest, Error> {
        Ok(DescribeModelRequest { name: self.name })
    }
}

/// Runs a statement.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RunQuery {
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
                                       answers. Examples: how many meetings the calendar had, which, and how long the \
                                       user was at the keyboard or away during each; the longest break; which of two \
                                       devices was used more, or both at once; the most active hour of the day; what \
                                       the user does on Fridays; on how many days or evenings; what is not logged or \
                                       assigned; calls, billable tags. Call describe_model first. DataFusion, close \
                                       to PostgreSQL; *_local is local time, *_utc UTC; never mix active and recorded \
                                       time.";
    const TOOLSET: Toolset = Toolset::Sql;
    const LANE: Lane = Lane::Statements;
    type Request = QueryRequest;

    fn request(self, _: &Caller) -> Result<QueryRequest, Error> {
        let max_rows = Limit::parse(self.max_rows.map(|number| number.0), "maxRows")?;
        Ok(QueryRequest { statement: self.sql.into(), max_rows })
    }
}
