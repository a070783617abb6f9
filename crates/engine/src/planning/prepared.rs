//! Reuses the plans of the project's own statements for requests with other arguments.
//!
//! For a request about a day, planning takes longer than running. So plans are reused, and a physical plan doesn't
//! contain fixed values for the parameters of its statement. Each parameter is a function without arguments that
//! returns the current value of a slot. While a request runs, its plan contains the values, rows and state of this
//! request. So only one request can use a plan at a time. When the request has collected its rows, the plan is reset
//! and returned to the pool.
//!
//! Invariants: a plan in the pool doesn't contain rows. Only one request uses a plan at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::ptr_eq::PtrEq;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::reset_plan_states;

use super::statement::Bindings;
use crate::running::runtime::MAX_PARALLEL_REQUESTS;

/// The plan of a statement, with the parameter values of one request.
#[derive(Debug)]
pub(crate) struct Prepared {
    sql: &'static str,
    pub(crate) plan: Arc<dyn ExecutionPlan>,
    slots: Slots,
}

impl Prepared {
    /// Creates a prepared plan of the statement `sql`. In `plan`, `slots` replace the parameters.
    pub(crate) fn new(sql: &'static str, plan: Arc<dyn ExecutionPlan>, slots: Slots) -> Self {
        Self { sql, plan, slots }
    }

    /// Returns the same plan in its state before the first run: without rows, without metrics, and without state of
    /// operators.
    fn reset(self) -> Result<Self> {
        Ok(Self { plan: reset_plan_states(self.plan)?, ..self })
    }
}

/// The values of a plan's parameters, in the order of the statement.
#[derive(Debug)]
pub(crate) struct Slots(Vec<Arc<Slot>>);

impl Slots {
    /// Creates slots from the names of placeholders and their first values.
    pub(crate) fn from_values(values: impl IntoIterator<Item = (String, ScalarValue)>) -> Self {
        Self(values.into_iter().map(|(name, value)| Arc::new(Slot::new(name, value))).collect())
    }

    /// Returns the expressions that replace the parameters in a plan.
    pub(crate) fn bindings(&self) -> Bindings {
        self.0.iter().map(|slot| (slot.name.clone(), Slot::expression(Arc::clone(slot)))).collect()
    }

    /// Sets the values for another request. If the number or the types of the values don't match, returns `false` and
    /// keeps the old values.
    pub(crate) fn bind(&self, values: &[ScalarValue]) -> bool {
        let fit = self.0.len() == values.len()
            && self.0.iter().zip(values).all(|(slot, value)| slot.data_type == value.data_type());
        if fit {
            for (slot, value) in self.0.iter().zip(values) {
                *slot.value.lock().unwrap_or_else(PoisonError::into_inner) = value.clone();
            }
        }
        fit
    }
}

/// The current value of one parameter.
#[derive(Debug)]
struct Slot {
    name: String,
    data_type: DataType,
    signature: Signature,
    value: Mutex<ScalarValue>,
}

impl Slot {
    fn new(name: String, value: ScalarValue) -> Self {
        // The function isn't volatile, because its value is constant during a request.
        let signature = Signature::nullary(Volatility::Stable);
        Self { name, data_type: value.data_type(), signature, value: Mutex::new(value) }
    }

    fn expression(slot: Arc<Self>) -> Expr {
        // Slots are compared by identity. Otherwise, the planner could merge two parameters that currently have the
        // same value.
        let function = ScalarUDF::new_from_impl(SlotFunction(PtrEq::from(slot)));
        Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(function), Vec::new()))
    }
}

/// The function that returns the value of a slot.
#[derive(Debug, PartialEq, Eq, Hash)]
struct SlotFunction(PtrEq<Arc<Slot>>);

impl ScalarUDFImpl for SlotFunction {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn signature(&self) -> &Signature {
        &self.0.signature
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        Ok(self.0.data_type.clone())
    }

    fn invoke_with_args(&self, _arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let value = self.0.value.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(ColumnarValue::Scalar(value.clone()))
    }
}

/// Plans that are free for the next request. The key is the text of the statement, because two modules can use the same
/// name for different statements.
#[derive(Default)]
pub(crate) struct PlanPool(Mutex<HashMap<&'static str, Vec<Prepared>>>);

impl PlanPool {
    /// Takes a free plan of the statement from the pool and sets its values. Returns `None` if there isn't such a plan.
    pub(crate) fn take(&self, sql: &'static str, values: &[ScalarValue]) -> Option<Prepared> {
        let free = self.lock().get_mut(sql).and_then(Vec::pop);
        free.filter(|prepared| prepared.slots.bind(values))
    }

    /// Returns a plan to the pool after its rows were collected.
    pub(crate) fn put_back(&self, prepared: Prepared) {
        // A plan that can't be reset is dropped. The next request creates a new one.
        let Ok(prepared) = prepared.reset() else { return };
        let mut plans = self.lock();
        let free = plans.entry(prepared.sql).or_default();
        // Each request needs one plan of a statement, so more plans than parallel requests would never be used.
        if free.len() < MAX_PARALLEL_REQUESTS {
            free.push(prepared);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, Vec<Prepared>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
