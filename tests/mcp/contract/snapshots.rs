//! Each tool has a snapshot of its entry in `tools/list`, so that a change is visible in a review.
//!
//! `docs/contract.md` contains one response of each tool. The module `reference` compares these responses with the
//! server's current responses.

use std::collections::BTreeSet;
use std::path::Path;

use insta::assert_json_snapshot;

use super::super::{one_call_each, one_call_each_of_a_screenshot};
use super::{DAYS, small_history};

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_matches_its_snapshot() {
    let (session, _dir) = small_history().await;
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots/tools");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for tool in session.tools() {
        settings.bind(|| assert_json_snapshot!(tool.name.to_string(), tool));
    }
    // Checks that the tests call exactly the listed tools, and that no snapshot of a removed tool remains.
    let listed: BTreeSet<_> = session.tools().iter().map(|tool| tool.name.to_string()).collect();
    let calls = one_call_each(DAYS.0, DAYS.1).into_iter().chain(one_call_each_of_a_screenshot());
    let called: BTreeSet<_> = calls.map(|(tool, _)| tool.to_owned()).collect();
    assert_eq!(called, listed);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/snapshots/tools");
    let kept: BTreeSet<_> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|file| Some(file.unwrap().file_name().to_str()?.strip_suffix(".snap")?.to_owned()))
        .collect();
    assert_eq!(kept, listed);
    session.end().await;
}
