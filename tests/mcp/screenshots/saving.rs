//! Tests the folders into which `save_screenshot` may write.

use std::fs;
use std::path::Path;

use rmcp::model::{CallToolRequestParams, ClientCapabilities, ClientConfig, ProtocolVersion};
#[expect(deprecated, reason = "current clients send the writable folders as roots")]
use rmcp::model::{ListRootsResult, Root};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RequestContext};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde_json::{Value, json};
use tokio::process::Command;

use super::{DAY, one_screenshot, the_reference};
use crate::cli::program::{Home, folder_hash};
use crate::mcp::session::{Session, VERSIONS};

/// A client that declares one root.
struct Rooted {
    version: ProtocolVersion,
    uri: String,
}

#[expect(deprecated, reason = "current clients send the writable folders as roots")]
impl ClientHandler for Rooted {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.protocol_version = self.version.clone();
        info.capabilities = ClientCapabilities::builder().enable_roots().build();
        info
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("https://example.org/elsewhere"), Root::new(self.uri.clone())]))
    }
}

/// Calls `save_screenshot` from a client with the root `uri`, and returns the response.
async fn save_screenshot(data: &Path, version: ProtocolVersion, uri: String, arguments: Value) -> Value {
    let home = Home::new();
    let process = TokioChildProcess::new(Command::from(home.program_for(data, ["serve"]))).unwrap();
    let lifecycle = if version.has_initialize() {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
    };
    let client = Rooted { version, uri }.serve_with_lifecycle(process, lifecycle).await.unwrap();
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let call = CallToolRequestParams::new("save_screenshot").with_arguments(arguments);
    let result = client.call_tool(call).await.unwrap();
    client.cancel().await.unwrap();
    result
        .structured_content
        .unwrap_or_else(|| serde_json::from_str(&result.content[0].as_text().unwrap().text).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshot_is_saved_in_the_client_root_in_both_protocol_versions() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    session.end().await;
    for version in VERSIONS {
        let project = tempfile::tempdir().unwrap();
        let root = project.path().join("my project");
        fs::create_dir(&root).unwrap();
        let named = root.to_str().unwrap().replace(' ', "%20");
        // On Windows, a path begins with a drive instead of a slash, so the URI has an additional
        // slash.
        let uri =
            if cfg!(windows) { format!("file:///{}", named.replace('\\', "/")) } else { format!("file://{named}") };
        let arguments = json!({"screenshotRef": reference, "outputPath": "assets/morning"});
        let response = save_screenshot(dir.path(), version.clone(), uri, arguments).await;
        let path = root.join("assets/morning.jpg");
        assert_eq!(Path::new(response["path"].as_str().unwrap()), path, "{version}: {response}");
        assert!(image::open(path).is_ok());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshot_is_not_saved_without_a_root_or_an_allowed_folder() {
    let (dir, _store) = one_screenshot();
    let before = folder_hash(dir.path());
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let refusal = session.refusal("save_screenshot", json!({"screenshotRef": reference})).await;
    assert_eq!(refusal["code"], "WRITE_NOT_ALLOWED");
    assert!(refusal["hint"].as_str().unwrap().contains("--allow-write"));
    session.end().await;
    assert_eq!(folder_hash(dir.path()), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_outside_of_the_folder_or_without_an_image_name_are_rejected() {
    let (dir, _store) = one_screenshot();
    let outside = tempfile::tempdir().unwrap();
    let written = outside.path().join("written");
    fs::create_dir(&written).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), written.join("link")).unwrap();
    let flags = ["--allow-write", written.to_str().unwrap()];
    let session = Session::start_in_home(Home::new(), dir.path(), VERSIONS[0].clone(), &flags).await;
    let reference = the_reference(&session).await;
    let cases = [
        ("../escaped.jpg", "PATH_NOT_ALLOWED"),
        ("a/../../escaped.jpg", "PATH_NOT_ALLOWED"),
        ("/tmp/escaped.jpg", "PATH_NOT_ALLOWED"),
        #[cfg(unix)]
        ("link/escaped.jpg", "PATH_NOT_ALLOWED"),
        ("escaped.exe", "INVALID_EXTENSION"),
        ("escaped.jpg.sh", "INVALID_EXTENSION"),
        ("a\u{0}b.jpg", "INVALID_PATH"),
    ];
    for (path, code) in cases {
        let refusal = session.refusal("save_screenshot", json!({"screenshotRef": reference, "outputPath": path})).await;
        let actual = refusal["code"].as_str().unwrap();
        // A path with `..` can be rejected for its name or for its location.
        assert!(actual == code || code == "PATH_NOT_ALLOWED" && actual == "INVALID_PATH", "{path:?}: {refusal}");
    }
    session.end().await;
    let left: Vec<_> = fs::read_dir(outside.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["written"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_is_replaced_only_on_request_and_its_extension_decides_the_format() {
    let (dir, _store) = one_screenshot();
    let written = tempfile::tempdir().unwrap();
    let flags = ["--allow-write", written.path().to_str().unwrap()];
    let session = Session::start_in_home(Home::new(), dir.path(), VERSIONS[0].clone(), &flags).await;
    let reference = the_reference(&session).await;
    fs::write(written.path().join("there.png"), "precious").unwrap();
    let mut arguments = json!({"screenshotRef": reference, "outputPath": "there.png"});
    let refusal = session.refusal("save_screenshot", arguments.clone()).await;
    assert_eq!(refusal["code"], "FILE_EXISTS");
    assert_eq!(fs::read_to_string(written.path().join("there.png")).unwrap(), "precious");
    arguments["overwrite"] = json!(true);
    session.answer("save_screenshot", arguments).await;
    let bytes = fs::read(written.path().join("there.png")).unwrap();
    assert_eq!(image::guess_format(&bytes).unwrap(), image::ImageFormat::Png);
    let named = session.answer("save_screenshot", json!({"screenshotRef": reference})).await;
    assert!(named["path"].as_str().unwrap().ends_with("screenshot-2025-01-15_09-10-00.jpg"), "{named}");
    let incomplete = json!({"screenshotRef": reference, "cropX": 10});
    assert_eq!(session.refusal("save_screenshot", incomplete).await["code"], "INVALID_REGION");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshot_is_never_saved_in_the_folder_of_the_history() {
    let (dir, _store) = one_screenshot();
    let before = folder_hash(dir.path());
    let flags = ["--allow-write", dir.path().to_str().unwrap()];
    let session = Session::start_in_home(Home::new(), dir.path(), VERSIONS[0].clone(), &flags).await;
    let reference = the_reference(&session).await;
    for path in ["copy.jpg", "Screenshots/2025-01-15/copy.jpg"] {
        let refusal = session.refusal("save_screenshot", json!({"screenshotRef": reference, "outputPath": path})).await;
        assert_eq!(refusal["code"], "PATH_NOT_ALLOWED", "{path}");
    }
    session.end().await;
    assert_eq!(folder_hash(dir.path()), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_server_offers_only_reading_tools() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_in_home(Home::new(), dir.path(), VERSIONS[0].clone(), &["--read-only"]).await;
    let names: Vec<_> = session.tools().iter().map(|tool| tool.name.as_ref()).collect();
    assert!(names.contains(&"get_screenshot") && !names.contains(&"save_screenshot"), "{names:?}");
    let save = Session::start_default(dir.path()).await;
    let tool = save.tools().iter().find(|tool| tool.name == "save_screenshot").unwrap().annotations.clone().unwrap();
    assert_eq!((tool.read_only_hint, tool.destructive_hint), (Some(false), Some(true)));
    save.end().await;
    session.end().await;
}

/// Reading, cropping and failed attempts to save must not change the folder of the history.
#[tokio::test(flavor = "multi_thread")]
async fn screenshot_tools_do_not_change_the_folder_of_the_history() {
    let (dir, store) = one_screenshot();
    store.add_image("2025-01-15 09:30:00", 2);
    let before = folder_hash(dir.path());
    let written = tempfile::tempdir().unwrap();
    let flags = ["--allow-write", written.path().to_str().unwrap()];
    let session = Session::start_in_home(Home::new(), dir.path(), VERSIONS[0].clone(), &flags).await;
    for reference in super::references(&session, DAY).await {
        session.answer("get_screenshot", json!({"screenshotRef": reference})).await;
        session.answer("crop_screenshot", super::part(&reference, [0.0, 0.0, 10.0, 10.0], "percent")).await;
        session.answer("save_screenshot", json!({"screenshotRef": reference})).await;
    }
    session.end().await;
    assert_eq!(folder_hash(dir.path()), before);
    assert_eq!(fs::read_dir(written.path()).unwrap().count(), 2);
}
