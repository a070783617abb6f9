//! Test cases that query entries and projects.

use dayledger_timesheet::{
    Code, EntryId, EntryPage, EntryQuery, Hours, Limit, NewEntry, Order, OverlapPolicy, ProjectFilter, Sort, SortBy,
    Status, Tag, TimeEntry,
};

use super::{Harness, day, development, expect_logged, hours, new, with_status};

async fn query_entries(harness: &dyn Harness, query: &EntryQuery) -> Vec<TimeEntry> {
    harness.timesheet().query(query).await.unwrap().entries
}

/// See docs/spec/timesheet.md#entry-queries.
pub(crate) async fn an_empty_timesheet_returns_no_entries(harness: &dyn Harness) {
    let page = harness.timesheet().query(&EntryQuery::default()).await.unwrap();
    assert_eq!(page, EntryPage { entries: Vec::new(), has_more: false });
}

/// See docs/spec/timesheet.md#entry-queries. The end date of a query is compared with the last day of an entry, and is
/// inclusive.
pub(crate) async fn an_entry_must_match_all_filters(harness: &dyn Harness) {
    let over = |start: &str, end: &str, entry| NewEntry { start_date: day(start), completion_date: day(end), ..entry };
    let inside = over("2025-10-21", "2025-10-22", development("1"));
    let inside = with_status(harness, inside, Status::Submitted).await;
    for other in [
        over("2025-10-21", "2025-10-23", development("1")),
        over("2025-10-20", "2025-10-22", development("1")),
        over("2025-10-21", "2025-10-22", new("CLIENT-A", "Support", "1")),
    ] {
        with_status(harness, other, Status::Submitted).await;
    }
    expect_logged(harness, over("2025-10-21", "2025-10-22", development("1"))).await;
    let query = EntryQuery {
        start_date: Some(day("2025-10-21")),
        end_date: Some(day("2025-10-22")),
        project_code: Some("INTERNAL".to_owned()),
        status: Some(Status::Submitted),
        ..EntryQuery::default()
    };
    assert_eq!(query_entries(harness, &query).await, [inside]);
}

/// See docs/spec/timesheet.md#entry-queries.
pub(crate) async fn filters_by_hours_include_overtime(harness: &dyn Harness) {
    let long = expect_logged(harness, NewEntry { overtime_hours: hours("2"), ..development("6") }).await;
    let short = expect_logged(harness, development("7.99")).await;
    let least = EntryQuery { min_hours: Some(hours("8")), ..EntryQuery::default() };
    assert_eq!(query_entries(harness, &least).await, [long]);
    let most = EntryQuery { max_hours: Some(hours("7.99")), ..EntryQuery::default() };
    assert_eq!(query_entries(harness, &most).await, [short]);
}

/// An entry matches only if it has all tags of the query.
pub(crate) async fn filters_by_tags_ignore_case(harness: &dyn Harness) {
    let tags = vec![Tag::new("Type", "Bug"), Tag::new("Billable", "No")];
    let tagged = expect_logged(harness, NewEntry { tags, ..development("1") }).await;
    expect_logged(harness, NewEntry { tags: vec![Tag::new("Type", "Bug")], ..development("1") }).await;
    let query = |tags: &[(&str, &str)]| EntryQuery {
        tags: tags.iter().map(|(name, value)| Tag::new(*name, *value)).collect(),
        ..EntryQuery::default()
    };
    assert_eq!(query_entries(harness, &query(&[("TYPE", "bug"), ("billable", "NO")])).await, [tagged]);
    assert_eq!(query_entries(harness, &query(&[("type", "bug")])).await.len(), 2);
    assert!(query_entries(harness, &query(&[("type", "no")])).await.is_empty());
}

/// Compares the result of every filter with [`EntryQuery::matches`]. The entries differ in every field.
pub(crate) async fn every_filter_returns_exactly_the_matching_entries(harness: &dyn Harness) {
    let all = [
        NewEntry { description: Some("Login: 100% done".to_owned()), ..development("8") },
        NewEntry { description: Some("login".to_owned()), overtime_hours: hours("0.25"), ..development("2.5") },
        NewEntry { start_date: day("2025-10-20"), ..new("INTERNAL", "Code Review", "0") },
        NewEntry { completion_date: day("2025-10-31"), ..new("CLIENT-A", "Code Review", "40") },
        NewEntry { tags: vec![Tag::new("Sprint", "Sprint-1")], ..new("CLIENT-A", "Support", "1") },
        NewEntry { tags: vec![Tag::new("Billable", "Yes")], ..new("CLIENT-A", "Support", "1.5") },
    ];
    let mut entries = Vec::new();
    for (place, entry) in all.into_iter().enumerate() {
        let status = [Status::NotReported, Status::Submitted, Status::Declined][place % 3];
        entries.push(with_status(harness, entry, status).await);
    }
    let query = EntryQuery::default;
    let (text, tag) = (|text: &str| Some(text.to_owned()), |name, value| vec![Tag::new(name, value)]);
    for query in [
        EntryQuery { start_date: Some(day("2025-10-21")), ..query() },
        EntryQuery { end_date: Some(day("2025-10-24")), ..query() },
        EntryQuery { project_code: text("CLIENT-A"), ..query() },
        EntryQuery { task: text("Code Review"), ..query() },
        EntryQuery { task: text("Code Review"), project_code: text("INTERNAL"), ..query() },
        EntryQuery { task: text("code review"), ..query() },
        EntryQuery { status: Some(Status::Declined), ..query() },
        EntryQuery { description_contains: text("ogin"), ..query() },
        EntryQuery { description_contains: text("Login"), ..query() },
        EntryQuery { description_contains: text("100%"), ..query() },
        EntryQuery { description_contains: text("1%d"), ..query() },
        EntryQuery { tags: tag("billable", "yes"), ..query() },
        EntryQuery { tags: tag("Sprint", "Sprint-1"), min_hours: Some(hours("1")), ..query() },
        EntryQuery { has_overtime: Some(true), ..query() },
        EntryQuery { has_overtime: Some(false), ..query() },
        EntryQuery { min_hours: Some(hours("2.75")), ..query() },
        EntryQuery { max_hours: Some(hours("2.75")), ..query() },
        EntryQuery { min_hours: Some(Hours::ZERO), max_hours: Some(Hours::ZERO), ..query() },
    ] {
        let mut expected: Vec<_> = entries.iter().filter(|entry| query.matches(entry)).cloned().collect();
        let mut found = query_entries(harness, &query).await;
        assert!(found.len() < entries.len(), "{query:?} matches every entry");
        expected.sort_by_key(|entry| entry.id);
        found.sort_by_key(|entry| entry.id);
        assert_eq!(found, expected, "{query:?}");
    }
}

