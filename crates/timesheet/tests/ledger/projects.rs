//! Tests of projects that change while entries refer to them, and of weeks that are reopened.

use dayledger_timesheet::{
    Changes, Code, EntryQuery, Hours, IdempotencyKey, NewEntry, OverlapPolicy, Project, ProjectFilter, Status, Tag,
    Timesheet, demo,
};

use super::{LedgerHarness, start};
use crate::suite::Harness;

fn entry(project: &str, task: &str, day: &str) -> NewEntry {
    let day = day.parse().unwrap();
    NewEntry::new(project, task, "1".parse().unwrap(), day, day)
}

async fn codes(on_disk: &LedgerHarness, filter: ProjectFilter) -> Vec<String> {
    on_disk.ledger.projects(filter).await.unwrap().into_iter().map(|project| project.code).collect()
}

/// Returns the project `INTERNAL` after removing the task `Testing` and renaming another task to `Gardening`.
fn changed_project() -> Project {
    let mut project = demo::projects().remove(0);
    project.name = "Inside".to_owned();
    project.tasks.retain(|task| task.name != "Testing");
    project.tasks[0].name = "Gardening".to_owned();
    project.tags.retain(|tag| tag.name == "Type");
    project.tags[0].allowed_values = vec!["Docs".to_owned(), "Chore".to_owned()];
    project
}

#[tokio::test]
async fn an_entry_outlives_its_task_and_its_tags() {
    let on_disk = start().await;
    let ledger = &on_disk.ledger;
    let tagged = NewEntry { tags: vec![Tag::new("Type", "Bug")], ..entry("INTERNAL", "Testing", "2025-10-24") };
    let before = ledger.log(IdempotencyKey::new(), tagged.clone(), OverlapPolicy::Allowed).await.unwrap();
    ledger.put_projects(vec![changed_project()]).await.unwrap();
    assert_eq!(ledger.find(before.id).await.unwrap(), before);
    // New entries on the removed task are rejected, but existing entries on this task can be changed.
    let refusal = ledger.log(IdempotencyKey::new(), tagged, OverlapPolicy::Allowed).await.unwrap_err();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationError, Some("task")));
    let expected = ["Gardening", "Development", "Code Review", "Documentation", "DevOps"];
    assert_eq!(refusal.allowed_values, expected);
    let changes = Changes { standard_hours: Some("2".parse().unwrap()), ..Changes::default() };
    let after = ledger.update(before.id, changes, OverlapPolicy::Allowed).await.unwrap();
    assert_eq!((after.task.as_str(), after.tags), ("Testing", vec![Tag::new("Type", "Bug")]));
    let projects = ledger.projects(ProjectFilter::Active).await.unwrap();
    let project = projects.iter().find(|project| project.code == "INTERNAL").unwrap();
    assert_eq!((project.name.as_str(), &project.tags), ("Inside", &changed_project().tags));
}

#[tokio::test]
async fn a_project_that_is_put_as_inactive_is_closed_until_it_is_put_as_active() {
    let on_disk = start().await;
    on_disk.ledger.put_projects(vec![changed_project()]).await.unwrap();
    assert_eq!(codes(&on_disk, ProjectFilter::Active).await, ["CLIENT-A", "INTERNAL", "MAINT"]);
    let closed = |project: Project| Project { is_active: project.code == "INTERNAL", ..project };
    on_disk.ledger.put_projects(demo::projects().into_iter().map(closed).collect()).await.unwrap();
    assert_eq!(codes(&on_disk, ProjectFilter::Active).await, ["INTERNAL"]);
    assert_eq!(codes(&on_disk, ProjectFilter::All).await, ["CLIENT-A", "INTERNAL", "MAINT"]);
    let refusal = on_disk
        .ledger
        .log(IdempotencyKey::new(), entry("MAINT", "Monitoring", "2025-10-24"), OverlapPolicy::Allowed)
        .await
        .unwrap_err();
    assert_eq!(refusal.message, "Project 'MAINT' is inactive");
    assert_eq!(refusal.allowed_values, ["INTERNAL"]);
    on_disk.ledger.put_projects(demo::projects()).await.unwrap();
    on_disk
        .ledger
        .log(IdempotencyKey::new(), entry("MAINT", "Monitoring", "2025-10-24"), OverlapPolicy::Allowed)
        .await
        .unwrap();
}

#[tokio::test]
async fn unknown_project_is_refused_with_the_existing_ones() {
    let on_disk = start().await;
    let refusal = on_disk
        .ledger
        .log(IdempotencyKey::new(), entry("NOPE", "Testing", "2025-10-24"), OverlapPolicy::Allowed)
        .await
        .unwrap_err();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationError, Some("projectCode")));
    assert_eq!(refusal.message, "Project 'NOPE' does not exist");
    assert_eq!(refusal.allowed_values, ["CLIENT-A", "INTERNAL", "MAINT"]);
}

