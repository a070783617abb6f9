//! Tests the notes tools with a workspace of the note-taking application, and each way to process a note.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use rmcp::model::{GetPromptRequestParams, ProtocolVersion};
use serde_json::{Value, json};

use super::session::{Session, VERSIONS, text};
use crate::cli::program::{Home, demo, folder_hash};

pub(super) const KICKOFF: &str = "# Project Kickoff\n\n> push back on the timeline\n! weekly exports are required\n? IAM rollout?\n[] set up \
                       evidence automation\n@sarah: checks the access rights\n";
pub(crate) const RECORD: &str = "# Project Kickoff\n\n## TL;DR\n\nExports are weekly.\n\n## Key Points\n\n- Weekly exports\n\n## Action \
                      Items\n\n- [ ] Set up evidence automation — **owner: me, urgent**\n- [ ] Check access — @sarah\n\n## \
                      Open Questions\n\n- When is the IAM rollout?\n";

/// Returns the text of the file of a processed note.
pub(crate) fn processed_note(record: &str, notes: &str) -> String {
    let record = record.trim_end();
    format!("<!-- dayledger:record -->\n{record}\n\n## Raw Notes\n<!-- /dayledger:record -->\n{notes}")
}

/// Returns the user's text, which is below the record in a file.
fn author_text(file: &str) -> &str {
    file.split_once("<!-- /dayledger:record -->\n").unwrap().1
}

/// Creates a workspace with notes of two days. One of the notes has several commits.
pub(crate) fn workspace(home: &Home) -> PathBuf {
    let folder = home.folder("notes");
    fs::create_dir_all(folder.join("clients")).unwrap();
    fs::write(folder.join("2024-12-10-project-kickoff.md"), KICKOFF).unwrap();
    fs::write(folder.join("clients/2024-12-09-research.md"), "# Research\n\nnothing is marked here\n").unwrap();
    git(&folder, &["init", "-q"]);
    commit(&folder, "session: Project Kickoff (32m)");
    folder
}

/// Commits all changes in the folder.
pub(crate) fn commit(folder: &Path, subject: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["-c", "user.name=Chronicle", "-c", "user.email=chronicle@localhost", "commit", "-q", "-m", subject]);
}

/// Damages a repository: its branch points to a missing commit.
pub(crate) fn damage(folder: &Path) {
    let head = fs::read_to_string(folder.join(".git/HEAD")).unwrap();
    let branch = head.trim().strip_prefix("ref: ").unwrap();
    fs::write(folder.join(".git").join(branch), format!("{}\n", "1".repeat(40))).unwrap();
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git").arg("-C").arg(folder).args(arguments).status().unwrap();
    assert!(status.success(), "git {arguments:?}");
}

/// Starts a server with only the notes tools, over the workspace in a home folder with this configuration.
async fn session(configuration: &str, version: ProtocolVersion) -> (Session, PathBuf, tempfile::TempDir) {
    let (home, data) = (Home::new(), demo());
    let folder = workspace(&home);
    let configuration = format!("[notes]\nworkspace = '{}'\n{configuration}", folder.display());
    home.configure(&configuration);
    let session = Session::start_in_home(home, data.path(), version, &["--toolsets", "notes"]).await;
    (session, folder, data)
}

/// Calls `list_notes` until durations are known. On a slow machine, the first response reports that they aren't known
/// yet.
async fn list_notes(session: &Session, arguments: Value) -> String {
    loop {
        let text = session.text("list_notes", arguments.clone()).await;
        if !text.contains("still being computed") {
            return text;
        }
    }
}

