//! Tests the timesheet tools as an assistant uses them. The tests run the usage patterns of the contract, and a week of
//! the demo from the draft to the submitted hours.

use std::path::Path;

use dayledger_fixtures::demo::{Plan, write};
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use tiktoken_rs::o200k_base_singleton;

use super::session::{Session, VERSIONS};
use crate::cli::program::{Home, date, demo};

/// The maximum number of tokens of all responses for a week, from the draft to the submitted hours.
const MAX_TOKENS: usize = 6_000;

pub(super) const PROJECTS: &str = r#"
[[timesheet.projects]]
code = "INTERNAL"
name = "Internal"
tasks = ["Development", "Code Review", "Office", "Website"]
tags = { Environment = ["Production", "Staging", "Development"], Type = ["Feature", "Bug"] }
[[timesheet.projects]]
code = "CLIENT-A"
tasks = ["Feature Development", "Bug Fixing"]
tags = { Priority = ["High", "Low"] }
[[timesheet.projects]]
code = "NW"
name = "Northwind Ltd"
tasks = ["Billing", "Customer portal"]
[[timesheet.projects]]
code = "HF"
name = "Harbour Foods"
tasks = ["Stock", "Forecast"]
[[timesheet.projects]]
code = "LP"
name = "Lindqvist & Partners"
tasks = ["Case search"]
[[timesheet.projects]]
code = "TERN"
name = "Tern Rowing Club"
tasks = ["Regatta site"]
"#;

/// Returns a home folder whose configuration contains projects.
fn home() -> Home {
    let home = Home::new();
    home.configure(PROJECTS);
    home
}

/// Starts a server over `data` that offers only the timesheet tools.
async fn session(home: Home, data: &Path, version: ProtocolVersion) -> Session {
    Session::start_in_home(home, data, version, &["--toolsets", "timesheet"]).await
}

/// Calls a tool that requires a confirmation, like a client without forms: the second call contains the code of the
/// first error.
pub(super) async fn call_confirmed(session: &Session, tool: &str, mut arguments: Value) -> Value {
    let error = session.refusal(tool, arguments.clone()).await;
    assert_eq!((&error["code"], &error["field"]), (&json!("CONFIRMATION_REQUIRED"), &json!("confirm")), "{error}");
    arguments["confirm"] = error["allowedValues"][0].clone();
    session.answer(tool, arguments).await
}

