//! Encodes dayledger's own plan nodes as bytes, so that another machine can run them.

use std::sync::Arc;

use arrow::datatypes::Schema;
use chrono::DateTime;
use datafusion::common::{
    DataFusionError, Result, ScalarValue, exec_datafusion_err, exec_err, internal_datafusion_err,
};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::DefaultLogicalExtensionCodec;
use datafusion_proto::logical_plan::from_proto::parse_exprs;
use datafusion_proto::logical_plan::to_proto::serialize_exprs;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use datafusion_proto::protobuf;
use dayledger_engine::{Engine, Relation, ReservationNode, Scan};
use prost::Message;

use crate::members::{Member, Members, Titles};
use crate::rows::RowsExec;

/// Encodes and decodes dayledger's own plan nodes. A decoded node reads the exports of this machine.
#[derive(Debug)]
pub(crate) struct Codec {
    members: Members,
    engine: Engine,
}

impl Codec {
    /// Creates a codec that decodes nodes for `members`. The engines of all members share the threads of `engine`.
    pub(crate) fn new(members: Members, engine: Engine) -> Self {
        Self { members, engine }
    }

    fn decode_rows(&self, node: RowsNode, context: &TaskContext) -> Result<RowsExec> {
        let titles = if node.refuses_titles { Titles::Refused } else { Titles::Allowed };
        let find_member = |node: &MemberNode| {
            let written_utc = node.written_utc.and_then(DateTime::from_timestamp_millis);
            let member =
                self.members.find(&node.person).map(|member| member.with_titles(titles).with_written_utc(written_utc));
            member.ok_or_else(|| exec_datafusion_err!("this worker has no export of `{}`", node.person))
        };
        let members = |partition: &Partition| partition.members.iter().map(find_member).collect();
        let partitions = node.partitions.iter().map(members).collect::<Result<Vec<Vec<Member>>>>()?;
        let values = node.values.iter().map(ScalarValue::try_from).collect::<Result<_, _>>()?;
        let scan = Scan {
            relation: if node.is_call { Relation::Call(node.name, values) } else { Relation::Table(node.name) },
            columns: node.columns,
            filters: parse_exprs(&node.filters, context, &DefaultLogicalExtensionCodec {})
                .map_err(|error| internal_datafusion_err!("{error}"))?,
            limit: node.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        };
        let schema = node.schema.as_ref().ok_or_else(|| internal_datafusion_err!("rows have no columns"))?;
        let schema = Arc::new(Schema::try_from(schema)?);
        Ok(RowsExec::with_partitions(self.engine.clone(), partitions, scan, schema))
    }
}

impl PhysicalExtensionCodec for Codec {
    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        _converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let rows = node.downcast_ref::<RowsExec>().map(RowsNode::from_exec).transpose()?;
        let is_reserving = ReservationNode::matches(node.as_ref());
        if rows.is_none() && !is_reserving {
            return exec_err!("a worker cannot run `{}`", node.name());
        }
        let node = Node { rows, is_reserving };
        node.encode(bytes).map_err(|error| DataFusionError::External(Box::new(error)))
    }

    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        _converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let node = Node::decode(bytes).map_err(|error| DataFusionError::External(Box::new(error)))?;
        match (node, inputs) {
            (Node { rows: Some(rows), is_reserving: false }, []) => Ok(Arc::new(self.decode_rows(rows, context)?)),
            (Node { rows: None, is_reserving: true }, [input]) => Ok(ReservationNode::wrap(Arc::clone(input))),
            _ => exec_err!("the plan contains a node that this worker does not know"),
        }
    }
}

/// The encoded form of one of dayledger's own plan nodes.
#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(message, optional, tag = "1")]
    rows: Option<RowsNode>,
    /// Whether this is the node that reserves memory.
    #[prost(bool, tag = "2")]
    is_reserving: bool,
}

#[derive(Clone, PartialEq, Message)]
struct RowsNode {
    #[prost(message, repeated, tag = "1")]
    partitions: Vec<Partition>,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(bool, tag = "3")]
    is_call: bool,
    #[prost(message, repeated, tag = "4")]
    values: Vec<protobuf::ScalarValue>,
    #[prost(string, repeated, tag = "5")]
    columns: Vec<String>,
    #[prost(message, repeated, tag = "6")]
    filters: Vec<protobuf::LogicalExprNode>,
    #[prost(uint64, optional, tag = "7")]
    limit: Option<u64>,
    #[prost(message, optional, tag = "8")]
    schema: Option<protobuf::Schema>,
    #[prost(bool, tag = "9")]
    refuses_titles: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Partition {
    #[prost(message, repeated, tag = "1")]
    members: Vec<MemberNode>,
}

#[derive(Clone, PartialEq, Message)]
struct MemberNode {
    #[prost(string, tag = "1")]
    person: String,
    /// The time at which the caller's copy of the export was written, in milliseconds since 1970-01-01 UTC.
    #[prost(int64, optional, tag = "2")]
    written_utc: Option<i64>,
}

impl RowsNode {
    fn from_exec(rows: &RowsExec) -> Result<Self> {
        let to_node = |member: &Member| MemberNode {
            person: member.name().to_owned(),
            written_utc: member.written_utc.map(|written| written.timestamp_millis()),
        };
        let to_partition = |members: &Vec<Member>| Partition { members: members.iter().map(to_node).collect() };
        let scan = &rows.scan;
        let (name, is_call, values) = match &scan.relation {
            Relation::Table(name) => (name.clone(), false, &[][..]),
            Relation::Call(name, values) => (name.clone(), true, values.as_slice()),
        };
        Ok(Self {
            partitions: rows.partitions.iter().map(to_partition).collect(),
            name,
            is_call,
            values: values.iter().map(protobuf::ScalarValue::try_from).collect::<Result<_, _>>()?,
            columns: scan.columns.clone(),
            filters: serialize_exprs(&scan.filters, &DefaultLogicalExtensionCodec {})
                .map_err(|error| internal_datafusion_err!("{error}"))?,
            limit: scan.limit.map(|limit| u64::try_from(limit).unwrap_or(u64::MAX)),
            schema: Some(protobuf::Schema::try_from(rows.schema().as_ref())?),
            refuses_titles: rows.partitions.iter().flatten().any(|member| member.titles == Titles::Refused),
        })
    }
}
