//! Tests of entries that only the API rejects, and of the resulting error messages.

use std::time::Duration;

use dayledger_timesheet::{
    Changes, Code, EntryId, Hours, IdempotencyKey, NewEntry, OverlapPolicy, Project, Status, Tag, Timesheet,
};

use super::{ACL, entry, expect_refusal, log, options, short_timeouts, start, start_with};
use crate::simulator::ApiFailure;

/// See docs/spec/timesheet.md#validation.
#[tokio::test]
async fn unknown_project_is_reported_as_forbidden() {
    let harness = start().await;
    expect_refusal(log(&harness, entry("NOPE", "Development", "8")).await, Code::Forbidden);
    let harness = start_with(&["Project=T"], options(Duration::from_secs(20))).await;
    let refusal = expect_refusal(log(&harness, entry("NOPE", "Development", "8")).await, Code::ValidationError);
    assert_eq!(
        (refusal.message.as_str(), refusal.field.as_deref()),
        ("Project 'NOPE' does not exist", Some("projectCode"))
    );
    assert_eq!(refusal.allowed_values, ["CLIENT-A", "INTERNAL", "MAINT"]);
}

/// The error must say that the project is inactive. The allowed values must not contain the project.
#[tokio::test]
async fn inactive_project_is_reported() {
    let harness = start().await;
    harness.api.change_projects(|projects| {
        projects
            .iter_mut()
            .filter(|project| project.code == "INTERNAL")
            .for_each(|project: &mut Project| project.is_active = false);
    });
    let refusal = expect_refusal(log(&harness, entry("INTERNAL", "Development", "8")).await, Code::ValidationError);
    assert_eq!(refusal.message, "Project 'INTERNAL' is inactive");
    assert_eq!(refusal.allowed_values, ["CLIENT-A", "MAINT"]);
}

/// See docs/spec/timesheet.md#permissions.
#[tokio::test]
async fn a_move_needs_the_right_to_edit_on_both_projects() {
    let harness =
        start_with(&["Project/INTERNAL=V,E,T", "Project/CLIENT-A=V,T"], options(Duration::from_secs(20))).await;
    let logged = log(&harness, entry("INTERNAL", "Development", "8")).await.unwrap();
    expect_refusal(harness.timesheet.move_to(logged.id, "CLIENT-A", "Support").await, Code::Forbidden);
    assert_eq!(harness.timesheet.find(logged.id).await.unwrap(), logged);
}

/// See docs/spec/timesheet.md#permissions.
#[tokio::test]
async fn users_cannot_submit_for_others() {
    let harness = start().await;
    let logged = log(&harness, entry("INTERNAL", "Development", "8")).await.unwrap();
    let manager = harness.as_user("user-m", &["Project/INTERNAL=V,E,T,M"]);
    expect_refusal(manager.submit(logged.id).await, Code::Forbidden);
    let changes = Changes { standard_hours: Some(Hours::ZERO), ..Changes::default() };
    assert_eq!(manager.update(logged.id, changes, OverlapPolicy::Allowed).await.unwrap().standard_hours, Hours::ZERO);
    assert_eq!(harness.timesheet.find(logged.id).await.unwrap().status, Status::NotReported);
}

/// See docs/spec/timesheet.md#http-status.
#[tokio::test]
async fn body_is_read_for_every_status() {
    let harness = start_with(&ACL, short_timeouts()).await;
    let none = EntryId::new();
    // A failed mutation returns status 500 with a body that contains the reason.
    expect_refusal(harness.timesheet.submit(none).await, Code::NotFound);
    expect_refusal(log(&harness, entry("MAINT", "Monitoring", "8")).await, Code::Forbidden);
    for mishap in [ApiFailure::Page(502), ApiFailure::Page(200), ApiFailure::Silence, ApiFailure::Endless] {
        harness.api.fail_next("TimeEntryById", mishap.clone());
        let refusal = expect_refusal(harness.timesheet.find(none).await, Code::NetworkError);
        assert!(refusal.message.starts_with(&format!("The API at {} ", harness.api.url())), "{mishap:?}: {refusal}");
    }
    harness.api.fail_next("TimeEntryById", ApiFailure::Internal);
    expect_refusal(harness.timesheet.find(none).await, Code::InternalError);
    harness.api.fail_next("TimeEntryById", ApiFailure::Unauthorized);
    let refusal = expect_refusal(harness.timesheet.find(none).await, Code::AuthenticationError);
    assert!(refusal.message.contains("az login"), "{refusal}");
}

/// If the connection breaks during a query, the client retries the query once, but not twice.
#[tokio::test]
async fn read_is_retried_once_after_a_broken_connection() {
    let harness = start().await;
    let logged = log(&harness, entry("INTERNAL", "Development", "8")).await.unwrap();
    for mishap in [ApiFailure::Drop, ApiFailure::CutOff] {
        harness.api.fail_next("TimeEntryById", mishap);
        assert_eq!(harness.timesheet.find(logged.id).await.unwrap(), logged);
    }
    assert_eq!(harness.api.count("TimeEntryById"), 4);
    harness.api.fail_next("TimeEntryById", ApiFailure::Drop);
    harness.api.fail_next("TimeEntryById", ApiFailure::CutOff);
    expect_refusal(harness.timesheet.find(logged.id).await, Code::NetworkError);
    assert_eq!(harness.api.count("TimeEntryById"), 6);
}

/// The client must reject values that would cause an internal error in the API.
#[tokio::test]
async fn values_that_the_api_cannot_store_are_rejected_locally() {
    let harness = start().await;
    let plain = entry("INTERNAL", "Development", "8");
    let twice = vec![Tag::new("Type", "Bug"), Tag::new("Type", "Bug")];
    for (odd, field) in [
        (NewEntry { issue_id: Some("X".repeat(31)), ..plain.clone() }, "issueId"),
        (NewEntry { tags: twice.clone(), ..plain.clone() }, "tags"),
        (NewEntry { description: Some("a\0b".to_owned()), ..plain.clone() }, "description"),
        (NewEntry { standard_hours: Hours::from_hundredths(10_000_000_000), ..plain.clone() }, "standardHours"),
    ] {
        let refusal = expect_refusal(log(&harness, odd).await, Code::ValidationError);
        assert_eq!(refusal.field.as_deref(), Some(field));
    }
    let changes = Changes { tags: Some(twice), ..Changes::default() };
    expect_refusal(
        harness.timesheet.update(EntryId::new(), changes, OverlapPolicy::Allowed).await,
        Code::ValidationError,
    );
    assert_eq!(harness.api.requests(), []);
    assert!(harness.timesheet.store().pending_attempts().await.unwrap().is_empty());
}

/// If the API can't be reached, nothing is sent and the key can be used again.
#[tokio::test]
async fn unreachable_api_logs_nothing() {
    let harness = start().await;
    let store = harness.timesheet.store().clone();
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let endpoint = format!("http://127.0.0.1:{port}/graphql").parse().unwrap();
    let nobody = dayledger_timesheet::GraphQl::new(endpoint, harness.user.clone(), store, short_timeouts()).unwrap();
    let refusal = expect_refusal(
        nobody.log(IdempotencyKey::new(), entry("INTERNAL", "Development", "8"), OverlapPolicy::Allowed).await,
        Code::NetworkError,
    );
    assert!(refusal.message.contains("nothing was sent"), "{refusal}");
    assert!(harness.timesheet.store().pending_attempts().await.unwrap().is_empty());
}
