//! Test cases that log an entry.

use dayledger_timesheet::{Code, Evidence, Hours, IdempotencyKey, NewEntry, OverlapPolicy, Status, Tag};

use super::{Harness, count, day, development, expect_logged, hours, invalid, log, new};

pub(crate) async fn a_logged_entry_has_the_values_of_the_request(harness: &dyn Harness) {
    let entry = expect_logged(harness, development("8")).await;
    assert_eq!(entry.status, Status::NotReported);
    assert_eq!((entry.project_code.as_str(), entry.task.as_str()), ("INTERNAL", "Development"));
    assert_eq!((entry.standard_hours, entry.overtime_hours), (hours("8"), Hours::ZERO));
    assert_eq!((entry.start_date, entry.completion_date), (day("2025-10-24"), day("2025-10-24")));
    assert_eq!((entry.issue_id.as_deref(), entry.description.as_deref()), (None, None));
    assert!(entry.tags.is_empty());
    assert_eq!(entry.created_at, entry.updated_at);
    assert_eq!(harness.timesheet().find(entry.id).await.unwrap(), entry, "the returned entry is the stored entry");
}

/// See docs/spec/timesheet.md#validation. Tests a task name in lower case, and a task of another project.
pub(crate) async fn a_task_that_the_project_does_not_have_is_refused(harness: &dyn Harness) {
    let refusal = invalid(log(harness, new("INTERNAL", "development", "8")).await, "task");
    assert_eq!(refusal.message, "Task 'development' is not available for project 'INTERNAL'");
    let tasks = ["Architecture", "Development", "Code Review", "Testing", "Documentation", "DevOps"];
    assert_eq!(refusal.allowed_values, tasks);
    invalid(log(harness, new("CLIENT-A", "Development", "8")).await, "task");
    assert_eq!(count(harness).await, 0);
}

/// See docs/spec/timesheet.md#validation.
pub(crate) async fn an_entry_that_ends_before_it_starts_is_refused(harness: &dyn Harness) {
    let backwards = NewEntry { start_date: day("2025-10-25"), ..development("8") };
    let refusal = invalid(log(harness, backwards).await, "startDate");
    assert_eq!(refusal.message, "StartDate must be less than or equal to CompletionDate");
    expect_logged(harness, development("8")).await;
    expect_logged(harness, NewEntry { start_date: day("2025-10-20"), ..development("8") }).await;
}

/// See docs/spec/timesheet.md#validation.
pub(crate) async fn negative_hours_are_refused_and_zero_hours_are_accepted(harness: &dyn Harness) {
    let refusal = invalid(log(harness, development("-1")).await, "standardHours");
    assert_eq!(refusal.message, "StandardHours must be greater than or equal to 0");
    let overtime = NewEntry { overtime_hours: hours("-0.5"), ..development("1") };
    let refusal = invalid(log(harness, overtime).await, "overtimeHours");
    assert_eq!(refusal.message, "OvertimeHours must be greater than or equal to 0");
    assert_eq!(expect_logged(harness, development("0")).await.standard_hours, Hours::ZERO);
}

/// See docs/spec/timesheet.md#validation.
pub(crate) async fn a_tag_or_value_that_the_project_does_not_have_is_refused(harness: &dyn Harness) {
    let tagged = NewEntry { tags: vec![Tag::new("Environment", "Prod")], ..development("8") };
    let refusal = invalid(log(harness, tagged).await, "tags");
    assert_eq!(refusal.allowed_values, ["Production", "Staging", "Development"]);
    assert_eq!(
        refusal.message,
        "Value 'Prod' is not allowed for tag 'Environment'. Allowed values: Production, Staging, Development"
    );
    let tagged = NewEntry { tags: vec![Tag::new("Priority", "High")], ..development("8") };
    let refusal = invalid(log(harness, tagged).await, "tags");
    assert_eq!(refusal.message, "Tag 'Priority' is not configured for project 'INTERNAL'");
}

