//! Computes table functions over long ranges in bounded memory, one part of the time after the other.
//!
//! Time is split at *breaks*: whole hours in which no device is in use, with enough idle time before and after. No
//! result before a break depends on rows after it, so the results of all parts are together the result of the whole
//! range. `sql/partitions/occupied.sql` defines when a device is in use.
//!
//! - [`node`]: a call of such a function in a logical plan. Its input is the function's file with an open range.
//! - [`bounds`]: uses filters above a call to reduce the range that is read.
//! - [`planner`], [`exec`]: the physical node. For a short range, it runs its input unchanged.
//! - [`loading`]: loads all scans in one consistent read before a plan runs, and then splits them into parts.
//! - [`parts`]: computes several parts simultaneously, with plans that are prepared once ([`part_plan`]), and returns
//!   them in order.
//!
//! Invariant: apart from their order, the rows of a call don't depend on how its range was split.

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
