//! Tests of the queries that arrive at the API.

use dayledger_timesheet::{
    Changes, Code, EntryQuery, Hours, IdempotencyKey, Limit, NewEntry, OverlapPolicy, Status, Tag, TagsInput, Timesheet,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ApiHarness, entry, expect_refusal, log, start};
use crate::simulator::ApiFailure;
use crate::simulator::http::Hook;

async fn sent_variables(harness: &ApiHarness, query: &EntryQuery) -> Value {
    harness.timesheet.query(query).await.unwrap();
    harness.api.requests().last().unwrap().variables.clone()
}

/// See docs/spec/timesheet.md#entry-queries.
#[tokio::test]
async fn filters_are_sent_as_one_list_or_omitted() {
    let harness = start().await;
    let order = json!([{"startDate": "DESC"}, {"id": "ASC"}]);
    let plain = sent_variables(&harness, &EntryQuery::default()).await;
    assert_eq!(plain["where"], Value::Null);
    assert_eq!((&plain["skip"], &plain["take"], &plain["order"]), (&json!(0), &json!(50), &order));
    let query = EntryQuery {
        start_date: Some("2025-10-21".parse().unwrap()),
        end_date: Some("2025-10-22".parse().unwrap()),
        project_code: Some("INTERNAL".to_owned()),
        status: Some(Status::NotReported),
        ..EntryQuery::default()
    };
    let expected = json!({"and": [
        {"startDate": {"gte": "2025-10-21"}},
        {"completionDate": {"lte": "2025-10-22"}},
        {"project": {"code": {"eq": "INTERNAL"}}},
        {"status": {"eq": "NOT_REPORTED"}},
    ]});
    assert_eq!(sent_variables(&harness, &query).await["where"], expected);
}

/// See docs/spec/timesheet.md#tool-input.
#[tokio::test]
async fn all_tag_formats_are_sent_in_the_same_form() {
    let harness = start().await;
    let (array, object) = (json!([{"name": "Type", "value": "Bug"}]), json!({"Type": "Bug"}));
    for written in [array.clone(), object.clone(), json!(array.to_string()), json!(object.to_string())] {
        let TagsInput(tags) = serde_json::from_value(written).unwrap();
        log(&harness, NewEntry { tags, ..entry("INTERNAL", "Development", "1") }).await.unwrap();
    }
    let requests = harness.api.requests();
    let sent: Vec<_> = requests.iter().filter(|request| request.operation == "LogTime").collect();
    assert_eq!(sent.len(), 4);
    assert!(sent.iter().all(|request| request.variables == sent[0].variables), "{sent:?}");
}

/// See docs/spec/timesheet.md#changes: the request contains only the changed fields.
#[tokio::test]
async fn a_change_sends_nothing_else() {
    let harness = start().await;
    let logged = log(&harness, entry("INTERNAL", "Development", "8")).await.unwrap();
    let changes = Changes { standard_hours: Some("7.5".parse().unwrap()), ..Changes::default() };
    harness.timesheet.update(logged.id, changes, OverlapPolicy::Allowed).await.unwrap();
    let request = harness.api.requests().pop().unwrap();
    assert_eq!(request.variables, json!({"id": logged.id, "input": {"standardHours": 7.5}}));
}

/// If the API doesn't support a filter, the client reads further pages of the API until its own page is full, up to a
/// limit.
#[tokio::test]
async fn page_is_filled_from_several_pages_of_the_api() {
    let harness = start().await;
    let first = log(&harness, entry("INTERNAL", "Development", "1")).await.unwrap();
    for place in 1..650_i64 {
        let tags = if place % 100 == 0 { vec![Tag::new("Type", "Bug")] } else { Vec::new() };
        harness.api.put(dayledger_timesheet::TimeEntry {
            id: dayledger_timesheet::EntryId::new(),
            tags,
            standard_hours: Hours::from_hundredths(place),
            ..first.clone()
        });
    }
    let tags = vec![Tag::new("type", "bug")];
    let query = EntryQuery { tags, limit: Limit::new(4).unwrap(), ..EntryQuery::default() };
    let page = harness.timesheet.query(&query).await.unwrap();
    assert_eq!((page.entries.len(), page.has_more), (4, true));
    let rest = harness.timesheet.query(&EntryQuery { offset: 4, ..query.clone() }).await.unwrap();
    assert_eq!((rest.entries.len(), rest.has_more), (2, false));
    let mut hours: Vec<_> = page.entries.iter().chain(&rest.entries).map(|entry| entry.standard_hours).collect();
    hours.sort();
    assert_eq!(hours, (1..=6).map(|place| Hours::from_hundredths(place * 100)).collect::<Vec<_>>());
    for place in 0..9_500_u32 {
        harness
            .api
            .put(dayledger_timesheet::TimeEntry { id: uuid::Uuid::from_u128(place.into()).into(), ..first.clone() });
    }
    let many = EntryQuery { limit: Limit::MAX_VALUE, ..query };
    let refusal = expect_refusal(harness.timesheet.query(&many).await, Code::ValidationError);
    assert!(refusal.message.contains("10000"), "{refusal}");
}

/// If the caller stops waiting, the operation still runs exactly once.
#[tokio::test]
async fn operation_continues_if_the_caller_stops_waiting() {
    let harness = start().await;
    let (sender, arrived) = std::sync::mpsc::channel();
    harness.api.fail_next("LogTime", ApiFailure::Before(Hook::new(move || sender.send(()).unwrap())));
    let key = IdempotencyKey::new();
    let mut waiting =
        Box::pin(harness.timesheet.log(key, entry("INTERNAL", "Development", "1"), OverlapPolicy::Allowed));
    let is_on_its_way = || arrived.try_recv().is_ok();
    std::future::poll_fn(|context| {
        assert!(waiting.as_mut().poll(context).is_pending());
        if is_on_its_way() {
            std::task::Poll::Ready(())
        } else {
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        }
    })
    .await;
    drop(waiting);
    let logged =
        harness.timesheet.log(key, entry("INTERNAL", "Development", "1"), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!(harness.api.entries().iter().map(|entry| entry.id).collect::<Vec<_>>(), [logged.id]);
    assert_eq!(harness.api.count("LogTime"), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Hours with two decimals stay exact when the client and the API convert them to JSON numbers and back.
    #[test]
    fn hours_arrive_as_they_were_sent(standard in 0..=1_900_i64, overtime in 0..500_i64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let harness = start().await;
            let (standard_hours, overtime_hours) = (Hours::from_hundredths(standard), Hours::from_hundredths(overtime));
            let new = NewEntry { standard_hours, overtime_hours, ..entry("INTERNAL", "Development", "0") };
            let logged = log(&harness, new).await.unwrap();
            let kept = harness.api.entries().pop().unwrap();
            for entry in [logged.clone(), kept, harness.timesheet.find(logged.id).await.unwrap()] {
                assert_eq!((entry.standard_hours, entry.overtime_hours), (standard_hours, overtime_hours));
            }
            let sent = harness.api.requests().into_iter().find(|request| request.operation == "LogTime").unwrap();
            let text = sent.variables["input"]["standardHours"].to_string();
            assert_eq!(text.trim_end_matches(".0"), standard_hours.to_string());
        });
    }
}
