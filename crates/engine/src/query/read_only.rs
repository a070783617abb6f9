//! Allows only statements that read.
//!
//! The parsed statement is checked before planning, so that the error can name the rejected statement. The plan is also
//! checked ([`options`]), in case the first check misses a statement that changes something.

use datafusion::prelude::SQLOptions;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::Statement as Sql;

use super::messages;
use crate::Error;

/// Returns the options for checking a plan. They reject plans that change the schema, the data or the session.
pub(crate) fn options() -> SQLOptions {
    SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false)
}

/// Checks that a statement only reads, and returns it. For an `EXPLAIN`, returns the explained statement.
///
/// # Errors
/// [`Error::ReadOnly`] with the name of the statement.
pub(crate) fn check(statement: &Statement) -> Result<&Sql, Error> {
    let query = sql_of(statement).filter(|sql| is_query(sql));
    query.ok_or_else(|| Error::ReadOnly { statement: messages::shorten_name(&statement_name(statement)) })
}

fn sql_of(statement: &Statement) -> Option<&Sql> {
    match statement {
        Statement::Statement(statement) => Some(statement.as_ref()),
        Statement::Explain(explain) => sql_of(&explain.statement),
        Statement::CreateExternalTable(_) | Statement::CopyTo(_) | Statement::Reset(_) => None,
    }
}

fn is_query(statement: &Sql) -> bool {
    match statement {
        Sql::Query(_)
        | Sql::ExplainTable { .. }
        | Sql::ShowTables { .. }
        | Sql::ShowColumns { .. }
        | Sql::ShowFunctions { .. }
        | Sql::ShowVariable { .. }
        | Sql::ShowCreate { .. } => true,
        Sql::Explain { statement, .. } => is_query(statement),
        _ => false,
    }
}

/// Returns the first words of a statement, such as `CREATE TABLE`.
fn statement_name(statement: &Statement) -> String {
    if let Statement::Explain(explain) = statement {
        return statement_name(&explain.statement);
    }
    let text = match statement {
        Statement::Statement(statement) => match statement.as_ref() {
            Sql::Explain { statement, .. } => statement.to_string(),
            statement => statement.to_string(),
        },
        statement => statement.to_string(),
    };
    // `CREATE OR REPLACE TABLE` is reported as `CREATE TABLE`.
    let mut words = text.split_whitespace().map(str::to_uppercase).filter(|word| word != "OR" && word != "REPLACE");
    let first = words.next().unwrap_or_default();
    match first.as_str() {
        "CREATE" | "DROP" | "ALTER" => words.next().map_or_else(|| first.clone(), |second| format!("{first} {second}")),
        _ => first,
    }
}
