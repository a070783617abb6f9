//! Tests a server with redaction. No tool may return redacted text. A server with invalid settings must not start.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::cli::program::{Home, demo};
use crate::mcp::session::{Session, VERSIONS};
use crate::mcp::{RANGE, one_call_each};

/// Returns the answers of every tool.
async fn answers(session: &Session) -> Vec<(&'static str, Value)> {
    let mut answers = Vec::new();
    for (tool, arguments) in one_call_each(RANGE.0, RANGE.1) {
        answers.push((tool, session.answer(tool, arguments).await));
    }
    answers
}

fn answer_of<'a>(answers: &'a [(&str, Value)], tool: &str) -> &'a Value {
    &answers.iter().find(|(name, _)| *name == tool).unwrap().1
}

#[tokio::test(flavor = "multi_thread")]
async fn no_tool_returns_text_redacted_by_flags_or_configuration() {
    let dir = demo();
    let session = Session::start_default(dir.path()).await;
    let whole = answers(&session).await;
    session.end().await;
    let first = |tool: &str, list: &str| answer_of(&whole, tool)[list][0].clone();
    let (application, site) = (first("get_application_usage", "usage"), first("get_website_usage", "websites"));
    let (key, name) = (application["key"].as_str().unwrap(), application["name"].as_str().unwrap());
    let site = site["name"].as_str().unwrap();

    let home = Home::new();
    home.configure(&format!("[serve]\nhide_apps = ['{key}']\nredact = ['titles']\n"));
    let flags = ["--hide-site", site, "nowhere.example", "--redact", "urls,paths", "--redact", "paths"];
    let session = Session::start_in_home(home, dir.path(), VERSIONS[0].clone(), &flags).await;
    let responses = answers(&session).await;
    for (tool, answer) in &responses {
        let text = answer.to_string();
        for withheld in [key, name, site, "/home/", ":\\\\", "https://"] {
            assert!(!text.contains(&format!("\"{withheld}")), "{tool} returns `{withheld}`: {text}");
        }
    }
    // Statements can use every table and every filter. The statements must not find the redacted text either.
    for sql in [
        format!("SELECT 1 FROM activities WHERE name = '{name}' OR key = '{key}' OR group_name LIKE '%{name}%'"),
        format!("SELECT 1 FROM websites WHERE site = '{site}' OR url LIKE 'https://%'"),
        "SELECT 1 FROM applications WHERE title IS NOT NULL".to_owned(),
    ] {
        let response = session.answer("query", json!({"sql": sql})).await;
        assert_eq!(response["rows"], json!([]), "{sql}");
    }
    let refused = session.refusal("query", json!({"sql": "SELECT key FROM manictime.ar_group"})).await;
    assert!(refused.to_string().contains("raw tables are not available"), "{refused}");
    let model = session.answer("describe_model", json!({})).await;
    assert!(!model.to_string().contains("Schema manictime"), "{model}");
    let by_sql = session.answer("query", json!({"sql": "SELECT * FROM activities", "maxRows": 1000})).await;
    for withheld in [key, name, site, "/home/", "https://"] {
        assert!(!by_sql.to_string().contains(&format!("\"{withheld}")), "`{withheld}`");
    }
    let hidden = &answer_of(&responses, "get_application_usage")["usage"][0];
    assert_eq!((&hidden["name"], &hidden["key"]), (&Value::from("(hidden)"), &Value::from("(hidden)")));
    assert_eq!(hidden["totalMinutes"], application["totalMinutes"], "its time counts");
    assert!(answer_of(&responses, "get_website_usage").to_string().contains("(hidden)"));
    for tool in ["get_activity_narrative", "get_period_summary", "get_daily_summary"] {
        assert_eq!(
            answer_of(&responses, tool)["totalActiveMinutes"],
            answer_of(&whole, tool)["totalActiveMinutes"],
            "{tool}"
        );
    }
    assert_eq!(session.end().await, "");
}

#[test]
fn server_with_invalid_redaction_settings_does_not_start() {
    let dir = demo();
    for (file, flags, code, named) in [
        ("", vec!["--redact", "titels"], 2, "titels"),
        ("", vec!["--hide-app", "[a"], 2, "`[a`"),
        ("", vec!["--hide-site", ""], 2, "it is empty"),
        ("[serve]\nredact = ['titels']\n", vec![], 1, "titels"),
        ("[serve]\nhide_sites = ['{a']\n", vec![], 1, "`{a`"),
        ("[serve]\nhide_site = ['a']\n", vec![], 1, "hide_sites"),
        // These settings would redact notes and also offer the tools that show notes.
        ("", vec!["--redact", "notes", "--toolsets", "activity,notes"], 1, "toolset `notes`"),
        ("", vec!["--redact", "notes", "--tools", "list_notes"], 1, "`--redact notes`"),
        ("[serve]\nredact = ['notes']\n", vec!["--toolsets", "notes"], 1, "`[serve]`"),
        ("[serve]\nredact = ['notes']\ntoolsets = ['notes']\n", vec![], 1, "Remove one of the two"),
    ] {
        let home = Home::new();
        home.configure(file);
        for demo in [false, true] {
            let arguments = ["serve"].into_iter().chain(flags.clone());
            let mut command = if demo {
                home.program(["--demo"].into_iter().chain(arguments))
            } else {
                home.program_for(dir.path(), arguments)
            };
            let output = command.stdin(Stdio::null()).output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(code), "{file} {flags:?}: {message}");
            assert!(message.contains(named) && output.stdout.is_empty(), "{message}");
        }
    }
}
