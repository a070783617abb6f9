//! Checks of a statement's text and of the parsed statement.

use std::ops::ControlFlow;

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{ArrayElemTypeDef, DataType, Expr, Visit, Visitor};

use super::Refusal;

/// The longest statement. A page of SQL has some 3 KiB.
pub(super) const MOST_BYTES: usize = 64 << 10;

/// How many elements a type of fixed length may have; a null of that type is as long as any other value.
const MOST_ELEMENTS: u64 = 1024;

pub(super) fn check(sql: &str) -> Result<(), Refusal> {
    if sql.len() > MOST_BYTES { Err(Refusal::Text) } else { Ok(()) }
}

pub(super) fn check_types(statement: &Statement) -> Result<(), Refusal> {
    match statement {
        Statement::Statement(statement) => match statement.visit(&mut Types) {
            ControlFlow::Break(refusal) => Err(refusal),
            ControlFlow::Continue(()) => Ok(()),
        },
        Statement::Explain(explain) => check_types(&explain.statement),
        _ => Ok(()),
    }
}

struct Types;

impl Visitor for Types {
    type Break = Refusal;

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<Refusal> {
        match expression {
            Expr::Cast { data_type, .. } if elements(data_type) > MOST_ELEMENTS => {
                ControlFlow::Break(Refusal::Type(data_type.to_string()))
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

fn elements(data_type: &DataType) -> u64 {
    match data_type {
        DataType::Array(ArrayElemTypeDef::SquareBracket(inner, length)) => {
            length.unwrap_or(1).saturating_mul(elements(inner))
        }
        DataType::Array(ArrayElemTypeDef::AngleBracket(inner) | ArrayElemTypeDef::Parenthesis(inner)) => {
            elements(inner)
        }
        _ => 1,
    }
}
