//! Computes table functions over long ranges in bounded memory. A long range is split into parts, and each part is
//! computed separately.
//!
//! A range is split at *breaks*. A break is a whole hour or a start of a day at which no device is in use, with
//! enough idle time before and after it. No result before a break depends on rows after it, so the parts together
//! return the same rows as the whole range. `sql/partitions/occupied.sql` defines when a device is in use.
//!
//! - [`node`]: a call of a table function in a logical plan. The input of this node is the plan of the function's file,
//!   with placeholders for the range.
//! - [`bounds`]: uses filters above a call to reduce the range that is read.
//! - [`planner`], [`exec`]: the physical plan node of a call. For a short range, this node runs its input unchanged.
//! - [`loading`]: loads all scans in one consistent read before a plan runs, and decides whether to split each range.
//! - [`parts`]: computes several parts simultaneously, and returns their rows in the order of the parts. The plans for
//!   this are prepared once ([`part_plan`]).
//!
//! Invariant: a call returns the same rows, however its range is split. Only the order of the rows can differ.

mod bounds;
mod exec;
mod loading;
mod node;
mod occupied_time;
mod part_plan;
mod parts;
mod planned_call;
mod planner;

pub(super) use bounds::PushBounds;
pub(super) use exec::is_unfinished;
pub(super) use loading::{FirstDays, ScanLoader};
pub(super) use node::{TimePartitions, disable_partitioning};
pub(super) use planner::PartitionPlanner;
