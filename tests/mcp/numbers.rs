//! Compares the tools' numbers with SQL over the same history. The SQL shares as little code with the tools as
//! possible.

use std::collections::BTreeMap;

use dayledger::engine::{Engine, QueryLimits};
use dayledger::request::minutes;
use serde_json::{Value, json};

use super::session::Session;
use super::{RANGE, one_call_each};
use crate::cli::program::{date, demo};
use crate::histories::{cells, engine_at};

/// A history, with an engine and a server that read it.
struct Comparison {
    engine: Engine,
    session: Session,
    dir: tempfile::TempDir,
}

impl Comparison {
    async fn over_demo() -> Self {
        let dir = demo();
        Self { engine: engine_at(dir.path()), session: Session::start_default(dir.path()).await, dir }
    }

    async fn answer(&self, tool: &str, arguments: Value) -> Value {
        self.session.answer(tool, arguments).await
    }

    /// Returns the tool's response. In the response, the field `list` contains the rows of all pages.
    async fn all_pages(&self, tool: &str, mut arguments: Value, list: &str) -> Value {
        let mut whole = self.answer(tool, arguments.clone()).await;
        let mut next = whole["truncation"]["nextCursor"].take();
        while let Value::String(_) = next {
            arguments["cursor"] = next;
            let mut page = self.answer(tool, arguments.clone()).await;
            next = page["truncation"]["nextCursor"].take();
            let rows = page[list].take();
            whole[list].as_array_mut().unwrap().extend(rows.as_array().unwrap().clone());
        }
        whole
    }

    /// Returns the rows of a statement. Each value is a text.
    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let table =
            self.engine.query(sql, &QueryLimits::default()).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        cells(&table)
    }

    /// Returns the number of seconds in the only row of a statement.
    async fn seconds(&self, sql: &str) -> i64 {
        let rows = self.rows(sql).await;
        rows[0][0].parse().unwrap()
    }
}

/// Checks that the minutes of a response equal exact seconds after rounding.
#[track_caller]
fn assert_minutes(actual: &Value, seconds: i64) {
    let (actual, expected) = (actual.as_f64().unwrap(), minutes(seconds).to_rounded());
    assert!((actual - expected).abs() < 1e-9, "{actual} minutes, not {expected}");
}

fn range() -> Value {
    json!({"startDate": RANGE.0, "endDate": RANGE.1})
}

