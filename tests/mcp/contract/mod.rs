//! The contract on the wire: lists, accepted and rejected arguments, and the form of responses.
//!
//! All tests follow the server's lists, so new tools and parameters are tested automatically. `numbers` tests whether
//! the numbers are right.

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

/// A server over the small history of the SQL tests, which may write to `written`.
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

/// The call of `tool` in the snapshots and the reference.
fn example(tool: &str) -> Value {
    let mut calls = one_call_each(DAYS.0, DAYS.1).into_iter().chain(one_call_each_of_a_screenshot());
    let (_, arguments) = calls.find(|(name, _)| *name == tool).unwrap_or_else(|| panic!("{tool} has no example call"));
    arguments
}
