//! Tests the notes of a workspace with redaction. No output may contain redacted text, but the note files must keep
//! their complete text.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::program::{Home, demo};
use crate::mcp::notes::{commit, workspace};
use crate::mcp::session::{Session, VERSIONS, text};

/// The path of a note of a day, and the path of a note in a folder.
const PATHS: [&str; 2] = ["2026-11-24-a.md", "clients/2024-12-09-b.md"];

/// Secret words in a URL, in a folder, and in a line that contains a hidden site.
const SECRETS: [&str; 3] = ["zqurl", "zqpath", "zqbank"];

const FLAGS: [&str; 6] = ["--toolsets", "sql,notes", "--redact", "urls,paths", "--hide-site", "*.bank.example"];

const NOTE: &str = "# Portal https://portal.client.example/secret/zqurl?x\r\n\r\n\
                    ! the plan is C:\\zqpath\\plan.docx\r\n\
                    ? who pays zqbank at https://login.bank.example/zqbank\r\n\
                    [] ask about https://portal.client.example/secret/zqurl?x\n\
                    @login.bank.example: zqbank\n\
                    portal.client.example/secret/zqurl\n\
                    /srv/zqpath/notes/a.txt\n";

const RECORD: &str = "# Portal https://portal.client.example/secret/zqurl?x\n\n\
                      ## TL;DR\n\nSee https://portal.client.example/secret/zqurl?x, but not https://login.bank.example/zqbank.\n\n\
                      ## Key Points\n\n- C:\\zqpath\\plan.docx\n- zqbank of login.bank.example\n\n\
                      ## Action Items\n\n- [ ] Send C:\\zqpath\\plan.docx — @https://portal.client.example/secret/zqurl\n\
                      - [ ] Pay at https://login.bank.example/zqbank — @ada\n\n\
                      ## Open Questions\n\n- https://login.bank.example/zqbank?\n";

/// Creates a workspace with these notes, each in two versions.
fn notes(home: &Home) -> PathBuf {
    let folder = workspace(home);
    let today = chrono::Local::now().format("%Y-%m-%d");
    let [note, record, todays] = [PATHS[0].to_owned(), PATHS[1].to_owned(), format!("{today}-c.md")];
    for (path, content) in [(&note, NOTE), (&record, RECORD), (&todays, RECORD)] {
        fs::write(folder.join(path), content).unwrap();
    }
    for path in [&record, &todays] {
        let note = folder.join(path);
        let raw = note.with_file_name(".raw");
        fs::create_dir_all(&raw).unwrap();
        fs::write(raw.join(note.with_extension("raw.md").file_name().unwrap()), NOTE).unwrap();
    }
    fs::create_dir_all(folder.join(".chronicle")).unwrap();
    fs::write(folder.join(".chronicle/prompt.md"), "Compare with C:\\zqpath\\guide.docx.\n").unwrap();
    let state = json!({"workspacePath": folder, "currentFile": folder.join(&note), "noteCount": 3});
    fs::write(folder.join(".chronicle/state.json"), state.to_string()).unwrap();
    commit(&folder, "session: Portal https://portal.client.example/secret/zqurl (32m)");
    let changed = NOTE.replace("secret", "other").replace("zqpath", "zqpath2").replace("zqbank\n", "zqbank2\n");
    fs::write(folder.join(&note), changed).unwrap();
    commit(&folder, "session: login.bank.example zqbank (8m)");
    fs::write(folder.join(&note), NOTE).unwrap();
    folder
}

async fn session(more: &[&str]) -> (Session, PathBuf, tempfile::TempDir) {
    let (home, data) = (Home::new(), demo());
    let folder = notes(&home);
    home.configure(&format!("[notes]\nworkspace = '{}'\n", folder.display()));
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), more).await;
    (session, folder, data)
}

