//! Measures the number of tokens (`o200k_base`) of each response, for the table in `docs/answer-sizes.md`.

use std::fmt::Write as _;

use chrono::NaiveDate;
use dayledger_fixtures::demo::{self, Plan};
use rmcp::model::{CallToolResult, ProtocolVersion};
use serde_json::{Value, json};
use tempfile::TempDir;
use tiktoken_rs::o200k_base_singleton;

use super::screenshots::store::Store;
use super::session::{Session, VERSIONS, text};
use crate::cli::program::Home;
use crate::documentation::parts::{compare, with_part};
use crate::histories::oversized;
use crate::histories::realistic::{self, FIRST, SEGMENTS};

/// The maximum number of tokens of any response.
const MAX_TOKENS: usize = 20_000;

fn tokens(value: &Value) -> usize {
    o200k_base_singleton().encode_ordinary(&value.to_string()).len()
}

/// Returns calls with their maximum number of tokens: the tool, its arguments for a day or a month, and the maximum.
fn size_limits() -> Vec<(&'static str, Value, usize)> {
    let day = |more: Value| with(json!({"startDate": FIRST}), more);
    let month = |more: Value| with(json!({"startDate": &FIRST[..7]}), more);
    let daily = |more: Value| with(json!({"date": FIRST}), more);
    vec![
        ("get_daily_summary", daily(json!({})), 1_500),
        ("get_daily_summary", daily(json!({"detail": "full"})), 9_000),
        ("get_daily_summary", daily(json!({"includeSegments": false})), 1_000),
        ("get_activity_narrative", day(json!({})), 7_500),
        ("get_activity_narrative", day(json!({"detail": "blocks"})), 1_400),
        ("get_period_summary", month(json!({})), 2_500),
        ("find_activity", month(json!({"words": "a"})), 6_000),
        ("get_application_usage", month(json!({})), 1_000),
        ("get_application_usage", month(json!({"breakdown": "day"})), 7_000),
        ("get_document_usage", month(json!({})), 1_500),
        ("get_website_usage", day(json!({})), 2_500),
        ("get_website_usage", month(json!({})), 6_000),
        ("get_tags", day(json!({})), 1_000),
        ("get_computer_usage", day(json!({})), 1_500),
        ("get_timelines", json!({}), 500),
        ("get_activities", day(json!({"timelineId": 2})), 12_000),
        ("list_screenshots", day(json!({})), 2_500),
        ("list_screenshots", day(json!({"maxCount": 100})), 11_000),
        ("describe_model", json!({}), 2_500),
        ("describe_model", json!({"name": "narrative"}), 1_000),
        ("query", json!({"sql": "SELECT hour_local, name, seconds FROM app_usage"}), 3_500),
    ]
}

fn with(mut arguments: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("arguments are an object") };
    arguments.as_object_mut().unwrap().extend(more);
    arguments
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_keeps_its_token_limit_on_realistic_days() {
    let dir = tempfile::tempdir().unwrap();
    realistic::write(dir.path(), 31);
    // ManicTime also takes a screenshot every two minutes. This test never decodes the images.
    let store = Store::in_history_folder(dir.path());
    for minute in 0..300 {
        let (hour, minute) = (8 + minute / 30, minute % 30 * 2);
        store.put(&format!("{FIRST} {hour:02}:{minute:02}:30"), 517_000 + hour * 30 + minute / 2, b"");
    }
    let session = Session::start_default(dir.path()).await;
    let day = session.answer("get_activity_narrative", json!({"startDate": FIRST})).await;
    let segments = day["segments"].as_array().unwrap();
    let having = |field: &str| segments.iter().filter(|segment| segment.get(field).is_some()).count();
    assert_eq!((segments.len(), having("tags")), (SEGMENTS, SEGMENTS / 2), "a believable day");
    assert_eq!(having("document") + having("website"), SEGMENTS);
    assert!(having("screenshotRef") > SEGMENTS * 3 / 4, "{}", having("screenshotRef"));

    let mut table = String::from("| tool | arguments | tokens | limit |\n|---|---|--:|--:|\n");
    let list = tokens(&json!({"tools": session.tools()}));
    let mut too_large = Vec::new();
    let mut add = |name: &str, request: &str, tokens: usize, most: usize| {
        let _ = writeln!(table, "| {name} | {request} | {tokens} | {most} |");
        if tokens >= most {
            too_large.push(format!("{name}, {request}: {tokens} tokens, {most} at most"));
        }
    };
    for (tool, arguments, most) in size_limits() {
        let text = session.text(tool, arguments.clone()).await;
        let tokens = o200k_base_singleton().encode_ordinary(&text).len();
        add(&format!("`{tool}`"), &format!("`{arguments}`"), tokens, most);
    }
    add("the list of tools", "", list, 8_000);
    session.end().await;
    let (_demo, session) = demo_session().await;
    for (day, order, most_blocks, most) in
        [("an ordinary", "date", 16, 2_000), ("the busiest", "active_seconds", 16, 2_300)]
    {
        let (blocks, tokens) = last_day_by(order, &session).await;
        assert!((6..=most_blocks).contains(&blocks), "{day} day: {blocks} blocks");
        add("`get_daily_summary`", &format!("{day} day of the demo"), tokens, most);
    }
    session.end().await;
    assert!(too_large.is_empty(), "{}", too_large.join("\n"));
    compare("docs/answer-sizes.md", |page| with_part(page, "sizes", &table));
}

