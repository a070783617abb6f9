//! Tests the tools of saved questions: their definitions, responses and errors, and the data that a server hides.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::hostile::{Client, error_of};
use crate::cli::program::{Home, demo};

const QUESTIONS: &str = r#"
[[questions]]
name = "top_apps"
description = "The most used applications. Use it to list programs."
sql = "SELECT application, $kind AS kind FROM pieces($period) GROUP BY application ORDER BY application LIMIT $rows"
parameters = [
  { name = "period", type = "range", description = "Days to count.", default = "2026-11-18" },
  { name = "rows", type = "integer", description = "Maximum number of rows", default = 2 },
  { name = "kind", type = "choice", description = "Kind", values = ["a", "b"] },
  ]

[[questions]]
name = "broken"
description = "A question about a column that doesn't exist."
sql = "SELECT aplication FROM applications"

[[questions]]
name = "since"
description = "A day."
sql = "SELECT CAST($day AS date) AS day"
parameters = [{ name = "day", type = "text", description = "First day" }]

[[questions]]
name = "divided"
description = "A statement that fails while it runs."
sql = "SELECT 1 / 0 AS one"
"#;

/// Starts a server over the demo history. Returns its client, and the folder of the history.
fn start(arguments: &[&str]) -> (Client, TempDir) {
    let (home, data) = (Home::new(), demo());
    home.configure(QUESTIONS);
    (Client::start_in_home(home, data.path(), "warn", &[&["serve"], arguments].concat()), data)
}

/// Returns the definition of a tool.
fn tool(client: &mut Client, name: &str) -> Value {
    client.list_tools(1);
    let list = client.answer();
    list["result"]["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap().clone()
}

#[test]
fn each_question_is_a_tool_with_typed_parameters() {
    let (mut client, _data) = start(&["--toolsets", "questions"]);
    let tool = tool(&mut client, "ask_top_apps");
    assert_eq!((&tool["title"], &tool["annotations"]["readOnlyHint"]), (&json!("Top apps"), &json!(true)));
    assert_eq!(tool["description"], "The most used applications. Use it to list programs.");
    assert_eq!(
        tool["inputSchema"],
        json!({
            "type": "object",
            "properties": {
                "period": {
                    "type": "string",
                    "description": "Days to count. A period such as 2025-W03, 2025-01 or last week",
                    "default": "2026-11-18",
                },
                "rows": {"type": "integer", "description": "Maximum number of rows", "default": 2},
                "kind": {"type": "string", "description": "Kind", "enum": ["a", "b"]},
            },
            "required": ["kind"],
            "additionalProperties": false,
        })
    );
    client.end_in_silence();
}

#[test]
fn questions_return_rows_like_the_tool_query() {
    let (mut client, _data) = start(&["--toolsets", "questions,sql"]);
    // The worker keeps the plan of a statement, and must not use it for other values.
    client.call(3, "ask_top_apps", &json!({"kind": "a", "rows": 3.0}));
    let first = client.answer();
    assert_eq!(first["result"]["structuredContent"]["rows"].as_array().unwrap().len(), 3, "3.0 is an integer: {first}");
    client.call(1, "ask_top_apps", &json!({"kind": "b", "rows": "3"}));
    let answer = client.answer();
    let sql =
        "SELECT application, 'b' AS kind FROM pieces('2026-11-18') GROUP BY application ORDER BY application LIMIT 3";
    client.call(2, "query", &json!({"sql": sql}));
    let query = client.answer();
    assert_eq!(answer["result"]["structuredContent"], query["result"]["structuredContent"], "{answer}");
    assert_eq!(answer["result"]["structuredContent"]["rows"].as_array().unwrap().len(), 3);
    client.end_in_silence();
}

#[test]
fn errors_are_about_the_parameters_and_do_not_show_the_statement() {
    let (mut client, _data) = start(&["--toolsets", "questions"]);
    for (id, tool, arguments, code, text) in [
        (1, "ask_top_apps", json!({}), "MISSING_ARGUMENT", "missing argument `kind`"),
        (2, "ask_top_apps", json!({"kind": "c"}), "INVALID_VALUE", "`c` is not an allowed value"),
        (3, "ask_top_apps", json!({"kind": "a", "rows": [1]}), "INVALID_VALUE", "`rows` is an array"),
        (4, "ask_top_apps", json!({"kind": "a", "period": "last weak"}), "INVALID_DATE", "did you mean `last week`?"),
        (5, "ask_top_apps", json!({"kind": "a", "limit": 1}), "UNKNOWN_ARGUMENT", "unknown argument `limit`"),
        (6, "ask_broken", json!({}), "QUERY_FAILED", "cannot answer `broken`: unknown column `aplication`"),
        (
            7,
            "ask_since",
            json!({"day": "last weak"}),
            "INVALID_VALUE",
            "invalid value for `day` of `since`: `last weak`",
        ),
        (8, "ask_divided", json!({}), "QUERY_FAILED", "cannot answer `divided`: divide by zero"),
    ] {
        client.call(id, tool, &arguments);
        let answer = client.answer();
        let error = error_of(&answer);
        assert_eq!(error["code"], code, "{error}");
        assert!(error["message"].as_str().unwrap().contains(text), "{error}");
        assert!(!error.to_string().contains("SELECT") && error.get("position").is_none(), "{error}");
        let hint = error["hint"].as_str().unwrap();
        assert_eq!(hint.starts_with("the user can run `dayledger ask "), code == "QUERY_FAILED", "{error}");
    }
    client.end_in_silence();
}

/// The worker of the server runs the statement, with the privacy settings of the server.
#[test]
fn hidden_applications_stay_hidden_in_questions() {
    let (mut client, _data) = start(&["--toolsets", "questions", "--hide-app", "*"]);
    client.call(1, "ask_top_apps", &json!({"kind": "a"}));
    let answer = client.answer();
    assert_eq!(answer["result"]["structuredContent"]["rows"], json!([["(hidden)", "a"]]), "{answer}");
    client.end_in_silence();
}

#[test]
fn questions_are_only_offered_by_their_toolset_or_name() {
    let count = |arguments: &[&str]| {
        let (mut client, _data) = start(arguments);
        client.list_tools(1);
        let list = client.answer().to_string();
        client.end_in_silence();
        list.matches("\"ask_").count()
    };
    assert_eq!(count(&[]), 0, "the toolset is off by default");
    assert_eq!(count(&["--toolsets", "activity,questions", "--exclude-tools", "ask_broken"]), 3);
    assert_eq!(count(&["--tools", "ask_broken,get_tags"]), 1);
    assert_eq!(count(&["--toolsets", "questions", "--read-only"]), 4);
}
