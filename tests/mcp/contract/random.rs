//! Responses match their schemas, for random calls over random histories. This module makes the calls.
//! [`Session::answer`] and [`Session::outcome`] validate each response.

use chrono::{Days, NaiveDate};
use dayledger_fixtures::{SchemaOptions, TableGroup};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};

use super::super::RANGE;
use super::super::session::Session;
use super::arguments::fitting;
use crate::cli::program::{date, demo};
use crate::histories::OpenHistory;
use crate::histories::random::device;

/// The error codes for mistakes that random arguments of the right type can contain.
const MISTAKES: [&str; 5] =
    ["RANGE_TOO_LONG", "UNKNOWN_DEVICE", "QUERY_FAILED", "FILTER_NEEDS_ACTIVE_TIME", "NO_WORDS"];

/// Statements for `query`. One of them is wrong.
const STATEMENTS: [&str; 4] = [
    "SELECT * FROM activities",
    "SELECT name, sum(seconds) AS seconds, [min(hour_local)] FROM app_usage GROUP BY name",
    "SELECT * FROM websites",
    "SELECT nothing FROM tags",
];

/// Names of the model, for `describe_model`.
const NAMES: [&str; 3] = ["narrative", "tags", "date_trunc"];

/// Texts to search for. The first is in many texts, the second in few texts, and the third in none. The fourth has no
/// words.
const WORDS: [&str; 4] = ["e", "northwind review", "\"no such phrase\"", " "];

/// Tools whose arguments come from another response, because random text would never match.
const SCREENSHOT_TOOLS: [&str; 3] = ["get_screenshot", "crop_screenshot", "save_screenshot"];

/// The values from which random arguments are chosen, in addition to the history's timelines.
struct Pool {
    first: NaiveDate,
    days: u64,
    devices: Vec<&'static str>,
}

/// Formats a local time in one of the forms that a caller may write.
fn instant(day: NaiveDate, quarter: u32) -> String {
    match quarter {
        0 => day.to_string(),
        _ => format!("{day}T{:02}:{:02}", quarter / 4, quarter % 4 * 15),
    }
}

/// Generates arguments that match `schema`. The range is between an hour and weeks long.
fn arguments(schema: &JsonObject, pool: &Pool, timelines: &[i64]) -> BoxedStrategy<JsonObject> {
    let (first, days, devices) = (pool.first, pool.days, pool.devices.clone());
    let span = (0..=days, 0..96_u32, 0..=days, 1..96_u32, any::<bool>());
    let properties = schema["properties"].as_object().unwrap().clone();
    let others: Vec<_> = properties
        .iter()
        .filter(|(name, property)| {
            property["type"] != "string"
                || property.get("enum").is_some()
                || ["device", "sql", "name", "words"].contains(&name.as_str())
        })
        .map(|(name, property)| {
            let value = match name.as_str() {
                "device" => proptest::sample::select(devices.clone()).prop_map(Value::from).boxed(),
                "sql" => proptest::sample::select(STATEMENTS.to_vec()).prop_map(Value::from).boxed(),
                "name" => proptest::sample::select(NAMES.to_vec()).prop_map(Value::from).boxed(),
                "words" => proptest::sample::select(WORDS.to_vec()).prop_map(Value::from).boxed(),
                "timelineId" => proptest::sample::select(timelines.to_vec()).prop_map(Value::from).boxed(),
                _ => fitting(property),
            };
            let value = match name.as_str() {
                "timelineId" | "sql" | "words" => value.prop_map(Some).boxed(),
                _ => prop::option::weighted(0.5, value).boxed(),
            };
            let name = name.clone();
            value.prop_map(move |value| value.map(|value| (name.clone(), value)))
        })
        .collect();
    (span, others)
        .prop_map(move |((from, quarter, length, more, whole), others)| {
            let start = first + Days::new(from);
            let end = start + Days::new(length);
            let (start_text, end_text) = match (whole, length) {
                // Some ranges are written as a single text.
                (true, 0) => (start.format("%Y-%m").to_string(), None),
                (true, 1) => (start.format("%G-W%V").to_string(), None),
                (true, 2) => (start.to_string(), None),
                (false, 0) => (instant(start, quarter), Some(instant(start + Days::new(1), more))),
                _ => (instant(start, 0), Some(instant(end + Days::new(1), 0))),
            };
            let dates = [("date", Some(start.to_string())), ("startDate", Some(start_text)), ("endDate", end_text)];
            let dates = dates.into_iter().filter(|(name, _)| properties.contains_key(*name));
            let dates = dates.filter_map(|(name, text)| Some((name.to_owned(), json!(text?))));
            dates.chain(others.into_iter().flatten()).collect()
        })
        .boxed()
}

/// Calls `tool` and requests up to three pages. Returns the number of responses.
async fn ask(session: &Session, tool: &Tool, mut arguments: JsonObject) -> u32 {
    for page in 0..3 {
        match session.outcome(&tool.name, Value::Object(arguments.clone())).await {
            Ok(answer) => match answer.pointer("/truncation/nextCursor") {
                Some(cursor) => arguments.insert("cursor".to_owned(), cursor.clone()),
                None => return page + 1,
            },
            Err(error) => {
                let code = error["code"].as_str().unwrap();
                assert!(MISTAKES.contains(&code), "{} {arguments:?}: {error}", tool.name);
                return page;
            }
        };
    }
    3
}

/// Calls every tool `times` times. Checks that most calls succeed.
async fn ask_everything(session: &Session, pool: &Pool, runner: &mut TestRunner, times: u32) {
    let listed = session.answer("get_timelines", json!({})).await;
    let timelines: Vec<i64> =
        listed["timelines"].as_array().unwrap().iter().map(|timeline| timeline["id"].as_i64().unwrap()).collect();
    for tool in session.tools().iter().filter(|tool| !SCREENSHOT_TOOLS.contains(&tool.name.as_ref())) {
        let mut answers = 0;
        for _ in 0..times {
            let arguments = arguments(&tool.input_schema, pool, &timelines).new_tree(runner).unwrap().current();
            answers += ask(session, tool, arguments).await;
        }
        assert!(answers * 3 >= times, "{}: only {answers} of {times} calls succeeded", tool.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn random_calls_over_the_demo_match_the_output_schemas() {
    let dir = demo();
    let session = Session::start_default(dir.path()).await;
    let pool = Pool { first: date(RANGE.0), days: 14, devices: vec!["LAPTOP", "nobody's"] };
    ask_everything(&session, &pool, &mut TestRunner::deterministic(), 8).await;
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn random_calls_over_random_histories_match_the_output_schemas() {
    let mut runner = TestRunner::deterministic();
    for options in [
        SchemaOptions::default(),
        SchemaOptions::core(),
        SchemaOptions::default().without_groups(&[TableGroup::Hourly]),
        SchemaOptions::default().without_groups(&[TableGroup::Environments]),
    ] {
        let devices = [device(), device()].new_tree(&mut runner).unwrap().current();
        let history = OpenHistory::from_devices(&devices, &options);
        let session = Session::start_default(history.folder()).await;
        let pool = Pool { first: date("2026-10-24"), days: 4, devices: vec!["device-0", "device-1"] };
        ask_everything(&session, &pool, &mut runner, 4).await;
        session.end().await;
    }
}
