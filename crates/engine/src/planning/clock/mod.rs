//! The clock in SQL: `now()` and similar functions return local time without an offset, like `*_local` columns.
//! `now_utc()` is for `*_utc` columns.
//!
//! - `functions`: the SQL functions, each with one reading of the clock.
//! - `check`: reads the clock once for a statement, and rejects statements that mix both clocks.
//! - `trace`: finds the clock of an expression.

mod check;
mod functions;
mod trace;

use chrono::{Local, NaiveDateTime};

pub(crate) use self::check::{check_arguments, fix_clock};
pub(crate) use self::functions::functions;

/// Returns the local time now.
pub fn local_now() -> NaiveDateTime {
    Local::now().naive_local()
}
