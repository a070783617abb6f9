//! The contract on the wire: what is listed, what is accepted and refused, what answers look like.
//!
//! Everything follows from what the server lists, so that a new tool or parameter is held to the same rules. Whether the
//! numbers are right is told by `numbers` beside this.

mod arguments;
mod degraded;
mod errors;
mod lives;
mod random;
mod reference;
mod resolved;
mod snapshots;
mod structure;

use serde_json::Value;
use tempfile::TempDir;

use super::one_call_each;
use super::session::Session;
use crate::sql::history;

/// The days of the small history.
const DAYS: (&str, &str) = ("2025-01-15", "2025-01-18");

/// A server over the small history of the SQL tests.
async fn small_history() -> (Session, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    history::write(dir.path());
    (Session::over(dir.path()).await, dir)
}

/// The call of `tool` that the snapshots and the reference show.
fn example(tool: &str) -> Value {
    let mut calls = one_call_each(DAYS.0, DAYS.1).into_iter();
    let (_, arguments) = calls.find(|(name, _)| *name == tool).unwrap_or_else(|| panic!("{tool} has no example call"));
    arguments
}
