//! Names of result columns without an alias.
//!
//! DataFusion names such a column after its planned expression, for example
//! `date_trunc(Utf8("day"),blocks().start_local)`. Such a name is hard to read for people and assistants. So the column
//! is named after the text of its expression, as in `DuckDB`: `date_trunc('day', start_local)`.

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Expr, Ident, Query, Select, SelectItem, SetExpr, Statement as Sql, TableFactor};

/// Adds an alias to each column of the result that doesn't have an alias.
///
/// Columns of queries in `WITH` and `FROM` also get an alias, because `SELECT *` can return them. Columns of a query
/// within an expression keep their names, because these names are never shown.
pub(crate) fn add_aliases(statement: &mut Statement) {
    if let Statement::Statement(statement) = statement
        && let Sql::Query(query) = statement.as_mut()
    {
        add_to_query(query);
    }
}

fn add_to_query(query: &mut Query) {
    for named in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
        add_to_query(&mut named.query);
    }
    add_to_body(&mut query.body);
}

fn add_to_body(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => add_to_select(select),
        SetExpr::Query(query) => add_to_query(query),
        // The first query of a `UNION` determines the column names of the whole result.
        SetExpr::SetOperation { left, .. } => add_to_body(left),
        _ => {}
    }
}

fn add_to_select(select: &mut Select) {
    for tables in &mut select.from {
        let joined = tables.joins.iter_mut().map(|join| &mut join.relation);
        for table in std::iter::once(&mut tables.relation).chain(joined) {
            if let TableFactor::Derived { subquery, .. } = table {
                add_to_query(subquery);
            }
        }
    }
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr) = item
            && let Some(name) = column_name(expr)
        {
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::with_quote('"', name) };
        }
    }
}

/// Returns the name for a column. Returns `None` if the column keeps DataFusion's name.
fn column_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => None,
        Expr::Nested(inner) => column_name(inner),
        Expr::Function(function) => {
            let (name, text) = (function.name.to_string(), expr.to_string());
            // `unnest` of a struct returns several columns, one for each field. So DataFusion rejects an alias for it.
            if name.eq_ignore_ascii_case("unnest") {
                return None;
            }
            let rest = text.strip_prefix(&name).map(|rest| format!("{}{rest}", name.to_lowercase()));
            Some(rest.unwrap_or(text))
        }
        _ => Some(expr.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParser;

    use super::*;

    fn with_aliases(sql: &str) -> String {
        let mut statement = DFParser::parse_sql(sql).unwrap().pop_front().unwrap();
        add_aliases(&mut statement);
        statement.to_string()
    }

    #[test]
    fn expression_without_an_alias_is_named_after_its_text() {
        assert_eq!(with_aliases("SELECT 1, 'day'"), r#"SELECT 1 AS "1", 'day' AS "'day'""#);
        assert_eq!(with_aliases("SELECT COUNT(*) FROM t"), r#"SELECT COUNT(*) AS "count(*)" FROM t"#);
        assert_eq!(with_aliases("SELECT (a + 1) FROM t"), r#"SELECT (a + 1) AS "a + 1" FROM t"#);
    }

    #[test]
    fn columns_that_already_have_a_name_keep_it() {
        for sql in ["SELECT a, t.b, (c), max(d) AS most, t.*, * FROM t", "SELECT unnest(list) FROM t", "VALUES (1, 2)"]
        {
            assert_eq!(with_aliases(sql), sql);
        }
    }

    #[test]
    fn columns_of_queries_in_from_and_with_are_named() {
        let aliased = r#"SELECT 1 AS "1""#;
        for (sql, expected) in [
            ("SELECT * FROM (SELECT 1)", format!("SELECT * FROM ({aliased})")),
            ("SELECT * FROM t JOIN (SELECT 1) AS u ON true", format!("SELECT * FROM t JOIN ({aliased}) AS u ON true")),
            ("WITH u AS (SELECT 1) SELECT * FROM u", format!("WITH u AS ({aliased}) SELECT * FROM u")),
            ("SELECT 1 UNION ALL SELECT 2", format!("{aliased} UNION ALL SELECT 2")),
        ] {
            assert_eq!(with_aliases(sql), expected);
        }
    }
}
