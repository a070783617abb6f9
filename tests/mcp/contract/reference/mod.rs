//! The generated parts of two pages: text between markers in `docs/contract.md`, and the rows of tools in
//! `docs/assistant.md`.
//!
//! The test compares these parts with the server's output, or updates them (`documentation::parts`).

mod json;
mod tables;

use std::fmt::Write as _;
use std::path::Path;

use dayledger::activity::ReasonCode;
use dayledger::mcp;
use rmcp::model::{GetPromptRequestParams, Tool};
use serde_json::{Value, json};

use super::super::session::{Session, text};
use super::{example, small_history};
use crate::documentation::parts::{compare, with_part};

/// The arguments for the prompts that the page shows.
const PROMPTED: [(&str, &str); 4] =
    [("date", "2025-01-15"), ("startDate", "2025-01-13"), ("endDate", "2025-01-20"), ("datetime", "2025-01-15T09:30")];

/// The properties that all responses share. The page describes each of them once.
const SHARED: [&str; 2] = ["truncation", "diagnostics"];

/// Returns the generated parts of the page, by the names of their markers. The server writes to `folder`.
async fn parts(session: &Session, folder: &Path) -> Vec<(&'static str, String)> {
    vec![
        ("shared fields", shared_fields()),
        ("reason codes", reason_codes()),
        ("error example", error_example(session).await),
        ("error codes", error_codes()),
        ("tools", tools(session, folder).await),
        ("resources", resources(session).await),
        ("skills", skills(session).await),
        ("prompts", prompts(session).await),
    ]
}

fn shared_fields() -> String {
    let mut answers = mcp::described_response_schemas();
    // `query` is left out, because the number of rows of a statement is unknown.
    answers.remove("query");
    let mut page = String::new();
    for name in SHARED {
        let schemas: Vec<_> = answers.values().filter_map(|answer| answer["properties"].get(name)).collect();
        let alike = |other: &&Value| other["properties"] == schemas[0]["properties"];
        assert!(schemas.iter().all(alike), "`{name}` differs between tools");
        let _ = writeln!(page, "### `{name}`\n\n{}", tables::fields(schemas[0].as_object().unwrap(), &[]));
    }
    page
}

fn reason_codes() -> String {
    let mut table = String::from("| code | meaning and remedy |\n|---|---|\n");
    for code in ReasonCode::ALL {
        let name = serde_json::to_value(code).unwrap();
        let _ = writeln!(table, "| `{}` | {} |", name.as_str().unwrap(), code.hint());
    }
    table
}

fn error_codes() -> String {
    let mut table = String::from("| code | when |\n|---|---|\n");
    for code in mcp::error_codes() {
        let _ = writeln!(table, "| `{code}` | {} |", code.when());
    }
    table
}

async fn error_example(session: &Session) -> String {
    let arguments = json!({"startDate": "2025-01-15", "endDate": "2025-01-15"});
    let result = session.call("get_tags", arguments.clone()).await;
    assert_eq!(result.is_error, Some(true));
    format!("`get_tags` with `{arguments}` returns:\n\n{}", json::code_block(&text(&result)))
}

async fn tools(session: &Session, folder: &Path) -> String {
    // The path of a saved copy is replaced, because it depends on the run and on the system's path separator.
    let folder = serde_json::to_string(folder).unwrap();
    let folder = folder.trim_matches('"');
    let elsewhere = |answer: String| {
        let is_path = answer.contains(folder);
        if is_path { answer.replace(folder, "/home/alex").replace(r"\\", "/") } else { answer }
    };
    let (answers, mut page) = (mcp::described_response_schemas(), String::new());
    for tool in session.tools() {
        let arguments = example(&tool.name);
        let result = session.call(&tool.name, arguments.clone()).await;
        let closed: &[&str] = if tool.name == "query" { &[] } else { &SHARED };
        let fields = tables::fields(&answers[&*tool.name], closed);
        let _ = write!(
            page,
            "### `{}`\n\n{}\n\n{}\n{}\n{}{}",
            tool.name,
            tool.description.as_ref().unwrap(),
            tables::parameters(&tool.input_schema),
            call(tool, &arguments),
            details("Response", &json::code_block(&elsewhere(text(&result)))),
            details("Response fields", &fields),
        );
    }
    page
}