/// All pages belong to the same order. Entries with equal values are ordered by id.
pub(crate) async fn pages_follow_each_other_in_a_stable_order(harness: &dyn Harness) {
    for place in 0..9 {
        let start_date = day(["2025-10-20", "2025-10-21", "2025-10-22"][place % 3]);
        let completion_date = day(["2025-10-22", "2025-10-23"][place % 2]);
        expect_logged(harness, NewEntry { start_date, completion_date, ..development(["1", "10", "9.5"][place % 3]) })
            .await;
    }
    let entries = query_entries(harness, &EntryQuery::default()).await;
    assert_eq!(entries.len(), 9);
    for by in [SortBy::StartDate, SortBy::CompletionDate, SortBy::StandardHours] {
        for order in [Order::Ascending, Order::Descending] {
            let sort = Sort { by, order };
            let mut expected = entries.clone();
            expected.sort_by(|one, other| {
                let compared = match by {
                    SortBy::StartDate => one.start_date.cmp(&other.start_date),
                    SortBy::CompletionDate => one.completion_date.cmp(&other.completion_date),
                    SortBy::StandardHours => one.standard_hours.cmp(&other.standard_hours),
                };
                let compared = if order == Order::Descending { compared.reverse() } else { compared };
                compared.then(one.id.cmp(&other.id))
            });
            let mut found = Vec::new();
            loop {
                let offset = u32::try_from(found.len()).unwrap();
                let query = EntryQuery { sort, limit: Limit::new(3).unwrap(), offset, ..EntryQuery::default() };
                let page = harness.timesheet().query(&query).await.unwrap();
                assert!(page.entries.len() <= 3);
                found.extend(page.entries);
                assert_eq!(page.has_more, found.len() < 9);
                if !page.has_more {
                    break;
                }
            }
            assert_eq!(found, expected, "{sort:?}");
        }
    }
    assert_eq!(EntryQuery::default().sort, Sort { by: SortBy::StartDate, order: Order::Descending });
}

/// See docs/spec/timesheet.md#status.
pub(crate) async fn an_unknown_id_is_not_found(harness: &dyn Harness) {
    let (timesheet, id) = (harness.timesheet(), EntryId::new());
    for refusal in [
        timesheet.find(id).await.unwrap_err(),
        timesheet.update(id, super::standard_hours("1"), OverlapPolicy::Allowed).await.unwrap_err(),
        timesheet.move_to(id, "CLIENT-A", "Support").await.unwrap_err(),
        timesheet.submit(id).await.unwrap_err(),
        timesheet.delete(id).await.unwrap_err(),
    ] {
        assert_eq!(refusal.code, Code::NotFound, "{refusal}");
        assert!(refusal.message.contains(&id.to_string()), "{refusal}");
    }
}

/// The tasks and tags of a project are in the project's order.
pub(crate) async fn projects_come_with_tasks_and_tags(harness: &dyn Harness) {
    let projects = harness.timesheet().projects(ProjectFilter::Active).await.unwrap();
    assert_eq!(projects.iter().map(|project| &*project.code).collect::<Vec<_>>(), ["CLIENT-A", "INTERNAL", "MAINT"]);
    let client = &projects[0];
    assert_eq!(client.name, "Client A Project");
    let tasks = ["Feature Development", "Bug Fixing", "Maintenance", "Support", "Code Review"];
    assert_eq!(client.active_tasks().collect::<Vec<_>>(), tasks);
    let tags: Vec<_> = client.active_tags().map(|tag| (&*tag.name, tag.is_required)).collect();
    assert_eq!(tags, [("Priority", true), ("Sprint", false), ("Billable", false)]);
    assert_eq!(client.tags[0].allowed_values, ["High", "Medium", "Low"]);
}
