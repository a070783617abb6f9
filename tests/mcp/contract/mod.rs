//! The contract on the wire: what is listed, what is accepted and refused, what answers look like.
//!
//! Everything follows from what the server lists, so that a new tool or parameter is held to the same rules. Whether the
//! numbers are right is told by `numbers` beside this.

mod arguments;
mod degraded;
mod display_names;
mod errors;
mod protocol_versions;
mod random;
mod reference;
mod snapshots;
mod structure;

use serde_json::Value;
use tempfile::TempDir;

use super::session::Session;
use super::{one_call_each, one_call_each_of_a_screenshot};
use crate::cli::program::Home;
use crate::histories::small;

/// The days of the small history.
const DAYS: (&str, &str) = ("2025-01-15", "2025-01-18");

/// A server over the small history of the SQL tests, which may write below `written` beside it.
async fn small_history() -> (Session, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let [data, written] = ["history", "written"].map(|name| dir.path().join(name));
    for folder in [&data, &written] {
        std::fs::create_dir(folder).unwrap();
    }
    small::write(&data);
    let version = super::session::VERSIONS[0].clone();
    let session =
        Session::start_in_home(Home::new(), &data, version, &["--allow-write", written.to_str().unwrap()]).await;
    (session, dir)
}

/// The call of `tool` that the snapshots and the reference show.
fn example(tool: &str) -> Value {
    let mut calls = one_call_each(DAYS.0, DAYS.1).into_iter().chain(one_call_each_of_a_screenshot());
    let (_, arguments) = calls.find(|(name, _)| *name == tool).unwrap_or_else(|| panic!("{tool} has no example call"));
    arguments
}