#[tokio::test]
async fn projects_that_the_api_cannot_store_are_rejected() {
    let on_disk = start().await;
    let long = NewEntry { issue_id: Some("é".repeat(31)), ..entry("INTERNAL", "Testing", "2025-10-24") };
    let refusal = on_disk.ledger.log(IdempotencyKey::new(), long.clone(), OverlapPolicy::Allowed).await.unwrap_err();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationError, Some("issueId")));
    let fits = NewEntry { issue_id: Some("é".repeat(30)), ..long.clone() };
    let id = on_disk.ledger.log(IdempotencyKey::new(), fits, OverlapPolicy::Allowed).await.unwrap().id;
    let changes = Changes { issue_id: long.issue_id, ..Changes::default() };
    assert_eq!(
        on_disk.ledger.update(id, changes, OverlapPolicy::Allowed).await.unwrap_err().field.as_deref(),
        Some("issueId")
    );
    let tags = vec![Tag::new("Type", "Bug"), Tag::new("Type", "Bug")];
    let twice = NewEntry { tags, ..entry("INTERNAL", "Testing", "2025-10-24") };
    let refusal = on_disk.ledger.log(IdempotencyKey::new(), twice, OverlapPolicy::Allowed).await.unwrap_err();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationError, Some("tags")));
    let sum = Hours::MAX_VALUE + Hours::MAX_VALUE;
    let refusal = on_disk.ledger.log(
        IdempotencyKey::new(),
        NewEntry { standard_hours: sum, ..entry("INTERNAL", "Testing", "2025-10-24") },
        OverlapPolicy::Allowed,
    );
    assert_eq!(refusal.await.unwrap_err().field.as_deref(), Some("standardHours"));
}

#[tokio::test]
async fn projects_are_stored_completely_or_not_at_all() {
    let on_disk = start().await;
    let before = on_disk.ledger.projects(ProjectFilter::All).await.unwrap();
    let long = Project { code: "TOO-LONG-CODE".to_owned(), ..changed_project() };
    let mut nameless = changed_project();
    nameless.tasks[0].name = " ".to_owned();
    let mut double = changed_project();
    double.tags[0].allowed_values.push("Docs".to_owned());
    for wrong in
        [vec![changed_project(), long], vec![nameless], vec![double], vec![changed_project(), changed_project()]]
    {
        let refusal = on_disk.ledger.put_projects(wrong).await.unwrap_err();
        assert_eq!(refusal.code, Code::ValidationError, "{refusal}");
        assert_eq!(on_disk.ledger.projects(ProjectFilter::All).await.unwrap(), before);
    }
}

#[tokio::test]
async fn reopening_a_week_reopens_its_submitted_entries() {
    let on_disk = start().await;
    let ledger = &on_disk.ledger;
    let mut ids = Vec::new();
    for day in ["2025-10-19", "2025-10-20", "2025-10-26", "2025-10-27"] {
        let id = ledger
            .log(IdempotencyKey::new(), entry("INTERNAL", "Testing", day), OverlapPolicy::Allowed)
            .await
            .unwrap()
            .id;
        ledger.submit(id).await.unwrap();
        ids.push(id);
    }
    let approved = ledger
        .log(IdempotencyKey::new(), entry("INTERNAL", "Testing", "2025-10-22"), OverlapPolicy::Allowed)
        .await
        .unwrap()
        .id;
    ledger.submit(approved).await.unwrap();
    on_disk.decide(approved, Status::Approved, None);
    let opened = ledger.reopen("2025-W43".parse().unwrap()).await.unwrap();
    assert_eq!(opened, ids[1..3]);
    let submitted = EntryQuery { status: Some(Status::Submitted), ..EntryQuery::default() };
    let submitted = ledger.query(&submitted).await.unwrap().entries;
    assert_eq!(submitted.iter().map(|entry| entry.id).collect::<Vec<_>>(), [ids[3], ids[0]]);
    assert_eq!(ledger.find(approved).await.unwrap().status, Status::Approved);
    ledger.delete(ids[1]).await.unwrap();
}

#[tokio::test]
async fn sample_data_is_inserted_once() {
    let on_disk = start().await;
    on_disk.ledger.put_demo().await.unwrap();
    let entries = on_disk.ledger.query(&EntryQuery::default()).await.unwrap().entries;
    assert_eq!(entries.len(), 5);
    let open = entries.iter().find(|entry| entry.status == Status::NotReported).unwrap();
    on_disk.ledger.submit(open.id).await.unwrap();
    on_disk.ledger.put_demo().await.unwrap();
    let again = on_disk.ledger.query(&EntryQuery::default()).await.unwrap().entries;
    assert_eq!(again.len(), 5);
    assert_eq!(
        again.iter().filter(|entry| entry.status == Status::Submitted).count(),
        2,
        "submitted entries stay submitted"
    );
    let total: Hours = again.iter().map(dayledger_timesheet::TimeEntry::total_hours).sum();
    assert_eq!(total, "24".parse().unwrap());
}
