//! Test cases that change, move, delete or submit an entry.

use dayledger_timesheet::rules::Operation;
use dayledger_timesheet::{Changes, Code, NewEntry, OverlapPolicy, Refusal, Status, Tag};

use super::{Harness, count, day, development, expect_logged, hours, invalid, new, standard_hours, with_status};

fn tagged_entry() -> NewEntry {
    let tags = vec![Tag::new("Type", "Bug"), Tag::new("Billable", "No")];
    NewEntry {
        tags,
        issue_id: Some("DEV-1".to_owned()),
        description: Some("login".to_owned()),
        overtime_hours: hours("1"),
        ..development("8")
    }
}

/// See docs/spec/timesheet.md#changes.
pub(crate) async fn a_change_keeps_the_other_fields(harness: &dyn Harness) {
    let before = expect_logged(harness, tagged_entry()).await;
    let after = harness.timesheet().update(before.id, standard_hours("7.5"), OverlapPolicy::Allowed).await.unwrap();
    assert!(after.updated_at >= before.updated_at);
    let mut expected = before.clone();
    (expected.standard_hours, expected.updated_at) = (hours("7.5"), after.updated_at);
    assert_eq!(after, expected);
    assert_eq!(harness.timesheet().find(before.id).await.unwrap(), after);
    let changes = Changes {
        task: Some("Testing".to_owned()),
        issue_id: Some("DEV-2".to_owned()),
        description: Some(String::new()),
        overtime_hours: Some(hours("0")),
        start_date: Some(day("2025-10-20")),
        completion_date: Some(day("2025-10-21")),
        ..Changes::default()
    };
    let all = harness.timesheet().update(before.id, changes, OverlapPolicy::Allowed).await.unwrap();
    assert_eq!((all.task.as_str(), all.issue_id.as_deref()), ("Testing", Some("DEV-2")));
    assert_eq!((all.description.as_deref(), all.overtime_hours), (Some(""), hours("0")));
    assert_eq!((all.start_date, all.completion_date), (day("2025-10-20"), day("2025-10-21")));
    assert_eq!(harness.timesheet().find(before.id).await.unwrap(), all);
}

/// A change must follow the rules for new entries. For example, a changed start date is checked against the unchanged
/// last day.
pub(crate) async fn a_change_must_follow_the_rules(harness: &dyn Harness) {
    let before = expect_logged(harness, tagged_entry()).await;
    let update = async |changes| harness.timesheet().update(before.id, changes, OverlapPolicy::Allowed).await;
    let nothing = Changes::default;
    invalid(update(Changes { task: Some("testing".to_owned()), ..nothing() }).await, "task");
    invalid(update(Changes { tags: Some(vec![Tag::new("Type", "bug")]), ..nothing() }).await, "tags");
    invalid(update(Changes { start_date: Some(day("2025-10-25")), ..nothing() }).await, "startDate");
    invalid(update(Changes { completion_date: Some(day("2025-10-23")), ..nothing() }).await, "startDate");
    invalid(update(standard_hours("-0.01")).await, "standardHours");
    invalid(update(Changes { overtime_hours: Some(hours("-1")), ..nothing() }).await, "overtimeHours");
    assert_eq!(harness.timesheet().find(before.id).await.unwrap(), before);
}

/// The limit also applies if overlaps are allowed. The sum of both kinds of hours counts, even if each kind is within
/// the limit.
pub(crate) async fn a_change_cannot_exceed_the_hours_of_the_days(harness: &dyn Harness) {
    let before = expect_logged(harness, NewEntry { completion_date: day("2025-10-25"), ..development("40") }).await;
    let update = async |changes| harness.timesheet().update(before.id, changes, OverlapPolicy::Allowed).await;
    let nothing = Changes::default;
    invalid(update(standard_hours("48.01")).await, "standardHours");
    invalid(update(Changes { overtime_hours: Some(hours("8.01")), ..nothing() }).await, "standardHours");
    invalid(update(Changes { completion_date: Some(day("2025-10-24")), ..nothing() }).await, "standardHours");
    invalid(update(Changes { completion_date: Some(day("2026-10-25")), ..nothing() }).await, "completionDate");
    assert_eq!(harness.timesheet().find(before.id).await.unwrap(), before);
    update(standard_hours("48")).await.unwrap();
}