/// See docs/spec/timesheet.md#projects.
pub(crate) async fn an_entry_without_a_required_tag_is_accepted(harness: &dyn Harness) {
    let entry = expect_logged(harness, new("CLIENT-A", "Bug Fixing", "2")).await;
    assert!(entry.tags.is_empty());
}

/// The rules are checked in a fixed order. After correcting one mistake, the caller gets the error about the next
/// mistake.
pub(crate) async fn the_error_reports_the_first_broken_rule(harness: &dyn Harness) {
    let mut entry = NewEntry {
        overtime_hours: hours("-1"),
        start_date: day("2025-10-25"),
        tags: vec![Tag::new("Environment", "Prod")],
        ..new("INTERNAL", "Coffee", "-1")
    };
    invalid(log(harness, entry.clone()).await, "task");
    entry.task = "Testing".to_owned();
    invalid(log(harness, entry.clone()).await, "tags");
    entry.tags.clear();
    invalid(log(harness, entry.clone()).await, "startDate");
    entry.start_date = entry.completion_date;
    invalid(log(harness, entry.clone()).await, "standardHours");
    entry.standard_hours = hours("1");
    invalid(log(harness, entry.clone()).await, "overtimeHours");
    entry.overtime_hours = hours("1");
    expect_logged(harness, entry).await;
    assert_eq!(count(harness).await, 1);
}

/// Two tags with the same name but different values are two different tags.
pub(crate) async fn one_tag_may_have_two_values(harness: &dyn Harness) {
    let tags = vec![Tag::new("Type", "Bug"), Tag::new("Type", "Docs"), Tag::new("Billable", "No")];
    let entry = expect_logged(harness, NewEntry { tags: tags.clone(), ..development("1") }).await;
    let found = harness.timesheet().find(entry.id).await.unwrap();
    let sorted = |mut tags: Vec<Tag>| {
        tags.sort();
        tags
    };
    assert_eq!(sorted(found.tags), sorted(tags));
}

