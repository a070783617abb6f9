//! The clock in SQL. `now()` and similar functions return local time without an offset, like `*_local` columns.
//! `now_utc()` returns UTC, for comparisons with `*_utc` columns.
//!
//! - `functions`: the clock functions of SQL.
//! - `check`: reads the clock once for each statement, and rejects statements that mix the local and the UTC clock.
//! - `trace`: determines whether the value of an expression is local or UTC.

mod check;
mod functions;
mod trace;

use chrono::{Local, NaiveDate, NaiveDateTime};
use dayledger_core::local_days::LocalDays;
use dayledger_udfs::interval::DayStart;

pub(crate) use self::check::{check_arguments, fix_clock};
pub(crate) use self::functions::functions;

/// Returns the current local time.
pub fn local_now() -> NaiveDateTime {
    Local::now().naive_local()
}

/// Returns the start of local days, for the functions of SQL.
pub(crate) fn day_start() -> DayStart {
    DayStart::from_seconds(LocalDays::current().day_start.seconds())
}

/// Returns the local day that contains the time now.
pub fn local_today() -> NaiveDate {
    LocalDays::current().day_of(local_now())
}