/// Returns the dates of the demo, each with the following date.
fn days() -> impl Iterator<Item = (String, String)> {
    let days = date(RANGE.0).iter_days().take_while(|day| *day < date(RANGE.1));
    days.map(|day| (day.to_string(), day.succ_opt().unwrap().to_string()))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn complete_history_gives_undegraded_responses_with_a_time_basis() {
    let both = Comparison::over_demo().await;
    for (tool, arguments) in one_call_each(RANGE.0, RANGE.1) {
        let answer = both.answer(tool, arguments).await;
        let basis = match tool {
            "get_timelines" | "list_screenshots" | "describe_model" | "query" => continue,
            "get_daily_summary" | "get_activity_narrative" | "get_period_summary" | "find_activity" => "active",
            _ => "recorded",
        };
        assert_eq!(answer["timeBasis"], basis, "{tool}");
        let diagnostics = &answer["diagnostics"];
        assert_eq!(diagnostics["degraded"], false, "{tool}");
        // The sample data has no hourly totals for its last hours, as in ManicTime.
        let lags = tool.ends_with("_usage") && diagnostics["reasonCode"] == "HOURLY_TOTALS_LAG";
        assert!(lags || diagnostics["reasonCode"].is_null(), "{tool}: {diagnostics}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn narrative_equals_sql_segments_and_its_total_equals_their_union() {
    let both = Comparison::over_demo().await;
    let (start, end) = RANGE;
    let arguments = json!({"startDate": start, "endDate": end, "maxSegments": 2000});
    let answer = both.all_pages("get_activity_narrative", arguments, "segments").await;
    let union = format!("SELECT union_seconds(start_utc, end_utc) FROM pieces('{start}', '{end}')");
    let seconds = both.seconds(&union).await;
    assert!(seconds > 10 * 3600);
    assert_minutes(&answer["totalActiveMinutes"], seconds);

    let sql = format!(
        "SELECT device, start_local, end_local, seconds, application, document, website, array_to_string(tags, '|')
         FROM narrative('{start}', '{end}') ORDER BY start_utc, device"
    );
    let rows = both.rows(&sql).await;
    let segments = answer["segments"].as_array().unwrap();
    assert_eq!(segments.len(), rows.len());
    assert_eq!(answer["truncation"]["totalAvailable"], rows.len());
    for (segment, row) in segments.iter().zip(&rows) {
        let tags = segment["tags"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join("|");
        let actual = ["device", "start", "end"].map(|field| text(&segment[field]).to_owned());
        assert_eq!(actual, [row[0].clone(), row[1].clone(), row[2].clone()]);
        assert_minutes(&segment["durationMinutes"], row[3].parse().unwrap());
        let actual = ["application", "document", "website"].map(|field| text(&segment[field]));
        assert_eq!([actual[0], actual[1], actual[2], &tags], [&row[4], &row[5], &row[6], &row[7]]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limit_of_segments_does_not_change_totals() {
    let both = Comparison::over_demo().await;
    let ask = |more: Value| {
        let mut arguments = range();
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        both.all_pages("get_activity_narrative", arguments, "segments")
    };
    let whole = ask(json!({"maxSegments": 2000})).await;
    let count = whole["segments"].as_array().unwrap().len();
    let cut = json!({"startDate": RANGE.0, "endDate": RANGE.1, "maxSegments": 3, "maxGapMinutes": 2});
    let mut cut = both.answer("get_activity_narrative", cut).await;
    assert!(cut["truncation"].as_object_mut().unwrap().remove("nextCursor").is_some(), "{cut}");
    assert_eq!(cut["totalActiveMinutes"], whole["totalActiveMinutes"]);
    assert_eq!(cut["segments"].as_array().unwrap()[..], whole["segments"].as_array().unwrap()[..3]);
    assert_eq!(
        cut["truncation"],
        json!({"truncated": true, "returnedCount": 3, "totalAvailable": count, "limitedBy": "maxSegments"})
    );
    // The filter `minDurationMinutes` removes whole segments after merging, and must not change totals.
    let long = ask(json!({"minDurationMinutes": 20, "maxSegments": 2000})).await;
    assert_eq!(long["totalActiveMinutes"], whole["totalActiveMinutes"]);
    let kept = long["segments"].as_array().unwrap();
    assert!(!kept.is_empty() && kept.len() < count);
    assert!(kept.iter().all(|segment| segment["durationMinutes"].as_f64().unwrap() >= 20.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn days_of_a_period_equal_the_union_of_their_active_intervals() {
    let both = Comparison::over_demo().await;
    let answer = both.answer("get_period_summary", range()).await;
    let (mut total, mut expected, mut weekdays) = (0, Vec::new(), BTreeMap::new());
    for (day, next) in days() {
        let weekday = chrono::Datelike::weekday(&date(&day)).num_days_from_sunday();
        let sum = weekdays.entry(weekday).or_insert(0);
        let sql = format!(
            "SELECT coalesce(union_seconds(start_utc, end_utc), 0), min(start_local), max(end_local)
             FROM pieces('{day}', '{next}')"
        );
        let row = both.rows(&sql).await.remove(0);
        let seconds: i64 = row[0].parse().unwrap();
        if seconds > 0 {
            expected.push((day, seconds, row[1].clone(), row[2].clone()));
            total += seconds;
            *sum += seconds;
        }
    }
    let actual = answer["days"].as_array().unwrap();
    assert_eq!(actual.len(), expected.len());
    for (number, (actual, (day, seconds, first, last))) in actual.iter().zip(&expected).enumerate() {
        assert_eq!(text(&actual["date"]), day);
        assert_minutes(&actual["totalActiveMinutes"], *seconds);
        assert_eq!([text(&actual["firstActivity"]), text(&actual["lastActivity"])], [first, last], "{day}");
        if number % 4 != 0 {
            continue;
        }
        let daily = both.answer("get_daily_summary", json!({"date": day})).await;
        assert_eq!(daily["totalActiveMinutes"], actual["totalActiveMinutes"], "{day}");
        assert_eq!(daily["topApplications"][0]["name"], actual["topApp"], "{day}");
    }
    assert_minutes(&answer["totalActiveMinutes"], total);
    let pattern = answer["patterns"]["dayOfWeekDistribution"].as_array().unwrap();
    assert_eq!(pattern.len(), 7);
    for actual in pattern {
        assert_minutes(
            &actual["totalMinutes"],
            weekdays[&u32::try_from(actual["dayOfWeek"].as_u64().unwrap()).unwrap()],
        );
    }
    let busiest = expected.iter().rev().max_by_key(|day| day.1).unwrap();
    assert_eq!(text(&answer["aggregate"]["busiestDay"]), busiest.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn device_filter_limits_the_narrative_to_the_time_of_the_device() {
    let both = Comparison::over_demo().await;
    let rows = both
        .rows(&format!(
            "SELECT device, union_seconds(start_utc, end_utc) FROM pieces('{}', '{}') GROUP BY device ORDER BY device",
            RANGE.0, RANGE.1
        ))
        .await;
    assert_eq!(rows.len(), 2);
    for row in rows {
        let mut arguments = range();
        arguments["device"] = json!(row[0]);
        for tool in ["get_activity_narrative", "get_period_summary"] {
            let answer = both.answer(tool, arguments.clone()).await;
            assert_minutes(&answer["totalActiveMinutes"], row[1].parse().unwrap());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn daily_summary_equals_the_narrative() {
    let both = Comparison::over_demo().await;
    let mut summary = json!({});
    for detail in ["blocks", "full"] {
        let day = json!({"startDate": "2026-11-18", "endDate": "2026-11-19", "includeSummary": true, "detail": detail});
        let narrative = both.answer("get_activity_narrative", day).await;
        summary = both.answer("get_daily_summary", json!({"date": "2026-11-18", "detail": detail})).await;
        assert_eq!(summary, narrative);
        assert!(!summary["topTags"].as_array().unwrap().is_empty());
    }
    let short = json!({"date": "2026-11-18", "detail": "full", "includeSegments": false});
    let short = both.answer("get_daily_summary", short).await;
    let listed = summary["segments"].as_array().unwrap().len();
    summary.as_object_mut().unwrap().remove("segments");
    summary["truncation"] = json!({"truncated": false, "returnedCount": 0, "totalAvailable": listed});
    assert_eq!(short, summary);
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_equals_the_sum_of_the_usage_views() {
    let both = Comparison::over_demo().await;
    for (tool, view, role) in
        [("get_application_usage", "app_usage", "applications"), ("get_document_usage", "document_usage", "documents")]
    {
        let filter = format!("hour_local >= '{}' AND hour_local < '{}'", RANGE.0, RANGE.1);
        let by_key = format!("SELECT key, sum(seconds) FROM {view} WHERE {filter} GROUP BY key");
        let by_key: BTreeMap<_, i64> =
            both.rows(&by_key).await.into_iter().map(|row| (row[0].clone(), row[1].parse().unwrap())).collect();
        let active = format!(
            "SELECT key, union_seconds(start_utc, end_utc) FROM role_pieces('{role}', '{}', '{}') GROUP BY key",
            RANGE.0, RANGE.1
        );
        let active: BTreeMap<_, i64> =
            both.rows(&active).await.into_iter().map(|row| (row[0].clone(), row[1].parse().unwrap())).collect();
        let arguments = json!({"startDate": RANGE.0, "endDate": RANGE.1, "limit": 1000, "breakdown": "day"});
        let answer = both.all_pages(tool, arguments, "usage").await;
        assert_minutes(&answer["totalMinutes"], by_key.values().sum());
        let usage = answer["usage"].as_array().unwrap();
        assert_eq!(usage.len(), by_key.len(), "{tool}");
        for item in usage {
            assert_minutes(&item["totalMinutes"], by_key[text(&item["key"])]);
            assert_minutes(&item["activeMinutes"], active.get(text(&item["key"])).copied().unwrap_or(0));
        }
        let order: Vec<f64> = usage.iter().map(|item| item["totalMinutes"].as_f64().unwrap()).collect();
        assert!(order.is_sorted_by(|a, b| a >= b), "most first");

        let by_day = format!(
            "SELECT CAST(date_trunc('day', hour_local) AS DATE), sum(seconds) FROM {view} WHERE {filter} GROUP BY 1 ORDER BY 1"
        );
        let by_day = both.rows(&by_day).await;
        let actual = answer["days"].as_array().unwrap();
        assert_eq!(actual.len(), by_day.len(), "{tool}");
        for (actual, row) in actual.iter().zip(&by_day) {
            assert_eq!(text(&actual["date"]), row[0]);
            assert_minutes(&actual["totalMinutes"], row[1].parse().unwrap());
        }
        let few = both.answer(tool, json!({"startDate": RANGE.0, "endDate": RANGE.1, "limit": 2})).await;
        assert_eq!(few["totalMinutes"], answer["totalMinutes"]);
        assert_eq!(few["usage"].as_array().unwrap()[..], usage[..2]);
        assert_eq!(few["truncation"]["totalAvailable"], usage.len());
        assert_eq!(few.get("days"), None, "days are returned only on request");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_and_days_of_websites_add_up() {
    let both = Comparison::over_demo().await;
    for (end, granularity, unit) in [("2026-11-13", "hour", "hour"), (RANGE.1, "day", "day")] {
        let arguments = json!({"startDate": RANGE.0, "endDate": end, "limit": 200, "minMinutes": 0});
        let answer = both.all_pages("get_website_usage", arguments, "websites").await;
        assert_eq!(answer["breakdownGranularity"], granularity);
        let filter = format!("hour_local >= '{}' AND hour_local < '{end}'", RANGE.0);
        let rows = both
            .rows(&format!(
                "SELECT name, date_trunc('{unit}', hour_local) AS period, sum(seconds) FROM website_usage
                 WHERE {filter} GROUP BY 1, 2 ORDER BY 1, 2"
            ))
            .await;
        let total =
            both.seconds(&format!("SELECT sum(seconds) FROM recorded_time('websites', '{}', '{end}')", RANGE.0)).await;
        assert_minutes(&answer["totalMinutes"], total);
        let mut sites: BTreeMap<String, Vec<(String, i64)>> = BTreeMap::new();
        for row in rows {
            let period = if unit == "day" { row[1][..10].to_owned() } else { row[1].clone() };
            sites.entry(row[0].clone()).or_default().push((period, row[2].parse().unwrap()));
        }
        let websites = answer["websites"].as_array().unwrap();
        assert_eq!(websites.len(), sites.len());
        for website in websites {
            let periods = &sites[text(&website["name"])];
            assert_minutes(&website["totalMinutes"], periods.iter().map(|period| period.1).sum());
            let actual = website["timeBreakdown"].as_array().unwrap();
            assert_eq!(actual.len(), periods.len());
            for (actual, (period, seconds)) in actual.iter().zip(periods) {
                assert_eq!(text(&actual["period"]), period);
                assert_minutes(&actual["minutes"], *seconds);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_and_states_add_up_to_their_totals() {
    let both = Comparison::over_demo().await;
    let tags = both.answer("get_tags", range()).await;
    let (start, end) = RANGE;
    let rows = both.rows(&format!("SELECT tag, sum(seconds) FROM tags_in('{start}', '{end}') GROUP BY tag")).await;
    let totals = tags["totals"].as_array().unwrap();
    assert!(!rows.is_empty());
    assert_eq!(totals.len(), rows.len());
    for row in rows {
        let total = totals.iter().find(|total| total["name"] == row[0]).unwrap();
        assert_minutes(&total["totalMinutes"], row[1].parse().unwrap());
    }
    let mut totals_alone = range();
    totals_alone["includeIntervals"] = json!(false);
    let (alone, mut tags) = (both.answer("get_tags", totals_alone.clone()).await, tags);
    let count = both.seconds(&format!("SELECT count(*) FROM tags_in('{start}', '{end}')")).await;
    assert_eq!(tags["truncation"]["totalAvailable"], count);
    tags["tags"] = json!([]);
    tags["truncation"] = json!({"truncated": false, "returnedCount": 0, "totalAvailable": count});
    assert_eq!(alone, tags);

    let usage = both.answer("get_computer_usage", range()).await;
    let rows = both
        .rows(&format!(
            "SELECT state, union_seconds(start_utc, end_utc) FROM computer_usage_in('{start}', '{end}') GROUP BY state"
        ))
        .await;
    let totals = usage["totals"].as_object().unwrap();
    assert_eq!(totals.len(), rows.len());
    for row in rows {
        assert_minutes(&totals[&row[0]], row[1].parse().unwrap());
    }
    let count = both.seconds(&format!("SELECT count(*) FROM computer_usage_in('{start}', '{end}')")).await;
    assert_eq!(usage["truncation"]["totalAvailable"], count);

    let (alone, mut usage) = (both.answer("get_computer_usage", totals_alone).await, usage);
    usage.as_object_mut().unwrap().remove("intervals").unwrap();
    usage["truncation"] = json!({"truncated": false, "returnedCount": 0, "totalAvailable": count});
    assert_eq!(alone, usage);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_activities_contain_every_activity_once() {
    let both = Comparison::over_demo().await;
    let sql = format!(
        "SELECT start_local, end_local, seconds, title FROM applications
         WHERE timeline_id = 2 AND start_local < '{}' AND end_local > '{}' ORDER BY start_utc, activity_id",
        RANGE.1, RANGE.0
    );
    let rows = both.rows(&sql).await;
    let arguments = json!({"timelineId": 2, "startDate": RANGE.0, "endDate": RANGE.1, "limit": 97});
    let answer = both.all_pages("get_activities", arguments, "activities").await;
    assert_eq!(answer["truncation"]["totalAvailable"], rows.len());
    let activities = answer["activities"].as_array().unwrap();
    assert!(rows.len() > 200);
    assert_eq!(activities.len(), rows.len());
    for (activity, row) in activities.iter().zip(&rows) {
        assert_eq!([text(&activity["start"]), text(&activity["end"])], [&row[0], &row[1]]);
        assert_minutes(&activity["durationMinutes"], row[2].parse().unwrap());
        assert_eq!(text(&activity["name"]), row[3]);
    }
    let plain = both
        .answer(
            "get_activities",
            json!({"timelineId": 2, "startDate": RANGE.0, "endDate": RANGE.1, "includeGroupDetails": false}),
        )
        .await;
    assert_eq!(plain["activities"].as_array().unwrap().len(), 100, "the default");
    assert!(plain["activities"].as_array().unwrap().iter().all(|activity| activity.get("groupName").is_none()));
    both.session.end().await;
    drop(both.dir);
}

#[tokio::test(flavor = "multi_thread")]
async fn timelines_equal_those_of_the_database() {
    let both = Comparison::over_demo().await;
    let answer = both.answer("get_timelines", json!({})).await;
    let rows =
        both.rows("SELECT timeline_id, role, schema_name, device, name FROM timelines ORDER BY timeline_id").await;
    let actual: Vec<Vec<String>> = answer["timelines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|timeline| {
            let texts = ["role", "schemaName", "device", "name"].map(|field| text(&timeline[field]).to_owned());
            [vec![timeline["id"].to_string()], texts.to_vec()].concat()
        })
        .collect();
    assert_eq!(actual, rows);
}