/// If a caller repeats a request after a lost response, the caller gets the entry that the first request logged.
pub(crate) async fn a_repeated_key_logs_only_one_entry(harness: &dyn Harness) {
    let key = IdempotencyKey::new();
    let first = harness.timesheet().log(key, development("1"), OverlapPolicy::Allowed).await.unwrap();
    let again = harness.timesheet().log(key, development("1"), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!(again, first);
    harness.timesheet().submit(first.id).await.unwrap();
    let other = harness.timesheet().log(key, development("2"), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!((other.id, other.status, other.standard_hours), (first.id, Status::Submitted, hours("1")));
    assert_eq!(count(harness).await, 1);
}

/// A rejected entry isn't logged, so its key can be used again.
pub(crate) async fn a_key_can_be_used_again_after_a_refusal(harness: &dyn Harness) {
    let key = IdempotencyKey::new();
    invalid(harness.timesheet().log(key, development("-1"), OverlapPolicy::Allowed).await, "standardHours");
    let entry = harness.timesheet().log(key, development("1"), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!(entry.standard_hours, hours("1"));
    assert_eq!(count(harness).await, 1);
}

/// If an entry was deleted, repeating its request must not log it again.
pub(crate) async fn a_key_of_a_deleted_entry_logs_nothing(harness: &dyn Harness) {
    let key = IdempotencyKey::new();
    let entry = harness.timesheet().log(key, development("1"), OverlapPolicy::Allowed).await.unwrap();
    harness.timesheet().delete(entry.id).await.unwrap();
    let refusal = harness.timesheet().log(key, development("1"), OverlapPolicy::Allowed).await.unwrap_err();
    assert_eq!(refusal.code, Code::NotFound);
    assert_eq!(count(harness).await, 0);
}

/// The hours of the returned entry must be exactly the hours that are read later.
pub(crate) async fn hours_are_stored_to_the_hundredth(harness: &dyn Harness) {
    for text in ["0.01", "7.33", "0.1", "8783.71"] {
        let (start_date, completion_date) = (day("2024-01-01"), day("2024-12-31"));
        let new_entry = NewEntry { start_date, completion_date, overtime_hours: hours("0.29"), ..development(text) };
        let entry = expect_logged(harness, new_entry).await;
        let found = harness.timesheet().find(entry.id).await.unwrap();
        for entry in [entry, found] {
            assert_eq!((entry.standard_hours, entry.overtime_hours), (hours(text), hours("0.29")));
        }
    }
}

/// An entry of 99,999,999.99 hours once led to an export of 233 MB. An entry over 10,000 years would have the same
/// effect.
pub(crate) async fn an_entry_cannot_exceed_the_hours_of_its_days(harness: &dyn Harness) {
    let with = |first, last, standard, overtime| NewEntry {
        start_date: day(first),
        completion_date: day(last),
        overtime_hours: hours(overtime),
        ..development(standard)
    };
    invalid(log(harness, with("2025-10-24", "2025-10-24", "99999999.99", "0")).await, "standardHours");
    invalid(log(harness, with("2025-10-24", "2025-10-24", "0", "24.01")).await, "standardHours");
    invalid(log(harness, with("2025-10-24", "2025-10-25", "24", "24.01")).await, "standardHours");
    invalid(log(harness, with("2024-01-01", "2025-01-01", "1", "0")).await, "completionDate");
    invalid(log(harness, with("0000-01-01", "9999-12-31", "1", "0")).await, "completionDate");
    assert_eq!(count(harness).await, 0);
    expect_logged(harness, with("2024-01-01", "2024-12-31", "8700", "84")).await;
    expect_logged(harness, with("2025-10-24", "2025-10-24", "12", "12")).await;
}

/// Texts are stored as they are, even if they look like SQL or JSON.
pub(crate) async fn texts_are_stored_unchanged(harness: &dyn Harness) {
    for text in ["'; DROP TABLE entries; --", "", " \u{1F600} Straße\n\"\\ {}", "%_*", "null"] {
        let issue: String = text.chars().take(30).collect();
        let request = NewEntry { description: Some(text.into()), issue_id: Some(issue.clone()), ..development("1") };
        let id = expect_logged(harness, request).await.id;
        let found = harness.timesheet().find(id).await.unwrap();
        assert_eq!((found.description.as_deref(), found.issue_id), (Some(text), Some(issue)));
    }
}

/// The evidence of an entry is stored until the entry is deleted.
pub(crate) async fn evidence_is_stored_until_its_entry_is_deleted(harness: &dyn Harness) {
    let interval = |start_utc, device: Option<&str>, activity| Evidence {
        start_utc,
        end_utc: start_utc + 60,
        device: device.map(str::to_owned),
        activity,
        utc_offset: activity.map(|_| -3600),
    };
    let evidence = vec![interval(1_761_300_000, Some("desk"), Some(7)), interval(1_761_300_060, None, None)];
    let key = IdempotencyKey::new();
    let request = NewEntry { evidence: evidence.clone(), ..development("0.03") };
    let id = harness.timesheet().log(key, request.clone(), OverlapPolicy::Allowed).await.unwrap().id;
    harness.timesheet().log(key, request, OverlapPolicy::Allowed).await.unwrap();
    let other = expect_logged(harness, development("1")).await.id;
    let known = harness.store().evidence(&[id, other]).await.unwrap();
    assert_eq!(
        known.into_iter().collect::<Vec<_>>(),
        [(id, evidence.clone())],
        "the repeated request adds no evidence"
    );
    for (start, end, expected) in [
        (1_761_300_000, 1_761_300_120, Some(evidence.clone())),
        (1_761_300_030, 1_761_300_031, Some(evidence[..1].to_vec())),
        (1_761_300_120, 1_761_400_000, None),
        (0, 1_761_300_000, None),
    ] {
        let found = harness.store().evidence_in(start, end).await.unwrap();
        assert_eq!(found.get(&id), expected.as_ref(), "{start} to {end}");
    }
    harness.timesheet().delete(id).await.unwrap();
    assert!(harness.store().evidence(&[id]).await.unwrap().is_empty());
}