/// Runs the usage patterns of the contract. Works with any backend.
pub(super) async fn walk(session: &Session) {
    // Pattern: log quickly. The first entry contains a project. The next entry needs neither a project nor a task.
    let projects = session.answer("get_available_projects", json!({})).await;
    let codes: Vec<_> = projects["projects"].as_array().unwrap().iter().map(|project| &project["code"]).collect();
    assert!(codes.contains(&&json!("INTERNAL")) && codes.contains(&&json!("CLIENT-A")), "{projects}");
    let handle = projects["session"].as_str().expect("a new session is returned").to_owned();
    let day = "2026-11-18";
    let first = session
        .answer(
            "log_time",
            json!({"projectCode": "INTERNAL", "task": "Development", "standardHours": 8, "startDate": day,
                "completionDate": day}),
        )
        .await;
    assert_eq!(
        (&first["status"], &first["overtimeHours"], &first["tags"]),
        (&json!("NOT_REPORTED"), &json!(0.0), &json!([]))
    );
    assert_eq!(first["createdAt"], first["updatedAt"]);
    assert!(first.get("session").is_none(), "only the first response contains the session");
    let second = session.answer("log_time", json!({"standardHours": 1.5, "startDate": "2026-11-17"})).await;
    assert_eq!(second["remembered"], json!(["projectCode", "task"]));
    assert_eq!((&second["task"], &second["completionDate"]), (&json!("Development"), &json!("2026-11-17")));

    // Pattern: correct the last entry. The new values can be nested in `updates` or at the top level.
    let changed = session.answer("update_time_entry", json!({"id": "last", "updates": {"standardHours": 2}})).await;
    assert_eq!((&changed["id"], &changed["standardHours"]), (&second["id"], &json!(2.0)));
    let flat = json!({"id": "last", "description": "Login", "tags": {"Type": "Bug"}});
    let changed = session.answer("update_time_entry", flat).await;
    assert_eq!(changed["tags"], json!([{"name": "Type", "value": "Bug"}]));
    let cleared = session.answer("update_time_entry", json!({"id": "last", "updates": {"description": ""}})).await;
    assert_eq!(cleared["description"].as_str().unwrap_or_default(), "", "an empty text clears the description");

    // With `allowOverlaps`, a day may have more than 24 hours. A single entry may never have more than 24 hours.
    let on = |day: &str, hours: u8| json!({"startDate": day, "completionDate": day, "standardHours": hours});
    let refused = session.refusal("update_time_entry", json!({"id": "last", "updates": on(day, 20)})).await;
    assert_eq!((&refused["code"], &refused["field"]), (&json!("VALIDATION_ERROR"), &json!("standardHours")));
    let long = json!({"id": "last", "updates": on(day, 25), "allowOverlaps": true});
    let refused = session.refusal("update_time_entry", long).await;
    assert_eq!((&refused["code"], &refused["field"]), (&json!("VALIDATION_ERROR"), &json!("standardHours")));
    let request = json!({"id": "last", "updates": on(day, 20), "allowOverlaps": true});
    assert_eq!(session.answer("update_time_entry", request).await["standardHours"], json!(20.0));
    session.answer("update_time_entry", json!({"id": "last", "updates": on("2026-11-17", 2)})).await;

    // Pattern: list entries. `take` and `skip` are other names for `limit` and `offset`.
    let month = json!({"startDate": "2026-11-01", "endDate": "2026-11-30", "take": 1, "skip": 1});
    let page = session.answer("query_time_entries", month).await;
    assert_eq!((&page["count"], &page["entries"][0]["id"]), (&json!(1), &second["id"]));
    assert!(page.get("nextOffset").is_none());

    // Moving an entry to another project removes the tags of the old project.
    let to = json!({"entryId": second["id"], "newProjectCode": "CLIENT-A", "newTask": "Bug Fixing"});
    let moved = session.answer("move_task_to_project", to).await;
    assert_eq!((&moved["projectCode"], &moved["tags"]), (&json!("CLIENT-A"), &json!([])));

    // A submitted entry can't be changed. An open entry can be deleted.
    let submitted = call_confirmed(session, "submit_time_entry", json!({"id": first["id"]})).await;
    assert_eq!(submitted["status"], "SUBMITTED");
    let refused = session.refusal("update_time_entry", json!({"id": first["id"], "standardHours": 7})).await;
    assert_eq!(refused["code"], "FORBIDDEN");
    for tool in ["delete_time_entry", "submit_time_entry"] {
        let refused = session.refusal(tool, json!({"id": first["id"]})).await;
        assert_eq!(refused["code"], "FORBIDDEN", "the user isn't asked about a change that would be refused");
    }
    let gone = call_confirmed(session, "delete_time_entry", json!({"id": second["id"]})).await;
    assert_eq!(gone["success"], true);
    let refused = session.refusal("delete_time_entry", json!({"id": second["id"]})).await;
    assert_eq!(refused["code"], "NOT_FOUND");

    let context: Value = serde_json::from_str(&session.read("timesheet://context").await).unwrap();
    assert_eq!((&context["session"], &context["lastProjectCode"]), (&json!(handle), &json!("CLIENT-A")));
    assert_eq!(context["recentEntries"], json!([first["id"]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_workflows_succeed_in_both_protocol_versions() {
    for version in VERSIONS {
        let dir = demo();
        let session = session(home(), dir.path(), version).await;
        walk(&session).await;
        assert_eq!(session.end().await, "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn error_matches_the_contract_and_lists_valid_values() {
    let dir = demo();
    let session = session(home(), dir.path(), VERSIONS[0].clone()).await;
    let entry = |more: Value| {
        let mut entry =
            json!({"projectCode": "INTERNAL", "task": "Development", "standardHours": 1, "startDate": "2026-11-18"});
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry
    };
    for (tool, arguments, code, field, allowed) in [
        (
            "log_time",
            json!({"standardHours": 1, "startDate": "2026-11-18"}),
            "VALIDATION_ERROR",
            "projectCode",
            Some("CLIENT-A"),
        ),
        ("log_time", entry(json!({"task": "development"})), "VALIDATION_ERROR", "task", Some("Development")),
        ("log_time", entry(json!({"tags": {"Environment": "Prod"}})), "VALIDATION_ERROR", "tags", Some("Staging")),
        ("log_time", entry(json!({"tags": [{"name": "Type"}]})), "VALIDATION_ERROR", "tags", None),
        ("log_time", entry(json!({"standardHours": -1})), "VALIDATION_ERROR", "standardHours", None),
        ("log_time", entry(json!({"standardHours": "many"})), "VALIDATION_ERROR", "standardHours", None),
        ("log_time", entry(json!({"startDate": "18.11.2026"})), "VALIDATION_ERROR", "startDate", None),
        ("log_time", entry(json!({"completionDate": "2026-11-17"})), "VALIDATION_ERROR", "startDate", None),
        ("log_time", entry(json!({"project": "X"})), "VALIDATION_ERROR", "project", Some("projectCode")),
        ("log_time", entry(json!({"session": "nobody"})), "VALIDATION_ERROR", "session", None),
        ("log_time", json!({"rows": ["all"]}), "VALIDATION_ERROR", "draft", None),
        ("query_time_entries", json!({"limit": 500}), "VALIDATION_ERROR", "limit", None),
        ("query_time_entries", json!({"status": "open"}), "VALIDATION_ERROR", "status", Some("SUBMITTED")),
        ("update_time_entry", json!({"id": "last", "task": "Office"}), "VALIDATION_ERROR", "id", None),
        ("update_time_entry", json!({"id": "abc", "task": "Office"}), "VALIDATION_ERROR", "id", None),
        ("delete_time_entry", json!({"id": "01890000-0000-7000-8000-000000000000"}), "NOT_FOUND", "id", None),
        ("submit_time_entry", json!({}), "VALIDATION_ERROR", "id", None),
        ("submit_time_entry", json!({"week": "last week"}), "VALIDATION_ERROR", "week", None),
        (
            "suggest_time_entries",
            json!({"startDate": "2026-11-18T10:00", "endDate": "2026-11-18T12:00"}),
            "VALIDATION_ERROR",
            "startDate",
            None,
        ),
        ("suggest_time_entries", json!({"startDate": "2026-11-18", "roundTo": 0}), "VALIDATION_ERROR", "roundTo", None),
    ] {
        let actual: Value =
            serde_json::from_str(&super::session::text(&session.call(tool, arguments.clone()).await)).unwrap();
        assert_eq!(actual["success"], false, "{tool} {arguments}: {actual}");
        let error = session.refusal(tool, arguments.clone()).await;
        assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)), "{tool} {arguments}: {error}");
        if let Some(value) = allowed {
            let values = error["allowedValues"].as_array().unwrap_or_else(|| panic!("{tool} {arguments}: {error}"));
            assert!(values.contains(&json!(value)), "{tool} {arguments}: {error}");
        }
    }
    assert_eq!(session.end().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn week_is_drafted_logged_and_submitted_within_the_token_limit() {
    let dir = demo();
    let session = session(home(), dir.path(), VERSIONS[1].clone()).await;
    let mut tokens = 0;
    let mut ask = async |tool: &str, arguments: Value| {
        let answer = session.answer(tool, arguments).await;
        tokens += o200k_base_singleton().encode_ordinary(&answer.to_string()).len();
        answer
    };
    let draft = ask("suggest_time_entries", json!({"startDate": "2026-W46"})).await;
    let minutes = |of: &str| draft[of].as_f64().unwrap();
    let parts = minutes("loggedMinutes") + minutes("draftedMinutes") + minutes("leftOutMinutes");
    assert!((minutes("activeMinutes") + minutes("awayMinutes") - parts).abs() < 0.4, "{draft}");
    let days = draft["days"].as_array().unwrap();
    assert!(days.len() >= 5, "{draft}");
    for day in days {
        let is_counted = |row: &&Value| !row["notes"].to_string().contains("unconfirmed");
        let rows = day["rows"].as_array().unwrap().iter().filter(is_counted);
        let rows: f64 = rows.map(|row| row["hours"].as_f64().unwrap()).sum();
        assert!((rows - day["hours"].as_f64().unwrap()).abs() < 1e-9, "rows add up to their day: {day}");
    }
    let named: Vec<&Value> = days.iter().flat_map(|day| day["rows"].as_array().unwrap()).collect();
    assert!(
        named.iter().any(|row| row["projectCode"] == "NW"
            && row["namedBy"][0].as_str().is_some_and(|tag| tag.starts_with("tag Northwind Ltd, "))),
        "{draft}"
    );

    let logged = ask("log_time", json!({"draft": draft["draft"], "rows": ["all"]})).await;
    let unassigned = logged["unassigned"].as_array().map_or(0, Vec::len);
    assert_eq!(logged["logged"].as_u64().unwrap(), u64::try_from(named.len() - unassigned).unwrap(), "{logged}");
    assert!(logged["rows"].as_array().unwrap().iter().all(|row| row["id"].is_string()), "{logged}");
    // Repeating the same call logs nothing more.
    let again = session.answer("log_time", json!({"draft": draft["draft"], "rows": ["all"]})).await;
    assert_eq!((&again["logged"], &again["hours"]), (&json!(0), &json!(0.0)), "nothing more was logged: {again}");
    for (once, twice) in logged["rows"].as_array().unwrap().iter().zip(again["rows"].as_array().unwrap()) {
        assert_eq!((&once["id"], &twice["wasLogged"]), (&twice["id"], &json!(true)));
    }
    let row = &logged["rows"][0]["row"];
    for (more, field) in [(json!({"startDate": "2026-11-01"}), "startDate"), (json!({"rows": ["all", row]}), "rows")] {
        let mut request = json!({"draft": draft["draft"], "rows": [row]});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(session.refusal("log_time", request).await["field"], field);
    }

    let rest = ask("suggest_time_entries", json!({"startDate": "2026-W46"})).await;
    assert_eq!(
        rest["days"].as_array().unwrap().iter().flat_map(|day| day["rows"].as_array().unwrap()).count(),
        unassigned,
        "logged time is not drafted again: {rest}"
    );
    let submitted = call_confirmed(&session, "submit_time_entry", json!({"week": "2026-W46"})).await;
    assert_eq!((&submitted["submitted"], &submitted["hours"]), (&logged["logged"], &logged["hours"]), "{submitted}");
    assert!(tokens < MAX_TOKENS, "a week costs {tokens} tokens");
    assert_eq!(session.end().await, "");
}

/// Logs a month week by week. Unassigned time is logged as the user decides.
#[tokio::test(flavor = "multi_thread")]
async fn month_logged_by_week_leaves_only_skipped_time_unlogged() {
    const UNLOGGED: &str = "SELECT coalesce(sum(seconds), 0) AS seconds FROM unlogged('2026-10-19', '2026-11-20')";

    let dir = tempfile::tempdir().unwrap();
    let plan = Plan { days: 32, activities_per_day: 150, ..Plan::new(date("2026-11-19")) };
    write(dir.path(), &plan).unwrap();
    let (home, toolsets) = (home(), ["--toolsets", "timesheet,sql"]);
    let session = Session::start_in_home(home, dir.path(), VERSIONS[1].clone(), &toolsets).await;
    let unlogged = async || session.answer("query", json!({"sql": UNLOGGED})).await["rows"][0][0].as_f64().unwrap();
    let (mut active, mut left_out) = (0.0, 0.0);
    let before = unlogged().await;
    for week in ["2026-W43", "2026-W44", "2026-W45", "2026-W46", "2026-W47"] {
        let mut tokens = 0;
        let mut ask = async |tool: &str, arguments: Value| {
            let answer = session.answer(tool, arguments).await;
            tokens += o200k_base_singleton().encode_ordinary(&answer.to_string()).len();
            answer
        };
        let draft = ask("suggest_time_entries", json!({"startDate": week})).await;
        active += draft["activeMinutes"].as_f64().unwrap() + draft["awayMinutes"].as_f64().unwrap();
        left_out += draft["leftOutMinutes"].as_f64().unwrap();
        let logged = ask("log_time", json!({"draft": draft["draft"], "rows": ["all"]})).await;
        assert!(logged["rows"].as_array().unwrap().iter().all(|row| row["id"].is_string()), "{logged}");
        if let Some(rows) = logged.get("unassigned") {
            let named = json!({"draft": draft["draft"], "rows": rows, "projectCode": "INTERNAL", "task": "Office"});
            assert_eq!(ask("log_time", named).await["logged"], rows.as_array().unwrap().len());
        }
        let submitted = call_confirmed(&session, "submit_time_entry", json!({"week": week})).await;
        assert!(submitted["submitted"].as_u64().unwrap() > 5, "{submitted}");
        assert!(tokens < MAX_TOKENS, "{week} costs {tokens} tokens");
    }
    let after = unlogged().await;
    // Minutes in responses have one decimal place.
    assert!((before - active * 60.0).abs() < 60.0, "{before} s before, {active} min active or away");
    assert!((after - left_out * 60.0).abs() < 60.0, "{after} s after, {left_out} min left out");
    assert!(after < before / 20.0, "{after} of {before} s");
    assert_eq!(session.end().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_beyond_evidence_are_reported() {
    let dir = demo();
    let session = session(home(), dir.path(), VERSIONS[0].clone()).await;
    let before = session.answer("suggest_time_entries", json!({"startDate": "2026-11-18"})).await;
    assert!(before.get("beyondEvidence").is_none(), "{before}");
    let rows = before["days"][0]["rows"].as_array().unwrap();
    let done: f64 =
        rows.iter().filter(|row| row["projectCode"] == "NW").map(|row| row["minutes"].as_f64().unwrap()).sum();
    assert!(done > 0.0, "{before}");
    let entry = json!({"projectCode": "NW", "task": "Billing", "standardHours": 12, "startDate": "2026-11-18"});
    let logged = session.answer("log_time", entry).await;
    let after = session.answer("suggest_time_entries", json!({"startDate": "2026-11-18"})).await;
    let beyond = &after["beyondEvidence"];
    assert_eq!((beyond.as_array().unwrap().len(), &beyond[0]["id"]), (1, &logged["id"]), "{after}");
    let minutes = beyond[0]["minutes"].as_f64().unwrap();
    assert!((minutes + done - 720.0).abs() < 0.5, "{minutes} beyond {done}");
    assert_eq!(session.end().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn timer_is_logged_with_the_activity_that_was_recorded_meanwhile() {
    let (dir, home) = (demo(), Home::new());
    let place = home.folder("sheet.db");
    home.configure(&format!("[timesheet]\nfile = '{}'\n{PROJECTS}", place.display()));
    let session = session(home, dir.path(), VERSIONS[1].clone()).await;
    assert_eq!(session.answer("get_timer", json!({})).await, json!({}));
    assert_eq!(session.refusal("stop_timer", json!({})).await["code"], "NOT_FOUND");

    let billing = json!({"projectCode": "northwind ltd", "task": "Billing", "description": "Invoices"});
    let started = session.answer("start_timer", billing.clone()).await;
    assert_eq!((&started["timer"]["projectCode"], &started["timer"]["task"]), (&json!("NW"), &json!("Billing")));
    assert_eq!(session.refusal("start_timer", billing.clone()).await["field"], "replace");
    let replaced = session.answer("start_timer", json!({"projectCode": "TERN", "replace": true})).await;
    assert_eq!(replaced["timer"]["task"], "Regatta site", "the only task of the project");
    session.answer("start_timer", json!({"projectCode": "NW", "task": "Billing", "replace": true})).await;

    // Simulates a forgotten timer: it was started at a time in the demo's past.
    let since: chrono::DateTime<chrono::Utc> = "2026-11-18T09:00:00Z".parse().unwrap();
    let ledger = rusqlite::Connection::open(&place).unwrap();
    ledger.execute("UPDATE running SET since = ?", [since.timestamp_millis()]).unwrap();
    let running = session.answer("get_timer", json!({})).await;
    assert_eq!(running["timer"]["since"], "2026-11-18T09:00:00", "{running}");
    let forgotten = session.refusal("stop_timer", json!({})).await;
    assert!(forgotten["message"].as_str().unwrap().contains("NW / Billing has run for"), "{forgotten}");
    assert!(forgotten["hint"].as_str().unwrap().contains("`hours`"), "{forgotten}");
    assert_eq!(session.refusal("stop_timer", json!({"hours": 2, "discard": true})).await["field"], "discard");
    let stopped = session.answer("stop_timer", json!({"hours": 2})).await;
    assert_eq!(stopped["logged"][0]["hours"], json!(2.0));
    let recorded = stopped["recordedHours"].as_f64().unwrap();
    assert!(recorded > 0.5 && recorded <= 2.0, "{stopped}");
    assert_eq!(session.answer("get_timer", json!({})).await, json!({}));

    let draft = session.answer("suggest_time_entries", json!({"startDate": "2026-11-18"})).await;
    let logged = draft["loggedMinutes"].as_f64().unwrap();
    assert!((logged - recorded * 60.0).abs() < 0.5, "the time of the timer isn't drafted again: {draft}");
    let changed = session.answer("update_time_entry", json!({"id": "last", "description": "Reminders"})).await;
    assert_eq!(changed["id"], stopped["logged"][0]["id"]);
    session.answer("start_timer", billing).await;
    let discarded = session.answer("stop_timer", json!({"discard": true})).await;
    assert!(discarded.get("logged").is_none(), "{discarded}");
    assert_eq!(session.end().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn session_continues_on_another_connection_with_its_handle() {
    let dir = demo();
    let first = home();
    let place = first.folder("sheet.db");
    let other = Home::new();
    for home in [&first, &other] {
        home.configure(&format!("[timesheet]\nfile = '{}'\n{PROJECTS}", place.display()));
    }

    let one = session(first, dir.path(), VERSIONS[1].clone()).await;
    let entry = json!({"projectCode": "HF", "task": "Stock", "standardHours": 1, "startDate": "2026-11-18"});
    let logged = one.answer("log_time", entry).await;
    let handle = logged["session"].as_str().expect("a new session is returned").to_owned();

    let two = session(other, dir.path(), VERSIONS[1].clone()).await;
    let more = json!({"standardHours": 1, "startDate": "2026-11-17"});
    let refused = two.refusal("log_time", more.clone()).await;
    assert_eq!(refused["field"], "projectCode", "each client has its own default project");
    let mut more = more;
    more["session"] = json!(handle);
    let known = two.answer("log_time", more).await;
    assert_eq!((&known["projectCode"], &known["remembered"]), (&json!("HF"), &json!(["projectCode", "task"])));
    two.end().await;
    one.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_without_the_timesheet_toolset_has_no_timesheet() {
    let dir = demo();
    let home = Home::new();
    let data = home.folder("data");
    let session = Session::start_in_home(home, dir.path(), VERSIONS[0].clone(), &[]).await;
    assert!(session.tools().iter().all(|tool| tool.name != "log_time" && tool.name != "suggest_time_entries"));
    assert!(!data.exists(), "without the timesheet's tools, no file is created");
    session.end().await;
}
