//! Typical questions of users. The calls are those that the guide recommends: at most two calls, and few tokens. The
//! results are compared with SQL.

use serde_json::{Value, json};
use tiktoken_rs::o200k_base_singleton;

use super::session::Session;
use super::sizes::demo_session;

/// The maximum number of tokens of all calls for one question.
const MAX_TOKENS: usize = 3_000;

/// A question and the calls that answer it. A field of the last response must equal the result of a statement.
struct ExampleQuestion {
    question: &'static str,
    calls: Vec<(&'static str, Value)>,
    facts: &'static [(&'static str, &'static str)],
}

#[expect(clippy::too_many_lines, reason = "a list of questions")]
fn example_questions() -> Vec<ExampleQuestion> {
    let query = |sql: &str| ("query", json!({ "sql": sql }));
    vec![
        ExampleQuestion {
            question: "How long was I in meetings last week?",
            calls: vec![("get_tags", json!({"startDate": "2026-W46", "filter": {"text": "meeting"}}))],
            facts: &[(
                "/totalMinutes",
                "SELECT union_seconds(start_utc, end_utc) / 60.0 FROM tags_in('2026-W46')
                WHERE tag ILIKE '%meeting%' OR notes ILIKE '%meeting%'",
            )],
        },
        ExampleQuestion {
            question: "How does this week compare with the last?",
            calls: vec![("get_period_summary", json!({"startDate": "2026-W47", "compareTo": "previous"}))],
            facts: &[
                ("/totalActiveMinutes", "SELECT union_seconds(start_utc, end_utc) / 60.0 FROM pieces('2026-W47')"),
                (
                    "/comparison/totalActiveMinutes",
                    "SELECT union_seconds(start_utc, end_utc) / 60.0 FROM pieces('2026-11-09', '2026-11-16')",
                ),
                (
                    "/comparison/differences/totalActiveMinutes",
                    "SELECT ((SELECT union_seconds(start_utc, end_utc) FROM pieces('2026-W47'))
                    - (SELECT union_seconds(start_utc, end_utc) FROM pieces('2026-11-09', '2026-11-16'))) / 60.0",
                ),
                (
                    "/comparison/activeDays",
                    "SELECT count(DISTINCT CAST(start_local AS DATE)) FROM pieces('2026-11-09', '2026-11-16')",
                ),
            ],
        },
        ExampleQuestion {
            question: "What did I do for Northwind last month?",
            calls: vec![("get_period_summary", json!({"startDate": "2026-10", "filter": {"project": "northwind"}}))],
            facts: &[
                (
                    "/matchingMinutes",
                    "SELECT union_seconds(greatest(p.start_utc, t.start_utc), least(p.end_utc, t.end_utc)) / 60.0
                    FROM pieces('2026-10') AS p
                    INNER JOIN tags AS t ON p.start_utc < t.end_utc AND t.start_utc < p.end_utc
                    WHERE t.tag ILIKE '%northwind%'",
                ),
                (
                    "/days/0/date",
                    "SELECT CAST(min(CAST(p.start_local AS DATE)) AS VARCHAR)
                    FROM pieces('2026-10') AS p
                    INNER JOIN tags AS t ON p.start_utc < t.end_utc AND t.start_utc < p.end_utc
                    WHERE t.tag ILIKE '%northwind%'",
                ),
            ],
        },
        ExampleQuestion {
            question: "When did I begin and end on each day of this month?",
            calls: vec![("get_period_summary", json!({"startDate": "2026-11"}))],
            facts: &[
                (
                    "/days/1/firstActivity",
                    "SELECT to_char(min(start_local), '%Y-%m-%dT%H:%M:%S') FROM pieces('2026-11')
                    GROUP BY CAST(start_local AS DATE) ORDER BY CAST(start_local AS DATE) LIMIT 1 OFFSET 1",
                ),
                (
                    "/truncation/totalAvailable",
                    "SELECT count(DISTINCT CAST(start_local AS DATE)) FROM pieces('2026-11')",
                ),
            ],
        },
        ExampleQuestion {
            question: "On which days of this year did I work more than nine hours?",
            calls: vec![query(
                "SELECT date, round(active_seconds / 3600.0, 1) AS hours FROM day_summary('2026')
                WHERE active_seconds > 9 * 3600 ORDER BY date",
            )],
            facts: &[(
                "/truncation/returnedCount",
                "WITH days AS (
                    SELECT union_seconds(start_utc, end_utc) AS seconds FROM pieces_by_day('applications', '2026-01-01', '2027-01-01')
                    GROUP BY date
                )
                SELECT count(*) FROM days WHERE seconds > 32400",
            )],
        },
        ExampleQuestion {
            question: "Which files of Harbour Foods did I touch this week?",
            calls: vec![("get_period_summary", json!({"startDate": "2026-W47", "filter": {"tag": "harbour"}}))],
            facts: &[(
                "/aggregate/topDocuments/0/totalMinutes",
                "WITH files AS (
                    SELECT union_seconds(greatest(p.start_utc, t.start_utc), least(p.end_utc, t.end_utc)) AS seconds
                    FROM role_pieces('documents', '2026-W47') AS p
                    INNER JOIN tags AS t ON p.start_utc < t.end_utc AND t.start_utc < p.end_utc
                    WHERE t.tag ILIKE '%harbour%'
                    GROUP BY p.key
                )
                SELECT max(seconds) / 60.0 FROM files",
            )],
        },
        ExampleQuestion {
            question: "Which time of last week has neither a tag nor a rule?",
            calls: vec![query(
                "SELECT application, seconds / 60 AS minutes, titles FROM unmatched('2026-W46')
                ORDER BY seconds DESC LIMIT 10",
            )],
            facts: &[(
                "/rows/0/1",
                "WITH rest AS (
                    SELECT union_seconds(start_utc, end_utc) AS seconds FROM pieces_by_rule('2026-W46')
                    WHERE NOT is_tagged GROUP BY key
                )
                SELECT max(seconds) / 60 FROM rest",
            )],
        },
        ExampleQuestion {
            question: "In which hours of this week did I use both devices?",
            calls: vec![query(
                "WITH parts AS (
                    SELECT unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
                    FROM pieces('2026-W47')
                )
                SELECT date_trunc('hour', part['start_local']) AS hour_local,
                    sum(to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']))
                        - union_seconds(part['start_utc'], part['end_utc']) AS seconds
                FROM parts GROUP BY 1 HAVING seconds > 0 ORDER BY 1",
            )],
            facts: &[],
        },
        ExampleQuestion {
            question: "What did I do between lunch and five?",
            calls: vec![(
                "get_activity_narrative",
                json!({
                    "startDate": "2026-11-20T13:00", "endDate": "2026-11-20T17:00", "detail": "blocks", "includeSummary": true
                }),
            )],
            facts: &[(
                "/totalActiveMinutes",
                "SELECT union_seconds(start_utc, end_utc) / 60.0 FROM pieces('2026-11-20T13:00', '2026-11-20T17:00')",
            )],
        },
        ExampleQuestion {
            question: "How much time did I ever spend on GitHub?",
            calls: vec![("find_activity", json!({"words": "github", "limit": 5}))],
            facts: &[(
                "/totalMinutes",
                "SELECT union_seconds(start_utc, end_utc) / 60.0 FROM (
                    SELECT * FROM role_pieces('applications', '2026-01-01', '2027-01-01')
                    UNION ALL
                    SELECT * FROM role_pieces('websites', '2026-01-01', '2027-01-01')
                    UNION ALL
                    SELECT * FROM role_pieces('documents', '2026-01-01', '2027-01-01')
                )
                WHERE name ILIKE '%github%' OR title ILIKE '%github%'",
            )],
        },
        ExampleQuestion {
            question: "When did I first use Obsidian?",
            calls: vec![("find_activity", json!({"words": "obsidian", "limit": 1}))],
            facts: &[(
                "/first",
                "SELECT min(start_local) FROM role_pieces('applications', '2026-01-01', '2027-01-01')
                WHERE name ILIKE '%obsidian%' OR title ILIKE '%obsidian%'",
            )],
        },
        ExampleQuestion {
            question: "Why does Friday say 8 h 50?",
            calls: vec![(
                "get_daily_summary",
                json!({"date": "2026-11-20", "includeSegments": false}),
            )],
            facts: &[
                ("/totalActiveMinutes", "SELECT union_seconds(start_utc, end_utc) / 60.0 FROM pieces('2026-11-20')"),
                ("/presence/firstUse", "SELECT min(start_local) FROM pieces('2026-11-20')"),
                (
                    "/presence/breakMinutes",
                    "SELECT sum(seconds) / 60.0 FROM away_intervals('2026-11-20') WHERE is_break",
                ),
            ],
        },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn user_questions_take_two_calls_and_few_tokens() {
    let (_demo, session) = demo_session().await;
    for ExampleQuestion { question, calls, facts } in example_questions() {
        assert!(calls.len() <= 2, "{question}");
        let (mut tokens, mut answer) = (0, Value::Null);
        for (tool, arguments) in calls {
            let text = session.text(tool, arguments).await;
            tokens += o200k_base_singleton().encode_ordinary(&text).len();
            answer = serde_json::from_str(&text).unwrap();
        }
        assert!(tokens <= MAX_TOKENS, "{question} takes {tokens} tokens");
        for (place, sql) in facts {
            let value = answer.pointer(place).unwrap_or_else(|| panic!("{question}: no {place} in {answer}"));
            let expected = one_value(&session, sql).await;
            assert!(is_reported_value(value, &expected), "{question}: {place} is {value}, by SQL {expected}");
        }
    }
    session.end().await;
}

async fn one_value(session: &Session, sql: &str) -> Value {
    session.answer("query", json!({ "sql": sql })).await["rows"][0][0].clone()
}

/// Whether two values are equal at the precision that responses have for minutes.
fn is_reported_value(value: &Value, expected: &Value) -> bool {
    match (value.as_f64(), expected.as_f64()) {
        (Some(value), Some(expected)) => (value - expected).abs() <= 0.051,
        _ => value == expected && !value.is_null(),
    }
}
