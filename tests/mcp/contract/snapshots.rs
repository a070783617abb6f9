//! One file per tool for what `tools/list` says of it and one for an answer, so that a change is a visible difference.

use std::collections::BTreeSet;
use std::path::Path;

use insta::assert_json_snapshot;

use super::super::{one_call_each, one_call_each_of_a_screenshot};
use super::{DAYS, example, small_history};

/// Snapshots in `tests/mcp/snapshots/FOLDER`, named as they are called.
fn within(folder: &str, assert: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new("../snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(assert);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_is_listed_as_its_snapshot_says() {
    let (session, _dir) = small_history().await;
    for tool in session.tools() {
        within("tools", || assert_json_snapshot!(tool.name.to_string(), tool));
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_of_each_tool_is_as_its_snapshot_says() {
    let (session, dir) = small_history().await;
    for tool in session.tools() {
        let mut answer = session.answer(&tool.name, example(&tool.name)).await;
        if let Some(path) = answer.get_mut("path") {
            *path = path.as_str().unwrap().replace(dir.path().to_str().unwrap(), "[folder]").replace('\\', "/").into();
        }
        within("answers", || assert_json_snapshot!(tool.name.to_string(), answer));
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tests_call_and_keep_what_is_listed_and_nothing_else() {
    let (session, _dir) = small_history().await;
    let listed: BTreeSet<_> = session.tools().iter().map(|tool| tool.name.to_string()).collect();
    let calls = one_call_each(DAYS.0, DAYS.1).into_iter().chain(one_call_each_of_a_screenshot());
    let called: BTreeSet<_> = calls.map(|(tool, _)| tool.to_owned()).collect();
    assert_eq!(called, listed);
    for folder in ["tools", "answers"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/snapshots").join(folder);
        let kept: BTreeSet<_> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|file| Some(file.unwrap().file_name().to_str()?.strip_suffix(".snap")?.to_owned()))
            .collect();
        assert_eq!(kept, listed);
    }
    session.end().await;
}
