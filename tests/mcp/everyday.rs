//! The fifteen questions that users ask most. Each test case has the one or two calls that answer the question.
//!
//! Most expected values were counted from the rows of the demo without dayledger. Expected values about the timesheet
//! are dayledger's own responses. `benches/truth` asks the same questions about another history, and computes all
//! correct answers itself.

use chrono::NaiveDate;
use dayledger_fixtures::demo::{self, Plan};
use serde_json::{Value, json};
use tempfile::TempDir;
use tiktoken_rs::o200k_base_singleton;

use super::screenshots::store::Store;
use super::session::{Session, VERSIONS};
use super::timesheet::PROJECTS;
use crate::cli::program::Home;

/// The maximum number of tokens of one response.
const MAX_TOKENS: usize = 2_500;

/// A question that a user asks on Friday, 20 November 2026.
struct Question {
    wording: &'static str,
    /// Pairs of a tool and its arguments. If an argument begins with `/`, it is a JSON pointer to a value in the
    /// previous response.
    calls: Vec<(&'static str, Value)>,
    /// Each fact is the number of a call, a JSON pointer into its response, and the expected value.
    facts: Vec<(usize, &'static str, Value)>,
}

fn questions() -> Vec<Question> {
    [questions_about_days(), questions_about_weeks(), questions_about_words(), questions_for_sql()]
        .into_iter()
        .flatten()
        .collect()
}

fn questions_about_days() -> Vec<Question> {
    vec![
        Question {
            wording: "What did I do yesterday?",
            calls: vec![("get_daily_summary", json!({"date": "2026-11-19"}))],
            facts: vec![
                (0, "/totalActiveMinutes", json!(390.9)),
                (0, "/topClients/0", json!({"name": "Northwind Ltd", "clientMinutes": 255.0, "awayMinutes": 75.4})),
                (0, "/topApplications/0/name", json!("Google Chrome")),
                (0, "/topApplications/0/totalMinutes", json!(105.1)),
                (0, "/presence/away/0/tags", json!(["Northwind Ltd, Billing, Meetings"])),
            ],
        },
        Question {
            wording: "When did I start and stop yesterday?",
            calls: vec![("get_daily_summary", json!({"date": "2026-11-19", "includeSegments": false}))],
            facts: vec![
                (0, "/presence/firstUse", json!("2026-11-19T08:32:13")),
                (0, "/presence/lastUse", json!("2026-11-19T17:14:23")),
            ],
        },
        Question {
            wording: "Why was Thursday only 6 h 31?",
            calls: vec![("get_daily_summary", json!({"date": "2026-11-19"}))],
            facts: vec![
                (0, "/totalActiveMinutes", json!(390.9)),
                (0, "/presence/breakMinutes", json!(112.9)),
                (0, "/presence/away/0/durationMinutes", json!(34.9)),
                (0, "/presence/away/1/start", json!("2026-11-19T12:20:18")),
                (0, "/presence/away/1/durationMinutes", json!(38.1)),
                (0, "/presence/away/2/durationMinutes", json!(40.0)),
            ],
        },
        Question {
            wording: "Show me the screen at 14:00 yesterday",
            calls: vec![
                ("list_screenshots", json!({"startDate": "2026-11-19T13:55", "endDate": "2026-11-19T14:05"})),
                ("get_screenshot", json!({"screenshotRef": "/screenshots/0/screenshotRef"})),
            ],
            facts: vec![
                (0, "/screenshotsInRange", json!(1)),
                (1, "/displayLocalTime", json!("2026-11-19 13:58:30")),
                (1, "/images/0/shows", json!("thumbnail")),
            ],
        },
    ]
}

fn questions_about_weeks() -> Vec<Question> {
    let client =
        |name: &str, minutes: f64, away: f64| json!({"name": name, "clientMinutes": minutes, "awayMinutes": away});
    vec![
        Question {
            wording: "Hours per client last week",
            calls: vec![("get_period_summary", json!({"startDate": "2026-W46"}))],
            facts: vec![
                (0, "/aggregate/topClients/0", client("Northwind Ltd", 1120.0, 119.9)),
                (0, "/aggregate/topClients/1", client("Lindqvist & Partners", 751.0, 39.5)),
                (0, "/aggregate/topClients/2", client("Harbour Foods", 544.0, 116.9)),
                (0, "/aggregate/topClients/3", json!({"name": "Internal", "clientMinutes": 32.0})),
                (0, "/aggregate/topClients/4", json!({"name": "Tern Rowing Club", "clientMinutes": 30.0})),
            ],
        },
        Question {
            wording: "This week against last week, same days",
            calls: vec![
                ("get_period_summary", json!({"startDate": "2026-11-16", "endDate": "2026-11-20"})),
                ("get_period_summary", json!({"startDate": "2026-11-09", "endDate": "2026-11-13"})),
            ],
            facts: vec![(0, "/totalActiveMinutes", json!(1748.7)), (1, "/totalActiveMinutes", json!(1861.6))],
        },
        Question {
            wording: "Which files did I work on for Northwind?",
            calls: vec![("get_period_summary", json!({"startDate": "2026-W46", "filter": {"project": "northwind"}}))],
            facts: vec![
                (0, "/aggregate/topDocuments/0", json!({"name": "README.md", "totalMinutes": 36.4})),
                (0, "/aggregate/topDocuments/1", json!({"name": "dunning.rs", "totalMinutes": 29.1})),
                (0, "/aggregate/topDocuments/2", json!({"name": "invoice.rs", "totalMinutes": 27.7})),
            ],
        },
        // Only one day is drafted, because the draft of one day already has 30 rows. The draft of a whole week has
        // 3,000 tokens.
        Question {
            wording: "Draft my timesheet for last week",
            calls: vec![
                ("suggest_time_entries", json!({"startDate": "2026-11-09", "endDate": "2026-11-12"})),
                ("suggest_time_entries", json!({"startDate": "2026-11-12", "endDate": "2026-11-16"})),
            ],
            facts: vec![
                (0, "/activeMinutes", json!(1320.2)),
                (0, "/days/0/activeMinutes", json!(521.1)),
                (0, "/days/0/rows/0/projectCode", json!("NW")),
                (0, "/days/0/rows/0/task", json!("Billing")),
                (1, "/activeMinutes", json!(1418.8)),
                (1, "/awayMinutes", json!(80.0)),
            ],
        },
    ]
}

fn questions_about_words() -> Vec<Question> {
    vec![
        Question {
            wording: "How much time on GitHub?",
            calls: vec![("find_activity", json!({"words": "github", "limit": 5}))],
            facts: vec![(0, "/totalMinutes", json!(1492.6))],
        },
        Question {
            wording: "When did I first use Obsidian?",
            calls: vec![("find_activity", json!({"words": "obsidian", "limit": 1}))],
            facts: vec![(0, "/first", json!("2026-10-07T12:01:00"))],
        },
        Question {
            wording: "What was I reading before I changed `rounding.rs`?",
            calls: vec![
                ("find_activity", json!({"words": "rounding.rs", "limit": 1})),
                ("get_activity_narrative", json!({"startDate": "2026-11-20T11:35", "endDate": "/matches/0/start"})),
            ],
            facts: vec![
                (0, "/matches/0/start", json!("2026-11-20T12:05:23")),
                (1, "/segments/2/start", json!("2026-11-20T11:55:42")),
                (1, "/segments/2/website", json!("github.com")),
            ],
        },
    ]
}

/// Returns questions that need SQL. The first call of each question is `describe_model`.
fn questions_for_sql() -> Vec<Question> {
    let calls = |sql: &str| vec![("describe_model", json!({})), ("query", json!({ "sql": sql }))];
    vec![
        Question {
            wording: "Which day of this month was the longest, and how long?",
            calls: calls(
                "SELECT date, active_seconds FROM day_summary('2026-11') ORDER BY active_seconds DESC LIMIT 1",
            ),
            facts: vec![(1, "/rows", json!([["2026-11-13", 32_935]]))],
        },
        Question {
            wording: "Which meetings did I have last week, and was I at the keyboard?",
            calls: calls(
                "SELECT m.meeting, m.seconds, coalesce(union_seconds(greatest(m.start_utc, a.start_utc),
                    least(m.end_utc, a.end_utc)) FILTER (WHERE a.seconds > 0), 0) AS at_keyboard
                FROM meetings m LEFT JOIN active_intervals a ON a.start_utc < m.end_utc AND a.end_utc > m.start_utc
                WHERE m.start_local >= '2026-11-09' AND m.start_local < '2026-11-16' AND NOT m.is_all_day
                GROUP BY m.meeting, m.start_local, m.seconds ORDER BY m.start_local",
            ),
            facts: vec![(
                1,
                "/rows",
                json!([
                    ["Stand-up Billing", 900, 900],
                    ["Redaction, legal questions", 2_700, 497],
                    ["Ledger export with accounting", 2_700, 2_700],
                    ["Stand-up Billing", 900, 900],
                    ["Credit notes, open questions", 2_700, 300],
                    ["Harbour Foods weekly", 2_700, 449],
                    ["Warehouse workshop, Harbour Foods", 4_500, 0],
                    ["Credit notes, open questions", 2_700, 395],
                    ["Studio planning", 1_800, 1_800],
                    ["Estimate for dunning levels", 2_700, 383],
                    ["Scanner test in the warehouse", 1_800, 1_800],
                    ["Credit notes, open questions", 2_700, 2_700],
                ]),
            )],
        },
        Question {
            wording: "What is not logged or not assigned?",
            calls: calls(
                "SELECT union_seconds(start_utc, end_utc) AS not_logged,
                    union_seconds(start_utc, end_utc) FILTER (WHERE project_code IS NULL) AS not_assigned
                FROM unlogged('2026-W46')",
            ),
            facts: vec![(1, "/rows", json!([[180_896, 28_627]]))],
        },
        Question {
            wording: "What do I do on Fridays?",
            calls: calls(
                "SELECT client, task, union_seconds(start_utc, end_utc) AS seconds FROM client_time('2026-11')
                WHERE date_part('dow', day) = 5 AND client IS NOT NULL
                GROUP BY client, task ORDER BY seconds DESC LIMIT 5",
            ),
            facts: vec![(
                1,
                "/rows",
                json!([
                    ["Internal", "Office, Administration", 10_920],
                    ["Northwind Ltd", "Billing, Meetings", 9_720],
                    ["Northwind Ltd", "Customer portal, Development", 8_220],
                    ["Northwind Ltd", "Billing, Rounding, phase 2", 7_560],
                    ["Lindqvist & Partners", "Case search, Research", 6_540],
                ]),
            )],
        },
    ]
}

