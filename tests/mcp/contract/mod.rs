//! The contract between server and client: lists, accepted and rejected arguments, and the structure of responses.
//!
//! All tests use the server's own lists, so they also test new tools and parameters. `numbers` tests whether the
//! numbers in responses are correct.

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

/// The range that the small history covers.
const DAYS: (&str, &str) = ("2025-01-15", "2025-01-18");

/// Returns a server over the small history of the SQL tests. The server may write to the folder `written`.
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

/// Returns the example arguments of `tool`, for the snapshots and the reference pages.
fn example(tool: &str) -> Value {
    let mut calls = one_call_each(DAYS.0, DAYS.1).into_iter().chain(one_call_each_of_a_screenshot());
    let (_, arguments) = calls.find(|(name, _)| *name == tool).unwrap_or_else(|| panic!("{tool} has no example call"));
    arguments
}
