//! Any range within bounded memory: a table function that sweeps is answered one stretch of time after the other.
//!
//! **Owns** where a range is cut, what is read for it, and the order in which its parts are told. **Does not own** what a
//! function says (its file), nor what holds time together (`sql/partitions/occupied.sql`).
//!
//! Time is cut at *breaks*: whole hours at which no device is in use, nor for longer before and after than anything
//! reaches. Of what is told of the time before a break nothing depends on what comes after it, so that the answers about
//! the parts of a range are the answer about the range.
//!
//! - [`node`]: a call of such a function in a logical plan; its input is the function's file for a range that is open.
//! - [`filters`], [`bounds`]: filters above a call tell what of its range is read at all.
//! - [`planner`], [`exec`]: its physical node. Short ranges are answered by its input as it is.
//! - [`reading`]: before a plan runs, all scans are loaded in one consistent read; then the parts are cut from that.
//! - [`parts`]: some parts are computed at once, each by a plan that is made once ([`part_plan`]); they come in order.
//!
//! Invariant: the rows of a call do not depend on how it was cut, but for their order.

mod bounds;
mod exec;
mod loading;
mod node;
mod occupied_time;
mod part_plan;
mod parts;
mod planned_call;
mod planner;
mod push_bounds;

pub(super) use exec::is_unfinished;
pub(super) use loading::{FirstDays, ScanLoader};
pub(super) use node::{TimePartitions, disable_partitioning};
pub(super) use planner::PartitionPlanner;
pub(super) use push_bounds::PushBounds;
