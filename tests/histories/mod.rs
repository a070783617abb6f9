//! The histories that tests write, the engines over these histories, and queries.
//!
//! All histories that tests write with the writer of `fixtures` are here, and engines are built only here. The tests
//! contain the expected results. The oracle writes its random histories through [`OpenHistory`].

#![cfg(test)]

mod engines;
mod open_history;
pub(crate) mod oversized;
mod queries;
pub(crate) mod random;
pub(crate) mod realistic;
pub(crate) mod small;
mod writing;

pub(crate) use engines::{
    app_at, app_over, app_over_replaceable, app_without_screenshots, builder_at, engine_at, retry_until_unlocked,
    source_at, with_timesheet,
};
pub(crate) use open_history::OpenHistory;
pub(crate) use queries::{
    answer_json, block_on, cells, code, computer_usage_request, day, narrative, narrative_request, period, range,
    read_every_table, rows, run_every_query, run_query, segments, segments_request, source_plans, tags, today, tops,
    try_rows, usage, usage_request,
};
pub(crate) use writing::{ClosedHistory, DAY, History, span, stored_time};
