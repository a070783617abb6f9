//! Checks the text of a statement, and the parsed statement.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Query, Statement, Visit, Visitor, visit_relations};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::{MAX_STATEMENT_BYTES, Refusal};

/// The maximum number of operators and keywords in a statement. In a chain such as `a + b + c`, each operator adds a
/// level of nesting. In a debug build, each level needs about 7 KiB of stack. The longest file in `sql/` has 250
/// operators and keywords.
const MAX_OPERATORS: usize = 1_000;

/// The maximum number of tables in a statement, or in an expanded `WITH` query. A table can be a view. Planning
/// thousands of views would use up the time and memory of the statement.
const MAX_TABLES: u64 = 500;

/// Rejects a text that is too long or too deeply nested for the parser. `value_bytes` is the size of the values of the
/// statement's parameters.
///
/// # Errors
/// [`Refusal::Text`] and [`Refusal::Nesting`].
pub(crate) fn check_text(sql: &str, value_bytes: usize) -> Result<(), Refusal> {
    if sql.len() + value_bytes > MAX_STATEMENT_BYTES {
        return Err(Refusal::Text);
    }
    // If the text isn't SQL, the parser reports it later.
    let tokens = Tokenizer::new(&GenericDialect, sql).tokenize().unwrap_or_default();
    let joining = tokens.iter().filter(|token| can_deepen_nesting(token)).count();
    if joining > MAX_OPERATORS { Err(Refusal::Nesting) } else { Ok(()) }
}

/// Whether a token can add a level of nesting. This is true for operators and keywords, and false for names, values and
/// lists.
fn can_deepen_nesting(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.keyword != Keyword::NoKeyword,
        Token::Whitespace(_)
        | Token::Comma
        | Token::LParen
        | Token::RParen
        | Token::Period
        | Token::SemiColon
        | Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::EOF => false,
        _ => true,
    }
}

/// Rejects a statement that uses too many tables.
///
/// # Errors
/// [`Refusal::Plan`].
pub(crate) fn check_statement(statement: &Statement) -> Result<(), Refusal> {
    let mut tables = 0;
    let visited = visit_relations(statement, |_| {
        tables += 1;
        if tables > MAX_TABLES { ControlFlow::Break(Refusal::Plan) } else { ControlFlow::Continue(()) }
    });
    to_result(visited)?;
    to_result(statement.visit(&mut NamedQueries::default()))
}

fn to_result(visited: ControlFlow<Refusal>) -> Result<(), Refusal> {
    visited.break_value().map_or(Ok(()), Err)
}

/// The number of tables in each query of a `WITH`. This number includes the tables of the earlier queries that the
/// query uses.
///
/// Planning expands each query at every use. If each query uses the previous query twice, about twenty queries keep a
/// core busy until the time limit.
#[derive(Default)]
struct NamedQueries(HashMap<String, u64>);

impl Visitor for NamedQueries {
    type Break = Refusal;

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<Refusal> {
        for named in query.with.iter().flat_map(|with| &with.cte_tables) {
            let own = named.alias.name.value.to_lowercase();
            let mut tables = 1_u64;
            let _: ControlFlow<()> = visit_relations(&named.query, |relation| {
                let name = relation.to_string().replace('"', "").to_lowercase();
                // If a recursive query uses itself, this use counts as one table.
                let known = self.0.get(&name).filter(|_| name != own);
                tables = tables.saturating_add(known.copied().unwrap_or(1));
                ControlFlow::Continue(())
            });
            if tables > MAX_TABLES {
                return ControlFlow::Break(Refusal::Plan);
            }
            self.0.insert(own, tables);
        }
        ControlFlow::Continue(())
    }
}
