//! The tables over the exports of all members, and a check that workers support a plan.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::expr::NullTreatment;
use datafusion::logical_expr::{Expr, LogicalPlan, TableProviderFilterPushDown, TableType};
use datafusion::optimizer::AnalyzerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::{DistributedConfig, DistributedExt, SessionStateBuilderExt};
use dayledger_engine::{self as engine, Engine, Relation, RemoteExecution, Scan, cores};

use crate::codec::Codec;
use crate::members::{Members, PERSON, is_person_filter};
use crate::rows::{RowsExec, divide, task_count};
use crate::workers::Workers;

/// Creates the tables over the exports of all members.
pub(crate) struct TeamTables {
    members: Members,
    /// An engine whose threads are shared by the engines of all members.
    engine: Engine,
    /// The workers that run statements. If unset, statements run in this process.
    workers: Option<Workers>,
}

impl TeamTables {
    pub(crate) fn new(members: Members, engine: Engine, workers: Option<Workers>) -> Self {
        Self { members, engine, workers }
    }
}

impl fmt::Debug for TeamTables {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tables").field("members", &self.members).finish_non_exhaustive()
    }
}

impl engine::Members for TeamTables {
    fn table(&self, relation: Relation, of_one: Arc<dyn TableProvider>) -> Arc<dyn TableProvider> {
        let columns = of_one.schema();
        let person = Arc::new(Field::new(PERSON, DataType::Utf8View, false));
        let columns = std::iter::once(person).chain(columns.fields().iter().cloned());
        let schema = Arc::new(Schema::new(columns.collect::<Vec<_>>()));
        let (members, engine) = (self.members.clone(), self.engine.clone());
        Arc::new(TeamTable { members, engine, relation, of_one, schema })
    }

    fn session(&self, mut session: SessionStateBuilder) -> SessionStateBuilder {
        let config = session.config().take().unwrap_or_default();
        let Some(workers) = &self.workers else { return session.with_config(config.with_target_partitions(cores())) };
        // With a single target partition, a plan would have no node that merges the results of several tasks.
        let config = config.with_target_partitions(cores().max(2));
        let codec = Codec::new(self.members.clone(), self.engine.clone());
        // DataFusion doesn't distribute a stage with one task, so a single worker gets two tasks.
        let mut spread = DistributedConfig::default();
        spread.max_tasks_per_stage = workers.len().max(2);
        let config = config.with_distributed_option_extension(spread);
        session
            .with_config(config.with_extension(Arc::new(RemoteExecution::new(workers.clone()))))
            .with_analyzer_rule(Arc::new(UnsupportedPlans))
            .with_distributed_planner()
            .with_distributed_worker_resolver(workers.clone())
            .with_distributed_channel_resolver(workers.channels.clone())
            .with_distributed_user_codec(codec)
            .with_distributed_desired_task_count_handler(task_count)
            .with_distributed_scale_up_leaf_node_handler(divide)
    }
}

/// A table, view or table function over all members. Its columns are `person` and the columns of a single member's
/// table.
#[derive(Debug)]
struct TeamTable {
    members: Members,
    engine: Engine,
    relation: Relation,
    /// The table of a single member.
    of_one: Arc<dyn TableProvider>,
    schema: SchemaRef,
}

#[async_trait]
impl TableProvider for TeamTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        self.of_one.table_type()
    }

    fn get_table_definition(&self) -> Option<&str> {
        self.of_one.get_table_definition()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| {
            if is_person_filter(filter) {
                TableProviderFilterPushDown::Exact
            } else if is_member_filter(filter) {
                TableProviderFilterPushDown::Inexact
            } else {
                TableProviderFilterPushDown::Unsupported
            }
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let members = self.members.filter(filters, session)?;
        let schema = match projection {
            Some(projection) => Arc::new(self.schema.project(projection)?),
            None => Arc::clone(&self.schema),
        };
        let filters = filters.iter().filter(|filter| is_member_filter(filter)).cloned().collect();
        let columns = schema.fields().iter().map(|field| field.name()).filter(|name| *name != PERSON).cloned();
        let mut columns: Vec<String> = columns.collect();
        if columns.is_empty() {
            // At least one column is read, even if the statement only counts rows.
            columns.extend(self.of_one.schema().fields().first().map(|field| field.name().clone()));
        }
        let scan = Scan { relation: self.relation.clone(), columns, filters, limit };
        let most = session.config().target_partitions();
        Ok(Arc::new(RowsExec::new(self.engine.clone(), members, scan, schema, most)))
    }
}

/// Whether each member's engine can apply a filter. The filter must depend only on the member's own columns.
fn is_member_filter(filter: &Expr) -> bool {
    let is_plain = |part: &Expr| match part {
        Expr::Column(column) => column.name != PERSON,
        Expr::Placeholder(_) | Expr::ScalarSubquery(_) | Expr::Exists(_) | Expr::InSubquery(_) => false,
        _ => true,
    };
    !filter.is_volatile() && !filter.exists(|part| Ok(!is_plain(part))).unwrap_or(true)
}

/// Rejects plans that lose information when they are encoded for workers, because the results of such plans would
/// change without an error:
///
/// - A scalar subquery that may return more than one row. In a single process, a second row is an error. The
///   distributed planner converts the subquery to a join, which would repeat rows. The planner drops a subquery in an
///   aggregate.
/// - `FILTER` and `IGNORE NULLS` of a window function, which an encoded plan can't represent.
#[derive(Debug)]
pub(crate) struct UnsupportedPlans;

impl AnalyzerRule for UnsupportedPlans {
    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        plan.apply_with_subqueries(|part| {
            let is_aggregate = matches!(part, LogicalPlan::Aggregate(_));
            part.apply_expressions(|expression| expression.apply(|part| check(part, is_aggregate)))
        })?;
        Ok(plan)
    }

    fn name(&self) -> &'static str {
        "refusals"
    }
}

fn check(expression: &Expr, is_in_aggregate: bool) -> Result<TreeNodeRecursion> {
    match expression {
        // DataFusion ensures that a correlated subquery returns one row.
        Expr::ScalarSubquery(asked) if !asked.outer_ref_columns.is_empty() => Ok(TreeNodeRecursion::Continue),
        Expr::ScalarSubquery(_) if is_in_aggregate => {
            plan_err!("workers do not support a subquery in an aggregate: move it to `WITH`, and `CROSS JOIN` it")
        }
        Expr::ScalarSubquery(asked) if asked.subquery.max_rows().is_none_or(|rows| rows > 1) => {
            plan_err!("a subquery used as one value can return more than one row: use `max(...)`, or add `LIMIT 1`")
        }
        Expr::WindowFunction(window) if window.params.filter.is_some() => {
            plan_err!("workers do not support `FILTER` in a window: use `CASE WHEN ... THEN ... END` in the function")
        }
        Expr::WindowFunction(window) if window.params.null_treatment == Some(NullTreatment::IgnoreNulls) => {
            plan_err!("workers do not support `IGNORE NULLS` in a window: exclude rows without a value first")
        }
        _ => Ok(TreeNodeRecursion::Continue),
    }
}