/// See docs/spec/timesheet.md#changes.
pub(crate) async fn an_empty_list_of_tags_clears_them_and_an_absent_list_keeps_them(harness: &dyn Harness) {
    let id = expect_logged(harness, tagged_entry()).await.id;
    let kept = harness.timesheet().update(id, standard_hours("1"), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!(kept.tags.len(), 2);
    let other = Changes { tags: Some(vec![Tag::new("Type", "Docs")]), ..Changes::default() };
    assert_eq!(
        harness.timesheet().update(id, other, OverlapPolicy::Allowed).await.unwrap().tags,
        [Tag::new("Type", "Docs")]
    );
    let none = Changes { tags: Some(Vec::new()), ..Changes::default() };
    assert!(harness.timesheet().update(id, none, OverlapPolicy::Allowed).await.unwrap().tags.is_empty());
    assert!(harness.timesheet().find(id).await.unwrap().tags.is_empty());
}

/// See docs/spec/timesheet.md#status.
pub(crate) async fn changing_a_declined_entry_reopens_it(harness: &dyn Harness) {
    let declined = with_status(harness, tagged_entry(), Status::Declined).await;
    assert_eq!(declined.decline_comment.as_deref(), Some("which ticket?"));
    let open = harness.timesheet().update(declined.id, standard_hours("7"), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!((open.status, open.decline_comment), (Status::NotReported, None));
    let submitted = with_status(harness, tagged_entry(), Status::Submitted).await;
    let refusal =
        harness.timesheet().update(submitted.id, standard_hours("7"), OverlapPolicy::Allowed).await.unwrap_err();
    assert_eq!(refusal.code, Code::Forbidden);
    assert_eq!(harness.timesheet().find(submitted.id).await.unwrap(), submitted);
}

/// See docs/spec/timesheet.md#changes.
pub(crate) async fn a_move_to_another_project_removes_the_tags(harness: &dyn Harness) {
    let entry = expect_logged(harness, tagged_entry()).await;
    let within = harness.timesheet().move_to(entry.id, "INTERNAL", "Testing").await.unwrap();
    assert_eq!((within.project_code.as_str(), within.task.as_str()), ("INTERNAL", "Testing"));
    assert_eq!(within.tags.len(), 2);
    let away = harness.timesheet().move_to(entry.id, "CLIENT-A", "Support").await.unwrap();
    assert_eq!((away.project_code.as_str(), away.task.as_str()), ("CLIENT-A", "Support"));
    assert!(away.tags.is_empty());
    assert_eq!((away.standard_hours, away.issue_id.as_deref()), (hours("8"), Some("DEV-1")));
    assert_eq!(harness.timesheet().find(entry.id).await.unwrap(), away);
    let declined = with_status(harness, development("1"), Status::Declined).await;
    let open = harness.timesheet().move_to(declined.id, "CLIENT-A", "Support").await.unwrap();
    assert_eq!((open.status, open.decline_comment), (Status::NotReported, None));
}

/// The target project must have a task with exactly this name. The case of letters matters.
pub(crate) async fn a_move_must_follow_the_rules(harness: &dyn Harness) {
    let entry = expect_logged(harness, tagged_entry()).await;
    let refusal = invalid(harness.timesheet().move_to(entry.id, "CLIENT-A", "Development").await, "task");
    assert_eq!(refusal.message, "Task 'Development' is not available for project 'CLIENT-A'");
    assert_eq!(harness.timesheet().find(entry.id).await.unwrap(), entry);
}

/// See docs/spec/timesheet.md#status.
pub(crate) async fn a_deleted_entry_is_not_found(harness: &dyn Harness) {
    let entry = expect_logged(harness, tagged_entry()).await;
    let other = expect_logged(harness, development("1")).await;
    harness.timesheet().delete(entry.id).await.unwrap();
    assert_eq!(harness.timesheet().find(entry.id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(harness.timesheet().delete(entry.id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(harness.timesheet().find(other.id).await.unwrap(), other);
    assert_eq!(count(harness).await, 1);
}

/// See docs/spec/timesheet.md#status.
pub(crate) async fn a_declined_entry_keeps_its_comment_when_it_is_submitted(harness: &dyn Harness) {
    let declined = with_status(harness, development("1"), Status::Declined).await;
    let submitted = harness.timesheet().submit(declined.id).await.unwrap();
    assert_eq!((submitted.status, submitted.decline_comment.as_deref()), (Status::Submitted, Some("which ticket?")));
}

/// Tries each operation with each status that a user can reach, and compares the results with
/// docs/spec/timesheet.md#status.
pub(crate) async fn every_status_allows_only_the_documented_operations(harness: &dyn Harness) {
    let timesheet = harness.timesheet();
    for status in Status::ALL {
        for operation in [Operation::Update, Operation::Move, Operation::Submit, Operation::Delete] {
            let before = with_status(harness, new("INTERNAL", "Testing", "1"), status).await;
            let (id, changes) = (before.id, standard_hours("2"));
            let done: Result<Option<Status>, Refusal> = match operation {
                Operation::Update => {
                    timesheet.update(id, changes, OverlapPolicy::Allowed).await.map(|now| Some(now.status))
                }
                Operation::Move => timesheet.move_to(id, "CLIENT-A", "Support").await.map(|now| Some(now.status)),
                Operation::Submit => timesheet.submit(id).await.map(|now| Some(now.status)),
                Operation::Delete => timesheet.delete(id).await.map(|()| None),
            };
            let found = timesheet.find(id).await.ok();
            let is_allowed = match (operation, status) {
                (Operation::Delete, Status::Declined) => harness.deletes_declined(),
                (_, status) => matches!(status, Status::NotReported | Status::Declined),
            };
            if is_allowed {
                let next = match operation {
                    Operation::Update | Operation::Move => Some(Status::NotReported),
                    Operation::Submit => Some(Status::Submitted),
                    Operation::Delete => None,
                };
                assert_eq!(done.unwrap(), next, "{operation:?} of {status}");
                assert_eq!(found.map(|entry| entry.status), next, "{operation:?} of {status}");
            } else {
                assert_eq!(done.unwrap_err().code, Code::Forbidden, "{operation:?} of {status}");
                assert_eq!(found, Some(before), "{operation:?} of {status}");
            }
        }
    }
}
