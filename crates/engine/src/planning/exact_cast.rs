//! Preserves casts between timestamps in comparisons.
//!
//! If a statement compares a cast column with a value, DataFusion removes this cast and casts the value instead. The
//! result is correct only if the column's unit can express the value. For example, DataFusion would change `start_local
//! < '2025-01-15 09:00:44.5'` to `start_local < '2025-01-15 09:00:44'`, which excludes a row at 09:00:44. If the cast
//! changes the time zone, DataFusion ignores this change. This module replaces such casts by a call of `arrow_cast`,
//! because DataFusion doesn't move calls. The call converts the value to an exact bound in the column's unit, so that
//! scans still receive a bound.

use std::sync::Arc;

use arrow::compute::CastOptions;
use arrow::datatypes::{DataType, FieldRef, TimeUnit};
use arrow::temporal_conversions::NANOSECONDS;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::utils::take_function_args;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::functions::core::{arrow_cast, arrow_try_cast};
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::preimage::PreimageResult;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ExprSchemable, LogicalPlan, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, cast, lit,
};
use datafusion::sql::sqlparser::ast::BinaryOperator;

/// Returns `arrow_cast` and `arrow_try_cast`, which replace DataFusion's functions.
pub(crate) fn functions() -> [Arc<ScalarUDF>; 2] {
    [(arrow_cast(), false), (arrow_try_cast(), true)]
        .map(|(standard, is_try)| Arc::new(ScalarUDF::new_from_impl(ExactCast { standard, is_try })))
}

/// Replaces each cast that DataFusion must not move by a call of one of [`functions`].
pub(crate) fn keep_casts(plan: LogicalPlan) -> Result<LogicalPlan> {
    let [casting, trying] = functions();
    let kept = plan.transform_up_with_subqueries(|node| {
        if !casts_to_timestamp(&node)? {
            return Ok(Transformed::no(node));
        }
        let (schema, names) = (merge_schema(&node.inputs()), NamePreserver::new(&node));
        node.map_expressions(|whole| {
            let name = names.save(&whole);
            let kept = whole.transform_up(|part| Ok(keep_cast(part, &schema, [&casting, &trying])))?;
            Ok(kept.update_data(|whole| name.restore(whole)))
        })
    });
    Ok(kept?.data)
}

fn casts_to_timestamp(node: &LogicalPlan) -> Result<bool> {
    let is_cast = |part: &Expr| match part {
        Expr::Cast(Cast { field, .. }) | Expr::TryCast(TryCast { field, .. }) => {
            matches!(field.data_type(), DataType::Timestamp(..))
        }
        _ => false,
    };
    let mut found = false;
    node.apply_expressions(|expression| {
        found = found || expression.exists(|part| Ok(is_cast(part)))?;
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(found)
}

fn keep_cast(part: Expr, schema: &DFSchema, [casting, trying]: [&Arc<ScalarUDF>; 2]) -> Transformed<Expr> {
    let (source, target, function) = match &part {
        Expr::Cast(Cast { expr, field }) => (expr, field.data_type(), casting),
        Expr::TryCast(TryCast { expr, field }) => (expr, field.data_type(), trying),
        _ => return Transformed::no(part),
    };
    if source.get_type(schema).is_ok_and(|from| must_be_kept(&from, target)) {
        return Transformed::yes(function.call(vec![source.as_ref().clone(), lit(target.to_string())]));
    }
    Transformed::no(part)
}

/// Converts a timestamp to nanoseconds if an interval with a fraction of a second is added or subtracted. Without this
/// rule, the result would have the unit of the timestamp and could lose the fraction.
#[derive(Debug)]
pub(crate) struct KeepFractions;

impl ExprPlanner for KeepFractions {
    fn plan_binary_op(&self, mut sum: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        if matches!(sum.op, BinaryOperator::Plus | BinaryOperator::Minus) && has_fraction(&sum.right) {
            sum.left = to_nanoseconds(sum.left, schema);
        } else if matches!(sum.op, BinaryOperator::Plus) && has_fraction(&sum.left) {
            sum.right = to_nanoseconds(sum.right, schema);
        }
        Ok(PlannerResult::Original(sum))
    }
}

/// Returns a timestamp in nanoseconds, and any other value unchanged.
fn to_nanoseconds(value: Expr, schema: &DFSchema) -> Expr {
    match value.get_type(schema) {
        Ok(DataType::Timestamp(_, zone)) => cast(value, DataType::Timestamp(TimeUnit::Nanosecond, zone)),
        _ => value,
    }
}

fn has_fraction(interval: &Expr) -> bool {
    match interval {
        Expr::Literal(ScalarValue::IntervalMonthDayNano(Some(interval)), _) => interval.nanoseconds % NANOSECONDS != 0,
        _ => false,
    }
}

/// Whether moving the cast would change the meaning of a comparison.
fn must_be_kept(from: &DataType, to: &DataType) -> bool {
    match (from, to) {
        (DataType::Timestamp(from, from_zone), DataType::Timestamp(to, to_zone)) => {
            units_per_second(*from) < units_per_second(*to) || from_zone != to_zone
        }
        _ => false,
    }
}

fn units_per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => NANOSECONDS,
    }
}

