//! The clock in SQL: `now()` and its kin are local time without offset, as the `*_local` columns are; `now_utc()` is for the
//! `*_utc` columns.
//!
//! - `functions`: the functions, one reading of the clock each.
//! - `check`: the step that reads the clock once for a statement, and refuses what mixes both clocks.
//! - `trace`: which clock an expression follows.

mod check;
mod functions;
mod trace;

use chrono::{Local, NaiveDateTime};

pub(super) use self::check::{check_arguments, fix_clock};
pub(super) use self::functions::functions;

/// The local wall clock, for everything that asks what time it is.
pub(crate) fn local_now() -> NaiveDateTime {
    Local::now().naive_local()
}