async fn expect_error(session: &Session, tool: &str, arguments: Value) -> String {
    let result = session.call(tool, arguments).await;
    assert_eq!(result.is_error, Some(true), "{result:?}");
    text(&result)
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_responses_match_the_contract_in_both_protocol_versions() {
    for version in VERSIONS {
        let (session, folder, _data) = session("", version).await;
        assert_eq!(
            list_notes(&session, json!({})).await,
            "Found 2 notes:\n\n1. 2024-12-10-project-kickoff.md - Project Kickoff (32m)\n2. clients/2024-12-09-research.md - \
             Research (32m)"
        );
        assert_eq!(
            list_notes(&session, json!({"search": "IAM ROLLOUT", "date_from": "2024-12-10"})).await,
            "Found 1 note:\n\n1. 2024-12-10-project-kickoff.md - Project Kickoff (32m)"
        );
        assert_eq!(session.text("get_actions", json!({})).await.lines().next(), Some("Open action items (0 total)."));
        let history = session.text("get_history", json!({"path": "2024-12-10-project-kickoff.md"})).await;
        assert!(
            history.starts_with("History for 2024-12-10-project-kickoff.md:\n\n1. session: Project Kickoff (32m) — ")
        );
        let version = json!({"path": "2024-12-10-project-kickoff.md", "commit": "HEAD"});
        let response = session.text("get_version", version).await;
        assert_eq!(response, format!("Version from commit HEAD (session: Project Kickoff (32m)):\n\n{KICKOFF}"));
        let compared = json!({"path": "2024-12-10-project-kickoff.md", "from_commit": "HEAD", "to_commit": "HEAD"});
        let response = session.text("compare_versions", compared).await;
        assert!(response.starts_with("No differences between HEAD and HEAD"), "{response}");
        fs::remove_file(folder.join("2024-12-10-project-kickoff.md")).unwrap();
        let removed = session.text("get_history", json!({"path": "2024-12-10-project-kickoff.md"})).await;
        assert!(removed.contains("\n1. session: Project Kickoff (32m) — "), "a removed note has a history: {removed}");
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn client_can_process_a_note_with_its_own_model_and_a_handle() {
    for version in VERSIONS {
        let (session, folder, _data) = session("", version).await;
        let path = "2024-12-10-project-kickoff.md";
        let processing = session.text("process_meeting", json!({"path": path, "focus": "exports"})).await;
        assert!(
            processing.contains("nothing was sent anywhere") && processing.contains("! weekly exports are required"),
            "{processing}"
        );
        assert!(processing.contains("Focus especially on: exports") || processing.contains("exports"), "{processing}");
        let handle = processing.split("handle \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert_eq!(fs::read_to_string(folder.join(path)).unwrap(), KICKOFF, "nothing is written yet");

        let record = json!({"path": path, "content": RECORD, "handle": handle, "meta": {"mood": "good"}});
        let response = session.text("write_processed", record.clone()).await;
        assert!(
            response
                .starts_with("Processed note: Project Kickoff\n\n✓ Generated summary\n✓ Extracted 2 action items\n")
        );
        assert_eq!(fs::read_to_string(folder.join(path)).unwrap(), processed_note(RECORD, KICKOFF));
        assert_eq!(fs::read_to_string(folder.join(".raw/2024-12-10-project-kickoff.raw.md")).unwrap(), KICKOFF);
        let meta = fs::read_to_string(folder.join(".meta/2024-12-10-project-kickoff.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&meta).unwrap()["mood"], "good");

        // The handle belongs to an older version of the note, so a call with this handle must not overwrite a newer
        // change.
        let error = expect_error(&session, "write_processed", record).await;
        assert!(error.starts_with("Error: CONFLICT: "), "{error}");
        // An empty handle must not count as absent, because without a handle the note would be replaced without a
        // check.
        let error =
            expect_error(&session, "write_processed", json!({"path": path, "content": RECORD, "handle": ""})).await;
        assert!(error.starts_with("Error: CONFLICT: "), "{error}");
        let actions = session.text("get_actions", json!({"owner": "me"})).await;
        assert_eq!(
            actions,
            "Open action items (1 total):\n\nFrom Project Kickoff (Dec 10, 2024):\n- [ ] Set up evidence automation (urgent)"
        );
        let again = session.text("process_meeting", json!({"path": path, "style": "detailed"})).await;
        assert!(again.contains("! weekly exports are required") && !again.contains("Exports are weekly."), "{again}");
        let listed = list_notes(&session, json!({"processed_only": true})).await;
        assert!(listed.ends_with("1. 2024-12-10-project-kickoff.md - Project Kickoff (32m) ✓"), "{listed}");
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn markers_create_the_record_without_a_model() {
    let (session, folder, _data) = session("model = 'none'\n", VERSIONS[1].clone()).await;
    let response =
        session.text("process_meeting", json!({"path": "2024-12-10-project-kickoff.md", "style": "brief"})).await;
    assert!(response.contains("✓ Extracted 1 action item\n") && response.contains("No model was used"), "{response}");
    let written = fs::read_to_string(folder.join("2024-12-10-project-kickoff.md")).unwrap();
    assert!(written.contains("\n# Project Kickoff\n") && written.contains("## Action Items"), "{written}");
    assert_eq!(author_text(&written), KICKOFF);
    let again = session.text("process_meeting", json!({"path": "2024-12-10-project-kickoff.md"})).await;
    assert!(
        again.contains("✓ Extracted 1 action item\n"),
        "the record is created from the notes, not from the first record: {again}"
    );
    let twice = fs::read_to_string(folder.join("2024-12-10-project-kickoff.md")).unwrap();
    assert_eq!(twice, written, "a second run changes nothing");
    let raw = fs::read_to_string(folder.join(".raw/2024-12-10-project-kickoff.raw.md")).unwrap();
    assert_eq!(raw, KICKOFF, "the first text stays");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_have_the_error_codes_of_the_contract() {
    let (session, folder, _data) = session("", VERSIONS[0].clone()).await;
    for (tool, arguments, start) in [
        ("process_meeting", json!({"path": "gone.md"}), "Error: FILE_NOT_FOUND: "),
        ("get_history", json!({"path": "../x.md"}), "Error: INVALID_ARGUMENT: "),
        ("get_history", json!({"path": "/etc/passwd"}), "Error: INVALID_ARGUMENT: "),
        (
            "get_version",
            json!({"path": "2024-12-10-project-kickoff.md", "commit": "--all"}),
            "Error: INVALID_ARGUMENT: ",
        ),
        ("process_meeting", json!({"path": "current"}), "Error: APP_NOT_CONNECTED: "),
        (
            "write_processed",
            json!({"path": "2024-12-10-project-kickoff.md", "content": "no heading"}),
            "Error: PARSE_ERROR: ",
        ),
        ("process_meeting", json!({}), "Error: MISSING_ARGUMENT: "),
        ("process_meeting", json!({"path": "a.md", "style": "loud"}), "Error: INVALID_ARGUMENT: "),
        ("list_notes", json!({"date_from": "yesterday or so"}), "Error: INVALID_DATE: "),
    ] {
        let error = expect_error(&session, tool, arguments.clone()).await;
        assert!(error.starts_with(start), "{tool} {arguments}: {error}");
    }
    assert_eq!(fs::read_to_string(folder.join("2024-12-10-project-kickoff.md")).unwrap(), KICKOFF);
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn open_note_comes_from_the_application() {
    for version in VERSIONS {
        let (session, folder, _data) = session("", version).await;
        let note = folder.join("2024-12-10-project-kickoff.md");
        fs::create_dir_all(folder.join(".chronicle")).unwrap();
        let state =
            json!({"workspacePath": folder, "currentFile": note, "lastEdited": "2024-12-10T15:00:00Z", "noteCount": 2});
        fs::write(folder.join(".chronicle/state.json"), state.to_string()).unwrap();
        assert_eq!(session.read("note://current").await, KICKOFF);
        let history = session.text("get_history", json!({"path": "current"})).await;
        assert!(history.starts_with("History for 2024-12-10-project-kickoff.md:"), "{history}");
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_and_prompts_match_the_contract() {
    for version in VERSIONS {
        // The newest protocol version has no separate code for a missing resource.
        let not_found = if version == VERSIONS[0] { -32002 } else { -32602 };
        let (session, folder, _data) = session("", version).await;
        assert_eq!(session.read("note://file/2024-12-10-project-kickoff.md").await, KICKOFF);
        assert_eq!(
            session.read("note://file/clients%2F2024-12-09-research.md").await.lines().next(),
            Some("# Research")
        );
        // A missing note used to be reported as an internal error.
        for (uri, code) in [("note://file/2024-12-11-gone.md", not_found), ("note://file/..%2Fsecret.md", -32602)] {
            let refused = session.read_error(uri).await;
            assert_eq!(refused.code.0, code, "{uri}: {}", refused.message);
        }
        let today = chrono::Local::now().format("%Y-%m-%d").to_string();
        fs::write(folder.join(format!("{today}-standup.md")), "# Standup\n").unwrap();
        for uri in ["note://today", "note://recent"] {
            let response: Value = serde_json::from_str(&session.read(uri).await).unwrap();
            let day = if uri == "note://today" { &response } else { &response["days"][0] };
            assert_eq!(day["notes"][0]["title"], "Standup", "{response}");
            assert_eq!((&day["notes"][0]["processed"], &day["notes"][0]["summary"]), (&json!(false), &Value::Null));
        }
        let config: Value = serde_json::from_str(&session.read("note://config").await).unwrap();
        assert_eq!(
            (&config["markers"]["action"], &config["processing"]["default_style"]),
            (&json!("[]"), &json!("standard"))
        );

        let names: Vec<_> =
            session.peer().list_all_prompts().await.unwrap().into_iter().map(|prompt| prompt.name).collect();
        assert_eq!(names[3..], ["process-standard", "process-focused", "process-structured"]);
        let arguments = json!({"notes": KICKOFF, "duration": "32"});
        let prompt_request =
            GetPromptRequestParams::new("process-standard").with_arguments(arguments.as_object().unwrap().clone());
        let prompt = session.peer().get_prompt(prompt_request).await.unwrap();
        let messages = serde_json::to_string(&prompt.messages).unwrap();
        assert!(messages.contains("weekly exports are required") && messages.contains("32 minutes"), "{messages}");
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_without_the_notes_toolset_has_no_notes() {
    let dir = demo();
    let session = Session::start_default(dir.path()).await;
    assert!(session.tools().iter().all(|tool| tool.name != "process_meeting" && tool.name != "list_notes"));
    assert!(
        session.peer().list_all_resources().await.unwrap().iter().all(|resource| !resource.uri.starts_with("note:"))
    );
    session.end().await;
}

/// The demo's notes must not depend on the environment or on the configuration of the user's own notes.
#[tokio::test(flavor = "multi_thread")]
async fn demo_has_notes_with_durations_actions_and_versions() {
    let home = Home::new();
    let own = workspace(&home);
    home.configure(&format!("[notes]\nworkspace = '{}'\n", own.display()));
    let before = folder_hash(&own);
    let application = TcpListener::bind("127.0.0.1:0").unwrap();
    application.set_nonblocking(true).unwrap();
    let port = application.local_addr().unwrap().port().to_string();
    let variables = [("CHRONICLE_WORKSPACE", own.to_str().unwrap()), ("CHRONICLE_WS_PORT", &port)];
    let session = Session::demo(home, VERSIONS[1].clone(), &["--toolsets", "notes"], &variables).await;

    let listed = list_notes(&session, json!({"limit": 100})).await;
    let lines: Vec<_> = listed.lines().skip(2).collect();
    assert!(lines.len() >= 12 && !listed.contains("Kickoff"), "{listed}");
    assert!(lines.iter().all(|line| line.contains("m)")), "{listed}");
    let processed = lines.iter().find(|line| line.ends_with(" ✓")).unwrap();
    let unprocessed = lines.iter().find(|line| !line.ends_with(" ✓")).unwrap();
    let path = |line: &str| line.split_whitespace().nth(1).unwrap().to_owned();

    let actions = session.text("get_actions", json!({"owner": "me"})).await;
    assert!(actions.contains("\nFrom ") && actions.contains("\n- [ ] "), "{actions}");

    let history = session.text("get_history", json!({"path": path(processed)})).await;
    let commits: Vec<_> = history.lines().filter_map(|line| line.strip_suffix(')')?.rsplit('(').next()).collect();
    let [newest, oldest] = commits[..] else { panic!("two versions are expected: {history}") };
    let request = json!({"path": path(processed), "from_commit": oldest, "to_commit": newest});
    let compared = session.text("compare_versions", request).await;
    assert!(compared.contains("\n+## TL;DR\n") && !compared.contains("\n-!"), "{compared}");

    let current = session.read("note://current").await;
    assert!(current.starts_with("# "), "{current}");
    let recent: Value = serde_json::from_str(&session.read("note://recent").await).unwrap();
    assert!(recent["days"].is_array(), "{recent}");

    // Records that a user creates in the demo are kept.
    let record = json!({"path": path(unprocessed), "content": RECORD});
    let response = session.text("write_processed", record).await;
    assert!(response.starts_with("Processed note: "), "{response}");
    assert_eq!(folder_hash(&own), before);
    session.end().await;
    assert!(application.accept().is_err(), "the demo contacted the user's application");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_git_history_is_reported_and_notes_are_listed() {
    let (session, folder, _data) = session("", VERSIONS[1].clone()).await;
    damage(&folder);
    let response = session.text("list_notes", json!({})).await;
    assert!(
        response.starts_with("Found 2 notes:\n\n1. 2024-12-10-project-kickoff.md - Project Kickoff\n2. "),
        "{response}"
    );
    let problem = "The duration of notes is unknown: the history of the workspace is damaged: ";
    assert!(response.contains(problem) && response.contains("`git fsck` in the workspace"), "{response}");
    session.end().await;
}