/// A replacement for DataFusion's `arrow_cast` or `arrow_try_cast`. DataFusion would simplify the original function to
/// a cast. The replacement isn't simplified if DataFusion must not move this cast ([`must_be_kept`]).
#[derive(Debug, PartialEq, Eq, Hash)]
struct ExactCast {
    standard: Arc<ScalarUDF>,
    /// Whether a value that can't be cast becomes null. If not, such a value is an error.
    is_try: bool,
}

impl ScalarUDFImpl for ExactCast {
    fn name(&self) -> &str {
        self.standard.name()
    }

    fn signature(&self) -> &Signature {
        self.standard.signature()
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        self.standard.return_type(arguments)
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        self.standard.return_field_from_args(arguments)
    }

    fn simplify(&self, arguments: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        if let [source, target] = arguments.as_slice()
            && let Some(target) = type_argument(target)
            && must_be_kept(&context.get_data_type(source)?, &target)
        {
            return Ok(ExprSimplifyResult::Original(arguments));
        }
        self.standard.simplify(arguments, context)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let options = CastOptions { safe: self.is_try, ..CastOptions::default() };
        let target = arguments.return_type().clone();
        let [source, _] = take_function_args(self.name(), arguments.args)?;
        source.cast_to(&target, Some(&options))
    }

    /// Returns the range of source values whose cast equals `bound`. The range is empty if the unit of the source can't
    /// express `bound`.
    fn preimage(&self, arguments: &[Expr], bound: &Expr, context: &SimplifyContext) -> Result<PreimageResult> {
        let ([source, _], Expr::Literal(bound, _)) = (arguments, bound) else { return Ok(PreimageResult::None) };
        let of = context.get_data_type(source);
        match of.ok().and_then(|of| equal_range(bound, &of)) {
            Some([from, until]) => {
                Ok(PreimageResult::Range { expr: source.clone(), interval: Box::new(Interval::try_new(from, until)?) })
            }
            None => Ok(PreimageResult::None),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.standard.documentation()
    }
}

fn type_argument(argument: &Expr) -> Option<DataType> {
    match argument {
        Expr::Literal(name, _) => name.try_as_str()??.parse().ok(),
        _ => None,
    }
}

/// Returns the timestamps of type `of` that equal `bound`, as a half-open range. If no timestamp equals `bound`, both
/// ends are the first timestamp after it.
fn equal_range(bound: &ScalarValue, of: &DataType) -> Option<[ScalarValue; 2]> {
    let DataType::Timestamp(unit, zone) = bound.data_type() else { return None };
    let DataType::Timestamp(of_unit, of_zone) = of else { return None };
    let ratio = units_per_second(unit) / units_per_second(*of_unit);
    if *of_zone != zone || ratio == 0 {
        return None;
    }
    // Casting a timestamp to a number returns the timestamp as a count of its unit, for example of seconds.
    let ScalarValue::Int64(Some(value)) = bound.cast_to(&DataType::Int64).ok()? else { return None };
    let until = value.div_euclid(ratio).checked_add(1)?;
    let from = if value.rem_euclid(ratio) == 0 { until - 1 } else { until };
    let timestamp = |value: i64| ScalarValue::from(value).cast_to(of).ok();
    Some([timestamp(from)?, timestamp(until)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(bound: i64, zone: Option<&str>) -> Option<[i64; 2]> {
        let bound = ScalarValue::TimestampMillisecond(Some(bound), zone.map(Into::into));
        let ends = equal_range(&bound, &DataType::Timestamp(TimeUnit::Second, None))?;
        Some(ends.map(|end| match end {
            ScalarValue::TimestampSecond(Some(value), None) => value,
            other => panic!("{other}"),
        }))
    }

    #[test]
    fn a_whole_second_equals_itself_and_a_fraction_equals_no_second() {
        assert_eq!(seconds(44_000, None), Some([44, 45]));
        assert_eq!(seconds(44_500, None), Some([45, 45]));
        assert_eq!(seconds(-500, None), Some([0, 0]), "before 1970 the earlier second is the smaller one");
        assert_eq!(seconds(-1_000, None), Some([-1, 0]));
    }

    #[test]
    fn a_timestamp_of_another_zone_has_no_range() {
        assert_eq!(seconds(44_000, Some("Europe/Berlin")), None);
    }
}
