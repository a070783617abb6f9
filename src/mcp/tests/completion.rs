//! Tests completions from the content of the history.

use std::collections::HashMap;

use rmcp::{
    ServiceError,
    model::{
        ArgumentInfo, CompleteRequestParams, CompletionContext, CompletionInfo, ErrorCode, ProtocolVersion, Reference,
    },
};

use super::{Session, StubHandler};
use crate::{
    activity::{HistoryBounds, RecentNames, Role, TimelineDates, TimelineRange, codes},
    mcp::resources::{NOTE_TEMPLATE, TIMELINE_TEMPLATE},
    request::Error,
};

/// Returns a stub with three timelines on two devices. Their data ranges from `start` to 15 January 2025.
fn history_from(start: &'static str) -> StubHandler {
    let timeline = |timeline_id, device: &str, start: Option<&str>| TimelineRange {
        timeline_id,
        role: Role::Applications,
        device: device.to_owned(),
        activities: None,
        dates: TimelineDates {
            start: start.map(|day| format!("{day}T22:10:00")),
            end: start.map(|_| "2025-01-15T10:00:00".to_owned()),
        },
    };
    StubHandler::with_reply(move || {
        let timelines = vec![
            timeline(2, "DESK", Some(start)),
            timeline(21, "Laptop", Some("2025-01-14")),
            timeline(7, "DESK", None),
        ];
        Ok(Box::new(HistoryBounds { timelines }))
    })
}

async fn completion(
    session: &Session,
    reference: Reference,
    argument: (&str, &str),
    start_date: Option<&str>,
) -> Result<CompletionInfo, ServiceError> {
    let request = CompleteRequestParams::new(reference, ArgumentInfo::new(argument.0, argument.1));
    let given = start_date.map(|start| HashMap::from([("startDate".to_owned(), start.to_owned())]));
    let context = given.map_or_else(CompletionContext::new, CompletionContext::with_arguments);
    session.client.complete(request.with_context(context)).await.map(|result| result.completion)
}

async fn values(session: &Session, prompt: &str, argument: &str, typed: &str) -> Vec<String> {
    completion(session, Reference::for_prompt(prompt), (argument, typed), None).await.expect("values").values
}

#[tokio::test]
async fn days_with_data_come_newest_first_in_every_protocol_version() {
    for version in [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28] {
        let session = Session::connect_with_version(&history_from("2025-01-12"), version).await;
        let days = values(&session, "daily_review", "date", "").await;
        assert_eq!(days, ["2025-01-15", "2025-01-14", "2025-01-13", "2025-01-12"]);
        assert_eq!(values(&session, "daily_review", "date", "2025-01-14").await, ["2025-01-14"]);
        assert_eq!(values(&session, "daily_review", "date", "2024").await, [""; 0]);
        session.end().await;
    }
}

#[tokio::test]
async fn the_end_of_a_week_lies_after_its_start() {
    let session = Session::connect(&history_from("2025-01-12")).await;
    let reference = || Reference::for_prompt("weekly_review");
    let ends = completion(&session, reference(), ("endDate", ""), Some("2025-01-14")).await.expect("values");
    assert_eq!(ends.values, ["2025-01-16", "2025-01-15"]);
    assert_eq!((ends.total, ends.has_more), (Some(2), Some(false)));
    session.end().await;
}

#[tokio::test]
async fn a_long_history_completes_to_a_hundred_days_and_reports_more() {
    let session = Session::connect(&history_from("2024-01-15")).await;
    let reference = Reference::for_prompt("daily_review");
    let all = completion(&session, reference, ("date", "20"), None).await.expect("values");
    assert_eq!((all.values.len(), all.total, all.has_more), (100, Some(367), Some(true)));
    session.end().await;
}

#[tokio::test]
async fn a_moment_is_completed_by_day_and_then_by_hour() {
    let session = Session::connect(&history_from("2025-01-14")).await;
    let moments = async |typed: &str| values(&session, "screenshot_investigation", "datetime", typed).await;
    assert_eq!(moments("2025").await, ["2025-01-15T12:00", "2025-01-14T12:00"]);
    assert_eq!(moments("2025-01-14").await.len(), 24);
    assert_eq!(moments("2025-01-14T09").await, ["2025-01-14T09:00"]);
    assert_eq!(moments("2025-01-14 09").await, ["2025-01-14T09:00"]);
    assert_eq!(moments("2025-01-16T09").await, [""; 0]);
    assert_eq!(moments("2025-01-1é").await, [""; 0]);
    session.end().await;
}

#[tokio::test]
async fn devices_and_timelines_are_completed_by_their_beginning() {
    let session = Session::connect(&history_from("2025-01-14")).await;
    assert_eq!(values(&session, "weekly_review", "device", "").await, ["DESK", "Laptop"]);
    assert_eq!(values(&session, "daily_review", "device", "lap").await, ["Laptop"]);
    let reference = || Reference::for_resource(TIMELINE_TEMPLATE);
    let ids = completion(&session, reference(), ("timelineId", "2"), None).await.expect("values");
    assert_eq!(ids.values, ["2", "21"]);
    session.end().await;
}

#[tokio::test]
async fn a_hundred_names_are_completed_with_the_number_of_all() {
    let names = || RecentNames { names: (0..250).map(|number| format!("Client {number}")).collect() };
    let stand_in = StubHandler::with_reply(move || Ok(Box::new(names())));
    let session = Session::connect(&stand_in).await;
    let reference = Reference::for_prompt("daily_review");
    let found = completion(&session, reference, ("about", " clie "), None).await.expect("values");
    assert_eq!((found.values.len(), found.total, found.has_more), (100, Some(250), Some(true)));
    assert_eq!(stand_in.requests(), ["RecentNamesRequest { search_text: \"clie\" }"]);
    session.end().await;
}

#[tokio::test]
async fn a_screenshot_has_no_completions() {
    let session = Session::connect(&history_from("2025-01-14")).await;
    let reference = Reference::for_resource("manictime://screenshot/{screenshotRef}{?size}");
    let found = completion(&session, reference, ("screenshotRef", ""), None).await.expect("no values");
    assert_eq!(found.values, [""; 0]);
    session.end().await;
}

#[tokio::test]
async fn a_failing_history_has_no_completions() {
    let stand_in = StubHandler::with_reply(|| {
        Err(Error::with_field(codes::UNKNOWN_DEVICE, "device", "no such device", "leave it out"))
    });
    let session = Session::connect(&stand_in).await;
    assert_eq!(values(&session, "daily_review", "date", "").await, [""; 0]);
    session.end().await;
}

#[tokio::test]
async fn unknown_names_are_not_completed() {
    let session = Session::connect(&history_from("2025-01-14")).await;
    for (reference, argument, message) in [
        (Reference::for_prompt("monthly_review"), "date", "unknown prompt `monthly_review`"),
        (Reference::for_prompt("daily_review"), "day", "unknown argument `day` of the prompt; it takes `date`"),
        (Reference::for_resource("manictime://timelines"), "timelineId", "unknown template `manictime://timelines`"),
        (
            Reference::for_resource(TIMELINE_TEMPLATE),
            "id",
            "unknown variable `id` of the template; it contains `timelineId`",
        ),
        // The server doesn't offer the tools for notes.
        (Reference::for_resource(NOTE_TEMPLATE), "path", "unknown template `note://file/{path}`"),
    ] {
        let result = completion(&session, reference, (argument, ""), None).await;
        let Err(ServiceError::McpError(error)) = result else { panic!("{result:?}") };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS, "{argument}");
        assert!(error.message.starts_with(message), "{}", error.message);
    }
    session.end().await;
}
