//! Checks of a statement's text and of the parsed statement.

use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::visit_relations;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::refusal::{MOST_BYTES, Refusal};

/// The most operators and keywords. A chain of operators is a level deeper with each of them, and what walks it needs
/// some 7 KiB of stack a level in a build that is not optimised; the longest file of `sql/` has 250.
const MOST_OPERATORS: usize = 1_000;

/// How many tables a statement may name. Each is a view that is planned: thousands would take more memory than there is.
const MOST_TABLES: usize = 500;

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
            let visited = visit_relations(statement, |_| {
                tables += 1;
                if tables > MOST_TABLES { ControlFlow::Break(Refusal::Plan) } else { ControlFlow::Continue(()) }
            });
            visited.break_value().map_or(Ok(()), Err)
        }
        Statement::Explain(explain) => check_statement(&explain.statement),
        _ => Ok(()),
    }
}
