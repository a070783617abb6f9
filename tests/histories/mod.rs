//! Histories of the tests' own making, the engines over them, and how they are asked.
//!
//! Owns every history that a test writes with the writer of `fixtures`, and the one place where engines are put together.
//! Does not own what is expected of an answer. The oracle writes what it invented itself, through [`Opened`].

#![cfg(test)]

mod asking;
pub(crate) mod believable;
mod engines;
mod opened;
pub(crate) mod oversized;
pub(crate) mod random;
pub(crate) mod small;
mod writing;

pub(crate) use asking::{
    ask, ask_everything, cells, code, computer_usage_request, day, narrative, narrative_request, period, range,
    read_every_table, rows, segments, segments_request, sqlite_plans, tags, today, tops, try_rows, usage,
    usage_request, wait,
};
pub(crate) use engines::{
    as_soon_as_free, engine_at, house_at, house_of_replaceable, house_over, house_without_screenshots, source_at,
    with_timesheet,
};
pub(crate) use opened::Opened;
pub(crate) use writing::{Closed, DAY, History, span, stored};