/// Returns all outputs of the server about the notes. Each output has the name of its kind.
async fn dump_notes(session: &Session) -> Vec<(String, String)> {
    let mut outputs = Vec::new();
    for (tool, arguments) in [
        ("list_notes", json!({})),
        ("get_actions", json!({"include_done": true})),
        ("process_meeting", json!({"path": PATHS[0], "focus": "decisions"})),
        ("process_meeting", json!({"path": PATHS[1]})),
    ] {
        outputs.push((format!("{tool} {arguments}"), session.text(tool, arguments).await));
    }
    for path in PATHS {
        for (tool, arguments) in [
            ("get_history", json!({"path": path})),
            ("get_version", json!({"path": path, "commit": "HEAD"})),
            ("compare_versions", json!({"path": path, "from_commit": "HEAD~1", "to_commit": "HEAD"})),
            ("compare_versions", json!({"path": path, "from_commit": "HEAD~2", "to_commit": "HEAD"})),
        ] {
            outputs.push((format!("{tool} {arguments}"), session.text(tool, arguments).await));
        }
        let uri = format!("note://file/{path}");
        outputs.push((uri.clone(), session.read(&uri).await));
    }
    for uri in ["note://current", "note://today", "note://recent", "note://config"] {
        outputs.push((uri.to_owned(), session.read(uri).await));
    }
    for sql in [
        "SELECT * FROM notes",
        "SELECT * FROM note_actions",
        "SELECT * FROM note_sessions WHERE start_local >= '2020-01-01' AND start_local < '2100-01-01'",
        "SELECT title, count(*) FROM notes GROUP BY title ORDER BY title DESC",
        "SELECT CAST(text AS BIGINT) FROM notes",
    ] {
        let outcome = session.outcome("query", json!({"sql": sql})).await;
        outputs.push((sql.to_owned(), outcome.unwrap_or_else(|error| error).to_string()));
    }
    outputs
}

