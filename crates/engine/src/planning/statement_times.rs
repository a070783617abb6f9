//! Replaces the times in a user's statement by parameters. Statements that differ only in these times then share one
//! plan, for example the same statement about another day. For a statement about a day, planning takes longer than
//! running.
//!
//! These times become parameters:
//!
//! - the start and the end of a call such as `pieces('2025-01-15', '2025-01-16')`
//! - a time that a filter compares with a local time of rows, such as `start_local >= '2025-01-15'`

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::datatypes::DataType;
use chrono::Datelike;
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, ExprSchema, Result, ScalarValue};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::expr::Cast;
use datafusion::logical_expr::{Between, BinaryExpr, Expr, LogicalPlan};

use super::analysis::time_in_text;
use super::prepared::Slots;
use crate::dates::instant::timestamp_value;
use crate::model::parameter::Parameter;
use crate::planning::statement::{Bindings, placeholder, typed_placeholder};
use dayledger_source::INSTANT;
use dayledger_source::pushdown::comparison_of;

/// The times of one statement that became parameters, in the order of their parameters. During planning, this is an
/// extension of the statement's session.
#[derive(Debug, Default)]
pub(crate) struct StatementTimes(Mutex<Vec<ScalarValue>>);

impl StatementTimes {
    /// Replaces the range of a call by parameters. `bindings` contains the values of the function's parameters.
    pub(crate) fn open_range(&self, parameters: &[Parameter], bindings: &mut Bindings) {
        for (index, parameter) in parameters.iter().enumerate() {
            if ["start", "end"].contains(&parameter.name)
                && let Some(bound) = bindings.get_mut(&placeholder(index))
                && let Expr::Literal(value, _) = bound
                && value.data_type() == INSTANT
            {
                *bound = self.add(value.clone());
            }
        }
    }

    /// Replaces the times in the filters of a plan by parameters.
    pub(crate) fn open_filters(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        let opened = plan.transform_up_with_subqueries(|node| {
            let LogicalPlan::Filter(filter) = &node else { return Ok(Transformed::no(node)) };
            let schema = Arc::clone(filter.input.schema());
            node.map_expressions(|whole| whole.transform_up(|part| Ok(self.open_comparison(part, &schema))))
        })?;
        Ok(opened.data)
    }

    fn open_comparison(&self, mut part: Expr, schema: &DFSchema) -> Transformed<Expr> {
        let (column, sides) = match &mut part {
            Expr::BinaryExpr(BinaryExpr { left, op, right }) if comparison_of(*op).is_some() => (left, vec![right]),
            Expr::Between(Between { expr, low, high, .. }) => (expr, vec![low, high]),
            _ => return Transformed::no(part),
        };
        if !is_local_time(column, schema) {
            return Transformed::no(part);
        }
        for side in sides {
            if let Some(value) = time_value(side) {
                **side = self.add(value);
            }
        }
        Transformed::yes(part)
    }

    /// Adds a time and returns the parameter that replaces it.
    fn add(&self, value: ScalarValue) -> Expr {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = parameter_name(values.len());
        values.push(value);
        typed_placeholder(&name, INSTANT)
    }

    /// Returns the times in the order of their parameters.
    pub(crate) fn values(&self) -> Vec<ScalarValue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns slots with the times.
    pub(crate) fn slots(&self) -> Slots {
        Slots::from_values(self.values().into_iter().enumerate().map(|(index, value)| (parameter_name(index), value)))
    }
}

fn parameter_name(index: usize) -> String {
    format!("$time {index}")
}

fn is_local_time(column: &Expr, schema: &DFSchema) -> bool {
    let Expr::Column(column) = column else { return false };
    schema.field_from_column(column).is_ok_and(|field| *field.data_type() == INSTANT)
}

/// The years with all times that DataFusion can compare. If a query has another time, DataFusion returns an error.
const YEARS: RangeInclusive<i32> = 1678..=2261;

/// Returns the value of a text with a time ([`time_in_text`]), or of such a text with the type `TIMESTAMP`.
fn time_value(side: &Expr) -> Option<ScalarValue> {
    let text = match side {
        Expr::Cast(Cast { expr, field }) if matches!(field.data_type(), DataType::Timestamp(_, None)) => expr.as_ref(),
        side => side,
    };
    time_in_text(text).filter(|instant| YEARS.contains(&instant.year())).map(timestamp_value)
}

/// Whether two plans differ at most in the values of their parameters. DataFusion compares tables by name. Two calls of
/// the same table function can have different rows under the same name, so their tables must also be identical.
pub(crate) fn are_same_plans(one: &LogicalPlan, other: &LogicalPlan) -> bool {
    one == other
        && match (tables(one), tables(other)) {
            (Ok(one), Ok(other)) => {
                one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| Arc::ptr_eq(one, other))
            }
            _ => false,
        }
}

fn tables(plan: &LogicalPlan) -> Result<Vec<Arc<dyn TableProvider>>> {
    let mut tables = Vec::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            tables.push(source_as_provider(&scan.source)?);
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(tables)
}
