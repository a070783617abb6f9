//! Rules that hold for every narrative and summary, independently of its numbers (docs/spec/time.md#sums).

use serde_json::{Value, json};

use super::super::RANGE;
use super::super::session::Session;
use crate::cli::program::demo;

fn rows<'a>(answer: &'a Value, pointer: &str) -> &'a [Value] {
    answer.pointer(pointer).and_then(Value::as_array).unwrap_or_else(|| panic!("no {pointer}: {answer}"))
}

fn minutes(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("no {field}: {row}"))
}

/// Whether `values` are in ascending order.
fn ascending<T: PartialOrd>(values: impl IntoIterator<Item = T>) -> bool {
    values.into_iter().collect::<Vec<_>>().is_sorted()
}

/// Checks a top list. The list must be sorted by minutes in descending order, and every item must have a name and time.
/// There must be no more items than the contract allows.
fn assert_tops(tops: &[Value], of: f64) {
    assert!(!tops.is_empty() && tops.len() <= 50, "{tops:?}");
    assert!(ascending(tops.iter().map(|top| -minutes(top, "totalMinutes"))), "{tops:?}");
    for top in tops {
        assert!(!top["name"].as_str().unwrap().is_empty(), "{top}");
        assert!(minutes(top, "totalMinutes") <= of, "{top} has more than the total of {of}");
    }
}

/// Checks the fields that a narrative and a daily summary have in common.
fn assert_narrative(answer: &Value, start: &str, end: &str) {
    assert_eq!((&answer["startDate"], &answer["endDate"]), (&json!(start), &json!(end)));
    let segments = rows(answer, "/segments");
    assert_eq!(answer["truncation"]["returnedCount"], segments.len());
    assert!(ascending(segments.iter().map(|segment| segment["start"].as_str())), "{start}");
    for segment in segments {
        let [from, to] = ["start", "end"].map(|edge| segment[edge].as_str().unwrap());
        assert!(start <= from && from <= to && to <= &*format!("{end}T00:00:00"), "{segment}");
        assert!(minutes(segment, "durationMinutes") >= 0.0 && segment["application"] != "", "{segment}");
    }
    let total = minutes(answer, "totalActiveMinutes");
    assert_tops(rows(answer, "/topApplications"), total);
    assert_tops(rows(answer, "/topWebsites"), total);
}

#[tokio::test(flavor = "multi_thread")]
async fn narratives_and_summaries_have_a_consistent_structure() {
    let dir = demo();
    let session = Session::start_default(dir.path()).await;
    let (start, end) = RANGE;
    let range = json!({"startDate": start, "endDate": end});

    let mut arguments = range.clone();
    arguments["includeSummary"] = json!(true);
    assert_narrative(&session.answer("get_activity_narrative", arguments).await, start, end);
    let plain = session.answer("get_activity_narrative", range.clone()).await;
    assert!(
        plain.get("topApplications").is_none() && plain.get("topWebsites").is_none(),
        "the lists are returned only on request"
    );

    let day = session.answer("get_daily_summary", json!({"date": "2026-11-18"})).await;
    assert_narrative(&day, "2026-11-18", "2026-11-19");

    let period = session.answer("get_period_summary", range).await;
    let total = minutes(&period, "totalActiveMinutes");
    let days = rows(&period, "/days");
    assert!(!days.is_empty() && ascending(days.iter().map(|day| day["date"].as_str())));
    for day in days {
        let date = day["date"].as_str().unwrap();
        assert!(start <= date && date < end && minutes(day, "totalActiveMinutes") > 0.0, "{day}");
        assert!(day["firstActivity"].as_str() < day["lastActivity"].as_str(), "{day}");
        assert!(day["firstActivity"].as_str().unwrap().starts_with(date), "{day}");
    }
    for named in ["busiestDay", "quietestDay"] {
        assert!(days.iter().any(|day| day["date"] == period["aggregate"][named]), "{named}");
    }
    let weekdays = rows(&period, "/patterns/dayOfWeekDistribution").iter().map(|day| day["dayOfWeek"].as_i64());
    assert_eq!(weekdays.collect::<Vec<_>>(), (0..7).map(Some).collect::<Vec<_>>(), "two weeks contain every weekday");
    assert_tops(rows(&period, "/aggregate/topApps"), total);
    assert_tops(rows(&period, "/aggregate/topWebsites"), total);
    session.end().await;
}
