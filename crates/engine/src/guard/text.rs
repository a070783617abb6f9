//! Checks of a statement's text and of the parsed statement.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Query, Visit, Visitor, visit_relations};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::refusal::{MAX_STATEMENT_BYTES, Refusal};

/// The most operators and keywords. A chain of operators is a level deeper with each of them, and what walks it needs
/// some 7 KiB of stack a level in a build that is not optimised; the longest file of `sql/` has 250.
const MAX_OPERATORS: usize = 1_000;

/// How many tables a statement may name, and a query of a `WITH` may come to. Each is a view that is planned, and thousands
/// take all that a statement may have.
const MAX_TABLES: u64 = 500;

/// Refuses a text that is too long or too deep to be parsed.
///
/// # Errors
/// [`Refusal::Text`] and [`Refusal::Nesting`].
pub(crate) fn check_text(sql: &str) -> Result<(), Refusal> {
    if sql.len() > MAX_STATEMENT_BYTES {
        return Err(Refusal::Text);
    }
    // What is no SQL is for the parser to tell.
    let tokens = Tokenizer::new(&GenericDialect, sql).tokenize().unwrap_or_default();
    let joining = tokens.iter().filter(|token| can_deepen_nesting(token)).count();
    if joining > MAX_OPERATORS { Err(Refusal::Nesting) } else { Ok(()) }
}

/// Whether a token can make what follows one level deeper: an operator or a keyword, no name, value or list.
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

/// Refuses a statement that names too many tables to be planned.
///
/// # Errors
/// [`Refusal::Plan`].
pub(crate) fn check_statement(statement: &Statement) -> Result<(), Refusal> {
    match statement {
        Statement::Statement(statement) => {
            let mut tables = 0;
            let visited = visit_relations(statement, |_| {
                tables += 1;
                if tables > MAX_TABLES { ControlFlow::Break(Refusal::Plan) } else { ControlFlow::Continue(()) }
            });
            to_result(visited)?;
            to_result(statement.visit(&mut NamedQueries::default()))
        }
        Statement::Explain(explain) => check_statement(&explain.statement),
        _ => Ok(()),
    }
}

fn to_result(visited: ControlFlow<Refusal>) -> Result<(), Refusal> {
    visited.break_value().map_or(Ok(()), Err)
}

/// How many tables each query of a `WITH` comes to, with the earlier ones that it names written out.
///
/// Planning walks all of that again and again: where each query names the one before it twice, some twenty of them take a
/// core for as long as the statement may run, and nothing that it asks for would make it shorter.
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
                // A recursive query names itself.
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
