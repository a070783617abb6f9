//! Checks of a statement's text and of the parsed statement.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Query, Visit, Visitor, visit_relations};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::Refusal;

/// The longest statement. A page of SQL has some 3 KiB.
pub(super) const MOST_BYTES: usize = 64 << 10;

/// The most operators and keywords. A chain of operators is a level deeper with each of them, and what walks it needs
/// some 7 KiB of stack a level in a build that is not optimised; the longest file of `sql/` has 250.
const MOST_OPERATORS: usize = 1_000;

/// How many tables a statement may name, and a query of a `WITH` may come to.
const MOST_TABLES: u64 = 500;

/// How deep a `WITH` may stand inside another.
const MOST_PASSES: usize = 10;

pub(super) fn check(sql: &str) -> Result<(), Refusal> {
    if sql.len() > MOST_BYTES {
        return Err(Refusal::Text);
    }
    // What is no SQL is for the parser to tell.
    let tokens = Tokenizer::new(&GenericDialect, sql).tokenize().unwrap_or_default();
    let joining = tokens.iter().filter(|token| joins_parts(token)).count();
    if joining > MOST_OPERATORS { Err(Refusal::Nesting) } else { Ok(()) }
}

/// Whether a token can make what follows one level deeper: an operator or a keyword, no name, value or list.
fn joins_parts(token: &Token) -> bool {
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

pub(super) fn check_statement(statement: &Statement) -> Result<(), Refusal> {
    match statement {
        Statement::Statement(statement) => {
            let mut tables = 0;
            let _: ControlFlow<()> = visit_relations(statement, |_| {
                tables += 1;
                ControlFlow::Continue(())
            });
            if tables > MOST_TABLES {
                return Err(Refusal::Plan);
            }
            // A pass settles what stands one level deeper than the one before.
            let mut named = NamedQueries::default();
            for _ in 0..MOST_PASSES {
                named.changed = false;
                refused(statement.visit(&mut named))?;
                if !named.changed {
                    return Ok(());
                }
            }
            Err(Refusal::Plan)
        }
        Statement::Explain(explain) => check_statement(&explain.statement),
        _ => Ok(()),
    }
}

fn refused(visited: ControlFlow<Refusal>) -> Result<(), Refusal> {
    visited.break_value().map_or(Ok(()), Err)
}

/// How many tables each query of a `WITH` comes to, with the queries that it names written out.
///
/// Planning a statement walks all of it again and again, so that this cannot wait for the plan.
#[derive(Default)]
struct NamedQueries {
    tables: HashMap<String, u64>,
    changed: bool,
}

impl Visitor for NamedQueries {
    type Break = Refusal;

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<Refusal> {
        for named in query.with.iter().flat_map(|with| &with.cte_tables) {
            let own = named.alias.name.value.to_lowercase();
            let mut tables = 1_u64;
            let _: ControlFlow<()> = visit_relations(&named.query, |relation| {
                let name = relation.to_string().replace('"', "").to_lowercase();
                // A recursive query names itself.
                let known = self.tables.get(&name).filter(|_| name != own);
                tables = tables.saturating_add(known.copied().unwrap_or(1));
                ControlFlow::Continue(())
            });
            if tables > MOST_TABLES {
                return ControlFlow::Break(Refusal::Plan);
            }
            self.changed |= self.tables.insert(own, tables) != Some(tables);
        }
        ControlFlow::Continue(())
    }
}
