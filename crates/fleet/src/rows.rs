//! The plan node that reads the rows of members. Also splits this node into tasks for workers.

use std::fmt;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, ScalarValue, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion_distributed::{
    DesiredTaskCountEvent, DesiredTaskCountEventResponse, DistributedLeafExec, ScaleUpLeafNodeEvent,
    ScaleUpLeafNodeEventResponse,
};
use dayledger_engine::{Engine, Error, Relation, Scan};
use futures::{StreamExt, TryStreamExt, stream};

use crate::members::{Member, PERSON};

/// A plan node that returns the rows of a table, or of a table function, for many members. An engine over a member's
/// own export computes the member's rows. Each partition reads the rows of its members, one member after another.
#[derive(Debug)]
pub(crate) struct RowsExec {
    engine: Engine,
    /// The members of each partition.
    pub(crate) partitions: Vec<Vec<Member>>,
    /// The scan that runs on each member's export.
    pub(crate) scan: Scan,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl RowsExec {
    /// Creates a node whose rows have the columns of `schema`. Each member gets a partition of its own, unless there
    /// are more than `most` members.
    pub(crate) fn new(engine: Engine, members: Vec<Member>, scan: Scan, schema: SchemaRef, most: usize) -> Self {
        let partitions = distribute(members, most);
        Self::with_partitions(engine, partitions, scan, schema)
    }

    /// Creates a node with these partitions. Each partition reads the members in its list.
    pub(crate) fn with_partitions(engine: Engine, partitions: Vec<Vec<Member>>, scan: Scan, schema: SchemaRef) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(partitions.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { engine, partitions, scan, schema, properties: Arc::new(properties) }
    }

    /// Splits the node into `count` nodes. Each new node has the same number of partitions as this node. Together, the
    /// new nodes read every member once.
    pub(crate) fn shares(&self, count: usize) -> Vec<Self> {
        let partitions = self.partitions.len();
        let members: Vec<_> = self.partitions.iter().flatten().cloned().collect();
        let mut dealt = distribute(members, count.saturating_mul(partitions));
        // All tasks need the same number of partitions, so some partitions stay empty if there are fewer members.
        dealt.resize(count.saturating_mul(partitions), Vec::new());
        let share = |members: &[Vec<Member>]| {
            Self::with_partitions(self.engine.clone(), members.to_vec(), self.scan.clone(), Arc::clone(&self.schema))
        };
        dealt.chunks(partitions).map(share).collect()
    }
}

/// Distributes members evenly over partitions. The number of partitions is the number of members, but at least 1 and at
/// most `most`.
fn distribute(members: Vec<Member>, most: usize) -> Vec<Vec<Member>> {
    let count = members.len().clamp(1, most.max(1));
    let mut partitions = vec![Vec::new(); count];
    for (place, member) in members.into_iter().enumerate() {
        if let Some(partition) = partitions.get_mut(place % count) {
            partition.push(member);
        }
    }
    partitions
}

impl DisplayAs for RowsExec {
    fn fmt_as(&self, _format: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let persons: usize = self.partitions.iter().map(Vec::len).sum();
        let (Relation::Table(name) | Relation::Call(name, _)) = &self.scan.relation;
        write!(out, "RowsExec: {name} of {persons} people, columns=[{}]", self.scan.columns.join(", "))?;
        for filter in &self.scan.filters {
            write!(out, ", {filter}")?;
        }
        match self.scan.limit {
            Some(limit) => write!(out, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for RowsExec {
    fn name(&self) -> &'static str {
        "RowsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, _children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let Some(members) = self.partitions.get(partition).cloned() else {
            return internal_err!("there is no partition {partition}");
        };
        let asked = Arc::new((self.engine.clone(), self.scan.clone(), Arc::clone(&self.schema), context));
        // The members are read one after another, so that each core keeps only one person's rows in memory. See
        // docs/decisions/0016-a-member-is-asked-where-its-rows-are.md.
        let rows = stream::iter(members).then(move |member| {
            let asked = Arc::clone(&asked);
            async move {
                let (engine, scan, schema, context) = asked.as_ref();
                member_rows(member, engine, scan, schema, context).await
            }
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), rows.try_flatten())))
    }
}

/// Returns the rows of a member, with the column `person`.
async fn member_rows(
    member: Member,
    engine: &Engine,
    scan: &Scan,
    schema: &SchemaRef,
    context: &TaskContext,
) -> Result<SendableRecordBatchStream> {
    let of_her = |error: &dyn fmt::Display| DataFusionError::Execution(format!("{}: {error}", member.name()));
    let engine = member.engine(engine).await.map_err(|error| of_her(&error))?;
    let rows = engine.scan(scan, context.runtime_env()).await.map_err(|error| match error {
        // The memory limit applies to the whole statement, so the error doesn't name the person.
        Error::OutOfMemory => DataFusionError::ResourcesExhausted(error.to_string()),
        error => of_her(&error),
    })?;
    let (schema, columns) = (Arc::clone(schema), Arc::clone(schema));
    let rows = rows.map(move |batch| {
        let batch = batch.map_err(|error| add_person_to_file_error(error, member.name()))?;
        with_person(&batch, member.name(), &columns)
    });
    Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
}

/// Adds the person's name to an error, if the error means that a file of the person's export can't be read.
fn add_person_to_file_error(error: DataFusionError, person: &str) -> DataFusionError {
    let is_of_file = match error.find_root() {
        DataFusionError::ParquetError(_) | DataFusionError::IoError(_) | DataFusionError::ObjectStore(_) => true,
        DataFusionError::ArrowError(error, _) => {
            matches!(**error, ArrowError::ParquetError(_) | ArrowError::ExternalError(_) | ArrowError::IoError(..))
        }
        _ => false,
    };
    if is_of_file { DataFusionError::Execution(format!("{person}: {}", error.find_root())) } else { error }
}

/// Returns a member's rows with exactly the columns of `schema`, including the column `person`.
fn with_person(batch: &RecordBatch, person: &str, schema: &SchemaRef) -> Result<RecordBatch> {
    let rows = batch.num_rows();
    let mut columns: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
    for field in schema.fields() {
        columns.push(match batch.column_by_name(field.name()) {
            _ if field.name() == PERSON => ScalarValue::Utf8View(Some(person.to_owned())).to_array_of_size(rows)?,
            Some(column) if column.data_type() == field.data_type() => Arc::clone(column),
            Some(column) => arrow::compute::cast(column, field.data_type())?,
            None => return internal_err!("the column `{}` is missing", field.name()),
        });
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

/// Returns the number of tasks for a plan node. [`RowsExec`] gets a task for each member, and the engine limits this
/// number to the number of workers. Other nodes that read data get a single task.
pub(crate) fn task_count(event: DesiredTaskCountEvent<'_>) -> Option<Result<DesiredTaskCountEventResponse>> {
    if let Some(rows) = event.plan.downcast_ref::<RowsExec>() {
        let members: usize = rows.partitions.iter().map(Vec::len).sum();
        return Some(Ok(DesiredTaskCountEventResponse::desired(members.max(1))));
    }
    event.plan.children().is_empty().then(|| Ok(DesiredTaskCountEventResponse::maximum(1)))
}

/// Splits a [`RowsExec`] into tasks.
pub(crate) fn divide(event: ScaleUpLeafNodeEvent<'_>) -> Option<Result<ScaleUpLeafNodeEventResponse>> {
    let rows = event.plan.downcast_ref::<RowsExec>()?;
    let shares = rows.shares(event.task_count).into_iter().map(|share| Arc::new(share) as Arc<dyn ExecutionPlan>);
    let divided = DistributedLeafExec::try_new(Arc::clone(event.plan), shares);
    Some(divided.map(|divided| ScaleUpLeafNodeEventResponse::new(Arc::new(divided))))
}
