//! Converts DataFusion's filters to [`Predicate`]s that a scan can apply.
//!
//! Plans are reused with other values, so a filter's value may be known only when the plan runs.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::TreeNode;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, TableProviderFilterPushDown, Volatility};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;

use super::selection::{Comparison, Predicate, Test};

/// A filter that a scan can fulfil.
pub enum PushedFilter {
    /// It asks for this.
    Bound(Predicate),
    /// It compares so with something whose value is not known yet.
    Open(Comparison),
}

/// Which values are known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// While a plan is made, for one question or many: those that no question changes.
    Planned,
    /// When a question runs: all.
    Running,
}

/// Returns what a filter asks of a scan that fulfils conditions on the columns of which `type_of` tells the type, or
/// `None` where DataFusion has to filter itself.
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

/// What a table answers DataFusion of `filters`: it fulfils those that are pushed to it in that manner, and no others.
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

/// The column that a filter compares, and what with.
pub fn split_comparison(filter: &Expr) -> Option<(&str, Operator, &Expr)> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    match (left.as_ref(), right.as_ref()) {
        (Expr::Column(column), value) => Some((&column.name, *op, value)),
        (value, Expr::Column(column)) => Some((&column.name, op.swap()?, value)),
        _ => None,
    }
}

/// How an operator compares instants, if it does.
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

/// What a column is compared with, the same for every row of a question.
enum Constant {
    Known(ScalarValue),
    /// It depends on a parameter, or on a function that each question evaluates anew.
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

/// The value of an expression without columns while a question runs; nothing where it has none, or null.
pub fn evaluate(value: &Expr) -> Option<ScalarValue> {
    let simplified = ExprSimplifier::new(SimplifyContext::default()).simplify(value.clone()).ok()?;
    literal(&simplified).cloned()
}

fn is_open(part: &Expr) -> bool {
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