/// Returns the demo up to Friday with a calendar and three screenshots, and a session with the timesheet tools.
async fn session() -> (TempDir, Session) {
    let dir = tempfile::tempdir().unwrap();
    let until = NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
    demo::write(dir.path(), &Plan { days: 45, calendar: true, ..Plan::new(until) }).unwrap();
    let store = Store::in_history_folder(dir.path());
    for (sequence, time) in (1..).zip(["13:42:49", "13:58:30", "14:09:47"]) {
        store.add(&format!("2026-11-19 {time}"), sequence);
    }
    let home = Home::new();
    let calendar = dir.path().join(demo::CALENDAR);
    home.configure(&format!("[[calendars]]\nfile = '{}'\n{PROJECTS}", calendar.display()));
    let toolsets = ["--toolsets", "activity,screenshots,sql,timesheet"];
    let session = Session::start_in_home(home, dir.path(), VERSIONS[0].clone(), &toolsets).await;
    (dir, session)
}

/// Replaces each argument that is a JSON pointer with the value from the previous response.
fn resolve(mut arguments: Value, previous: Option<&Value>) -> Value {
    for argument in arguments.as_object_mut().unwrap().values_mut() {
        if let Some(pointer) = argument.as_str().filter(|text| text.starts_with('/')) {
            *argument = previous.unwrap().pointer(pointer).unwrap().clone();
        }
    }
    arguments
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_take_at_most_two_calls_and_few_tokens() {
    let (_dir, session) = session().await;
    let questions = questions();
    assert_eq!(questions.len(), 15);
    for Question { wording, calls, facts } in questions {
        assert!(calls.len() <= 2, "{wording}");
        let mut responses: Vec<Value> = Vec::new();
        for (tool, arguments) in calls {
            let text = session.text(tool, resolve(arguments, responses.last())).await;
            let tokens = o200k_base_singleton().encode_ordinary(&text).len();
            assert!(tokens < MAX_TOKENS, "{wording}: {tokens} tokens of {tool}");
            responses.push(serde_json::from_str(&text).unwrap());
        }
        for (call, pointer, expected) in facts {
            let response = &responses[call];
            assert_eq!(response.pointer(pointer), Some(&expected), "{wording}: {pointer} in {response}");
        }
    }
    session.end().await;
}
