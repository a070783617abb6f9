//! Tests of queries to the ledger. The results are compared with [`EntryQuery::matches`]. Also tests which rows a query
//! reads.

use dayledger_timesheet::{
    Day, EntryQuery, Hours, IdempotencyKey, Limit, NewEntry, Order, OverlapPolicy, ProjectFilter, Sort, SortBy, Status,
    Tag, TimeEntry, Timesheet,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use tokio::runtime::Runtime;

use super::start;

const TAGS: [(&str, &str); 4] = [("Type", "Bug"), ("Type", "Docs"), ("Billable", "Yes"), ("Environment", "Staging")];
const WORDS: [&str; 4] = ["Login", "login", "100%", "Straße"];
const TASKS: [&str; 3] = ["Development", "Testing", "DevOps"];

fn days() -> impl Strategy<Value = Day> {
    (20..26_u32).prop_map(|day| format!("2025-10-{day}").parse().unwrap())
}

fn quarters() -> impl Strategy<Value = Hours> {
    (0..12_i64).prop_map(|quarters| Hours::from_hundredths(quarters * 25))
}

fn tags() -> impl Strategy<Value = Vec<Tag>> {
    proptest::sample::subsequence(TAGS.to_vec(), 0..3)
        .prop_map(|tags| tags.into_iter().map(|(name, value)| Tag::new(name, value)).collect())
}

prop_compose! {
    fn entries()(
        task in select(&TASKS[..]), start in days(), end in days(), standard in quarters(),
        overtime in prop_oneof![Just(Hours::ZERO), quarters()], words in of(vec(select(&WORDS[..]), 0..3)),
        tags in tags(), is_submitted in any::<bool>(),
    ) -> (NewEntry, bool) {
        let entry = NewEntry::new("INTERNAL", task, standard, start.min(end), start.max(end));
        let description = words.map(|words| words.join(" "));
        (NewEntry { overtime_hours: overtime, description, tags, ..entry }, is_submitted)
    }
}

prop_compose! {
    fn queries()(
        (start_date, end_date) in (of(days()), of(days())), task in of(select(&TASKS[..])),
        status in of(select(&Status::ALL[..])), text in of(select(&["Log", "log", "%", "ß", ""][..])),
        tags in tags(), has_overtime in of(any::<bool>()), (min_hours, max_hours) in (of(quarters()), of(quarters())),
        by in select(&[SortBy::StartDate, SortBy::CompletionDate, SortBy::StandardHours][..]),
        order in select(&[Order::Ascending, Order::Descending][..]), limit in 1..8_u32, offset in 0..4_u32,
    ) -> EntryQuery {
        EntryQuery {
            start_date, end_date, project_code: None, task: task.map(str::to_owned), status,
            description_contains: text.map(str::to_owned),
            tags: tags.into_iter().map(|tag| Tag::new(tag.name.to_uppercase(), tag.value.to_lowercase())).collect(),
            has_overtime, min_hours, max_hours, user_email: None, sort: Sort { by, order },
            limit: Limit::new(limit).unwrap(), offset,
        }
    }
}

/// Returns the expected result: all entries are filtered, then sorted, and then paged.
fn naive_query(entries: &[TimeEntry], query: &EntryQuery) -> (Vec<TimeEntry>, bool) {
    let mut found: Vec<_> = entries.iter().filter(|entry| query.matches(entry)).cloned().collect();
    found.sort_by_key(|entry| entry.id);
    match query.sort.by {
        SortBy::StartDate => found.sort_by_key(|entry| entry.start_date),
        SortBy::CompletionDate => found.sort_by_key(|entry| entry.completion_date),
        SortBy::StandardHours => found.sort_by_key(|entry| entry.standard_hours),
    }
    if query.sort.order == Order::Descending {
        // Entries with equal values must stay in the order of their ids.
        found.reverse();
        let equal = |one: &TimeEntry, other: &TimeEntry| match query.sort.by {
            SortBy::StartDate => one.start_date == other.start_date,
            SortBy::CompletionDate => one.completion_date == other.completion_date,
            SortBy::StandardHours => one.standard_hours == other.standard_hours,
        };
        found.chunk_by_mut(equal).for_each(<[_]>::reverse);
    }
    let rest = found.split_off((query.offset as usize).min(found.len()));
    let limit = query.limit.get() as usize;
    (rest.iter().take(limit).cloned().collect(), rest.len() > limit)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn query_equals_a_naive_search(requests in vec(entries(), 0..16), queries in vec(queries(), 12)) {
        Runtime::new().unwrap().block_on(async {
            let on_disk = start().await;
            let ledger = &on_disk.ledger;
            let mut all = Vec::new();
            for (entry, is_submitted) in requests {
                let entry = ledger.log(IdempotencyKey::new(), entry, OverlapPolicy::Allowed).await.unwrap();
                all.push(if is_submitted { ledger.submit(entry.id).await.unwrap() } else { entry });
            }
            for query in queries {
                let page = ledger.query(&query).await.unwrap();
                prop_assert_eq!((page.entries, page.has_more), naive_query(&all, &query), "{:?}", query);
            }
            Ok(())
        })?;
    }
}

#[test]
fn a_week_of_ten_years_is_read_by_its_days() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    drop(dayledger_timesheet::Ledger::open(&path).unwrap());
    let file = rusqlite::Connection::open(&path).unwrap();
    let days = "entries_by_start (start_date>? AND start_date<?)";
    let seconds = "evidence_by_time (start_utc>? AND start_utc<?)";
    for (statement, indexes) in [
        (include_str!("../../sql/entries/search.sql"), &[days][..]),
        (include_str!("../../sql/entries/on_days.sql"), &[days, "entries_over_days (completion_date>?)"]),
        (include_str!("../../sql/evidence/overlapping.sql"), &[seconds, "evidence_over_days (end_utc>?)"]),
        (include_str!("../../sql/evidence/by_entry.sql"), &["evidence_by_entry (entry_id=?)"]),
    ] {
        let plan = statement.lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
        let mut plan = file.prepare(&format!("EXPLAIN QUERY PLAN {plan}")).unwrap();
        let steps: Vec<String> = plan.raw_query().mapped(|row| row.get(3)).map(Result::unwrap).collect();
        let is_there = |index: &&str| steps.iter().any(|step| step.contains(*index));
        assert!(indexes.iter().all(is_there), "{steps:#?}");
        assert!(!steps.iter().any(|step| step.starts_with("SCAN e")), "{steps:#?}");
    }
}

#[tokio::test]
async fn query_for_another_user_returns_nothing() {
    let on_disk = start().await;
    on_disk.ledger.put_demo().await.unwrap();
    let query = EntryQuery { user_email: Some("alice@example.com".to_owned()), ..EntryQuery::default() };
    assert!(on_disk.ledger.query(&query).await.unwrap().entries.is_empty());
    assert_eq!(on_disk.ledger.projects(ProjectFilter::All).await.unwrap().len(), 3);
}
