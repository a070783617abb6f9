//! Runs one SQL statement of a user or a language model, and returns its rows as columns and values.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::cell::{Cell, cells};
use dayledger_engine as engine;
use dayledger_engine::{CutBy, Engine, QueryLimits, Table, UserStatement, type_name};
use dayledger_request::{Error, Limit, Request, Truncate};

/// Runs one read-only statement (docs/contract.md, `query`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryRequest {
    /// The statement, and the values of its parameters.
    pub statement: UserStatement,
    /// The maximum number of rows.
    pub max_rows: Limit<100, 1000>,
}

/// The rows of a statement.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryResponse {
    /// The columns, in the order of the statement.
    pub columns: Vec<QueryColumn>,
    /// Whether rows are missing from the response.
    pub truncation: QueryTruncation,
    /// A list of values per row, in the order of the columns. Timestamps are ISO 8601 without an offset. The name of
    /// their column shows whether they are local or UTC. Decimals and whole numbers beyond 53 bits are text.
    #[schemars(with = "Vec<Values>")]
    pub rows: Vec<Vec<Cell>>,
}

/// The values of one row.
#[derive(JsonSchema)]
#[schemars(inline, extend("type" = "array"))]
struct Values;

/// A column of the response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueryColumn {
    /// Name of the column.
    pub name: String,
    /// SQL type of the column, such as `text`, `bigint` or `timestamp`.
    pub r#type: String,
}

/// Whether rows were cut off. The total number of rows is known only if no row was cut off. Counting the other rows
/// could take longer than the statement itself.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryTruncation {
    /// Whether there are more rows.
    pub truncated: bool,
    /// Number of rows in the response.
    pub returned_count: usize,
    /// The limit that cut the rows.
    pub limited_by: Option<QueryLimitedBy>,
}

/// The limit that cut the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum QueryLimitedBy {
    /// The parameter `maxRows`.
    MaxRows,
    /// The maximum size of a response.
    AnswerSize,
}

impl Request for QueryRequest {
    type Service = Engine;
    type Response = QueryResponse;

    async fn execute(self, engine: &Engine) -> Result<QueryResponse, Error> {
        // The limits are lower than in the terminal, because a language model shares the computer with the user, and
        // because MCP clients stop waiting after a while.
        let limits = QueryLimits {
            deadline: Duration::from_secs(20),
            memory_bytes: 256 << 20,
            rows: self.max_rows.get(),
            // Several times the maximum size of a response.
            bytes: 1 << 20,
        };
        let table = engine.query(self.statement, &limits).await?;
        Ok(QueryResponse::from_table(&table)?)
    }
}

impl QueryResponse {
    fn from_table(table: &Table) -> Result<Self, engine::Error> {
        let columns = table
            .schema
            .fields()
            .iter()
            .map(|field| QueryColumn { name: field.name().clone(), r#type: type_name(field.data_type()) });
        let mut rows = Vec::new();
        for batch in &table.batches {
            let columns = batch.columns().iter().map(|column| cells(column)).collect::<Result<Vec<_>, _>>();
            let mut columns: Vec<_> =
                columns.map_err(engine::Error::from_row_error)?.into_iter().map(Vec::into_iter).collect();
            rows.extend((0..batch.num_rows()).map(|_| columns.iter_mut().filter_map(Iterator::next).collect()));
        }
        let limited_by = table.truncated.map(|cut| match cut {
            CutBy::Rows => QueryLimitedBy::MaxRows,
            CutBy::Bytes => QueryLimitedBy::AnswerSize,
        });
        let truncation =
            QueryTruncation { truncated: limited_by.is_some(), returned_count: Vec::len(&rows), limited_by };
        Ok(Self { columns: columns.collect(), truncation, rows })
    }
}

impl Truncate for QueryResponse {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn keep(&mut self, rows: usize) {
        if rows < self.rows.len() {
            self.rows.truncate(rows);
            self.truncation =
                QueryTruncation { truncated: true, returned_count: rows, limited_by: Some(QueryLimitedBy::AnswerSize) };
        }
    }
}
