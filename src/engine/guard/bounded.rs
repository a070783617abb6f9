//! Functions that can make more than they are given, bounded before they run.
//!
//! They are replaced twice: by name in the session, since the arguments of a table function are computed while a
//! statement is planned, and in the plan, since an operator such as `||` or `[…]` reaches them without a name.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::execution::SessionState;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::expr_rewriter::FunctionRewrite;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    BinaryExpr, ColumnarValue, Documentation, Expr, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility,
};

use super::{IN_FLIGHT_BYTES, Refusal, constants, growth, measure};

/// How many elements or bytes a type of fixed length may have.
const MOST_ELEMENTS: i64 = 1024;

/// What functions have made since rows last passed a gate.
#[derive(Debug, Default)]
pub(super) struct Spent(AtomicUsize);

impl Spent {
    pub(super) fn forget(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn so_far(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// The bounded functions that stand for those of `state`.
pub(super) fn functions(state: &SessionState) -> Vec<Arc<ScalarUDF>> {
    let known = state.scalar_functions().values();
    let growing = known.filter(|function| growth::can_grow(function.name()));
    growing.map(|function| Bounded::over(function, &Arc::default())).collect()
}

/// Puts bounded functions into a plan.
#[derive(Debug)]
pub(super) struct BoundGrowth {
    spent: Arc<Spent>,
    joined_text: Arc<ScalarUDF>,
}

impl BoundGrowth {
    pub(super) fn new(spent: &Arc<Spent>) -> Self {
        let joined_text = Arc::new(ScalarUDF::new_from_impl(Same::default()));
        Self { spent: Arc::clone(spent), joined_text: Bounded::over(&joined_text, spent) }
    }
}

impl FunctionRewrite for BoundGrowth {
    fn name(&self) -> &'static str {
        "bound_growth"
    }

    fn rewrite(&self, expression: Expr, _schema: &DFSchema, _config: &ConfigOptions) -> Result<Transformed<Expr>> {
        Ok(match expression {
            Expr::ScalarFunction(ScalarFunction { func, args }) if growth::can_grow(func.name()) => {
                Transformed::yes(Expr::ScalarFunction(ScalarFunction { func: Bounded::over(&func, &self.spent), args }))
            }
            Expr::BinaryExpr(BinaryExpr { op: Operator::StringConcat, .. }) => {
                Transformed::yes(Expr::ScalarFunction(ScalarFunction {
                    func: Arc::clone(&self.joined_text),
                    args: vec![expression],
                }))
            }
            expression => Transformed::no(expression),
        })
    }
}

/// A function that refuses arguments of which it would make too much.
#[derive(Debug)]
struct Bounded {
    inner: Arc<ScalarUDF>,
    spent: Arc<Spent>,
}

impl PartialEq for Bounded {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl Eq for Bounded {}

impl Hash for Bounded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

impl Bounded {
    fn over(function: &Arc<ScalarUDF>, spent: &Arc<Spent>) -> Arc<ScalarUDF> {
        let inner = match (function.inner().as_ref() as &dyn std::any::Any).downcast_ref::<Self>() {
            Some(bounded) => Arc::clone(&bounded.inner),
            None => Arc::clone(function),
        };
        Arc::new(ScalarUDF::new_from_impl(Self { inner, spent: Arc::clone(spent) }))
    }

    fn refused(&self) -> Refusal {
        Refusal::Function(self.inner.name().to_owned())
    }
}

impl ScalarUDFImpl for Bounded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        self.inner.inner().return_type(arguments)
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs) -> Result<FieldRef> {
        let field = self.inner.return_field_from_args(arguments)?;
        refuse_wide(field.data_type())?;
        Ok(field)
    }

    fn simplify(&self, arguments: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        // Others would be simplified to functions that are not bounded.
        if !growth::is_cast(self.inner.name()) {
            return Ok(ExprSimplifyResult::Original(arguments));
        }
        let simplified = self.inner.simplify(arguments, context)?;
        if let ExprSimplifyResult::Simplified(Expr::Cast(cast)) = &simplified {
            refuse_wide(cast.field.data_type())?;
        }
        Ok(simplified)
    }

    fn coerce_types(&self, arguments: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(arguments)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = arguments.number_rows;
        let most = growth::most_bytes(self.inner.name(), &arguments.args, rows);
        // What is computed while a statement is planned becomes a constant, which may not be longer than that.
        let is_constant = arguments.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let allowed = if is_constant && rows == 1 { constants::MOST_BYTES } else { IN_FLIGHT_BYTES };
        if most > allowed || most.saturating_add(self.spent.so_far()) > IN_FLIGHT_BYTES {
            return Err(self.refused().into());
        }
        let made = self.inner.invoke_with_args(arguments)?;
        self.spent.add(match &made {
            ColumnarValue::Array(array) => measure::bytes_of(array),
            ColumnarValue::Scalar(value) => measure::bytes_of_value(value).saturating_mul(rows),
        });
        Ok(made)
    }
}

fn refuse_wide(data_type: &DataType) -> Result<(), Refusal> {
    fn elements(data_type: &DataType) -> i64 {
        match data_type {
            DataType::FixedSizeBinary(length) => i64::from(*length),
            DataType::FixedSizeList(item, length) => {
                i64::from(*length).saturating_mul(elements(item.data_type()).max(1))
            }
            DataType::List(item) | DataType::LargeList(item) => elements(item.data_type()),
            DataType::Struct(fields) => fields.iter().map(|field| elements(field.data_type())).sum(),
            _ => 1,
        }
    }
    if elements(data_type) > MOST_ELEMENTS { Err(Refusal::Type(data_type.to_string())) } else { Ok(()) }
}

/// Gives back what it is given: what stands around `||`, an operator that no function can stand for, since it is null
/// where one side is.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Same(Signature);

impl Default for Same {
    fn default() -> Self {
        Self(Signature::any(1, Volatility::Immutable))
    }
}

impl ScalarUDFImpl for Same {
    fn name(&self) -> &'static str {
        growth::JOINED_TEXT
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        Ok(arguments.first().cloned().unwrap_or(DataType::Null))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut given = arguments.args.into_iter();
        Ok(given.next().unwrap_or(ColumnarValue::Scalar(datafusion::common::ScalarValue::Null)))
    }
}
