//! Responses contain names that can be shown to people directly, without a second call to look up a name.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::screenshots::store::Store;
use super::super::session::Session;
use super::super::{RANGE, one_call_each};
use super::small_history;
use crate::cli::program::demo;

/// Values that a model passes to another tool. People never read these values.
const REFERENCES: [&str; 1] = ["get_timelines.timelines[].id"];

/// Collects the path of every property in a schema.
fn properties(schema: &Value, path: &str, found: &mut Vec<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        properties(property, &path, found);
        properties(&property["items"], &format!("{path}[]"), found);
        found.push(path);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_contain_names_instead_of_ids() {
    let (session, _dir) = small_history().await;
    let mut found = Vec::new();
    for tool in session.tools() {
        properties(&Value::Object(tool.output_schema.as_ref().unwrap().as_ref().clone()), &tool.name, &mut found);
    }
    let is_id =
        |path: &&String| path.rsplit(['.', ']']).next().is_some_and(|name| name == "id" || name.ends_with("Id"));
    assert_eq!(found.iter().filter(is_id).collect::<Vec<_>>(), REFERENCES);
    session.end().await;
}

/// Collects every text of a response, with the name of the property that contains the text.
fn texts<'a>(value: &'a Value, name: &'a str, found: &mut BTreeSet<(&'a str, &'a str)>) {
    match value {
        Value::String(text) => {
            found.insert((name, text));
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, name, found)),
        Value::Object(members) => members.iter().for_each(|(name, member)| texts(member, name, found)),
        _ => {}
    }
}

/// Keys such as `code.exe;code` and `ManicTime/Active` are internal to ManicTime. People know the display names.
#[tokio::test(flavor = "multi_thread")]
async fn responses_use_display_names_of_applications_states_devices_and_tags() {
    let dir = demo();
    let connection = rusqlite::Connection::open(dir.path().join("ManicTimeReports.db")).unwrap();
    let column = |sql: &str| -> BTreeSet<String> {
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let internal = column(
        "SELECT [Key] FROM Ar_Group WHERE [Key] IS NOT NULL AND [Key] <> Name
         UNION SELECT EnvironmentId FROM Ar_Environment",
    );
    assert!(internal.len() > 5, "{internal:?}");
    // Adds screenshots, so that the list of screenshots is not empty.
    Store::in_history_folder(dir.path())
        .add(&format!("{} 10:00:00", RANGE.0), 1)
        .add(&format!("{} 11:00:00", RANGE.0), 2);
    let session = Session::start_default(dir.path()).await;
    for (tool, arguments) in one_call_each(RANGE.0, RANGE.1) {
        let answer = session.answer(tool, arguments).await;
        let mut found = BTreeSet::new();
        texts(&answer, tool, &mut found);
        assert!(found.len() > 5, "{tool}: {found:?}");
        for (name, text) in found {
            // Keys are allowed next to the name, but only in a property whose name contains the word "key".
            let is_key = matches!(name, "key" | "groupKey");
            assert!(is_key || !internal.contains(text), "{tool}: `{name}` is `{text}`");
        }
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_contain_the_colours_of_applications() {
    let (session, _dir) = small_history().await;
    for (tool, pointer) in [
        ("get_activity_narrative", "/topApplications"),
        ("get_daily_summary", "/topApplications"),
        ("get_period_summary", "/aggregate/topApps"),
        ("get_application_usage", "/usage"),
    ] {
        let answer = session.answer(tool, super::example(tool)).await;
        let rows = answer.pointer(pointer).and_then(Value::as_array).unwrap_or_else(|| panic!("{tool}: {answer}"));
        let code = rows.iter().find(|row| row["name"] == "Code").unwrap();
        assert_eq!(code["color"], "0078D4", "{tool}");
    }
    session.end().await;
}
