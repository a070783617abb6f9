//! Prompts as they are on the wire.

use insta::{assert_json_snapshot, assert_snapshot};
use rmcp::model::GetPromptRequestParams;
use serde_json::{Value, json};

use super::session::{LIVES, Session};

#[tokio::test(flavor = "multi_thread")]
async fn the_list_and_each_text_are_the_same_in_both_lives() {
    // A prompt needs no history.
    let dir = tempfile::tempdir().unwrap();
    for version in LIVES {
        let session = Session::of(dir.path(), version).await;
        assert_json_snapshot!("prompts_list", session.peer().list_all_prompts().await.unwrap());
        for (name, arguments) in [
            ("daily_review", json!({"date": "2025-01-15"})),
            ("weekly_review", json!({"startDate": "2025-01-13", "endDate": "2025-01-20", "device": "STUDIO"})),
            ("screenshot_investigation", json!({"datetime": "2025-01-15T00:05"})),
        ] {
            let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
            let request = GetPromptRequestParams::new(name).with_arguments(arguments);
            let prompt = session.peer().get_prompt(request).await.unwrap();
            assert!(prompt.description.is_some() && prompt.messages.len() == 1, "{name}");
            assert_snapshot!(format!("prompt_{name}"), prompt.messages[0].content.as_text().unwrap().text);
        }
        assert_eq!(session.end().await, "");
    }
}