#[tokio::test(flavor = "multi_thread")]
async fn redacted_notes_leak_nowhere_and_their_paths_stay_usable() {
    let (whole, _folder, _data) = session(&FLAGS[..2]).await;
    let everything = dump_notes(&whole).await;
    whole.end().await;
    let (session, folder, _data) = session(&FLAGS).await;
    let outputs = dump_notes(&session).await;
    for secret in SECRETS {
        let ways = everything.iter().filter(|(_, text)| text.contains(secret)).count();
        assert!(ways >= 12, "without redaction, only {ways} outputs contain `{secret}`");
        for (way, text) in &outputs {
            assert!(!text.contains(secret), "{way} returns `{secret}`:\n{text}");
        }
    }
    for ((way, whole), (_, text)) in everything.iter().zip(&outputs) {
        for path in PATHS {
            assert_eq!(whole.contains(path), text.contains(path), "{way}: {path}\n{text}");
        }
    }
    let file = session.read("note://file/2026-11-24-a.md").await;
    assert_eq!(
        file,
        "# (redacted)\r\n\r\n! (redacted)\r\n(hidden)\r\n[] (redacted)\n(hidden)\n(redacted)\n(redacted)\n"
    );
    let actions = session.text("get_actions", json!({})).await;
    assert!(actions.contains("- [ ] (redacted) — @(redacted)\n- [ ] (hidden)\n"), "{actions}");
    assert_eq!(fs::read_to_string(folder.join(PATHS[0])).unwrap(), NOTE, "the note on disk is unchanged");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn search_does_not_find_redacted_text() {
    let (session, _folder, _data) = session(&FLAGS).await;
    for secret in ["zqurl", "zqpath", "zqbank", "secret/", "login.bank", "c:\\"] {
        let found = session.text("list_notes", json!({"search": secret})).await;
        assert!(found.starts_with("Found 0 notes."), "{secret}: {found}");
        let sql = format!("SELECT path FROM notes WHERE text ILIKE '%{secret}%' OR title ILIKE '%{secret}%'");
        assert_eq!(session.answer("query", json!({"sql": sql})).await["rows"], json!([]), "{secret}");
    }
    let found = session.text("list_notes", json!({"search": "KEY points"})).await;
    assert!(found.starts_with("Found 2 notes:") && found.contains(PATHS[1]), "{found}");
    for (owner, total) in [("https://portal.client.example/secret/zqurl", 0), ("portal.client.example", 0), ("ada", 0)]
    {
        let actions = session.text("get_actions", json!({"owner": owner})).await;
        assert!(actions.starts_with(&format!("Open action items ({total} total)")), "{owner}: {actions}");
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redacted_text_stays_in_the_note_on_disk() {
    for record in [
        "# Portal\n\n## TL;DR\n\nDone.\n",
        "# Portal\n\n## TL;DR\n\nDone.\n\n## Raw Notes\n\nthe plan is plan.docx\n(hidden)\n",
    ] {
        let (session, folder, _data) = session(&FLAGS).await;
        let processing = session.text("process_meeting", json!({"path": PATHS[0]})).await;
        let handle = processing.split("handle \"").nth(1).unwrap().split('"').next().unwrap();
        let arguments = json!({"path": PATHS[0], "content": record, "handle": handle});
        let response = session.text("write_processed", arguments.clone()).await;
        assert!(response.starts_with("Processed note: (redacted)\n"), "{response}");
        let written = fs::read_to_string(folder.join(PATHS[0])).unwrap();
        let (record, notes) = written.split_once("<!-- /dayledger:record -->\r\n").unwrap();
        let expected = "<!-- dayledger:record -->\n# Portal\n\n## TL;DR\n\nDone.\n\n## Raw Notes\n";
        assert_eq!(record.replace("\r\n", "\n"), expected);
        assert_eq!(notes, NOTE);
        assert_eq!(fs::read_to_string(folder.join(".raw/2026-11-24-a.raw.md")).unwrap(), NOTE);
        // The note has changed since it was read, so writing it must fail.
        let refused = session.call("write_processed", arguments).await;
        assert!(text(&refused).starts_with("Error: CONFLICT: `2026-11-24-a.md` "), "{refused:?}");
        session.end().await;
    }
}

/// Long texts must be redacted before they are truncated or split. Otherwise text could be revealed or lost.
#[tokio::test(flavor = "multi_thread")]
async fn long_texts_are_redacted_before_truncation_and_note_headings_are_kept() {
    let (session, folder, _data) = session(&FLAGS).await;
    let today = chrono::Local::now().format("%Y-%m-%d");
    for (place, end) in ["/home/zqpath/zqpath/plan.txt", "zqbank of login.bank.example"].iter().enumerate() {
        let text = |length: usize| format!("# T\n\n{} {end}\n", "x".repeat(length));
        for back in 0..end.len() {
            let name = format!("{today}-long-{place}-{back}.md");
            fs::write(folder.join(name), text(32_768 - 6 - back)).unwrap();
        }
        let title = format!("# {} {end}\n\nx\n", "x".repeat(190));
        fs::write(folder.join(format!("{today}-title-{place}.md")), title).unwrap();
    }
    let rows =
        session.answer("query", json!({"sql": "SELECT right(text, 100) FROM notes WHERE path LIKE '%-long-%'"})).await;
    let resources = [session.read("note://today").await, session.read("note://recent").await];
    for output in [rows.to_string()].iter().chain(&resources) {
        assert!(!output.contains("zq"), "{output}");
    }

    let own = "# Plan\n\nzqkept C:\\zqpath\\a.txt\n\n## Raw Notes\n\nmore\n";
    fs::write(folder.join("own.md"), own).unwrap();
    let processing = session.text("process_meeting", json!({"path": "own.md"})).await;
    assert!(processing.contains("# Plan\n\n(redacted)\n\n## Raw Notes\n\nmore"), "{processing}");
    session.text("write_processed", json!({"path": "own.md", "content": "# Plan\n\n## TL;DR\n\nx\n"})).await;
    let written = fs::read_to_string(folder.join("own.md")).unwrap();
    assert!(written.ends_with(&format!("\n## Raw Notes\n<!-- /dayledger:record -->\n{own}")), "{written}");
    session.end().await;
}

/// If a line is redacted, its marker of a list item or task must stay. This must hold for every notation of markers.
#[tokio::test(flavor = "multi_thread")]
async fn markers_of_redacted_lines_are_kept() {
    let (session, folder, _data) = session(&FLAGS).await;
    let note =
        "! zqpath\\api\\routes.rs\n[] zqpath\\x.txt\n- [ ] zqpath\\y.txt\n? zqpath\\z.txt\n@bob: zqpath\\b.txt\n";
    fs::write(folder.join("marks.md"), note).unwrap();
    let actual = session.read("note://file/marks.md").await;
    assert_eq!(actual, "! (redacted)\n[] (redacted)\n- [ ] (redacted)\n? (redacted)\n@bob: (redacted)\n");
    session.end().await;
}

/// The path of the notes' folder must also be redacted.
#[tokio::test(flavor = "multi_thread")]
async fn note_errors_contain_no_folder() {
    let (home, data) = (Home::new(), demo());
    let folder = home.folder("zqpath").join("notes");
    home.configure(&format!("[notes]\nworkspace = '{}'\n", folder.display()));
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), &FLAGS).await;
    for (tool, arguments) in [("list_notes", json!({})), ("get_history", json!({"path": PATHS[1]}))] {
        let refused = session.call(tool, arguments).await;
        let message = text(&refused);
        assert!(message.starts_with("Error: NO_WORKSPACE: ") && !message.contains("zqpath"), "{message}");
    }
    let error = session.refusal("query", json!({"sql": "SELECT * FROM notes"})).await;
    assert!(!error.to_string().contains("zqpath") && error != Value::Null, "{error}");
    session.end().await;
}
