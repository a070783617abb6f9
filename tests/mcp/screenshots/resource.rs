//! Tests the resource `manictime://screenshot/{screenshotRef}`.

use base64::{Engine, prelude::BASE64_STANDARD};
use rmcp::model::{ReadResourceRequestParams, ResourceContents};
use serde_json::Value;

use super::store::{SIDE, THUMBNAIL};
use super::{one_screenshot, the_reference};
use crate::mcp::session::Session;

/// Returns the image at `uri`, and its description.
pub(super) async fn read(session: &Session, uri: &str) -> (Vec<u8>, Value) {
    let result = session.peer().read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
    match result.contents.as_slice() {
        [
            ResourceContents::BlobResourceContents { blob, mime_type, .. },
            ResourceContents::TextResourceContents { text, .. },
        ] => {
            assert_eq!(mime_type.as_deref(), Some("image/jpeg"));
            (BASE64_STANDARD.decode(blob).unwrap(), serde_json::from_str(text).unwrap())
        }
        other => panic!("{uri}: a picture and a text are expected: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshot_resource_is_small_by_default_and_full_size_on_request() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let uri = format!("manictime://screenshot/{reference}");
    let templates = session.peer().list_all_resource_templates().await.unwrap();
    assert!(templates.iter().any(|template| template.uri_template == "manictime://screenshot/{screenshotRef}{?size}"));
    let (small, metadata) = read(&session, &uri).await;
    assert_eq!(image::load_from_memory(&small).unwrap().width(), THUMBNAIL);
    assert_eq!((&metadata["screenshotRef"], &metadata["width"]), (&Value::from(reference), &Value::from(SIDE)));
    let (full, _) = read(&session, &format!("{uri}?size=full")).await;
    assert_eq!(image::load_from_memory(&full).unwrap().width(), SIDE);
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn uri_without_a_screenshot_is_not_found() {
    let (dir, store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    for extension in ["jpg", "thumbnail.jpg"] {
        std::fs::remove_file(store.path("2025-01-15 09:10:00", 1, extension)).unwrap();
    }
    for rest in [reference.as_str(), "", "..", "%2e%2e%2fManicTimeReports.db", "x?size=full", "sAAAAAAAAAAAAAAAAAAAA"] {
        let uri = format!("manictime://screenshot/{rest}");
        let refused = session.peer().read_resource(ReadResourceRequestParams::new(&uri)).await;
        assert!(refused.unwrap_err().to_string().contains("unknown resource"), "{uri}");
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_without_screenshot_tools_has_no_screenshot_resources() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let uri = format!("manictime://screenshot/{}", the_reference(&session).await);
    session.end().await;
    let home = crate::cli::program::Home::new();
    let version = crate::mcp::session::VERSIONS[0].clone();
    let session = Session::start_in_home(home, dir.path(), version, &["--toolsets", "activity"]).await;
    assert!(session.peer().read_resource(ReadResourceRequestParams::new(&uri)).await.is_err());
    let templates = session.peer().list_all_resource_templates().await.unwrap();
    assert!(!templates.iter().any(|template| template.uri_template.contains("screenshot")));
    let narrative = session.answer("get_activity_narrative", serde_json::json!({"startDate": super::DAY})).await;
    assert!(
        !narrative.to_string().contains("creenshot"),
        "without screenshot tools, the narrative mentions no screenshots: {narrative}"
    );
    session.end().await;
}