/// Compares the tokens of some responses with and without `--structured-only`, for a client that passes both the text
/// and the structured content to its model.
#[tokio::test(flavor = "multi_thread")]
async fn structured_only_server_saves_the_text_copy() {
    let dir = tempfile::tempdir().unwrap();
    realistic::write(dir.path(), 31);
    let both = Session::start_default(dir.path()).await;
    let start = async |version| Session::start_in_home(Home::new(), dir.path(), version, &["--structured-only"]).await;
    let structured = start(VERSIONS[1].clone()).await;
    let before_structured_content = start(ProtocolVersion::V_2025_03_26).await;
    let mut table = String::from("| tool | arguments | both | `--structured-only` |\n|---|---|--:|--:|\n");
    for (tool, arguments) in [
        ("get_daily_summary", json!({"date": FIRST})),
        ("get_activity_narrative", json!({"startDate": FIRST})),
        ("get_period_summary", json!({"startDate": &FIRST[..7]})),
        ("query", json!({"sql": "SELECT hour_local, name, seconds FROM app_usage"})),
    ] {
        let [with_text, without_text] =
            [both.call(tool, arguments.clone()).await, structured.call(tool, arguments.clone()).await];
        assert_eq!(with_text.structured_content, without_text.structured_content, "{tool}");
        let count = |result: &CallToolResult| {
            let text = o200k_base_singleton().encode_ordinary(&text(result)).len();
            text + tokens(result.structured_content.as_ref().unwrap())
        };
        let _ = writeln!(table, "| `{tool}` | `{arguments}` | {} | {} |", count(&with_text), count(&without_text));
        assert!(text(&without_text).contains("structuredContent"), "{without_text:?}");
        // A version without structured content must get the text.
        let old = before_structured_content.call(tool, arguments).await;
        assert_eq!(text(&old), text(&with_text), "{tool}");
    }
    let refused = structured.call("query", json!({})).await;
    assert!(refused.is_error == Some(true) && text(&refused).contains("MISSING_ARGUMENT"), "{refused:?}");
    for session in [both, structured, before_structured_content] {
        session.end().await;
    }
    compare("docs/answer-sizes.md", |page| with_part(page, "forwarded", &table));
}

/// Returns six weeks of the demo, and a session over this history.
pub(super) async fn demo_session() -> (TempDir, Session) {
    let dir = tempfile::tempdir().unwrap();
    let until = NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
    demo::write(dir.path(), &Plan { days: 45, ..Plan::new(until) }).unwrap();
    let session = Session::start_default(dir.path()).await;
    (dir, session)
}

/// Sorts the demo's days by `order`. Returns the number of blocks of the last day, and the tokens of its response.
async fn last_day_by(order: &str, session: &Session) -> (usize, usize) {
    let sql = format!("SELECT date FROM day_summary('2026-10-07', '2026-11-21') ORDER BY {order} DESC LIMIT 1");
    let day = session.answer("query", json!({"sql": sql})).await["rows"][0][0].clone();
    let text = session.text("get_daily_summary", json!({"date": day})).await;
    let answer: Value = serde_json::from_str(&text).unwrap();
    let blocks = answer["segments"].as_array().unwrap().len();
    (blocks, o200k_base_singleton().encode_ordinary(&text).len())
}

