//! Tests the reasons for missing screenshots, in the list of screenshots and in the health report.

use std::fs;

use serde_json::{Value, json};

use super::store::Store;
use super::{DAY, one_screenshot, references, the_reference};
use crate::cli::program::Home;
use crate::histories::small;
use crate::mcp::session::{Session, VERSIONS};

async fn list_response(session: &Session, day: &str) -> Value {
    let list = session.answer("list_screenshots", json!({"startDate": day})).await;
    assert_eq!(list["screenshots"], json!([]));
    assert!(list["diagnostics"]["remediationHint"].as_str().is_some_and(|hint| hint.len() > 20));
    list["diagnostics"]["reasonCode"].clone()
}

async fn health(session: &Session) -> Value {
    let health: Value = serde_json::from_str(&session.read("manictime://health").await).unwrap();
    health["screenshots"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn list_and_health_explain_missing_screenshots() {
    let dir = small::folder_without_screenshots();
    let session = Session::start_default(dir.path()).await;
    assert_eq!(list_response(&session, DAY).await, "DIRECTORY_MISSING");
    assert_eq!(health(&session).await["reasonCode"], "DIRECTORY_MISSING");

    // Screenshots that appear while the server runs must be found.
    let store = Store::in_history_folder(dir.path());
    assert_eq!(list_response(&session, DAY).await, "CAPTURE_DISABLED");
    assert_eq!(health(&session).await["status"], "none");

    store.add("2025-01-16 12:00:00", 1);
    assert_eq!(list_response(&session, DAY).await, "RETENTION");
    assert_eq!(list_response(&session, "2025-01-17").await, "NO_SCREENSHOTS_IN_RANGE");
    let reference = references(&session, "2025-01-16").await.remove(0);
    for (day, side) in [(DAY, "after"), ("2025-01-17", "before")] {
        let list = session.answer("list_screenshots", json!({"startDate": day})).await;
        let hint = list["diagnostics"]["remediationHint"].as_str().unwrap();
        let nearest = format!("the nearest {side} is `{reference}` at 2025-01-16T12:00:00; ");
        assert!(hint.starts_with(&nearest), "{hint}");
    }
    assert_eq!(
        health(&session).await,
        json!({"status": "available", "firstDay": "2025-01-16", "lastDay": "2025-01-16"})
    );

    fs::remove_dir_all(dir.path().join("Screenshots")).unwrap();
    fs::write(dir.path().join("Screenshots"), "a file where the folder should be").unwrap();
    assert_eq!(list_response(&session, DAY).await, "DIRECTORY_MISSING");
    fs::remove_file(dir.path().join("Screenshots")).unwrap();
    Store::unreadable(dir.path());
    assert_eq!(list_response(&session, DAY).await, "UNKNOWN");
    assert_eq!(health(&session).await["status"], "unreadable");
    // Activities must still be reported if screenshots can't be read.
    let narrative = session.answer("get_activity_narrative", json!({"startDate": DAY})).await;
    assert!(!narrative["segments"].as_array().unwrap().is_empty());
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshots_of_redacted_or_hidden_content_are_withheld() {
    let (dir, store) = one_screenshot();
    // In the example, the first segment's application is an editor, and the second segment's application is a browser.
    store.add("2025-01-15 09:30:00", 2);
    let session = Session::start_default(dir.path()).await;
    let references = references(&session, DAY).await;
    session.end().await;
    let started =
        async |flags: &[&str]| Session::start_in_home(Home::new(), dir.path(), VERSIONS[0].clone(), flags).await;

    let session = started(&["--redact", "titles"]).await;
    assert_eq!(list_response(&session, DAY).await, "SCREENSHOTS_WITHHELD");
    assert_eq!(health(&session).await["reasonCode"], "SCREENSHOTS_WITHHELD");
    for reference in &references {
        let refusal = session.refusal("get_screenshot", json!({"screenshotRef": reference})).await;
        assert_eq!(refusal["code"], "SCREENSHOT_NOT_FOUND");
    }
    session.end().await;

    let session = started(&["--hide-app", "Chrome"]).await;
    assert_eq!(the_reference(&session).await, references[0]);
    let refusal = session.refusal("get_screenshot", json!({"screenshotRef": references[1]})).await;
    assert_eq!(refusal["code"], "SCREENSHOT_NOT_FOUND");
    let narrative = session.answer("get_activity_narrative", json!({"startDate": DAY})).await;
    assert!(narrative.to_string().contains(&references[0]) && !narrative.to_string().contains(&references[1]));
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshots_folder_can_be_set() {
    let (dir, _store) = one_screenshot();
    let elsewhere = tempfile::tempdir().unwrap();
    let moved = elsewhere.path().join("pictures");
    fs::rename(dir.path().join("Screenshots"), &moved).unwrap();
    let flags = ["--screenshots-dir", moved.to_str().unwrap()];
    let session = Session::start_in_home(Home::new(), dir.path(), VERSIONS[0].clone(), &flags).await;
    the_reference(&session).await;
    session.end().await;
    let home = Home::new();
    home.configure(&format!("screenshots_dir = '{}'\n", moved.display()));
    let session = Session::start_in_home(home, dir.path(), VERSIONS[0].clone(), &[]).await;
    the_reference(&session).await;
    session.end().await;
}
