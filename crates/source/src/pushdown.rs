//! Converts DataFusion's filters to [`Predicate`]s that a scan can apply.
//!
//! A plan is reused with other parameter values. So the value in a filter may be known only when the plan runs.

use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::DataType;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::execution_props::ExecutionProps;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{BinaryExpr, ColumnarValue, Expr, Operator, TableProviderFilterPushDown, Volatility};
use datafusion::physical_expr::create_physical_expr;

use super::selection::{Comparison, Predicate, Test};

/// A filter that a scan can apply.
pub enum PushedFilter {
    /// A filter whose value is known.
    Bound(Predicate),
    /// A comparison with a value that isn't known yet.
    Open(Comparison),
}

/// The values that are known at the time of the conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Values that are the same for all runs of a plan.
    Planned,
    /// All values, because the plan is running.
    Running,
}

/// Converts a filter for a scan. Returns `None` if DataFusion has to apply the filter itself. `type_of` returns the
/// type of a column, or `None` if the scan can't filter by this column.
pub fn push_filter(filter: &Expr, type_of: impl Fn(&str) -> Option<DataType>, known: Values) -> Option<PushedFilter> {
    if let Some((column, operator, value)) = split_comparison(filter) {
        return comparison(column, &type_of(column)?, operator, constant(value, known)?);
    }
    let Expr::InList(list) = filter else { return None };
    let Expr::Column(column) = list.expr.as_ref() else { return None };
    let values = list.list.iter().map(literal).collect::<Option<Vec<_>>>()?;
    let test = match type_of(&column.name)? {
        _ if list.negated => return None,
        DataType::Int64 => Test::Numbers(values.iter().map(|value| number(value)).collect::<Option<_>>()?),
        DataType::Utf8View => Test::Texts(values.iter().map(|value| text(value)).collect::<Option<_>>()?),
        _ => return None,
    };
    Some(PushedFilter::Bound(Predicate { column: column.name.clone(), test }))
}

/// Returns for each filter whether a table supports it, in DataFusion's terms. The result is `manner` for filters that
/// are pushed down, and "unsupported" for all other filters.
pub fn filter_support(
    filters: &[&Expr],
    manner: &TableProviderFilterPushDown,
    is_pushed: impl Fn(&Expr) -> bool,
) -> Vec<TableProviderFilterPushDown> {
    let support = |filter: &&Expr| {
        if is_pushed(filter) { manner.clone() } else { TableProviderFilterPushDown::Unsupported }
    };
    filters.iter().map(support).collect()
}

/// Returns the column, the operator and the value of a comparison. Returns `None` for other
/// filters.
pub fn split_comparison(filter: &Expr) -> Option<(&str, Operator, &Expr)> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    match (left.as_ref(), right.as_ref()) {
        (Expr::Column(column), value) => Some((&column.name, *op, value)),
        (value, Expr::Column(column)) => Some((&column.name, op.swap()?, value)),
        _ => None,
    }
}

/// Converts an operator to a comparison of times. Returns `None` if there isn't such a comparison.
pub fn comparison_of(operator: Operator) -> Option<Comparison> {
    match operator {
        Operator::Lt => Some(Comparison::Before),
        Operator::LtEq => Some(Comparison::NotAfter),
        Operator::Eq => Some(Comparison::Equal),
        Operator::GtEq => Some(Comparison::NotBefore),
        Operator::Gt => Some(Comparison::After),
        _ => None,
    }
}

fn comparison(column: &str, data_type: &DataType, operator: Operator, value: Constant) -> Option<PushedFilter> {
    let comparison = comparison_of(operator)?;
    if comparison != Comparison::Equal && !matches!(data_type, DataType::Timestamp(..)) {
        return None;
    }
    let value = match value {
        Constant::Open => return Some(PushedFilter::Open(comparison)),
        Constant::Known(value) => value,
    };
    let test = match data_type {
        DataType::Int64 => Test::Numbers(vec![number(&value)?]),
        DataType::Utf8View => Test::Texts(vec![text(&value)?]),
        _ => match value {
            ScalarValue::TimestampSecond(Some(seconds), None) => Test::Instant(comparison, seconds),
            _ => return None,
        },
    };
    Some(PushedFilter::Bound(Predicate { column: column.to_owned(), test }))
}

/// The value that a column is compared with. It is the same for all rows.
enum Constant {
    Known(ScalarValue),
    /// A value that isn't known yet. It depends on a parameter, or on a function that is evaluated again in each run.
    Open,
}

fn constant(value: &Expr, known: Values) -> Option<Constant> {
    if let Some(value) = literal(value) {
        return Some(Constant::Known(value.clone()));
    }
    if !value.column_refs().is_empty() || value.is_volatile() {
        return None;
    }
    if known == Values::Planned && value.exists(|part| Ok(is_open(part))).ok()? {
        return Some(Constant::Open);
    }
    evaluate(value).map(Constant::Known)
}

/// Evaluates an expression without columns. Returns `None` if it can't be evaluated or is null.
pub fn evaluate(value: &Expr) -> Option<ScalarValue> {
    // A request evaluates dozens of values. `ExprSimplifier` takes ten times as long for each.
    let (schema, properties) = (DFSchema::empty(), ExecutionProps::new());
    let value = create_physical_expr(value, &schema, &properties, &PhysicalPlanningContext::default()).ok()?;
    let one_row = RecordBatchOptions::new().with_row_count(Some(1));
    let one_row = RecordBatch::try_new_with_options(Arc::clone(schema.inner()), Vec::new(), &one_row).ok()?;
    let value = match value.evaluate(&one_row).ok()? {
        ColumnarValue::Scalar(value) => value,
        ColumnarValue::Array(values) => ScalarValue::try_from_array(&values, 0).ok()?,
    };
    Some(value).filter(|value| !value.is_null())
}

/// Whether `part`, a part of an expression, has a value that is known only when the plan runs.
pub fn is_open(part: &Expr) -> bool {
    match part {
        Expr::Placeholder(_) => true,
        Expr::ScalarFunction(call) => call.func.signature().volatility != Volatility::Immutable,
        _ => false,
    }
}

fn literal(value: &Expr) -> Option<&ScalarValue> {
    match value {
        Expr::Literal(value, _) if !value.is_null() => Some(value),
        _ => None,
    }
}

fn number(value: &ScalarValue) -> Option<i64> {
    match value {
        ScalarValue::Int64(number) => *number,
        _ => None,
    }
}

fn text(value: &ScalarValue) -> Option<String> {
    value.try_as_str().flatten().map(str::to_owned)
}