/// Returns calls of every tool over the oversized history, with the highest limits. The last value of each item is the
/// name of the list in the response.
fn greedy() -> Vec<(&'static str, Value, &'static str)> {
    let month = |more: Value| with(json!({"startDate": oversized::RANGE.0, "endDate": oversized::RANGE.1}), more);
    let most = json!({"maxSegments": 2000, "includeTitles": true, "includeSummary": true});
    let mut daily = json!({"date": oversized::RANGE.0, "includeTitles": true});
    daily["maxSegments"] = json!(2000);
    vec![
        ("get_activity_narrative", month(most.clone()), "segments"),
        ("get_activity_narrative", with(month(most), json!({"detail": "blocks"})), "segments"),
        ("get_daily_summary", daily, "segments"),
        ("get_period_summary", month(json!({})), "days"),
        ("find_activity", month(json!({"words": "题", "limit": 1000})), "matches"),
        ("get_application_usage", month(json!({"limit": 1000, "breakdown": "day"})), "usage"),
        ("get_document_usage", month(json!({"limit": 1000})), "usage"),
        ("get_website_usage", month(json!({"limit": 200, "minMinutes": 0})), "websites"),
        ("get_tags", month(json!({})), "tags"),
        ("get_computer_usage", month(json!({})), "intervals"),
        ("get_timelines", json!({}), "timelines"),
        ("get_activities", month(json!({"timelineId": 2, "limit": 5000})), "activities"),
        ("get_activities", month(json!({"timelineId": 4, "limit": 5000})), "activities"),
        ("query", json!({"sql": "SELECT * FROM activities", "maxRows": 1000}), "rows"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_keep_the_token_ceiling_and_pages_continue_after_truncation() {
    let dir = tempfile::tempdir().unwrap();
    oversized::write(dir.path());
    let session = Session::start_default(dir.path()).await;
    for (tool, arguments, list) in greedy() {
        let answer = session.answer(tool, arguments.clone()).await;
        let tokens = tokens(&answer);
        let rows = answer[list].as_array().unwrap();
        assert!(tokens <= MAX_TOKENS, "{tool} {arguments}: {tokens} tokens");
        assert!(!rows.is_empty(), "{tool} {arguments}");
        let truncation = &answer["truncation"];
        if truncation.is_null() || truncation["truncated"] == json!(false) {
            continue;
        }
        assert_eq!(truncation["limitedBy"], "answerSize", "{tool} {arguments}: {truncation}");
        assert_eq!(truncation["returnedCount"], rows.len(), "{tool} {arguments}");
        if tool == "query" {
            continue;
        }
        assert!(truncation["totalAvailable"].as_u64() > truncation["returnedCount"].as_u64(), "{tool} {arguments}");
        if tool == "get_timelines" {
            continue;
        }
        let mut next = arguments.clone();
        next["cursor"] = truncation["nextCursor"].clone();
        let page = session.answer(tool, next).await;
        assert_eq!(page["truncation"]["totalAvailable"], truncation["totalAvailable"], "{tool} {arguments}");
        for total in ["totalActiveMinutes", "totalMinutes", "totals", "topApplications"] {
            assert_eq!(page[total], answer[total], "{tool} {arguments}: `{total}` depends on the page");
        }
        let first = &page[list][0];
        assert!(
            first.is_object() && !rows.contains(first),
            "{tool} {arguments}: the second page begins after the first"
        );
    }
    session.end().await;
}

/// Requests a list whose pages are truncated because of their size. The rows of all pages must be the same as with
/// small pages.
#[tokio::test(flavor = "multi_thread")]
async fn pages_truncated_by_size_contain_every_row() {
    let dir = tempfile::tempdir().unwrap();
    realistic::write(dir.path(), 4);
    let session = Session::start_default(dir.path()).await;
    let mut arguments = json!({"startDate": FIRST, "endDate": "2025-01-05", "maxSegments": 2000});
    let mut segments = Vec::new();
    let mut pages = 0;
    loop {
        let page = session.answer("get_activity_narrative", arguments.clone()).await;
        segments.extend(page["segments"].as_array().unwrap().clone());
        pages += 1;
        match page["truncation"].get("nextCursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert!(pages > 1, "long enough to be cut");
    let mut days = Vec::new();
    for day in 1..=4 {
        let answer =
            session.answer("get_daily_summary", json!({"date": format!("2025-01-0{day}"), "detail": "full"})).await;
        days.extend(answer["segments"].as_array().unwrap().clone());
    }
    assert_eq!(segments, days);
    session.end().await;
}
