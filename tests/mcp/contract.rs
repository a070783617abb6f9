//! The contract as it is on the wire: what the tools answer over the small history of the SQL tests.

use insta::assert_json_snapshot;

use super::one_call_each;
use super::session::Session;
use crate::sql::history;

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_of_each_tool() {
    let dir = tempfile::tempdir().unwrap();
    history::write(dir.path());
    let session = Session::over(dir.path()).await;
    for (tool, arguments) in one_call_each("2025-01-15", "2025-01-18") {
        assert_json_snapshot!(tool, session.answer(tool, arguments).await);
    }
    session.end().await;
}
