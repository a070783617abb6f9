//! Interval, segmentation and attribution functions for Apache DataFusion.
//!
//! The functions compute results that SQL can't express in one pass over rows:
//!
//! - clipping and splitting of intervals, and the duration of their union
//! - segments and blocks of work, and the details of a segment
//! - the rule that applies at a time, and the category of each second
//!
//! Apart from sorting, each function takes linear time.
//!
//! The crate contains the row clock ([`interval::RowClock`]), the algorithms as plain functions over slices, and thin
//! Arrow adapters. It doesn't know any table, view or time zone. Local times are input data. Start reading in
//! [`interval`], then in [`clip`] and [`segment`]. [`scalar_functions`], [`aggregate_functions`] and
//! [`window_functions`] list all functions with their modules.
//!
//! Invariants: every timestamp is `Timestamp(Second)`. Columns named `*_utc` define order and duration, and columns
//! named `*_local` define positions. An *interval* value is a struct `{start_local, start_utc, end_local, end_utc}`.
//! Functions don't keep state between queries.
//!
//! ```
//! # use datafusion::prelude::SessionContext;
//! # use dayledger_udfs::interval::DayStart;
//! let mut ctx = SessionContext::new();
//! dayledger_udfs::register(&mut ctx, DayStart::default())?;
//! # Ok::<(), datafusion::error::DataFusionError>(())
//! ```

pub mod attribution;
pub mod blocks;
pub mod breaks;
pub mod carry;
pub mod clip;
pub mod interval;
pub mod ranked;
pub mod ruled;
pub mod search;
pub mod segment;
pub mod split;
pub mod text;
pub mod union;
pub mod usage;

mod columns;
mod declare;
mod gather;
mod name_map;
#[cfg(test)]
mod sql_tests;
mod start_index;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::logical_expr::registry::FunctionRegistry;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF, WindowUDF};

use crate::interval::DayStart;

/// Returns every scalar function of this crate, with documentation, for days that start at this time.
pub fn scalar_functions(day_start: DayStart) -> Vec<Arc<ScalarUDF>> {
    [
        split::clip_to_range(),
        split::split_hours(),
        split::split_days(day_start),
        split::day_of(day_start),
        split::overlap_seconds(),
        text::site(),
        text::file_uri(),
        search::contains_words(),
    ]
    .map(Arc::new)
    .into()
}

/// Returns every aggregate function of this crate, with documentation.
pub fn aggregate_functions() -> Vec<Arc<AggregateUDF>> {
    [union::union_seconds(), union::interval_union(), ranked::ranked_by_weight()].map(Arc::new).into()
}

/// Returns every window function of this crate, with documentation, for days that start at this time.
pub fn window_functions(day_start: DayStart) -> Vec<Arc<WindowUDF>> {
    [
        clip::clip_to_active(),
        usage::clip_usage(),
        segment::segment_number(),
        attribution::attribute(),
        blocks::assign_blocks(day_start),
        carry::carry_website(),
        ruled::split_by_rule(),
        ruled::main_rule(),
    ]
    .map(Arc::new)
    .into()
}

/// Registers every function of this crate, for days that start at this time.
///
/// Replaces existing functions with the same name. Fails if the registry rejects a function.
pub fn register(registry: &mut dyn FunctionRegistry, day_start: DayStart) -> Result<()> {
    for function in scalar_functions(day_start) {
        registry.register_udf(function)?;
    }
    for function in aggregate_functions() {
        registry.register_udaf(function)?;
    }
    for function in window_functions(day_start) {
        registry.register_udwf(function)?;
    }
    Ok(())
}