/// Returns a call with its arguments in the order of the table of parameters.
fn call(tool: &Tool, arguments: &Value) -> String {
    let given = tables::properties_required_first(&tool.input_schema).into_iter().filter_map(|(name, _)| {
        let value = arguments.get(name)?;
        Some(format!("\"{name}\": {value}"))
    });
    let given = given.collect::<Vec<_>>().join(", ");
    format!("A call:\n\n{}", json::code_block(&format!(r#"{{"name": "{}", "arguments": {{{given}}}}}"#, tool.name)))
}

fn details(summary: &str, text: &str) -> String {
    format!("<details>\n<summary>{summary}</summary>\n\n{text}\n</details>\n\n")
}

async fn resources(session: &Session) -> String {
    let peer = session.peer();
    let resources = peer.list_all_resources().await.unwrap().into_iter();
    let resources = resources.map(|it| [Some(it.uri), it.title, it.mime_type, it.description]);
    let templates = peer.list_all_resource_templates().await.unwrap().into_iter();
    let templates = templates.map(|it| [Some(it.uri_template), it.title, it.mime_type, it.description]);
    let mut table = String::from("| URI | title | type | content |\n|---|---|---|---|\n");
    for cells in resources.chain(templates) {
        let [uri, title, kind, description] = cells.map(|cell| cell.unwrap_or_else(|| "–".to_owned()));
        let _ = writeln!(table, "| `{uri}` | {title} | {kind} | {description} |");
    }
    table
}

async fn skills(session: &Session) -> String {
    let mut table = String::from("| URI | description |\n|---|---|\n");
    for skill in session.peer().list_all_skills().await.unwrap() {
        let _ = writeln!(table, "| `{}` | {} |", skill.uri, skill.frontmatter.description);
    }
    table
}

async fn prompts(session: &Session) -> String {
    let peer = session.peer();
    let mut page = String::new();
    for prompt in peer.list_all_prompts().await.unwrap() {
        let arguments = prompt.arguments.unwrap_or_default();
        let given = arguments.iter().filter_map(|argument| {
            let (_, value) = PROMPTED.iter().find(|(name, _)| *name == argument.name)?;
            Some((argument.name.clone(), json!(value)))
        });
        let request = GetPromptRequestParams::new(&prompt.name).with_arguments(given.collect());
        let messages = peer.get_prompt(request).await.unwrap().messages;
        let text: Vec<_> = messages.iter().map(|message| &*message.content.as_text().unwrap().text).collect();
        let text = format!("```text\n{}\n```\n", text.join("\n\n"));
        let _ = write!(
            page,
            "### `{}`\n\n{}\n\n{}\n{}",
            prompt.name,
            prompt.description.unwrap_or_default(),
            tables::prompt_arguments(&arguments),
            details("Text", &text)
        );
    }
    page
}

/// Returns the page with the current parameters in each tool's row. The column with the purpose is written by hand.
fn with_rows(page: &str, tools: &[Tool]) -> String {
    let mut page = page.to_owned();
    for tool in tools {
        let start = format!("| `{}` | ", tool.name);
        let row = page.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("docs/assistant.md lacks a row that begins with {start}")).to_owned();
        let purpose = row.rsplit(" | ").next().unwrap();
        page = page.replace(&row, &format!("{start}{} | {purpose}", tables::names(&tool.input_schema)));
    }
    page
}

#[tokio::test(flavor = "multi_thread")]
async fn reference_page_matches_the_server() {
    let (session, dir) = small_history().await;
    let parts = parts(&session, dir.path()).await;
    compare("docs/contract.md", |page| {
        parts.iter().fold(page.to_owned(), |page, (name, part)| with_part(&page, name, part))
    });
    compare("docs/assistant.md", |page| with_rows(page, session.tools()));
    session.end().await;
}
