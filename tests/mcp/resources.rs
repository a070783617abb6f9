//! Tests resources over the protocol: the lists, the content of each resource for the small history of the SQL tests,
//! and notifications about changes.

use insta::assert_json_snapshot;
use rmcp::model::{ArgumentInfo, CompleteRequestParams, Reference, SubscriptionFilter};
use serde_json::{Value, json};

use super::session::{Session, VERSIONS};
use crate::histories::small;

/// Replaces the values of the fields in `volatile`, which differ between machines or runs.
fn settle(value: &mut Value, volatile: &[&str]) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if volatile.contains(&name.as_str()) {
                    assert!(!member.is_null(), "{name} is there");
                    *member = format!("[{name}]").into();
                } else {
                    settle(member, volatile);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| settle(item, volatile)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_identical_in_both_protocol_versions() {
    let dir = small::folder();
    for version in VERSIONS {
        let session = Session::start(dir.path(), version).await;
        let mut resources = json!(session.peer().list_all_resources().await.unwrap());
        settle(&mut resources, &["lastModified", "size"]);
        assert_json_snapshot!("resources_list", resources);
        assert_json_snapshot!("resources_templates_list", session.peer().list_all_resource_templates().await.unwrap());
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_have_the_expected_contents() {
    let dir = small::folder();
    let session = Session::start_default(dir.path()).await;
    for name in ["data-range", "timelines", "timelines/2", "environment", "health", "config"] {
        let mut held: Value = serde_json::from_str(&session.read(&format!("manictime://{name}")).await).unwrap();
        settle(&mut held, &["version", "database", "modified", "manicTime"]);
        assert_json_snapshot!(format!("resource_{}", name.replace(['/', '-'], "_")), held);
    }
    assert!(session.read("manictime://guide").await.starts_with("# dayledger"));
    assert_eq!(session.end().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn completion_and_subscriptions_work_in_both_protocol_versions() {
    let dir = small::folder();
    for version in VERSIONS {
        let session = Session::start(dir.path(), version.clone()).await;
        let date = CompleteRequestParams::new(Reference::for_prompt("daily_review"), ArgumentInfo::new("date", ""));
        let days = session.peer().complete(date).await.unwrap().completion;
        assert_eq!(days.values, ["2025-01-17", "2025-01-16", "2025-01-15"], "{version}");
        if version.has_initialize() {
            subscribe_and_unsubscribe(&session).await;
        } else {
            let filter = SubscriptionFilter::builder().resource_subscription("manictime://data-range").build();
            let mut subscription = session.peer().listen(filter.clone()).await.unwrap();
            assert_eq!(subscription.acknowledged(), &filter);
            subscription.cancel().await.unwrap();
        }
        assert_eq!(session.end().await, "");
    }
}

#[expect(deprecated, reason = "versions with a handshake subscribe by the older method")]
async fn subscribe_and_unsubscribe(session: &Session) {
    use rmcp::model::{SubscribeRequestParams, UnsubscribeRequestParams};
    session.peer().subscribe(SubscribeRequestParams::new("manictime://data-range")).await.unwrap();
    session.peer().unsubscribe(UnsubscribeRequestParams::new("manictime://data-range")).await.unwrap();
}
