//! What the API alone refuses, and in which words that comes here.

use std::time::Duration;

use dayledger_timesheet::{
    Changes, Code, EntryId, Hours, LocalKey, NewEntry, Overlaps, Project, Status, Tag, Timesheet,
};

use super::{ACL, entry, hasty, log, options, refused, start, with};
use crate::simulator::Mishap;

/// See docs/spec/timesheet.md#validation.
#[tokio::test]
async fn a_project_that_is_unknown_is_forbidden_before_it_is_missed() {
    let harness = start().await;
    refused(log(&harness, entry("NOPE", "Development", "8")).await, Code::Forbidden);
    let harness = with(&["Project=T"], options(Duration::from_secs(20))).await;
    let refusal = refused(log(&harness, entry("NOPE", "Development", "8")).await, Code::ValidationError);
    assert_eq!(
        (refusal.message.as_str(), refusal.field.as_deref()),
        ("Project 'NOPE' does not exist", Some("projectCode"))
    );
    assert_eq!(refusal.allowed_values, ["CLIENT-A", "INTERNAL", "MAINT"]);
}

/// An inactive project says so, and is not among those that could be meant.
#[tokio::test]
async fn an_inactive_project_says_so() {
    let harness = start().await;
    harness.api.change_projects(|projects| {
        projects
            .iter_mut()
            .filter(|project| project.code == "INTERNAL")
            .for_each(|project: &mut Project| project.is_active = false);
    });
    let refusal = refused(log(&harness, entry("INTERNAL", "Development", "8")).await, Code::ValidationError);
    assert_eq!(refusal.message, "Project 'INTERNAL' is inactive");
    assert_eq!(refusal.allowed_values, ["CLIENT-A", "MAINT"]);
}

/// See docs/spec/timesheet.md#permissions.
#[tokio::test]
async fn a_move_needs_the_right_to_edit_on_both_projects() {
    let harness = with(&["Project/INTERNAL=V,E,T", "Project/CLIENT-A=V,T"], options(Duration::from_secs(20))).await;
    let booked = log(&harness, entry("INTERNAL", "Development", "8")).await.unwrap();
    refused(harness.timesheet.move_to(booked.id, "CLIENT-A", "Support").await, Code::Forbidden);
    assert_eq!(harness.timesheet.find(booked.id).await.unwrap(), booked);
}

/// See docs/spec/timesheet.md#permissions.
#[tokio::test]
async fn nobody_submits_for_another() {
    let harness = start().await;
    let booked = log(&harness, entry("INTERNAL", "Development", "8")).await.unwrap();
    let manager = harness.as_user("user-m", &["Project/INTERNAL=V,E,T,M"]);
    refused(manager.submit(booked.id).await, Code::Forbidden);
    let changes = Changes { standard_hours: Some(Hours::ZERO), ..Changes::default() };
    assert_eq!(manager.update(booked.id, changes, Overlaps::Allowed).await.unwrap().standard_hours, Hours::ZERO);
    assert_eq!(harness.timesheet.find(booked.id).await.unwrap().status, Status::NotReported);
}

/// See docs/spec/timesheet.md#http-status.
#[tokio::test]
async fn a_body_counts_whatever_the_status() {
    let harness = with(&ACL, hasty()).await;
    let none = EntryId::new();
    // The mutation fails with status 500 and a body that says why.
    refused(harness.timesheet.submit(none).await, Code::NotFound);
    refused(log(&harness, entry("MAINT", "Monitoring", "8")).await, Code::Forbidden);
    for mishap in [Mishap::Page(502), Mishap::Page(200), Mishap::Silence, Mishap::Endless] {
        harness.api.next("TimeEntryById", mishap.clone());
        let refusal = refused(harness.timesheet.find(none).await, Code::NetworkError);
        assert!(refusal.message.starts_with(&format!("The API at {} ", harness.api.url())), "{mishap:?}: {refusal}");
    }
    harness.api.next("TimeEntryById", Mishap::Internal);
    refused(harness.timesheet.find(none).await, Code::InternalError);
    harness.api.next("TimeEntryById", Mishap::Unauthorized);
    let refusal = refused(harness.timesheet.find(none).await, Code::AuthenticationError);
    assert!(refusal.message.contains("az login"), "{refusal}");
}

/// A read is asked once more where the connection broke, and not a third time.
#[tokio::test]
async fn a_broken_read_is_asked_once_more() {
    let harness = start().await;
    let booked = log(&harness, entry("INTERNAL", "Development", "8")).await.unwrap();
    for mishap in [Mishap::Drop, Mishap::CutOff] {
        harness.api.next("TimeEntryById", mishap);
        assert_eq!(harness.timesheet.find(booked.id).await.unwrap(), booked);
    }
    assert_eq!(harness.api.count("TimeEntryById"), 4);
    harness.api.next("TimeEntryById", Mishap::Drop);
    harness.api.next("TimeEntryById", Mishap::CutOff);
    refused(harness.timesheet.find(booked.id).await, Code::NetworkError);
    assert_eq!(harness.api.count("TimeEntryById"), 6);
}

/// What the API would end in an error of its own at never reaches it.
#[tokio::test]
async fn what_the_api_has_no_room_for_is_refused_here() {
    let harness = start().await;
    let plain = entry("INTERNAL", "Development", "8");
    let twice = vec![Tag::new("Type", "Bug"), Tag::new("Type", "Bug")];
    for (odd, field) in [
        (NewEntry { issue_id: Some("X".repeat(31)), ..plain.clone() }, "issueId"),
        (NewEntry { tags: twice.clone(), ..plain.clone() }, "tags"),
        (NewEntry { description: Some("a\0b".to_owned()), ..plain.clone() }, "description"),
        (NewEntry { standard_hours: Hours::from_hundredths(10_000_000_000), ..plain.clone() }, "standardHours"),
    ] {
        let refusal = refused(log(&harness, odd).await, Code::ValidationError);
        assert_eq!(refusal.field.as_deref(), Some(field));
    }
    let changes = Changes { tags: Some(twice), ..Changes::default() };
    refused(harness.timesheet.update(EntryId::new(), changes, Overlaps::Allowed).await, Code::ValidationError);
    assert_eq!(harness.api.requests(), []);
    assert!(harness.timesheet.book().pending().await.unwrap().is_empty());
}

/// No connection: nothing was sent, and the key can be used again.
#[tokio::test]
async fn an_api_that_is_not_there_books_nothing() {
    let harness = start().await;
    let book = harness.timesheet.book().clone();
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let endpoint = format!("http://127.0.0.1:{port}/graphql").parse().unwrap();
    let nobody = dayledger_timesheet::GraphQl::new(endpoint, harness.user.clone(), book, hasty()).unwrap();
    let refusal = refused(
        nobody.log(LocalKey::new(), entry("INTERNAL", "Development", "8"), Overlaps::Allowed).await,
        Code::NetworkError,
    );
    assert!(refusal.message.contains("nothing was sent"), "{refusal}");
    assert!(harness.timesheet.book().pending().await.unwrap().is_empty());
}
